; Definitions in the scripts, selectors in the style and snippets; the rest of the markup is left out.
(script_element (raw_text) @inject.typescript)
((style_element (start_tag) @_tag (raw_text) @inject.css) (#not-match? @_tag "lang="))
((style_element (start_tag) @_tag (raw_text) @inject.scss) (#match? @_tag "lang="))
(snippet_statement (snippet_start_expr (snippet_name) @name) @body) @def.function

(comment) @comment
