; Definitions in the script and selectors in the style; the template is left out.
((script_element (start_tag) @_tag (raw_text) @inject.typescript) (#not-match? @_tag "lang=.[jt]sx"))
((script_element (start_tag) @_tag (raw_text) @inject.tsx) (#match? @_tag "lang=.[jt]sx"))
((style_element (start_tag) @_tag (raw_text) @inject.css) (#not-match? @_tag "lang="))
((style_element (start_tag) @_tag (raw_text) @inject.scss) (#match? @_tag "lang="))

(comment) @comment
