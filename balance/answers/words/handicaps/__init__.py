"""What `handicap` says: what would make a match-up even, what going first is worth, and what each change is worth."""
