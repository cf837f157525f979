"""How much of a result is luck, from which dice, and how it comes about on the way."""
