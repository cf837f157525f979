"""Duels solved, exactly or as well as can be learnt."""
