; Functions, types with their fields, values and tests; locals, fields of structs local to a function, and private names for an import are left out.
(source_file (ContainerField field_member: (IDENTIFIER) @name) @def.field)
(Decl (VarDecl (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerField field_member: (IDENTIFIER) @name) @def.field)))))
((Decl (VarDecl (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType) @_kind (ContainerField . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @def.const))))) (#match? @_kind "^(enum|union)"))
(AssignExpr (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerField field_member: (IDENTIFIER) @name) @def.field))))
((AssignExpr (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType) @_kind (ContainerField . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @def.const)))) (#match? @_kind "^(enum|union)"))
(ErrorSetDecl field_constant: (IDENTIFIER) @name @def.const)
; Each declaration twice: alone, then behind `pub`, which stands outside its node.
((Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name ";" @body)) @def.const)
((_ "pub" @def.const . (Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name ";" @body))))
((Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name ";" @body)) @def.variable)
((_ "pub" @def.variable . (Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name ";" @body))))
((Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @_kind) @body .)))) @def.struct (#match? @_kind "^(struct|union)"))
((_ "pub" @def.struct . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @_kind) @body .))))) (#match? @_kind "^(struct|union)"))
((Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @_kind) @body .)))) @def.enum (#match? @_kind "^enum"))
((_ "pub" @def.enum . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @_kind) @body .))))) (#match? @_kind "^enum"))
((Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @_kind) @body .)))) @def.type (#match? @_kind "^opaque"))
((_ "pub" @def.type . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @_kind) @body .))))) (#match? @_kind "^opaque"))
((Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl) @body .)))) @def.enum)
((_ "pub" @def.enum . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl) @body .))))))
((Decl (FnProto function: (IDENTIFIER) @name) ";" @body) @def.function)
((_ "pub" @def.function . (Decl (FnProto function: (IDENTIFIER) @name) ";" @body)))
((Decl (FnProto function: (IDENTIFIER) @name) (Block) @body) @def.function)
((_ "pub" @def.function . (Decl (FnProto function: (IDENTIFIER) @name) (Block) @body)))
((Decl (FnProto function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (BuildinTypeExpr) @_type))) (Block) @body) @def.type (#eq? @_type "type"))
((_ "pub" @def.type . (Decl (FnProto function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (BuildinTypeExpr) @_type))) (Block) @body)) (#eq? @_type "type"))
(TestDecl [(STRINGLITERALSINGLE) (IDENTIFIER)] @name (Block) @body) @def.test
((source_file (Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_call)))) @scope) (#eq? @_call "@import"))
((source_file "pub" @def.const . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_call)) ";" @body))) (#eq? @_call "@import"))

(line_comment) @comment
(doc_comment) @comment
(container_doc_comment) @comment

((SuffixExpr (BUILTINIDENTIFIER) @_call . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import)))) (#eq? @_call "@import"))
