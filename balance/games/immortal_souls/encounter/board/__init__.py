"""What lies on the map of an encounter: areas, decks, events, shadows, and whom enemies go for."""
