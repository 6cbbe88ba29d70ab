; Classes, objects, members, types and tests; locals, anonymous givens and the package clause are left out.
(compilation_unit (val_definition pattern: (identifier) @name) @def.variable)
(compilation_unit (var_definition pattern: (identifier) @name) @def.variable)
(template_body (val_definition pattern: (identifier) @name) @def.field)
(template_body (var_definition pattern: (identifier) @name) @def.field)
(template_body (val_definition pattern: (identifiers (identifier) @name)) @def.field)
(template_body (var_definition pattern: (identifiers (identifier) @name)) @def.field)
(val_declaration name: (_) @name) @def.field
(var_declaration name: (_) @name) @def.field
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @def.field))
(class_parameter ["val" "var"] name: (_) @name) @def.field
(type_definition name: (_) @name) @def.type
(given_definition name: (_) @name) @def.variable
(class_definition name: (_) @name body: (_)? @body) @def.class
(object_definition name: (_) @name body: (_)? @body) @def.class
(trait_definition name: (_) @name body: (_)? @body) @def.trait
(enum_definition name: (_) @name body: (_) @body) @def.enum
(simple_enum_case name: (_) @name) @def.const
(full_enum_case name: (_) @name) @def.const
(package_object name: (_) @name body: (_)? @body) @def.module
(package_clause name: (_) @name body: (_) @body) @def.module
(function_definition name: (_) @name body: (_) @body) @def.function
(function_declaration name: (_) @name) @def.function
((call_expression function: (call_expression function: (identifier) @_test arguments: (arguments . (string) @name))
  arguments: (_) @body) @def.test (#any-of? @_test "test" "it" "describe" "property" "feature" "scenario"))
((infix_expression left: (string) @name operator: (identifier) @_in right: (_) @body) @def.test
  (#any-of? @_in "in" "should" "must" "can" "when" "which"))

(comment) @comment
(block_comment) @comment

((import_declaration) @import (#set! cut "(?s)^import\\s+|\\.?(\\{|\\*|_$| as ).*$"))
(package_clause name: (_) @package)
(package_object name: (_) @package)
