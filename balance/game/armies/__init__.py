"""Armies as entrants of a question: their members, how many of each, and actions lost at the start."""
