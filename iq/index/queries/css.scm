; Rules by their class and id selectors, keyframes, layers and custom properties; element selectors are left out.
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
(import_statement (call_expression (arguments (_) @import)))
((at_rule (at_keyword) @_property (keyword_query) @name (block) @body) @def.variable (#eq? @_property "@property"))
((at_rule (at_keyword) @_layer (keyword_query) @name (block) @body) @def.module (#eq? @_layer "@layer"))
