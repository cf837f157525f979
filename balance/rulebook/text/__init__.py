"""From the text of a game file to data, each piece with the place it stands at."""

from balance.rulebook.text.book import (
    Armies,
    Band,
    Choice,
    Ends,
    Keyword,
    Line,
    LookUp,
    Option,
    Rulebook,
    Turns,
)
from balance.rulebook.text.reading import GameFile, read_game_file

__all__ = [
    "Armies",
    "Band",
    "Choice",
    "Ends",
    "GameFile",
    "Keyword",
    "Line",
    "LookUp",
    "Option",
    "Rulebook",
    "Turns",
    "read_game_file",
]
