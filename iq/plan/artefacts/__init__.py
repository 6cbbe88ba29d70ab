"""Which places does a pasted text name? One module a family of texts; `recognise` meets them all, `resolve` finds them on disk."""
