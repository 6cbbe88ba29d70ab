; Tables and the keys directly in them; keys of inline tables are left out.
(document (pair . (_) @name) @def.field)
(table . (_) @name) @def.module
(table_array_element . (_) @name) @def.module
(table (pair . (_) @name) @def.field)
(table_array_element (pair . (_) @name) @def.field)

(comment) @comment
