"""The commands about games that people played: `rate` and `need`."""
