; What JavaScript and TypeScript share; locals, parameters, anonymous callbacks and plain keys of object literals are left out.
(program (variable_declaration (variable_declarator name: (identifier) @name !value) @def.variable))
(program (lexical_declaration (variable_declarator name: (identifier) @name !value) @def.variable))
((program (variable_declaration (variable_declarator name: (identifier) @name value: (_) @value) @def.variable))
  (#not-match? @value "^(await +import|require)\\b"))
((program (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @value) @def.variable))
  (#not-match? @value "^(await +import|require)\\b"))
((program (lexical_declaration "const" (variable_declarator name: (identifier) @name value: (_) @value) @def.const))
  (#not-match? @value "^(await +import|require)\\b"))
(export_statement (_ (variable_declarator name: (identifier) @name) @def.variable))
(export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @def.const))
(export_statement (_ (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)) @def.const))
(export_statement (_ (variable_declarator name: (object_pattern (pair_pattern value: (identifier) @name))) @def.const))
(export_statement (_ (variable_declarator name: (array_pattern (identifier) @name)) @def.const))

; Only functions, arrow functions and classes have a body field among the values.
(method_definition name: (_) @name) @def.method
(pair key: (_) @name value: (_ body: (_) @body)) @def.function
(pair key: (_) @name value: (class body: (_) @body)) @def.class
(function_declaration name: (_) @name) @def.function
(generator_function_declaration name: (_) @name) @def.function
(class_declaration name: (_) @name) @def.class
(variable_declarator name: (identifier) @name value: (_ body: (_) @body)) @def.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @def.class
(arguments (function_expression name: (_) @name) @def.function)
(return_statement (function_expression name: (_) @name) @def.function)
(parenthesized_expression (function_expression name: (_) @name) @def.function)
(arrow_function body: (function_expression name: (_) @name) @def.function)
(export_statement "default" @name value: (_ body: (_) @body)) @def.function
(export_statement "default" @name value: (class body: (_) @body)) @def.class

(assignment_expression left: (identifier) @name right: (_ body: (_) @body)) @def.function
(assignment_expression left: (member_expression property: (_) @name) right: (_ body: (_) @body)) @def.function
(assignment_expression left: (member_expression object: [(identifier) (member_expression)] @container property: (_) @name)
  right: (_ body: (_) @body)) @def.function
((assignment_expression left: (member_expression object: (member_expression object: (_) @container property: (_) @prototype) property: (_) @name)
  right: (_ body: (_) @body)) @def.function (#eq? @prototype "prototype"))
((assignment_expression left: (member_expression object: (_) @exports property: (_) @name) right: (_ body: (_) @body)) @def.function
  (#any-of? @exports "exports" "module.exports"))
((assignment_expression left: (member_expression property: (_) @name) right: (class body: (_) @body)) @def.class)
((program (expression_statement (assignment_expression left: (member_expression object: (_) @exports property: (_) @name)
  right: [(object) (array) (string) (number) (new_expression)]) @def.const)) (#any-of? @exports "exports" "module.exports"))
((assignment_expression left: (member_expression) @exports right: (function_expression name: (_) @name body: (_) @body)) @def.function
  (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression) @exports right: (class name: (_) @name body: (_) @body)) @def.class
  (#eq? @exports "module.exports"))

; `test(…)`, `test.only(…)` and `test.each(…)(…)`.
((call_expression
  function: [
    (identifier) @verb
    (member_expression object: (identifier) @verb)
    (call_expression function: (member_expression object: (identifier) @verb))]
  arguments: (arguments . [(string) (template_string)] @name (_ body: (_) @body))) @def.test
  (#any-of? @verb "describe" "context" "suite" "it" "test" "specify" "bench"))

; The receiver of a chained call holds the calls before it, so there the arguments are the definition.
((call_expression function: (member_expression object: [(identifier) (member_expression) (this)] @app property: (_) @verb)
  arguments: (arguments . (string) @name . [(arrow_function) (function_expression) (identifier) (member_expression) (call_expression) (array)])) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "use" "options" "head" "route" "mount") (#match? @name "^['\"]/")
  (#not-any-of? @app "axios" "http" "client" "request" "$" "api" "fetch"))
((call_expression function: (member_expression object: [(call_expression) (new_expression)] property: (_) @verb)
  arguments: (arguments . (string) @name . [(arrow_function) (function_expression) (identifier) (member_expression) (call_expression) (array)]) @def.route)
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "use" "options" "head" "route" "mount") (#match? @name "^['\"]/"))
((call_expression function: (member_expression property: (_) @verb) arguments: (arguments . (string) @name .)) @def.route
  (#eq? @verb "route") (#match? @name "^['\"]/"))

(comment) @comment
(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (import) arguments: (arguments . (string) @import))
((call_expression function: (identifier) @verb arguments: (arguments . (string) @import .)) (#eq? @verb "require"))

(export_statement !source (export_clause (export_specifier name: (_) @export)))
(export_statement value: (identifier) @export)
((assignment_expression left: (member_expression object: (_) @exports property: (_) @export)) (#any-of? @exports "exports" "module.exports"))
((assignment_expression left: (member_expression) @exports right: [(identifier) @export (function_expression name: (_) @export) (class name: (_) @export)
  (object [(shorthand_property_identifier) @export (method_definition name: (_) @export) (pair key: (_) @export) (pair value: (identifier) @export)])])
  (#eq? @exports "module.exports"))
