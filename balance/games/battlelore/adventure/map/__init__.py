"""What an adventure is played on: its file, and the tables of its map."""
