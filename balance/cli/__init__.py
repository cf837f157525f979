"""The command line: it parses, calls and prints, and holds no logic. Nothing here names a game."""
