"""Rows that are alike are read once, and a log says the same as if each row were read by itself."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.errors import CatalogueError
from balance.catalogue.tables.columns import RawTable
from balance.playtests.games import Games
from balance.playtests.log.alike import Likeness
from balance.playtests.log.log import LogSettings, log_of
from balance.playtests.log.sheets import Sheet

NAMES = ["Elves", "Orcs", "elves ", "Dwarves"]
PEOPLE = ["Ada", "Bo", "ADA", "Cleo", "Dan", "Eve", "Finn", "Gus"]
ODD_PEOPLE = ["", "-", "bye", "Elves", "1", "x" * 90, "w\0o", "Ada", "orc"]
HEADERS = {
    "by_name": ("date", "player_one", "player_two", "one", "other", "winner"),
    "by_points": ("event", "player_one", "player_two", "one", "other", "score_one", "score_other", "month"),
    "by_result": ("round", "scenario", "player_one", "player_two", "one", "other", "result", "starts", "forfeit"),
}


def cell(rng: np.random.Generator, header: str, odd: float) -> str:
    """Return a cell that may stand under a header, an odd one with a chance of `odd`."""
    strange = rng.random() < odd
    words = {
        "date": ["2025-01-01", "2025-02-01"] if not strange else ["", "x" * 90],
        "event": ["cup", "Cup", "league"] if not strange else [""],
        "scenario": ["hill", "wood"] if not strange else ["", "?"],
        "one": NAMES if not strange else ["bye", "-", ""],
        "other": NAMES if not strange else ["bye", "-", "Elves", ""],
        "winner": ["Elves", "Orcs", "draw"] if not strange else ["Ada", "Bo", "", "walkover", "abandoned"],
        "result": ["2-1", "0-1", "1-1", "win"] if not strange else ["Ada won 2-1", "Bo", "-", "forfeit", "", "?"],
        "starts": ["1", "2", ""] if not strange else ["Ada", "Elves", "yes"],
        "forfeit": [""] if not strange else ["yes", "no"],
        "round": ["1", "2", "3"],
        "month": ["2025-01"],
    }
    if header.startswith("player"):
        return str(rng.choice(PEOPLE if not strange else ODD_PEOPLE))
    if header.startswith("score"):
        return str(rng.integers(0, 21)) if not strange else str(rng.choice(["-1", "", "wo", "7,5", "8.5", "-"]))
    return str(rng.choice(words[header]))


def told(games: Games) -> list[object]:
    return [part.tolist() if isinstance(part, np.ndarray) else part for part in vars(games).values()]


def reading(sheet: Sheet, settings: LogSettings) -> object:
    """Return all that a log says, its faults if it cannot be read."""
    try:
        log = log_of(sheet, settings)
    except CatalogueError as error:
        return error.faults
    return repr(told(log.games)), log.source


@pytest.mark.parametrize("kind", HEADERS)
@pytest.mark.parametrize("odd", [0.0, 0.02, 0.3])
def test_alike_rows_are_read_as_each_by_itself(kind: str, odd: float, monkeypatch: pytest.MonkeyPatch) -> None:
    header = HEADERS[kind]
    sheets = []
    for seed in range(9):
        rng = np.random.default_rng((seed, int(100 * odd)))
        width = rng.integers(0, 2 if odd > 0.1 else 1, 60)
        cells = [[cell(rng, name, odd / 4) for name in header] for _ in range(60)]
        rows = [(at + 2, tuple(row[: len(row) - cut])) for at, (row, cut) in enumerate(zip(cells, width, strict=True))]
        if odd == 0.0:  # clean, so that a log is read, not its faults
            rows = [(at, row) for at, row in rows if row[header.index("one")].strip() != row[header.index("other")]]
        sheets.append(Sheet(RawTable("log.csv", ((1, header), *rows)), "log.csv", ""))
    settings = [LogSettings(), LogSettings(leave_out=("walkover",)), LogSettings(first="one")]
    once = [reading(sheet, settings[at % 3]) for at, sheet in enumerate(sheets)]
    monkeypatch.setattr(Likeness, "of", lambda self, cells: None)
    each = [reading(sheet, settings[at % 3]) for at, sheet in enumerate(sheets)]
    assert once == each
    if odd <= 0.02:
        assert sum(isinstance(one, tuple) for one in once) > (4 if odd == 0.0 else 0)


def test_a_row_whose_result_may_name_a_player_is_like_no_other() -> None:
    header = ("player_one", "player_two", "one", "other", "winner")
    rows = [
        ("Ada", "Bo", "Elves", "Orcs", "Bo"),
        ("Bo", "Ada", "Elves", "Orcs", "Bo"),
        *[("Ada", "Bo", "Elves", "Orcs", "Elves")] * 3,
    ]
    table = RawTable("log.csv", tuple(enumerate((header, *rows), start=1)))
    assert log_of(Sheet(table, "log.csv", "")).games.score.tolist() == [0.0, 1.0, 1.0, 1.0, 1.0]
