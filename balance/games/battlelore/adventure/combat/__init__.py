"""A whole combat on the board."""
