; Locals, parameters, packages, initializer blocks and lambdas are left out.
(field_declaration declarator: (variable_declarator name: (_) @name)) @def.field
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (_) @name)) @def.const
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (_) @name)) @def.const
(constant_declaration declarator: (variable_declarator name: (_) @name)) @def.const
(enum_constant name: (_) @name) @def.const
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @def.field))
(record_declaration parameters: (formal_parameters (spread_parameter (variable_declarator name: (_) @name)) @def.field))

(class_declaration name: (_) @name) @def.class
(record_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(annotation_type_declaration name: (_) @name) @def.interface
(enum_declaration name: (_) @name) @def.enum
(module_declaration name: (_) @name) @def.module

(annotation_type_element_declaration name: (_) @name) @def.method
(constructor_declaration name: (_) @name) @def.method
(compact_constructor_declaration name: (_) @name) @def.method
(method_declaration name: (_) @name) @def.method
((method_declaration type: (void_type) name: (_) @name parameters: (_) @none) @def.test (#match? @name "^test[A-Z_0-9]") (#eq? @none "()"))
((method_declaration (modifiers [
  (marker_annotation name: [(identifier) @test (scoped_identifier name: (_) @test)])
  (annotation name: [(identifier) @test (scoped_identifier name: (_) @test)])]) name: (_) @name) @def.test
  (#any-of? @test "Test" "ParameterizedTest" "RepeatedTest" "TestFactory" "TestTemplate" "Property"))

((annotation name: (_) @verb arguments: (annotation_argument_list . (string_literal) @name)) @def.route
  (#any-of? @verb "GetMapping" "PostMapping" "PutMapping" "PatchMapping" "DeleteMapping" "RequestMapping" "Path" "GET" "POST" "PUT" "PATCH" "DELETE")
  (#match? @name "^\"/"))
((annotation name: (_) @verb arguments: (annotation_argument_list (element_value_pair key: (_) @key value: (string_literal) @name))) @def.route
  (#match? @verb "Mapping$") (#any-of? @key "value" "path") (#match? @name "^\"/"))

[(line_comment) (block_comment)] @comment
(import_declaration [(identifier) (scoped_identifier)] @import)
(package_declaration [(identifier) (scoped_identifier)] @package)
