"""Every small change of one card, what it does, and what it is worth in points."""
