"""Whether a game scales: how far groups of one size lie apart, and the smallest change by which all sizes win alike."""
