"""A duel of War for Edadh from Period to Period."""
