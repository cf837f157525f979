"""What if a number of a card were another: exact answers worked out beforehand around two cards, for a page to hold."""
