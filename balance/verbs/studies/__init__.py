"""Verbs about whole fields: studies run, reported and compared, their tables, and all match-ups of a field."""
