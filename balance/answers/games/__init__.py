"""Answers about games themselves: which there are, what can be seen of one, and what is written to begin with."""
