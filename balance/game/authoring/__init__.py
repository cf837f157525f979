"""For whoever writes a game: a small one to start from, and the check of what games promise."""
