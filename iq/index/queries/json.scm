; Keys of the first two levels; deeper ones and those inside arrays are left out.
(document (object (pair key: (_) @name) @def.field))
(document (object (pair value: (object (pair key: (_) @name) @def.field))))
(document (object (pair key: (string (string_content) @_scripts) value: (object (pair key: (_) @name) @def.target)))
  (#eq? @_scripts "scripts"))

(comment) @comment
