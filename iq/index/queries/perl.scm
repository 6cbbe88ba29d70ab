; Packages, subs, constants, `has` attributes, subtests and file level variables; locals, forward declarations and quoted constant names are left out.
((package_statement name: (_) @name) @def.module (#set! level 1))
(package_statement name: (_) @name (block) @body) @def.module

(source_file (expression_statement [
  (variable_declaration (_ (varname) @name))
  (assignment_expression left: (variable_declaration (_ (varname) @name)))]) @def.variable)
(package_statement (block (expression_statement [
  (variable_declaration (_ (varname) @name))
  (assignment_expression left: (variable_declaration (_ (varname) @name)))]) @def.variable))
(source_file (expression_statement (assignment_expression
  left: (variable_declaration variable: (scalar (varname) @name))
  right: (anonymous_subroutine_expression body: (_) @body))) @def.function)
((use_statement module: (package) @_constant (list_expression . (autoquoted_bareword) @name)) @def.const (#eq? @_constant "constant"))
((use_statement module: (package) @_constant (autoquoted_bareword) @name) @def.const (#eq? @_constant "constant"))
((use_statement module: (package) @_constant (anonymous_hash_expression (list_expression (autoquoted_bareword) @name @def.const))) (#eq? @_constant "constant"))

(class_statement name: (_) @name (block)? @body) @def.class
(class_statement (block (expression_statement [
  (variable_declaration (_ (varname) @name))
  (assignment_expression left: (variable_declaration (_ (varname) @name)))]) @def.field))
(role_statement name: (_) @name) @def.trait
(method_declaration_statement name: (_) @name body: (_) @body) @def.method
(subroutine_declaration_statement name: (_) @name body: (_) @body) @def.function
((ambiguous_function_call_expression function: (function) @_has . arguments: [(autoquoted_bareword) (string_literal)] @name) @def.field (#eq? @_has "has"))
((ambiguous_function_call_expression function: (function) @_test . arguments: (string_literal (string_content) @name)) @def.test (#eq? @_test "subtest"))

(comment) @comment
(pod) @comment

(use_statement module: (_) @import)
((use_statement module: (package) @_parent (string_literal) @import) (#any-of? @_parent "parent" "base"))
(require_expression [(bareword) (string_literal)] @import)
