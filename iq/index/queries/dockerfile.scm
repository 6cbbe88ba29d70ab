; Stages up to the next one, ARG and ENV names; labels and other instructions are left out.
((from_instruction !as (image_spec) @name) @def.target (#set! level "1"))
((from_instruction as: (image_alias) @name) @def.target (#set! level "1"))
(arg_instruction name: (_) @name) @def.variable
(env_pair name: (_) @name) @def.variable

(comment) @comment

(from_instruction (image_spec) @import)
