; Locals, parameters, `use` of traits and variables outside functions that hold no function are left out.
(namespace_definition name: (_) @name) @def.module
(class_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(trait_declaration name: (_) @name) @def.trait
(enum_declaration name: (_) @name) @def.enum
(enum_case name: (_) @name) @def.const
(const_declaration (const_element . (name) @name)) @def.const
((function_call_expression function: (name) @define arguments: (arguments . (argument (string) @name))) @def.const (#eq? @define "define"))
(property_declaration (property_element name: (variable_name (name) @name))) @def.field
(property_promotion_parameter name: (variable_name (name) @name)) @def.field

(function_definition name: (_) @name) @def.function
(method_declaration name: (_) @name) @def.method
(assignment_expression left: (variable_name (name) @name) right: (anonymous_function body: (_) @body)) @def.function
(program (expression_statement (assignment_expression left: (variable_name (name) @name) right: (arrow_function body: (_) @body)) @def.function))
((method_declaration name: (_) @name) @def.test (#match? @name "^test[A-Z_0-9]"))
((method_declaration attributes: (attribute_list (attribute_group (attribute (name) @test))) name: (_) @name) @def.test (#eq? @test "Test"))
((function_call_expression function: (name) @verb arguments: (arguments . (argument (string) @name) . (argument [(anonymous_function) (arrow_function)]))) @def.test
  (#any-of? @verb "it" "test" "describe"))

((scoped_call_expression scope: (name) @route name: (name) @verb arguments: (arguments . (argument (string) @name) . (_))) @def.route
  (#eq? @route "Route") (#any-of? @verb "get" "post" "put" "patch" "delete" "options" "any" "view" "redirect" "resource" "apiResource"))
((member_call_expression object: (variable_name) name: (name) @verb arguments: (arguments . (argument (string) @name) . (argument))) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "options" "any" "map" "group") (#match? @name "^['\"]/"))
((attribute (name) @verb parameters: (arguments . (argument (string) @name))) @def.route (#eq? @verb "Route"))

(comment) @comment
(namespace_use_declaration !body (namespace_use_clause . [(name) (qualified_name)] @import))
(namespace_use_declaration (namespace_name) @import body: (_))
([(include_expression [(string) @import (binary_expression right: (string) @import)])
  (include_once_expression [(string) @import (binary_expression right: (string) @import)])
  (require_expression [(string) @import (binary_expression right: (string) @import)])
  (require_once_expression [(string) @import (binary_expression right: (string) @import)])])
