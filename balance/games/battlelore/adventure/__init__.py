"""BattleLore as a whole game: adventures on the board, with orders by cards."""
