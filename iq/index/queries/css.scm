; Rules by their class and id selectors, keyframes, layers and custom properties; element selectors are left out.
; inherits shared/stylesheet

(import_statement (call_expression (arguments (_) @import)))
((at_rule (at_keyword) @_property (keyword_query) @name (block) @body) @def.variable (#eq? @_property "@property"))
((at_rule (at_keyword) @_layer (keyword_query) @name (block) @body) @def.module (#eq? @_layer "@layer"))
