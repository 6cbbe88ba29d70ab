; Classes, categories, protocols, members, C types, functions, macros and file level names; locals, parameters, forward declarations, `@implementation` names, selector parts after the first and the members of NS_ENUM are left out.
(class_interface . "@interface" . (identifier) @name) @def.class
(class_implementation . "@implementation" . (identifier) @name) @scope
(protocol_declaration . "@protocol" . (identifier) @name) @def.interface

(method_declaration (method_type) . (identifier) @name) @def.method
(method_definition (method_type) . (identifier) @name (compound_statement) @body) @def.method
(property_declaration (struct_declaration (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]))) @def.field
(instance_variable (struct_declaration (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]))) @def.field

(struct_specifier name: (_) @name body: (_) @body) @def.struct
(union_specifier name: (_) @name body: (_) @body) @def.struct
(enum_specifier name: (_) @name body: (_) @body) @def.enum
(enumerator name: (_) @name) @def.const
(field_declaration declarator: (field_identifier) @name) @def.field
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @def.field
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))]) @def.type
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @def.enum
((macro_type_specifier name: (identifier) @_enum (ERROR (identifier) @name)) @def.enum (#any-of? @_enum "NS_ENUM" "NS_OPTIONS" "NS_CLOSED_ENUM"))

(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))] body: (_) @body) @def.function
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @def.function
(translation_unit (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])]) @def.variable)
(translation_unit (declaration (type_qualifier) @_const declarator: (init_declarator declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)])) @def.const (#eq? @_const "const"))
(translation_unit (declaration declarator: (init_declarator declarator: (pointer_declarator (type_qualifier) @_const declarator: (identifier) @name))) @def.const (#eq? @_const "const"))
(preproc_def name: (_) @name) @def.const
(preproc_function_def name: (_) @name) @def.macro

(comment) @comment

(preproc_include path: (_) @import)
(module_import path: (_) @import)
