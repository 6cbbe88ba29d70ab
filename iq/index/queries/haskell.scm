; Types, constructors, fields, classes, instance methods and bindings; further equations of a function, defaults in classes and local bindings are left out.
(header module: (module) @name) @def.module
(data_type name: (_) @name constructors: (_)? @body) @def.type
(newtype name: (_) @name constructor: (_) @body) @def.type
(type_synomym name: (_) @name) @def.type
(type_family name: (_) @name) @def.type
(data_family name: (_) @name) @def.type
(data_constructor constructor: (prefix name: (_) @name)) @def.const
(data_constructor constructor: (infix operator: (_) @name)) @def.const
(data_constructor constructor: (record name: (_) @name fields: (_) @body)) @def.const
(newtype_constructor name: (_) @name field: (_) @body) @def.const
(gadt_constructor name: (_) @name) @def.const
(field name: (field_name (_) @name)) @def.field
(pattern_synonym (equation synonym: (constructor) @name)) @def.const
(pattern_synonym (equation synonym: (apply function: (constructor) @name)))
(class name: (_) @name declarations: (_)? @body) @def.trait
(class_declarations (signature name: (variable) @name) @def.method)
(class_declarations (signature name: (prefix_id (_) @name)) @def.method)
(class_declarations (signature names: (binding_list name: (_) @name)) @def.method)
((instance patterns: (type_patterns . (_) @name)) @scope (#set! cut "(?s)[(),]|(?<=\\w)\\s.*$"))

; Bindings by their equation, then by the signature in front of it; a scope takes the place of what is said already.
(instance_declarations (function name: (variable) @name match: (_) @body) @def.method)
(instance_declarations (function (infix operator: (operator) @name) match: (_) @body) @def.method)
(instance_declarations (bind name: (variable) @name match: (_) @body) @def.method)
(instance_declarations [(function name: (_) @_before) (bind name: (_) @_before)] . [(comment) (haddock) (pragma)]* . (function name: (variable) @name) @scope (#eq? @_before @name))
(instance_declarations (function (infix operator: (_) @_before)) . [(comment) (haddock) (pragma)]* . (function (infix operator: (operator) @name)) @scope (#eq? @_before @name))
(declarations (bind name: (variable) @name match: (_) @body) @def.const)
(declarations (bind name: (variable) @name match: (match expression: [(do) (lambda) (lambda_case)]) @body) @def.function)
(declarations (function name: (variable) @name match: (_) @body) @def.function)
(declarations (function name: (prefix_id (operator) @name) match: (_) @body) @def.function)
(declarations (function (infix operator: (operator) @name) match: (_) @body) @def.function)
(declarations (function (infix operator: (infix_id (variable) @name)) match: (_) @body) @def.function)
(declarations (function name: (_) @_before) . [(comment) (haddock) (pragma)]* . (function name: (variable) @name) @scope (#eq? @_before @name))
(declarations (function (infix operator: (_) @_before)) . [(comment) (haddock) (pragma)]* . (function (infix operator: (operator) @name)) @scope (#eq? @_before @name))
(declarations (signature name: (_) @_before) . [(comment) (haddock) (pragma)]* . [(bind name: (variable) @name) (function name: (variable) @name)] @scope (#eq? @_before @name))
(declarations (signature name: (prefix_id (_) @_before)) . [(comment) (haddock) (pragma)]* . (function [(infix operator: (operator) @name) (prefix_id (operator) @name)]) @scope (#eq? @_before @name))
(declarations (signature name: (variable) @name) @def.const . [(comment) (haddock) (pragma)]* . (bind name: (_) @_equation) @body (#eq? @name @_equation))
(declarations (signature name: (variable) @name type: [(function) (context (function)) (forall (function)) (forall (context (function)))]) @def.function . [(comment) (haddock) (pragma)]* . (bind name: (_) @_equation) @body (#eq? @name @_equation))
(declarations (signature name: (variable) @name) @def.function . [(comment) (haddock) (pragma)]* . (bind name: (_) @_equation match: (match expression: [(do) (lambda) (lambda_case)])) @body (#eq? @name @_equation))
(declarations (signature name: (variable) @name) @def.function . [(comment) (haddock) (pragma)]* . (function name: (_) @_equation) @body (#eq? @name @_equation))
(declarations (signature name: (prefix_id (operator) @name)) @def.function . [(comment) (haddock) (pragma)]* . (function [(infix operator: (_) @_equation) (prefix_id (_) @_equation)]) @body (#eq? @name @_equation))
(foreign_import signature: (signature name: (variable) @name)) @def.function

(comment) @comment
(haddock) @comment

(import module: (module) @import)
