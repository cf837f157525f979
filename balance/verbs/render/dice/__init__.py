"""The odds of dice, as text, tables and JSON."""
