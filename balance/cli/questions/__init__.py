"""The commands that ask a game, or dice, a question, and those that show what can be asked."""
