; Locals, parameters, unnamed tuple fields and what macros would generate are left out.
(source_file (const_item name: (_) @name) @def.const)
(declaration_list (const_item name: (_) @name) @def.const)
(source_file (static_item name: (_) @name) @def.variable)
(declaration_list (static_item name: (_) @name) @def.variable)

(struct_item name: (_) @name) @def.struct
(union_item name: (_) @name) @def.struct
(enum_item name: (_) @name) @def.enum
(enum_variant name: (_) @name) @def.const
(field_declaration name: (_) @name) @def.field
(type_item name: (_) @name) @def.type
(associated_type name: (_) @name) @def.type
(trait_item name: (_) @name) @def.trait
(mod_item name: (_) @name) @def.module
(macro_definition name: (_) @name "{"? @body) @def.macro
(impl_item type: (_) @name) @scope
(impl_item type: (generic_type type: (_) @name)) @scope
(impl_item type: (reference_type type: (_) @name)) @scope
(impl_item type: (scoped_type_identifier name: (_) @name)) @scope
(impl_item type: (generic_type type: (scoped_type_identifier name: (_) @name))) @scope

(function_signature_item name: (_) @name) @def.function
(function_item name: (_) @name) @def.function
; At most three attributes or comments in between: with a `*` here 40,000 attributes in a row take minutes.
((attribute_item (attribute [(identifier) @test (scoped_identifier name: (_) @test)])) . [(attribute_item) (line_comment)]?
  . [(attribute_item) (line_comment)]? . [(attribute_item) (line_comment)]? . (function_item name: (_) @name) @def.test (#match? @test "^(test|rstest|test_case|bench|quickcheck|proptest)$"))

; A chain of calls is one node that holds the calls before, so the arguments are the definition.
((call_expression function: (field_expression field: (_) @verb) arguments: (arguments . (string_literal) @name . (_)) @def.route)
  (#any-of? @verb "route" "nest" "route_service" "nest_service" "service") (#match? @name "^\"/"))
((attribute_item (attribute (identifier) @verb arguments: (token_tree . (string_literal) @name))) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "route") (#match? @name "^\"/"))

[(line_comment) (block_comment)] @comment
(use_declaration argument: (_) @import)
(extern_crate_declaration name: (_) @import)
(mod_item name: (_) @import !body)
