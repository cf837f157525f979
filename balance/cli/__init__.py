"""The command line parses, calls verbs and prints; it holds no logic and names no game."""
