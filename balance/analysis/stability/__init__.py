"""Which verdicts stay the same however sides play, on every map and at every scale."""
