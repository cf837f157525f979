"""What lies on the map of an encounter: areas, decks, events, Shadows; who controls areas, and whom enemies aim at."""
