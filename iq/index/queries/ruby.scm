; Locals, parameters, instance and class variables, and what a macro other than attr_* defines are left out.
(assignment left: (constant) @name) @def.const
(assignment left: (scope_resolution scope: (_) @container name: (constant) @name)) @def.const
(assignment left: (left_assignment_list (constant) @name)) @def.const
(program (assignment left: (global_variable) @name) @def.variable)
((assignment left: (constant) @name right: (call receiver: (constant) @class method: (_) @new)) @def.class
  (#any-of? @class "Class" "Struct" "Data") (#any-of? @new "new" "define"))
((assignment left: (constant) @name right: (call receiver: (constant) @module method: (_) @new)) @def.module (#eq? @module "Module") (#eq? @new "new"))

(module name: (_) @name body: (_)? @body) @def.module
(class name: (_) @name body: (_)? @body) @def.class
(method name: (_) @name) @def.function
((method name: (_) @name) @def.test (#match? @name "^test_"))
(singleton_method object: (self) name: (_) @name) @def.method
(singleton_method object: [(constant) (identifier)] @container name: (_) @name) @def.method
(alias name: (_) @name) @def.method
((call !receiver method: (identifier) @verb arguments: (argument_list . (simple_symbol) @name)) @def.method
  (#any-of? @verb "define_method" "alias_method" "define_singleton_method") (#set! cut "^:"))
((body_statement (call !receiver method: (identifier) @verb arguments: (argument_list (simple_symbol) @name)) @def.field)
  (#any-of? @verb "attr_accessor" "attr_reader" "attr_writer" "mattr_accessor" "cattr_accessor" "class_attribute") (#set! cut "^:"))
((call method: (identifier) @verb arguments: (argument_list . (simple_symbol) @name . (lambda))) @def.method (#eq? @verb "scope") (#set! cut "^:"))

((call method: (identifier) @verb arguments: (argument_list . [(string) (constant) (scope_resolution)] @name) block: (_) @body) @def.test
  (#any-of? @verb "describe" "context" "it" "specify" "test" "scenario" "feature" "should" "example"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (string) @name) block: (_) @body) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "options" "head" "namespace" "scope") (#match? @name "^['\"]/"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (string) @name . (pair key: (hash_key_symbol) @to))) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match") (#eq? @to "to"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (pair key: (string) @name))) @def.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match" "mount"))
((call !receiver method: (identifier) @verb arguments: (argument_list . [(simple_symbol) @name (pair key: (_) @name)])) @def.target
  (#eq? @verb "task") (#set! cut "^:"))

(comment) @comment
((call !receiver method: (identifier) @verb arguments: (argument_list . (string) @import)) (#any-of? @verb "require" "require_relative" "load"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (simple_symbol) . (string) @import .)) (#eq? @verb "autoload"))
