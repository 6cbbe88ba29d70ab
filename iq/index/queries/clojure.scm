; Everything that a form named def… defines, fields and methods of records and protocols; locals are left out.
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name)) @def.variable (#any-of? @_def "def" "defonce"))
((list_lit . (sym_lit name: (sym_name) @_ns) . (sym_lit name: (sym_name) @name)) @def.module (#eq? @_ns "ns"))
((list_lit . (sym_lit name: (sym_name) @_defn) . (sym_lit name: (sym_name) @name)) @def.function
  (#match? @_defn "^def(n|n-|multi|method|endpoint|handler|component|fn|ui|sc|inline|n-spec|task)$"))
((list_lit . (sym_lit name: (sym_name) @_macro) . (sym_lit name: (sym_name) @name)) @def.macro (#eq? @_macro "defmacro"))
((list_lit . (sym_lit name: (sym_name) @_test) . (sym_lit name: (sym_name) @name)) @def.test
  (#any-of? @_test "deftest" "defspec" "defflow"))
((list_lit . (sym_lit name: (sym_name) @_protocol) . (sym_lit name: (sym_name) @name)) @def.interface
  (#any-of? @_protocol "defprotocol" "definterface"))
((list_lit . (sym_lit name: (sym_name) @_record) . (sym_lit name: (sym_name) @name)) @def.struct
  (#any-of? @_record "defrecord" "deftype" "defstruct"))
((list_lit . (sym_lit name: (sym_name) @_record) . (sym_lit) . (vec_lit (sym_lit name: (sym_name) @name) @def.field))
  (#any-of? @_record "defrecord" "deftype"))
((list_lit . (sym_lit name: (sym_name) @_record) . (sym_lit) (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit)) @def.method)
  (#any-of? @_record "defrecord" "deftype" "defprotocol" "definterface"))

(comment) @comment
(dis_expr) @comment

((list_lit . (kwd_lit name: (kwd_name) @_require) [(sym_lit) @import (vec_lit . (sym_lit) @import) (list_lit . (sym_lit) @import)])
  (#any-of? @_require "require" "use" "import" "require-macros"))
((list_lit . (sym_lit name: (sym_name) @_require) (quoting_lit [(sym_lit) @import (vec_lit . (sym_lit) @import)]))
  (#any-of? @_require "require" "use"))
