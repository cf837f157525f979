"""Answers about two sides, as text, tables and JSON."""
