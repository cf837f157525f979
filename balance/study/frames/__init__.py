"""The tables of a run, worked out with analysis: prices, battles, luck, neighbours, and what a game declares."""
