; Locals, parameters, forward declarations, friends and using-directives are left out, besides what C leaves out.
; inherits c
(namespace_definition name: (_) @name) @def.module
(namespace_alias_definition name: (_) @name) @def.module
(class_specifier name: [(type_identifier) @name (template_type name: (_) @name)] body: (_)) @def.class
(class_specifier name: (qualified_identifier scope: (_) @container name: (_) @name) body: (_)) @def.class
(struct_specifier name: (template_type name: (_) @name) body: (_)) @def.struct
(struct_specifier name: (qualified_identifier scope: (_) @container name: (_) @name) body: (_)) @def.struct
(alias_declaration name: (_) @name) @def.type
(concept_definition name: (_) @name) @def.type

((field_declaration (storage_class_specifier) (type_qualifier) @const declarator: (field_identifier) @name) @def.const (#any-of? @const "const" "constexpr"))
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @def.field
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)) @def.method
(field_declaration declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @def.method
(field_declaration_list (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @def.method)
(field_declaration_list (template_declaration (declaration declarator: (function_declarator declarator: (identifier) @name)) @def.method))
((declaration declarator: (operator_cast type: (_) @name)) @def.method (#set! prefix "operator "))

(template_declaration (declaration declarator: (function_declarator declarator: (identifier) @name)) @def.function)
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))) @def.function
(declaration declarator: (function_declarator declarator: (operator_name) @name)) @def.function
(declaration declarator: (init_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name))) @def.variable
(declaration declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name))) @def.function

(function_definition declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)) @def.function
(field_declaration_list (function_definition !type declarator: (function_declarator declarator: (identifier) @name)) @def.method)
(field_declaration_list (template_declaration (function_definition !type declarator: (function_declarator declarator: (identifier) @name)) @def.method))
(function_definition declarator: (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))) @def.function
(function_definition declarator: (_ declarator: (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name)))) @def.function
(field_declaration declarator: (_ declarator: (_ (function_declarator declarator: (field_identifier) @name)))) @def.method
(function_definition declarator: (function_declarator declarator: (template_function name: (_) @name))) @def.function
(function_definition declarator: (_ (function_declarator declarator: (template_function name: (_) @name)))) @def.function
((function_definition declarator: (operator_cast type: (_) @name)) @def.method (#set! prefix "operator "))

; Defined outside the class: `int& outer::Ship<T>::sail() const`.
(function_definition declarator: (function_declarator declarator: [
  (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (_) @container)] name: [(identifier) (destructor_name) (operator_name)] @name)
  (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (_) @container)] name: [(identifier) (destructor_name) (operator_name)] @name))
  (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (_) @container)] name: [(identifier) (destructor_name) (operator_name)] @name)))])) @def.method
(function_definition declarator: (_ (function_declarator declarator: [
  (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (_) @container)] name: [(identifier) (destructor_name) (operator_name)] @name)
  (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (_) @container)] name: [(identifier) (destructor_name) (operator_name)] @name))
  (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (_) @container)] name: [(identifier) (destructor_name) (operator_name)] @name)))]))) @def.method
((function_definition declarator: (qualified_identifier scope: (_) @container name: (operator_cast type: (_) @name))) @def.method (#set! prefix "operator "))

((function_definition !type declarator: (function_declarator declarator: (identifier) @macro
  parameters: (parameter_list . (parameter_declaration type: (_) @container) . (parameter_declaration type: (_) @name)))) @def.test
  (#any-of? @macro "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
((expression_statement (call_expression function: (identifier) @macro arguments: (argument_list . (string_literal) @name))) @def.test
  (#any-of? @macro "TEST_CASE" "SCENARIO" "SECTION" "GIVEN" "WHEN" "THEN"))

(import_declaration name: (_) @import)
