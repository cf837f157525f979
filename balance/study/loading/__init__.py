"""A study read from its file: whatever its game cannot play is refused at once, before anything is played."""
