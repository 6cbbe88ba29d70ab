; Functions, module-level variables and the fields of module-level tables; locals and modules bound by require are left out.
((chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name) (expression_list) @_value) @def.variable))
  (#not-match? @_value "^require\\b"))
(chunk (variable_declaration (variable_list name: (identifier) @name)) @def.variable)
((chunk (assignment_statement (variable_list name: (identifier) @name) (expression_list) @_value) @def.variable)
  (#not-match? @_value "^require\\b"))
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (_) @container field: (_) @name))) @def.field)
(chunk (variable_declaration (assignment_statement (expression_list (table_constructor (field name: (_) @name) @def.field)))))
(chunk (assignment_statement (expression_list (table_constructor (field name: (_) @name) @def.field))))
(chunk (return_statement (expression_list (table_constructor (field name: (_) @name) @def.field))))
(function_declaration name: (identifier) @name) @def.function
(function_declaration name: (dot_index_expression table: (_) @container field: (_) @name)) @def.function
(function_declaration name: (method_index_expression table: (_) @container method: (_) @name)) @def.function
(field name: (_) @name value: (function_definition body: (_)? @body)) @def.function
(assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_)? @body))) @def.function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @container field: (_) @name) .)
  (expression_list . value: (function_definition body: (_)? @body))) @def.function
((function_call name: (identifier) @_test arguments: (arguments . (string) @name (function_definition) @body)) @def.test
  (#any-of? @_test "describe" "it" "context" "test" "insulate"))

(comment) @comment

((function_call name: (identifier) @_require arguments: (arguments . (string) @import))
  (#any-of? @_require "require" "dofile" "loadfile"))
