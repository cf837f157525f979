"""Duels solved as simultaneous-move games: exactly where all states fit, else on grids or by learning in play."""
