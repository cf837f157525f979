"""Attacks in an encounter, by heroes and by enemies."""
