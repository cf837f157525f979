"""Exact distributions of dice expressions, as weights of whole numbers."""
