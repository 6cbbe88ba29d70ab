"""Which file of the workspace does an import mean? One module a family of languages."""
