; Fields of classes, besides all that `shared/ecmascript` keeps and leaves out.
; inherits shared/ecmascript
(class_body (field_definition property: (_) @name) @def.field)
(class_body (field_definition property: (_) @name value: (_ body: (_) @body)) @def.method)
