"""A table of Runewars: where two units stand, how they approach, and how that is best played."""
