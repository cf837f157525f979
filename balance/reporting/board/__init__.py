"""A battle on a board, drawn turn by turn."""
