; Types, functions, properties, enum cases and tests; locals, accessors and property observers are left out.
(source_file (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_)? @body) @def.variable)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_)? @body) @def.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_)? @body) @def.field)
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @def.field
(enum_entry name: (simple_identifier) @name) @def.const
(typealias_declaration "typealias" . name: (_) @name) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type
(class_declaration declaration_kind: ["class" "actor"] name: (type_identifier) @name body: (_) @body) @def.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @def.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @def.enum
(class_declaration declaration_kind: "extension" name: (_) @name) @scope
(protocol_declaration name: (type_identifier) @name body: (_) @body) @def.interface
(function_declaration "func" . name: _ @name) @def.function
(protocol_function_declaration "func" . name: _ @name) @def.method
(init_declaration name: "init" @name) @def.method
(deinit_declaration "deinit" @name) @def.method
(subscript_declaration "subscript" @name) @def.method
(operator_declaration (custom_operator) @name) @def.function
(macro_declaration (simple_identifier) @name) @def.macro
((class_body (function_declaration name: (simple_identifier) @name) @def.test) (#match? @name "^test([A-Z0-9_]|$)"))
((function_declaration (modifiers (attribute (user_type (type_identifier) @_test))) "func" . name: _ @name) @def.test (#eq? @_test "Test"))

(comment) @comment
(multiline_comment) @comment

(import_declaration (identifier) @import)
