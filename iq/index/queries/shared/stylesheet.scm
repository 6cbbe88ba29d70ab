; What CSS and SCSS have in common.
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
((rule_set (selectors (id_selector (id_name) @name))) @def.class (#set! prefix "#"))
((rule_set (selectors (_ (id_selector (id_name) @name)))) @def.class (#set! prefix "#"))
((rule_set (selectors (_ (_ (id_selector (id_name) @name))))) @def.class (#set! prefix "#"))
((declaration (property_name) @name) @def.variable (#match? @name "^--"))
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @def.function
(comment) @comment
(import_statement (string_value) @import)
