; Sections and their keys; keys set with a colon, continued values and the brackets of `key[] = value` are left out.
(section (section_name (text) @name)) @def.module
(setting (setting_name) @name) @def.field

(comment) @comment
