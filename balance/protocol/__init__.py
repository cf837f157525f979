"""What a game is and what can be asked of it; knows no game and runs no work."""
