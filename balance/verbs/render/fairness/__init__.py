"""What would make a match-up even and what a conclusion rests on, as text, tables and JSON."""
