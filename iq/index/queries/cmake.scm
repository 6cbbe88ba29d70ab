; Functions, macros, targets, tests, options and variables; variables set inside functions, the environment and imported targets' properties are left out.
(function_def (function_command (argument_list . (argument) @name)) (body)? @body) @def.function
(macro_def (macro_command (argument_list . (argument) @name)) (body)? @body) @def.macro
((normal_command (identifier) @_command (argument_list . (argument) @name)) @def.variable
  (#match? @_command "(?i)^(set|option|cmake_dependent_option)$") (#not-match? @name "[{$]"))
((normal_command (identifier) @_command (argument_list . (argument) @name)) @def.module (#match? @_command "(?i)^project$"))
((normal_command (identifier) @_command (argument_list . (argument) @name)) @def.target
  (#match? @_command "(?i)^add_(library|executable|custom_target)$"))
((normal_command (identifier) @_command (argument_list . (argument) @name)) @def.test (#match? @_command "(?i)^add_test$") (#not-eq? @name "NAME"))
((normal_command (identifier) @_command (argument_list . (argument) @_key . (argument) @name)) @def.test
  (#match? @_command "(?i)^add_test$") (#eq? @_key "NAME"))

(line_comment) @comment
(bracket_comment) @comment

((normal_command (identifier) @_command (argument_list . (argument) @import))
  (#match? @_command "(?i)^(include|find_package|add_subdirectory)$"))
