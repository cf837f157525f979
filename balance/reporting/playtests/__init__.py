"""The report of a log of playtests: ratings, and the pairs that it holds."""
