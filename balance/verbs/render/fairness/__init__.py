"""Answers of `balance handicap`, `tornado` and `page`, as text, tables and JSON."""
