; Modules, functions, macros, types, attributes and tests; locals and documentation attributes are left out.
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @def.const
  (#not-match? @name
    "^(doc|moduledoc|typedoc|shortdoc|spec|type|typep|opaque|callback|macrocallback|optional_callbacks|impl|behaviour|tag|moduletag|describetag|derive|enforce_keys|deprecated|since|compile|dialyzer|external_resource|before_compile|after_compile|after_verify|on_definition|on_load)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @_type
  (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @def.type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_callback
  (arguments (binary_operator left: (call target: (identifier) @name) operator: "::")))) @def.function
  (#any-of? @_callback "callback" "macrocallback"))
((call target: (identifier) @_module (arguments . (_) @name) (do_block) @body) @def.module (#eq? @_module "defmodule"))
((call target: (identifier) @_protocol (arguments . (_) @name) (do_block) @body) @def.interface (#eq? @_protocol "defprotocol"))
((call target: (identifier) @_impl (arguments . (_) @name)) @scope (#eq? @_impl "defimpl"))
((call target: (identifier) @_struct (arguments (list [(atom) @name @def.field (keywords (pair key: (_) @name) @def.field)])))
  (#any-of? @_struct "defstruct" "defexception") (#set! cut "^:|:\\s*$"))
((call target: (identifier) @_struct (arguments (keywords (pair key: (_) @name) @def.field)))
  (#any-of? @_struct "defstruct" "defexception") (#set! cut "^:|:\\s*$"))
((call target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (do_block)? @body) @def.function (#any-of? @_def "def" "defp" "defdelegate" "defn" "defnp") (#set! join clauses))
((call target: (identifier) @_def (arguments . (binary_operator operator: _ @name)) (do_block)? @body) @def.function
  (#any-of? @_def "def" "defp") (#not-match? @name "^when$"))
((call target: (identifier) @_macro
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (do_block)? @body) @def.macro (#any-of? @_macro "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_test (arguments . (string) @name) (do_block)? @body) @def.test
  (#any-of? @_test "test" "describe" "property" "feature"))

(comment) @comment
((unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)]))) @comment
  (#any-of? @_doc "doc" "moduledoc" "typedoc"))

((call target: (identifier) @_use (arguments . (_) @import)) (#any-of? @_use "use" "import" "alias" "require"))
