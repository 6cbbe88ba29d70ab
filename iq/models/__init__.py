"""Which models are on this machine, and what do they say? Found on disk, never downloaded by a query."""
