; Types with constructors and fields, values, modules, classes and their members; local bindings and names bound by a pattern are left out.
; inherits ocaml_interface

; Values at the top and in modules, twice: one of several in `let … and …`, then one alone with its `let`.
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @def.const))
(compilation_unit (value_definition . (let_binding pattern: (value_name) @name body: (_) @body) .) @def.const)
(compilation_unit (value_definition . (let_binding pattern: (value_name) @name body: (application_expression function: (_) @_ref)) .) @def.variable (#eq? @_ref "ref"))
(compilation_unit (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) body: (_) @body) @def.function))
(compilation_unit (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] body: [(fun_expression) (function_expression)] @body) @def.function))
(compilation_unit (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) body: (_) @body) .) @def.function)
(compilation_unit (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] body: [(fun_expression) (function_expression)] @body) .) @def.function)
(structure (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @def.const))
(structure (value_definition . (let_binding pattern: (value_name) @name body: (_) @body) .) @def.const)
(structure (value_definition . (let_binding pattern: (value_name) @name body: (application_expression function: (_) @_ref)) .) @def.variable (#eq? @_ref "ref"))
(structure (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) body: (_) @body) @def.function))
(structure (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] body: [(fun_expression) (function_expression)] @body) @def.function))
(structure (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) body: (_) @body) .) @def.function)
(structure (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] body: [(fun_expression) (function_expression)] @body) .) @def.function)

(comment) @comment

(open_module module: (module_path) @import)
(include_module module: (module_path) @import)
(include_module_type module_type: (module_type_path) @import)
