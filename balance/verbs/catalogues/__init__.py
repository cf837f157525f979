"""Verbs about a game's data: checked, exported, imported, or read from other programs."""
