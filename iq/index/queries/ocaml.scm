; Types with constructors and fields, values, modules, classes and their members; local bindings and names bound by a pattern are left out.
(type_definition (type_binding name: (type_constructor) @name body: (_)? @body) @def.type)
(type_definition (type_binding name: (type_constructor) @name body: (record_declaration) @body) @def.struct)
(type_definition (type_binding name: (type_constructor) @name body: (variant_declaration) @body) @def.enum)
(type_definition . (type_binding name: (type_constructor) @name body: (_)? @body) .) @def.type
(type_definition . (type_binding name: (type_constructor) @name body: (record_declaration) @body) .) @def.struct
(type_definition . (type_binding name: (type_constructor) @name body: (variant_declaration) @body) .) @def.enum
(constructor_declaration (constructor_name) @name) @def.const
(constructor_declaration (constructor_name) @name (record_declaration) @body) @def.const
(exception_definition (constructor_declaration (constructor_name) @name)) @def.const
(field_declaration (field_name) @name) @def.field
(external [(value_name) @name (parenthesized_operator (_) @name)]) @def.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)]) @def.const
(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: [(function_type) (polymorphic_type (function_type))]) @def.function
(module_definition (module_binding (module_name) @name) @def.module)
(module_definition (module_binding (module_name) @name body: (_) @body) @def.module)
(module_definition . (module_binding (module_name) @name) .) @def.module
(module_definition . (module_binding (module_name) @name body: (_) @body) .) @def.module
(module_type_definition (module_type_name) @name body: (_)? @body) @def.interface
(class_definition (class_binding (class_name) @name body: (_)? @body) @def.class)
(class_definition . (class_binding (class_name) @name body: (_)? @body) .) @def.class
(class_type_definition (class_type_binding (class_type_name) @name body: (_) @body) @def.interface)
(class_type_definition . (class_type_binding (class_type_name) @name body: (_) @body) .) @def.interface
(method_definition (method_name) @name body: (_)? @body) @def.method
(method_specification (method_name) @name) @def.method
(instance_variable_definition (instance_variable_name) @name) @def.field
(instance_variable_specification (instance_variable_name) @name) @def.field

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
