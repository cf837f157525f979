"""Whole battles by two engines: the game's, and one in plain Python that was written from the rulebook alone."""
