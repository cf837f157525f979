"""What people's games say: points of players and their armies, and what foretells them."""
