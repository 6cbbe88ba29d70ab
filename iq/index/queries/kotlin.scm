; Locals, parameters without `val` or `var`, packages, getters, setters and initializer blocks are left out.
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @def.variable)
(source_file (property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @def.variable)
(source_file (property_declaration (receiver_type (user_type (type_identifier) @container)) (variable_declaration (simple_identifier) @name)) @def.field)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.field)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.field)
((property_declaration (modifiers (property_modifier) @const) (variable_declaration (simple_identifier) @name)) @def.const (#eq? @const "const"))
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @def.field
(enum_entry (simple_identifier) @name) @def.const
(type_alias (type_identifier) @name) @def.type

(class_declaration (type_identifier) @name [(class_body) (enum_class_body)]? @body) @def.class
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @def.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @def.enum
(object_declaration (type_identifier) @name (class_body)? @body) @def.class
(companion_object (type_identifier) @name (class_body)? @body) @def.class
(secondary_constructor "constructor" @name (statements)? @body) @def.method

(function_declaration (simple_identifier) @name (function_body)? @body) @def.function
(enum_entry (class_body (function_declaration (simple_identifier) @name (function_body)? @body) @def.method))
(function_declaration (receiver_type (user_type (type_identifier) @container)) (simple_identifier) @name (function_body)? @body) @def.function
(function_declaration (receiver_type (nullable_type (user_type (type_identifier) @container))) (simple_identifier) @name (function_body)? @body) @def.function
((function_declaration (modifiers (annotation [(user_type (type_identifier) @test .) (constructor_invocation (user_type (type_identifier) @test .))]))
  (simple_identifier) @name (function_body)? @body) @def.test (#any-of? @test "Test" "ParameterizedTest" "RepeatedTest" "TestFactory"))

((call_expression (call_expression (simple_identifier) @verb (call_suffix (value_arguments . (value_argument (string_literal) @name)))) (call_suffix (annotated_lambda))) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "route") (#match? @name "^\"/"))
((call_expression (simple_identifier) @verb (call_suffix (value_arguments . (value_argument (string_literal) @name)) (annotated_lambda))) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "route") (#match? @name "^\"/"))
((call_expression (simple_identifier) @verb (call_suffix (value_arguments . (value_argument (string_literal) @name)) (annotated_lambda))) @def.test
  (#any-of? @verb "test" "describe" "context" "it" "should"))

[(line_comment) (multiline_comment)] @comment
(import_header (identifier) @import)
(package_header (identifier) @package)
