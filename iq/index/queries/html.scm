; Headings with the section below them, elements with an id, and what scripts and styles define; other elements, classes and templates in scripts are left out.
((element (start_tag (tag_name) @_tag)) @name @def.heading (#match? @_tag "^[hH]1$") (#match? @name "(?s)>\\s*[^<\\s]") (#set! cut "(?s)<[^>]*>|\\s(?=\\s)") (#set! level "1"))
((element (start_tag (tag_name) @_tag)) @name @def.heading (#match? @_tag "^[hH]2$") (#match? @name "(?s)>\\s*[^<\\s]") (#set! cut "(?s)<[^>]*>|\\s(?=\\s)") (#set! level "2"))
((element (start_tag (tag_name) @_tag)) @name @def.heading (#match? @_tag "^[hH]3$") (#match? @name "(?s)>\\s*[^<\\s]") (#set! cut "(?s)<[^>]*>|\\s(?=\\s)") (#set! level "3"))
((element (start_tag (tag_name) @_tag)) @name @def.heading (#match? @_tag "^[hH]4$") (#match? @name "(?s)>\\s*[^<\\s]") (#set! cut "(?s)<[^>]*>|\\s(?=\\s)") (#set! level "4"))
((element (start_tag (tag_name) @_tag)) @name @def.heading (#match? @_tag "^[hH]5$") (#match? @name "(?s)>\\s*[^<\\s]") (#set! cut "(?s)<[^>]*>|\\s(?=\\s)") (#set! level "5"))
((element (start_tag (tag_name) @_tag)) @name @def.heading (#match? @_tag "^[hH]6$") (#match? @name "(?s)>\\s*[^<\\s]") (#set! cut "(?s)<[^>]*>|\\s(?=\\s)") (#set! level "6"))
((element (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @def.target (#match? @_id "(?i)^id$"))
((element (self_closing_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @def.target (#match? @_id "(?i)^id$"))
((script_element (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @def.target (#match? @_id "(?i)^id$"))
((style_element (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @def.target (#match? @_id "(?i)^id$"))

((script_element (start_tag) @_tag (raw_text) @inject.javascript) (#not-match? @_tag "(?i)\\stype\\s*="))
((script_element (start_tag) @_tag (raw_text) @inject.javascript) (#match? @_tag "(?i)\\stype\\s*=\\s*.?(module|(text|application)/(java|ecma)script)"))
(style_element (raw_text) @inject.css)

(comment) @comment

((script_element (start_tag (attribute (attribute_name) @_source [(attribute_value) @import (quoted_attribute_value (attribute_value) @import)]))) (#eq? @_source "src"))
((start_tag (tag_name) @_link (attribute (attribute_name) @_source [(attribute_value) @import (quoted_attribute_value (attribute_value) @import)])) @_tag (#eq? @_link "link") (#eq? @_source "href") (#match? @_tag "rel=.?stylesheet"))
