"""Battles of Warforged: armies on a board, with moves, lines of fire, covers and objectives."""
