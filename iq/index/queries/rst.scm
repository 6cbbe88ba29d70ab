; Section titles with what follows them, and internal targets; links, substitutions and documented objects are left out.
(section (title) @name . "adornment" @level) @def.heading
; An overline of `=` stands for a higher level than a bare underline of `=`.
((section . "adornment" @_over (title) @name) @def.heading (#match? @_over "^=") (#set! level "0"))
((target name: (name) @name !link) @def.target (#set! cut "^_|:$"))

(comment) @comment

((directive name: (type) @_type body: (body (arguments) @import)) (#any-of? @_type "include" "literalinclude"))
