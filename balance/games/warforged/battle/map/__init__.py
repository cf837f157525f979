"""Maps of battles: drawn by designers, made at random, and what they mean for sight and cover."""
