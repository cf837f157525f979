"""Armies, their prices and their changes, as text, tables and JSON."""
