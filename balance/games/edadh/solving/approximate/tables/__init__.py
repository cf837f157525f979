"""Tables about play that was found: which cards it plays, what numbers are worth, what would make it even."""
