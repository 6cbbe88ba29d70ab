; Types, members, functions, variables and tests; locals are left out.
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @def.variable))
(program (const_builtin) . (static_final_declaration_list (static_final_declaration . (identifier) @name) @def.const))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @def.variable))
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @def.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @def.field
(enum_constant name: (_) @name) @def.const
(type_alias (type_identifier) @name . (type_parameters)? . ["=" (formal_parameter_list)]) @def.type
(class_definition name: (_) @name body: (_) @body) @def.class
(mixin_declaration (identifier) @name (class_body) @body) @def.trait
(enum_declaration name: (_) @name body: (_) @body) @def.enum
(extension_declaration name: (_) @name body: (_) @body) @def.class
(extension_type_declaration name: (_) @name body: (_) @body) @def.class
(declaration [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)]) @def.method
(declaration (constructor_signature name: (identifier) @name . parameters: (_))) @def.method
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @def.method
((method_signature [
    (function_signature name: (_) @name)
    (getter_signature name: (_) @name)
    (setter_signature name: (_) @name)
    (constructor_signature name: (identifier) @name . parameters: (_))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
    (operator_signature (binary_operator) @name)
  ]) @def.method . (function_body) @body)
(program (function_signature name: (_) @name) @def.function)
(program [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)] @def.function
  . (function_body) @body)
((expression_statement (identifier) @_test . (selector (argument_part (arguments . (argument (string_literal) @name)) @body))) @def.test
  (#any-of? @_test "test" "group" "testWidgets" "testGoldens" "blocTest"))

(comment) @comment
(documentation_comment) @comment

(uri (string_literal) @import)
