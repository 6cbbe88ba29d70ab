; Targets, variables and defines; special targets such as .PHONY and target-specific variables are left out.
(variable_assignment !target_or_pattern name: (_) @name) @def.variable
(define_directive name: (_) @name value: (_)? @body) @def.macro
((rule (targets (_) @name) (recipe)? @body) @def.target (#not-match? @name "^\\.[A-Z_]+$"))

(comment) @comment

(include_directive filenames: (list (_) @import))
