"""How many games it takes to tell: plans with one look, many looks, or a look after every game."""
