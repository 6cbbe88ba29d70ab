"""How does an answer become text that fits its budget?"""
