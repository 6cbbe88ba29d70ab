; Locals, parameters, forward declarations of types and include guards are left out; so is what stands inside macros.
(translation_unit (declaration declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])]) @def.variable)
(preproc_if (declaration declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])]) @def.variable)
(preproc_ifdef (declaration declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])]) @def.variable)
(preproc_else (declaration declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])]) @def.variable)
(declaration_list (declaration declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])]) @def.variable)
((declaration (type_qualifier) @const declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
  (init_declarator declarator: (pointer_declarator (type_qualifier) declarator: (identifier) @name))]) @def.const (#any-of? @const "const" "constexpr"))
(declaration declarator: (init_declarator declarator:
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))) @def.variable
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))) @def.variable

(translation_unit (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: [(function_declarator declarator: (identifier) @name) (_ declarator: (function_declarator declarator: (identifier) @name))])]) @def.function)
(preproc_if (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: [(function_declarator declarator: (identifier) @name) (_ declarator: (function_declarator declarator: (identifier) @name))])]) @def.function)
(preproc_ifdef (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: [(function_declarator declarator: (identifier) @name) (_ declarator: (function_declarator declarator: (identifier) @name))])]) @def.function)
(preproc_else (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: [(function_declarator declarator: (identifier) @name) (_ declarator: (function_declarator declarator: (identifier) @name))])]) @def.function)
(declaration_list (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: [(function_declarator declarator: (identifier) @name) (_ declarator: (function_declarator declarator: (identifier) @name))])]) @def.function)
(linkage_specification (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: [(function_declarator declarator: (identifier) @name) (_ declarator: (function_declarator declarator: (identifier) @name))])]) @def.function)
(function_definition type: (_) declarator: (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])) @def.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @def.function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator:
  (function_declarator declarator: (identifier) @name))))) @def.function

(struct_specifier name: (type_identifier) @name body: (_)) @def.struct
(union_specifier name: (_) @name body: (_)) @def.struct
(enum_specifier name: (_) @name body: (_)) @def.enum
(enumerator name: (_) @name) @def.const
(field_declaration declarator: [
  (field_identifier) @name
  (array_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)])
  (pointer_declarator declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name
    (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))])])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @def.field

(type_definition declarator: [
  (type_identifier) @name
  (array_declarator declarator: (type_identifier) @name)
  (pointer_declarator declarator: [(type_identifier) @name (_ declarator: [(type_identifier) @name
    (parenthesized_declarator [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)])])])
  (primitive_type) @name
  (function_declarator declarator: [(type_identifier) @name (parenthesized_declarator [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)])])]) @def.type
; A named body is a definition of its own: the alias must not hold it.
(type_definition type: (_ name: (_) body: (_)) declarator: (type_identifier) @name @def.type)
(type_definition type: (_ body: (_)) declarator: (_ declarator: (type_identifier) @name) @def.type)
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.enum

(preproc_def name: (_) @name value: (_)) @def.macro
((preproc_def name: (_) @name !value) @def.macro (#not-match? @name "_(H|HH|HPP|INCLUDED)_*$"))
(preproc_function_def name: (_) @name value: (_)? @body) @def.macro

; `TEST_IMPL(name) { … }`: a macro that makes a test of its body.
((function_definition type: (type_identifier) @_macro declarator: (parenthesized_declarator (identifier) @name) body: (_) @body) @def.test (#match? @_macro "^[A-Z_]*(TEST|BENCH)"))

(comment) @comment
(preproc_include path: (_) @import)
