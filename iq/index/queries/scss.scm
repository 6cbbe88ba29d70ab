; Rules by their class, id and placeholder selectors, mixins, functions and variables; element selectors are left out.
((rule_set (selectors (class_selector (class_name) @name))) @def.class (#set! prefix "."))
((rule_set (selectors (_ (class_selector (class_name) @name)))) @def.class (#set! prefix "."))
((rule_set (selectors (_
  [
    (class_selector (class_selector (class_name) @name))
    (child_selector (class_selector (class_name) @name))
    (descendant_selector (class_selector (class_name) @name))
    (pseudo_class_selector (class_selector (class_name) @name))
    (pseudo_element_selector (class_selector (class_name) @name))
  ]))) @def.class (#set! prefix "."))
((rule_set (selectors (class_selector (nesting_selector) . (class_name) @name))) @def.class (#set! prefix "&"))
((rule_set (selectors (class_selector (nesting_selector) "." (class_name) @name))) @def.class (#set! prefix "."))
((rule_set (selectors (_ (class_selector (nesting_selector) "." (class_name) @name)))) @def.class (#set! prefix "."))
((rule_set (selectors (id_selector (id_name) @name))) @def.class (#set! prefix "#"))
((rule_set (selectors (_ (id_selector (id_name) @name)))) @def.class (#set! prefix "#"))
((rule_set (selectors (_ (_ (id_selector (id_name) @name))))) @def.class (#set! prefix "#"))
((rule_set (selectors (placeholder (_) @name))) @def.class (#set! prefix "%"))
((declaration (property_name) @name) @def.variable (#match? @name "^--"))
((stylesheet (declaration (property_name) @name) @def.variable) (#match? @name "^\\$"))
(function_statement name: (_) @name (block) @body) @def.function
(mixin_statement name: (_) @name (block) @body) @def.macro
(ERROR "@mixin" . (identifier) @name @def.macro)
(ERROR "@function" . (identifier) @name @def.function)
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @def.function

(comment) @comment
(js_comment) @comment

(use_statement (string_value) @import)
(forward_statement (string_value) @import)
(import_statement (string_value) @import)
(import_statement (binary_expression (string_value) @import))
