; Functions with their clauses and spec, macros, records, types, callbacks and tests; funs bound to variables are left out.
(module_attribute name: (_) @name) @def.module
(pp_define lhs: (macro_lhs name: (_) @name)) @def.macro
(record_decl name: (_) @name) @def.struct
(record_field name: (_) @name) @def.field
(record_expr fields: (record_field name: (_) @name)) @scope
(type_alias name: (type_name name: (_) @name)) @def.type
(opaque name: (type_name name: (_) @name)) @def.type
(callback fun: (_) @name) @def.function
((spec fun: (_) @name) @def.function (#set! join clauses))
((fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @def.function (#set! join clauses))
((fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @def.test (#match? @name "_test_?$") (#set! join clauses))

(comment) @comment

(pp_include file: (_) @import)
(pp_include_lib file: (_) @import)
(import_attribute module: (_) @import)
(behaviour_attribute name: (_) @import)
