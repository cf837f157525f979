"""What `balance price` prints of tug of war, kept whole; `python -m tests.cli.price_screens` writes it anew."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from unittest import mock

from balance.cli.main import main
from balance.game.registry import GAMES
from tests.cli.transcripts import PLAIN, UNSET
from tests.tug import write_catalogue

FOLDER = Path(__file__).parent / "golden_prices"
BODIES = [("ant", 6, 60), ("ox", 20, 250), ("elk", 13, 130), ("cow", 30, 300)]
TOOLS = [("rope", 1, 100), ("chain", 2, 110), ("belt", 1, 104)]
SCREENS = {
    "all": (),
    "all_more": ("--more",),
    "card": ("ox",),
    "card_more": ("ox", "--more"),
    "card_within_much": ("ox", "--tolerance", "25:6"),
    "loadout": ("ox+rope", "--seed", "3"),
    "fair_card": ("cow",),
    "in_mud": ("--set", "situation.mud=true", "--budget", "60:3,120:6", "--choose", "pull_a=lazily"),
}


def kept(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text("utf-8")


def printed(name: str) -> str:
    """Return what a command prints now, in a folder of its own."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), mock.patch.dict(os.environ, PLAIN):
        for variable in UNSET:
            os.environ.pop(variable, None)
        write_catalogue(Path("data/tug"), BODIES, TOOLS)
        with mock.patch.dict(GAMES, {"tug": "tests.tug:GAME"}), redirect_stdout(out):
            status = main(["price", "tug", *SCREENS[name], "--jobs", "1", "--quiet"])
    assert status == 0
    return out.getvalue()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for screen in SCREENS:
        (FOLDER / f"{screen}.txt").write_text(printed(screen), "utf-8")
