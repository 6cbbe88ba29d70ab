; Functions, S4, reference and R6 classes with their members, tests and variables at the top of a file; locals, elements (`a$b <- 1`) and right-hand function assignments are left out.
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "<<-" "="]) @def.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @def.variable)
(program (if_statement consequence: (braced_expression (binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="]) @def.variable)))
(program (binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="]) @def.const (#match? @name "^[.]?[A-Z][A-Z0-9_.]+$"))
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "<<-" "="] rhs: (function_definition body: (_) @body)) @def.function)
(program (if_statement consequence: (braced_expression (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "<<-" "="] rhs: (function_definition body: (_) @body)) @def.function)))
(program (binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="]
  rhs: (call function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)])) @def.class
  (#any-of? @_maker "setClass" "setRefClass" "R6Class" "new_class"))

(program (call function: (identifier) @_maker arguments: (arguments . (argument value: (string) @name))) @def.class
  (#any-of? @_maker "setClass" "setRefClass" "setClassUnion"))
(program (call function: (identifier) @_maker arguments: (arguments . (argument value: (string) @name))) @def.function (#eq? @_maker "setGeneric"))
(program (call function: (identifier) @_maker arguments: (arguments . (argument value: (string) @name) (argument value: (function_definition body: (_) @body)))) @def.function
  (#any-of? @_maker "setGeneric" "setMethod"))
(program (call function: (identifier) @_maker arguments: (arguments . (argument value: (string) @name) . (comma) . (argument value: (string) @container) (argument value: (function_definition body: (_) @body)))) @def.method
  (#eq? @_maker "setMethod"))

; Members: `representation(…)` or `slots = c(…)` of setClass, `fields` and `methods` of setRefClass, the parts of R6Class.
(call function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)]
  arguments: (arguments (argument name: (identifier) @_part value: (call arguments: (arguments (argument name: (_) @name) @def.field))))
  (#any-of? @_maker "setClass" "setRefClass" "R6Class") (#any-of? @_part "slots" "representation" "fields" "methods" "public" "private" "active"))
(call function: (identifier) @_maker
  arguments: (arguments (argument value: (call function: (identifier) @_part arguments: (arguments (argument name: (_) @name) @def.field))))
  (#eq? @_maker "setClass") (#eq? @_part "representation"))
(call function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)]
  arguments: (arguments (argument name: (identifier) @_part value: (call arguments: (arguments (argument name: (_) @name value: (function_definition body: (_) @body)) @def.method))))
  (#any-of? @_maker "setRefClass" "R6Class") (#any-of? @_part "methods" "public" "private" "active"))

((call function: [(identifier) @_test (namespace_operator rhs: (identifier) @_test)] arguments: (arguments . (argument value: (string) @name) (argument value: (braced_expression) @body))) @def.test
  (#any-of? @_test "test_that" "it" "describe"))

(comment) @comment

(call function: (identifier) @_call arguments: (arguments . (argument value: [(identifier) (string)] @import))
  (#any-of? @_call "library" "require" "requireNamespace" "loadNamespace" "source"))
(call function: (namespace_operator) @_call arguments: (arguments (argument value: (_) @import)) (#eq? @_call "box::use"))
