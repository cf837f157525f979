"""What is said of prices: whether a game is fair, what a card should cost, and what its small changes do."""
