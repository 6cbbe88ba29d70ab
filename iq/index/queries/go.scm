; Locals, parameters, embedded fields and functions without a name are left out.
(source_file (const_declaration (const_spec name: (identifier) @name) @def.const))
(source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @def.variable)))
(source_file (var_declaration (var_spec name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @def.function))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @def.function)))

(type_spec name: (_) @name) @def.type
(type_alias name: (_) @name) @def.type
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @def.struct
(type_spec name: (_) @name type: (interface_type "interface" . "{" @body)) @def.interface
(field_declaration name: (_) @name) @def.field
(method_elem name: (_) @name) @def.method

(function_declaration name: (_) @name) @def.function
((function_declaration name: (_) @name parameters: (parameter_list . (parameter_declaration type: (pointer_type (qualified_type)) @type) .)) @def.test
  (#match? @name "^(Test|Benchmark|Fuzz)") (#match? @type "testing"))
((function_declaration name: (_) @name parameters: (_) @none) @def.test (#match? @name "^Example") (#eq? @none "()"))
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @container
  (generic_type type: (type_identifier) @container)
  (pointer_type (type_identifier) @container)
  (pointer_type (generic_type type: (type_identifier) @container))])) name: (_) @name) @def.method
((call_expression function: (selector_expression field: (_) @verb)
  arguments: (argument_list . (interpreted_string_literal) @name . (func_literal body: (_) @body) .)) @def.test (#eq? @verb "Run"))

; The operand of a chained call holds the calls before it, so there the arguments are the definition.
((call_expression function: (selector_expression operand: [(identifier) (selector_expression)] field: (_) @verb)
  arguments: (argument_list . (interpreted_string_literal) @name . [(identifier) (selector_expression) (func_literal) (call_expression)])) @def.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS" "Any" "Get" "Post" "Put" "Patch" "Delete" "Head" "Options" "Handle" "HandleFunc" "Mount" "Route")
  (#match? @name "^\"([A-Z]+ )?/"))
((call_expression function: (selector_expression operand: (call_expression) field: (_) @verb)
  arguments: (argument_list . (interpreted_string_literal) @name . [(identifier) (selector_expression) (func_literal) (call_expression)]) @def.route)
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS" "Any" "Get" "Post" "Put" "Patch" "Delete" "Head" "Options" "Handle" "HandleFunc" "Mount" "Route")
  (#match? @name "^\"([A-Z]+ )?/"))
((call_expression function: (selector_expression operand: (identifier) field: (_) @verb) arguments: (argument_list . (interpreted_string_literal) @name)) @def.route
  (#eq? @verb "Group") (#match? @name "^\"/"))

(comment) @comment
(import_spec path: (_) @import)
