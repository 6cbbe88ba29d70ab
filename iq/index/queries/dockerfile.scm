; Stages, ARG and ENV names; labels and a stage without a name are left out.
(from_instruction as: (image_alias) @name) @def.target
(arg_instruction name: (_) @name) @def.variable
(env_pair name: (_) @name) @def.variable

(comment) @comment

(from_instruction (image_spec) @import)
