"""What if a number of a card differed: exact answers around two cards, computed beforehand for an interactive page."""
