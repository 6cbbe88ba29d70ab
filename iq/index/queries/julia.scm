; Modules, types, fields, functions, macros, @enum members and module level names; locals, type parameters and unpacked tuples are left out.
(module_definition name: (_) @name) @def.module

(module_definition (block (assignment . (identifier) @name) @def.variable))
(module_definition (block (assignment . (typed_expression . (identifier) @name)) @def.variable))
(source_file (assignment . (identifier) @name) @def.variable)
(source_file (assignment . (typed_expression . (identifier) @name)) @def.variable)
(global_statement (assignment . (identifier) @name)) @def.variable
(global_statement (assignment . (typed_expression . (identifier) @name))) @def.variable
(const_statement (assignment . (identifier) @name)) @def.const
(const_statement (assignment . (typed_expression . (identifier) @name))) @def.const

(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))])) @def.type
(primitive_definition (type_head [
  (identifier) @name
  (binary_expression . (identifier) @name)])) @def.type
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))]) (block)? @body) @def.struct
(struct_definition (block [
  (identifier) @name @def.field
  (typed_expression . (identifier) @name) @def.field
  (assignment . (identifier) @name) @def.field
  (assignment . (typed_expression . (identifier) @name)) @def.field
  (const_statement [(identifier) @name (typed_expression . (identifier) @name)]) @def.field
  (const_statement (assignment [(identifier) @name (typed_expression . (identifier) @name)] . (operator))) @def.field]))

((macrocall_expression (macro_identifier) @_enum (macro_argument_list . [
  (identifier) @name
  (typed_expression . (identifier) @name)])) @def.enum (#eq? @_enum "@enum"))
((macrocall_expression (macro_identifier) @_enum (macro_argument_list (_) [
  (identifier) @name @def.const
  (assignment . (identifier) @name) @def.const])) (#eq? @_enum "@enum"))

; A call at the head of a definition, under its return type and `where` in either order.
(function_definition (signature [
  (identifier) @name
  (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)])
  (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)])))]) (block)? @body) @def.function
(assignment . [
  (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)])
  (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)])))] (operator) . (_) @body) @def.function
(macro_definition (signature (call_expression . [(identifier) @name (operator) @name (field_expression (_) @name .) (parametrized_type_expression . (identifier) @name)])) (block)? @body) @def.macro
((macrocall_expression (macro_identifier) @_test (macro_argument_list . (string_literal) @name)) @def.test (#eq? @_test "@testset"))

(line_comment) @comment
(block_comment) @comment
(module_definition (block (string_literal) @comment . [(function_definition) (struct_definition) (abstract_definition) (macro_definition) (assignment) (const_statement) (module_definition)]))
(source_file (string_literal) @comment . [(function_definition) (struct_definition) (abstract_definition) (macro_definition) (assignment) (const_statement) (module_definition)])

(using_statement (identifier) @import)
(import_statement (identifier) @import)
(using_statement (import_path) @import)
(import_statement (import_path) @import)
(selected_import . (_) @import)
(import_alias . (_) @import)
((call_expression . (identifier) @_include (argument_list . (string_literal) @import)) (#eq? @_include "include"))
