"""Who answers when a workspace is asked often? The resident engine, its thin client, the watcher, the MCP server."""
