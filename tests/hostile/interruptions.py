"""Every verb that may take long, interrupted at a random moment.

`python -m tests.hostile.commands tests.hostile.interruptions 100`
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from balance.catalogue import export_workbook
from balance.game.loaded import load
from tests.hostile.commands import Case

ROOT = Path(__file__).parents[2]
RUNEWARS = ("spearmen+3x2", "reanimates+3x2")
WARFORGED = ("nexus+assault_rifle", "trooper+shotgun")
LONG: dict[str, tuple[str, ...]] = {
    "report": ("report", "warforged", "--out", "page", "--jobs", "1"),
    "report of two processes": ("report", "runewars", "--out", "page", "--jobs", "2"),
    "run": ("run", "study.toml", "--out", "kept", "--jobs", "1"),
    "compare": ("compare", "warforged", "--patch", "shotgun.toml", "--out", "compared", "--jobs", "1"),
    "price": ("price", "warforged", "--jobs", "1"),
    "price of two processes": ("price", "runewars", "--jobs", "2"),
    "price of a file": ("price", "squads.toml", "--jobs", "1"),
    "tune": ("tune", "warforged", "--jobs", "1"),
    "army": ("army", "warforged", "--budget", "150"),
    "page": ("page", "warforged", *WARFORGED),
    "page of dice": ("dice", "3d6", "--page", "dice.html"),
    "play": ("play", "warforged", "battle", "--jobs", "1"),
    "stability": ("stability", "warforged", "battle", "--jobs", "1"),
    "rate": ("rate", "games.csv"),
    "rate as a page": ("rate", "games.csv", "--page", "rated.html"),
    "need": ("need", "--difference", "1pp", "--runs", "100000"),
    "dice": ("dice", "(20d20 keep 10) * (20d20 keep 9)", "--trials", "1000000"),
    "solve": ("solve", "edadh", "spears", "shieldsmen"),
    "luck": ("luck", "warforged", "battle", "nexus+assault_rifle:2", "trooper+shotgun:3"),
    "luck of a field": ("luck", "edadh", "duel", "--play"),
    "handicap": ("handicap", "runewars", *RUNEWARS),
    "tornado": ("tornado", "warforged", "duel", *WARFORGED),
    "card": ("card", "warforged", "nexus"),
    "duel": ("duel", "runewars", *RUNEWARS, "--trials", "1000000"),
    "battle": ("battle", "warforged", "nexus+shotgun:3", "trooper+shotgun:4", "--trials", "1000000"),
    "replay": ("replay", "warforged", "battle", "nexus+shotgun:3", "trooper+shotgun:4"),
    "export": ("export", "warforged", "new.xlsx"),
    "import": ("import", "warforged", "cards.xlsx", "--to", "mine"),
    "check": ("check", "cards.xlsx"),
}
"""A command of each verb that takes seconds, or as long as it can."""


@cache
def files() -> dict[str, bytes]:
    """Return what lies beside the commands."""
    with TemporaryDirectory() as folder:
        export_workbook(load("warforged").catalogue, Path(folder, "cards.xlsx"))
        workbook = Path(folder, "cards.xlsx").read_bytes()
    rows = [f"2026-01-{n % 28 + 1:02d},p{n % 97},p{n % 89},f{n % 23},f{n % 19},{n % 3 % 2}" for n in range(20_000)]
    return {
        "cards.xlsx": workbook,
        "games.csv": "\n".join(["date,player_a,player_b,a,b,won_a", *rows]).encode(),
        "study.toml": b'game = "runewars"\nentrants = ["*"]\n',
        "shotgun.toml": (ROOT / "docs/examples/shotgun.toml").read_bytes(),
        "squads.toml": (ROOT / "tests/rulebook/published/others/squads.toml").read_bytes(),
    }


def case(number: int) -> Case:
    """Return one of the commands, to be interrupted after a hundredth of a second to eight seconds."""
    chance = random.Random(number)
    words = list(LONG.values())[number % len(LONG)]
    needs = {name: content for name, content in files().items() if name in words}
    return Case(number, words, needs, 10 ** chance.uniform(-2, 0.9))
