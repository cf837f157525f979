"""The smallest change that makes a match-up even, in card numbers, in points, or as a bid for the first turn."""
