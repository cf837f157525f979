"""Balance analysis for tabletop wargames."""
