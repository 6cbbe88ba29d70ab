"""iq answers questions about a workspace of code."""

__version__ = "0.1.0"
