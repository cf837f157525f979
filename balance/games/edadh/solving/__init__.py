"""Duels solved as simultaneous-move games: exactly where all states fit, else by learning in play."""
