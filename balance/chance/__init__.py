"""Dice and chance, for any game: distributions, rolls, exact answers, simulated trials, solved choices."""
