"""The rules of one turn of War for Edadh: strikes, commands, and how cards of a Unit move."""
