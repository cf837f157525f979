"""Runs, comparisons and match-ups of a field, as text."""
