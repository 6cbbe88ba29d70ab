; Locals, parameters, accessors, indexers and lambdas are left out.
(namespace_declaration name: (_) @name) @def.module
(file_scoped_namespace_declaration name: (_) @name) @def.module
(class_declaration name: (_) @name) @def.class
(record_declaration name: (_) @name) @def.class
(struct_declaration name: (_) @name) @def.struct
(interface_declaration name: (_) @name) @def.interface
(enum_declaration name: (_) @name) @def.enum
(enum_member_declaration name: (_) @name) @def.const
(delegate_declaration name: (_) @name) @def.type

(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.field
((field_declaration (modifier) @const (variable_declaration (variable_declarator name: (_) @name))) @def.const (#eq? @const "const"))
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.field
(event_declaration name: (_) @name accessors: (_)? @body) @def.field
(property_declaration name: (_) @name accessors: (_) @body) @def.field
(property_declaration name: (_) @name value: (arrow_expression_clause) @body) @def.field
(record_declaration (parameter_list (parameter name: (_) @name) @def.field))

(constructor_declaration name: (_) @name) @def.method
((destructor_declaration name: (_) @name) @def.method (#set! prefix "~"))
((operator_declaration operator: _ @name) @def.method (#set! prefix "operator "))
((conversion_operator_declaration type: (_) @name) @def.method (#set! prefix "operator "))
(method_declaration name: (_) @name) @def.method
; Behind `#if`, an `else if` can read as a function called `if`.
((local_function_statement name: (_) @name) @def.function (#not-any-of? @name "if" "while" "switch" "for" "foreach" "using" "lock" "catch"))
((method_declaration (attribute_list (attribute name: (_) @test)) name: (_) @name) @def.test
  (#any-of? @test "Fact" "Theory" "Test" "TestCase" "TestCaseSource" "TestMethod" "DataTestMethod" "Property" "Benchmark"))

((attribute name: (_) @verb (attribute_argument_list . (attribute_argument (string_literal) @name))) @def.route (#match? @verb "^(Http[A-Z]|Route)") )
((invocation_expression function: (member_access_expression name: (_) @verb) arguments: (argument_list . (argument (string_literal) @name) . (_))) @def.route
  (#match? @verb "^Map(Get|Post|Put|Delete|Patch|Methods|Group)?$") (#match? @name "^\"/"))

(comment) @comment
(using_directive [(identifier) (qualified_name)] @import .)
