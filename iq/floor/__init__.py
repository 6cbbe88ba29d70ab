"""What may surface at all, and what counts as an answer?"""
