"""A game for `balance`."""
