"""The commands about armies, prices and changes of cards."""
