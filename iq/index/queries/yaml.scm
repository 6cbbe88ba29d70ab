; Keys of the first two levels; deeper ones, lists and flow mappings below the second level are left out.
(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @def.field)))
((document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name) @def.field)))))) (#not-eq? @name "<<"))
(document (block_node (block_mapping (block_mapping_pair value: (flow_node (flow_mapping
  (flow_pair key: (_) @name) @def.field))))))
(document (flow_node (flow_mapping (flow_pair key: (_) @name) @def.field)))

(comment) @comment
