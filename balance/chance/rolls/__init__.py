"""Requests of a rule to chance or a player, processes that make them, and ways to answer: random, written, shared."""
