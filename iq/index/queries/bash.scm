; Functions, aliases, bats tests and variables set outside functions; locals, loop variables and `read` targets are left out.
(program (variable_assignment name: (variable_name) @name) @def.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name) @def.variable))
(program (declaration_command (variable_assignment name: (variable_name) @name)) @def.variable)
(program (if_statement (variable_assignment name: (variable_name) @name) @def.variable))
(program (if_statement (declaration_command (variable_assignment name: (variable_name) @name)) @def.variable))
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @def.const)
((program (declaration_command (word) @_flag (variable_assignment name: (variable_name) @name)) @def.const)
  (#match? @_flag "^-[A-Za-z]*r"))
(ERROR "function" . (word) @name @def.function)
(ERROR (word) @name @def.function . "(" . ")")
(function_definition name: (_) @name body: (_) @body) @def.function
((command name: (command_name) @_alias argument: [(word) (concatenation)] @name) @def.macro
  (#eq? @_alias "alias") (#match? @name "^[^=$-][^=$]*=") (#set! cut "(?s)=.*$"))
((command name: (command_name) @_test argument: (string) @name) @def.test (#eq? @_test "@test"))

(comment) @comment

((command name: (command_name) @_source . argument: (_) @import) (#any-of? @_source "source" "." "load"))
