"""Quests and campaigns: rooms with doors, traps, encounters, chests and searches, and the Emporium between them."""
