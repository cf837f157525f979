"""Tips about maps and adventures, which are drawn as letters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from balance.catalogue import Catalogue
from balance.game.loaded import load
from balance.games.battlelore.adventure.map.reading import read_adventure
from balance.games.warforged.battle.map.map_maker import made_map
from balance.games.warforged.battle.map.maps import read_map
from tests.games.battlelore.adventure.test_files import PLAIN, ROWS
from tests.tips.following import Case


@cache
def battlelore() -> Catalogue:
    """Return the shipped catalogue of the adventures."""
    return load("battlelore").catalogue


def adventure(text: str) -> Callable[[], object]:
    """Return the deed of reading an adventure."""
    return lambda: read_adventure(text, "b.txt", battlelore()) and None


def board(old: str, wrong: str, tip: str, right: str | None = None) -> Case:
    """Return the case of a text in an adventure; what is right is what was there, or another text."""
    assert old in PLAIN, old
    mended = PLAIN if right is None else PLAIN.replace(old, right, 1)
    return Case(adventure(PLAIN.replace(old, wrong, 1)), tip, adventure(mended))


LANE = "title: Lane\ngrid: hex\n\nA...B\n.....\nA...B\n"


def lane(old: str, wrong: str, tip: str, right: str | None = None) -> Case:
    """Return the case of a text in a map; what is right is what was there, or another text."""
    assert old in LANE, old
    mended = LANE if right is None else LANE.replace(old, right, 1)

    def read(text: str) -> Callable[[], object]:
        return lambda: read_map(text, "m.txt") and None

    return Case(read(LANE.replace(old, wrong, 1)), tip, read(mended))


def made(**options: int) -> Callable[[], object]:
    """Return the deed of making a map by luck."""
    return lambda: made_map(1, **options) and None  # type: ignore[arg-type]


FORCE = "south: standard, 2 banners, 4 cards"
DRAWING = "\n".join(ROWS)
SPACED = "\n".join(" ".join(row.strip()) for row in ROWS)

CASES = [
    board("title: Brook\n", "", "such as `title: Two hills`"),
    board("first: south\n", "", "write `first: south`"),
    board("first: south", "first: soth", "did you mean south?"),
    board("title:", "titel:", "did you mean title?"),
    board("title:", "xyzzy: 1\ntitle:", "a force is written", "title:"),
    board("standard", "standrd", "did you mean standard?"),
    board(FORCE, "south: standard, 2 banners", "a force is written" if False else "cards"),
    board(FORCE, "south: 2 banners, 4 cards", "banners"),
    board(f"{FORCE}\n", "", "banners", f"{FORCE}\n"),
    board(DRAWING, "", "draw the board below an empty line: nine rows of 13 and 12 letters by turns"),
    board("..F.......H..", "..F.... ..H..", "write . for countryside"),
    board("..F.......H..", "..f.......h..", "did you mean"),
    board("south:\nA3", "soth:\nA3", "did you mean south?"),
    board(
        "north:\nI3 blue_mounted\nI11 giant_spider\n",
        "",
        "write them below a line `north:`, such as `A3, A11 human_archers`",
    ),
    board("A3, A11 human_archers", "human_archers", "such as `A3, A11 human_archers`"),
    board("A3, A11 human_archers", "A3, A11", "such as `A3, A11 human_archers`"),
    board("A3, A11 human_archers", "A3, A11 human_archer", "did you mean human_archers?"),
    board(
        "I11 giant_spider\n",
        "I11 giant_spider\n\nalso:\nC3 hil\n",
        "did you mean hill?",
        "I11 giant_spider\n\nalso:\nC3 hill\n",
    ),
    board(
        "I11 giant_spider\n",
        "I11 giant_spider\n\nalso:\nC5 xyzzy\n",
        "such as `D5 rampart`",
        "I11 giant_spider\n\nalso:\nD5 rampart\n",
    ),
    board(
        "I11 giant_spider\n",
        "I11 giant_spider\n\nalso:\nC5\n",
        "such as `D5 rampart`",
        "I11 giant_spider\n\nalso:\nD5 rampart\n",
    ),
    board(
        "I11 giant_spider\n",
        "I11 giant_spider\n\nalso:\nC5 stronghold\n",
        "write `C5 belongs to south` below `also:`",
        "I11 giant_spider\n\nalso:\nC5 stronghold\nC5 belongs to south\n",
    ),
    board(
        "I11 giant_spider\n",
        "I11 giant_spider\n\nalso:\nC5 stronghold\nC5 belongs to soth\n",
        "did you mean south?",
        "I11 giant_spider\n\nalso:\nC5 stronghold\nC5 belongs to south\n",
    ),
    board(
        "I11 giant_spider\n",
        "I11 giant_spider\n\nalso:\nC5 1 banner for soth\n",
        "did you mean south?",
        "I11 giant_spider\n\nalso:\nC5 1 banner for south\n",
    ),
    board(
        DRAWING,
        DRAWING.removesuffix(" ............\n.............") + " W...........\n.W...........",
        "write a ford f or a bridge B in the water",
        DRAWING.removesuffix(" ............\n.............") + " f...........\n.W...........",
    ),
    board(DRAWING, SPACED.replace(". . F", "..F", 1), "between the cells of this row too", SPACED),
    board("..F.......H..", ". . F . . . . . . . H . .", "leave nothing between the cells"),
    board(
        "..F.......H..", "…F.......H..", "your program made three points one character: write them again, and undo that"
    ),
    lane("title: Lane\n", "", "such as `title: Two hills`"),
    lane("grid: hex\n", "", "write `grid: hex` or `grid: square`"),
    lane("grid: hex", "gird: hex", "did you mean grid?"),
    lane("grid: hex", "grid: hexagon", "did you mean hex?"),
    lane("A...B\n.....\nA...B\n", "", "draw the map below an empty line, one character for each cell"),
    lane(".....", "...", "write ~ where there is no cell", "...~~"),
    lane(".....", ".. ..", "write ~ where there is no cell", "..~.."),
    lane("A...B\n.....\nA...B\n", "A....\n", "write B on its cells", "A...B\n"),
    lane(
        "A...B\n.....\nA...B\n", "A.#.B\n..#..\nA.#.B\n", "nobody walks over heavy cover (#)", "A.#.B\n.....\nA.#.B\n"
    ),
]
