"""What a battle is fought under and by whom: static tables, decisions, and the turn of a side."""
