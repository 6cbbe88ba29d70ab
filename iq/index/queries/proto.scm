; Messages, fields, enums, services and calls; options, reserved ranges and the package are left out.
(message (message_name) @name (message_body) @body) @def.struct
(extend (full_ident) @name) @scope
(field (type) (identifier) @name) @def.field
(map_field (type) (identifier) @name) @def.field
(oneof (identifier) @name) @def.field
(oneof_field (type) (identifier) @name) @def.field
(enum (enum_name) @name (enum_body) @body) @def.enum
(enum_field . (identifier) @name) @def.const
(service (service_name) @name) @def.interface
(rpc (rpc_name) @name) @def.method

(comment) @comment

(import path: (string) @import)
