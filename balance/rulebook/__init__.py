"""Games that are written as one file: rules as steps in the language of dice, no code."""

from balance.rulebook.opening import game_of, open_file
from balance.rulebook.unused import unused_names

__all__ = ["game_of", "open_file", "unused_names"]
