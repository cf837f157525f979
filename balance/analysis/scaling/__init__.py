"""Whether a game scales: how chances vary among groups of one size, and the smallest change that evens the sizes."""
