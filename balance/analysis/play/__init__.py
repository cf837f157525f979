"""How much good play is worth, and which ways of playing count."""
