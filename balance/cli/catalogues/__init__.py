"""The commands about a game's data: checked, exported, imported, or new."""
