"""Which places answer a question best?"""
