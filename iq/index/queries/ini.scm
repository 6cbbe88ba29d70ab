; Sections and their keys; keys set with a colon, continued values (and a key that the grammar reads as part of one) and the brackets of `key[] = value` are left out.
(section (section_name (text) @name)) @def.module
((setting (setting_name) @name) @def.field (#not-match? @name "[<>=~!]$"))
((setting (setting_name) @name (ERROR) @_rest) @scope (#not-match? @_rest "^\\[.*\\]$"))

(comment) @comment
