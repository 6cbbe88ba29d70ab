; Rules by their class, id and placeholder selectors, mixins, functions and variables; element selectors are left out.
; inherits shared/stylesheet

((rule_set (selectors (class_selector (nesting_selector) . (class_name) @name))) @def.class (#set! prefix "&"))
((rule_set (selectors (class_selector (nesting_selector) "." (class_name) @name))) @def.class (#set! prefix "."))
((rule_set (selectors (_ (class_selector (nesting_selector) "." (class_name) @name)))) @def.class (#set! prefix "."))
((rule_set (selectors (placeholder (_) @name))) @def.class (#set! prefix "%"))
((stylesheet (declaration (property_name) @name) @def.variable) (#match? @name "^\\$"))
(function_statement name: (_) @name (block) @body) @def.function
(mixin_statement name: (_) @name (block) @body) @def.macro
(ERROR "@mixin" . (identifier) @name @def.macro)
(ERROR "@function" . (identifier) @name @def.function)
(js_comment) @comment
(use_statement (string_value) @import)
(forward_statement (string_value) @import)
(import_statement (binary_expression (string_value) @import))
