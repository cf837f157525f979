"""Tables in shapes that people have, made into games: row by row, or refused by the name of their shape."""
