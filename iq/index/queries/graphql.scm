; Types, their fields, enum values, directives, operations and fragments; arguments and selections are left out.
(object_type_definition (name) @name (fields_definition)? @body) @def.type
(object_type_extension (name) @name (fields_definition)? @body) @def.type
(interface_type_definition (name) @name (fields_definition)? @body) @def.interface
(interface_type_extension (name) @name (fields_definition)? @body) @def.interface
(input_object_type_definition (name) @name (input_fields_definition)? @body) @def.struct
(input_object_type_extension (name) @name (input_fields_definition)? @body) @def.struct
(enum_type_definition (name) @name (enum_values_definition)? @body) @def.enum
(enum_type_extension (name) @name (enum_values_definition)? @body) @def.enum
(enum_value_definition (enum_value) @name) @def.const
(union_type_definition (name) @name) @def.type
(scalar_type_definition (name) @name) @def.type
(directive_definition (name) @name) @def.macro
(field_definition (name) @name) @def.field
(input_fields_definition (input_value_definition (name) @name) @def.field)
(operation_definition (name) @name (selection_set) @body) @def.function
(fragment_definition (fragment_name) @name (selection_set) @body) @def.function

(comment) @comment
(description) @comment
