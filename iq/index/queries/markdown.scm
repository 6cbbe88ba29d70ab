; Headings with the section below them; link definitions and headings inside quotes and lists are left out.
((atx_heading (atx_h1_marker) heading_content: (_) @name) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "1"))
((atx_heading (atx_h2_marker) heading_content: (_) @name) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "2"))
((atx_heading (atx_h3_marker) heading_content: (_) @name) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "3"))
((atx_heading (atx_h4_marker) heading_content: (_) @name) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "4"))
((atx_heading (atx_h5_marker) heading_content: (_) @name) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "5"))
((atx_heading (atx_h6_marker) heading_content: (_) @name) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "6"))
((setext_heading heading_content: (paragraph (inline) @name) (setext_h1_underline)) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "1"))
((setext_heading heading_content: (paragraph (inline) @name) (setext_h2_underline)) @def.heading (#set! cut "[ \\t]#+[ \\t]*$|[ \\t]*\\{[^}]*\\}[ \\t]*$") (#set! level "2"))
(block_quote (section (atx_heading heading_content: (_) @name))) @scope
(list_item (section (atx_heading heading_content: (_) @name))) @scope

((html_block) @comment (#match? @comment "^\\s*<!--"))
