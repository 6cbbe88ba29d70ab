; Labelled blocks, variables, locals and top-level attributes; blocks without a label and arguments are left out.
(config_file (body (attribute . (identifier) @name) @def.variable))
(config_file (body (block . (identifier) . [(string_lit) (identifier)] @name . (block_start) @body) @def.target))
(config_file (body (block . (identifier) . [(string_lit) (identifier)] @container . [(string_lit) (identifier)] @name . (block_start) @body) @def.target))
((config_file (body (block . (identifier) @_kind . (string_lit) @name . (block_start) @body) @def.variable))
  (#any-of? @_kind "variable" "output"))
((config_file (body (block . (identifier) @_kind . (string_lit) @name . (block_start) @body) @def.module)) (#eq? @_kind "module"))
((config_file (body (block . (identifier) @_kind (body (attribute . (identifier) @name) @def.variable)))) (#eq? @_kind "locals"))
((block . (identifier) @_kind . (string_lit) @name . (block_start) @body) @def.target (#any-of? @_kind "group" "task"))

(comment) @comment

((config_file (body (block . (identifier) @_kind (body (attribute . (identifier) @_source (expression) @import)))))
  (#eq? @_kind "module") (#eq? @_source "source"))
