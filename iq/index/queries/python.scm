; Module level names, class attributes, functions and classes; locals are left out.
(module (assignment left: (identifier) @name) @def.variable)
(module (assignment left: (identifier) @name) @def.const (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(class_definition body: (block (assignment left: (identifier) @name) @def.field))
(function_definition name: (identifier) @name body: (_) @body) @def.function
(module (function_definition name: (identifier) @name body: (_) @body) @def.test (#match? @name "^test_"))
(module (decorated_definition (function_definition name: (identifier) @name body: (_) @body) @def.test) (#match? @name "^test_"))
(class_definition name: (identifier) @name body: (_) @body) @def.class
(type_alias_statement left: (type (_) @name)) @def.type

(comment) @comment
(module . (comment)* . (string) @comment)
(function_definition body: (block . (string) @comment))
(class_definition body: (block . (string) @comment))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
((call function: [(identifier) (attribute)] @_call arguments: (argument_list . (string) @import)) (#any-of? @_call "__import__" "import_module" "importlib.import_module" "pytest.importorskip"))
