"""`balance new-game`: a game of one's own to start from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from balance.base.numbers import one_line
from balance.cli.options import options


def new_game(name: Annotated[str, options.argument("NAME", "What commands shall call it, such as sky_rats.")]) -> None:
    """Write a small game of your own into a folder of that name, ready to be asked and to be changed."""
    from balance.game.authoring.new_game import write_game

    folder = write_game(name, Path())
    lines = [
        f"Wrote {folder}: a whole game, to be changed into yours. It answers already:",
        f"  balance duel {name} knight giant",
        f"  balance report {name}",
        f"Its rules are {folder / 'game.py'}, its cards {folder / 'data'}. What to do next: {folder / 'README.md'}",
    ]
    for text in lines:
        sys.stdout.write(text[: len(text) - len(text.lstrip())] + one_line(text) + "\n")
