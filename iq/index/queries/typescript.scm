; Types, enums and namespaces besides all that `shared/ecmascript` keeps; keys of anonymous object types and index signatures are left out.
; inherits shared/ecmascript
(class_body (public_field_definition name: (_) @name) @def.field)
(class_body (public_field_definition name: (_) @name value: (_ body: (_) @body)) @def.method)
(abstract_class_declaration name: (_) @name) @def.class
(class_body (abstract_method_signature name: (_) @name) @def.method)
(class_body (method_signature name: (_) @name) @def.method)
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @def.field
(required_parameter "readonly" pattern: (identifier) @name) @def.field

(interface_declaration name: (_) @name) @def.interface
(interface_body (property_signature name: (_) @name) @def.field)
(interface_body (property_signature name: (_) @name type: (type_annotation (function_type))) @def.method)
(interface_body (method_signature name: (_) @name) @def.method)
(type_alias_declaration name: (_) @name) @def.type
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @def.field))
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @def.method))
(enum_declaration name: (_) @name) @def.enum
(enum_body name: (_) @name @def.const)
(enum_body (enum_assignment name: (_) @name) @def.const)

(function_signature name: (_) @name) @def.function
(internal_module name: (_) @name body: (_) @body) @def.module
(module name: (_) @name) @def.module
(internal_module body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable)))
(internal_module body: (statement_block (lexical_declaration "const" (variable_declarator name: (identifier) @name) @def.const)))
(module body: (statement_block (_ (variable_declarator name: (identifier) @name) @def.variable)))
(module body: (statement_block (lexical_declaration "const" (variable_declarator name: (identifier) @name) @def.const)))
(ambient_declaration (_ (variable_declarator name: (identifier) @name) @def.variable))
(ambient_declaration (lexical_declaration "const" (variable_declarator name: (identifier) @name) @def.const))
(ambient_declaration (statement_block (_ (variable_declarator name: (identifier) @name) @def.variable)))

(import_require_clause source: (string) @import)
(export_statement "=" (identifier) @export)
