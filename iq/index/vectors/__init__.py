"""What does each chunk mean? Vectors of passages: made behind the user's back, stored in the index, shared by a cache."""
