"""Which retrievers are there? One module a leg; each returns hits, best first."""
