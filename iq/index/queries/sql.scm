; Schema objects and columns; queries, rows, constraints and common table expressions are left out.
(create_schema (identifier) @name) @def.module
(create_table (object_reference name: (_) @name) (column_definitions)? @body) @def.struct
(create_view (object_reference name: (_) @name) . (keyword_as)? @body) @def.type
(create_materialized_view (object_reference name: (_) @name)) @def.type
(create_type (object_reference name: (_) @name)) @def.type
(create_function . (keyword_create) . (keyword_or)? . (keyword_replace)? . (keyword_function) . (object_reference name: (_) @name) (function_body)? @body) @def.function
; What follows its head may be more than the grammar can read.
(ERROR (keyword_create) @def.function . (keyword_or)? . (keyword_replace)? . (keyword_function) . (object_reference name: (_) @name) . (function_arguments)? . (_)? @body)
(create_trigger (keyword_trigger) . (object_reference name: (_) @name)) @def.function
(create_index column: (_) @name) @def.variable
(create_sequence (object_reference name: (_) @name)) @def.variable
(column_definition name: (_) @name) @def.field
(enum_elements enum_element: (_) @name @def.const)

(comment) @comment
(marginalia) @comment
