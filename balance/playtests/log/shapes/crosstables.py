"""Cross tables: the same names beside the rows and above the columns, and in each cell how the row fared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from balance.base.errors import CatalogueError, Fault
from balance.catalogue.tables.cells import clean
from balance.catalogue.tables.columns import RawTable
from balance.playtests.words.non_games import is_no_name
from balance.playtests.words.results import fold_name

HEADER_ROWS = 10
MIN_SHARE_OF_NAMES = 0.6
"""Share of the rows whose names must stand in the header too."""
_SCORES = {"1": 1.0, "0": 0.0, "½": 0.5, "1/2": 0.5, "0.5": 0.5, "0,5": 0.5, "=": 0.5, "d": 0.5, "w": 1.0, "l": 0.0}
_SCORES |= {"+": 1.0, "win": 1.0, "loss": 0.0, "draw": 0.5, "v": 1.0, "s": 0.0, "vittoria": 1.0, "sconfitta": 0.0}
_PAIR = re.compile(r"\d+\s*[-–:]\s*\d+(?:\s*[-–:]\s*\d+)?")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?\s*%?")
_RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def games_of_cross_table(table: RawTable) -> tuple[RawTable, tuple[str, ...]] | None:
    """Return a cross table of single games as one row per game, and a note; None for any other table.

    Raises `CatalogueError` for a cross table of anything else, and for one whose halves contradict each other.

    >>> rows = ((1, ("", "Ada", "Bo")), (2, ("Ada", "x", "1")), (3, ("Bo", "0", "x")))
    >>> games_of_cross_table(RawTable("table.csv", rows))[0].rows
    ((1, ('one', 'other', 'result')), (2, ('Ada', 'Bo', '1-0')))
    """
    parts = _parse_cross_table(table)
    if parts is None:
        return None
    names, cells, lines = parts
    n = len(names)
    texts = {(r, c): cells[r][c] for r in range(n) for c in range(n) if r != c and not is_no_name(cells[r][c])}
    scores = {place: _SCORES.get(fold_name(text)) for place, text in texts.items()}
    unreadable = sorted({text for place, text in texts.items() if scores[place] is None})
    if {fold_name(text) for text in unreadable} & {fold_name(name) for name in names}:
        return None  # names in the cells: rows of games without a header
    if unreadable or not texts:
        raise _refusal(table.path, lines[0] - 1, _contents_text(unreadable), _conversion_tip(unreadable))
    wrong = [(r, c) for (r, c), score in scores.items() if scores.get((c, r), 1 - (score or 0)) != 1 - (score or 0)]
    if wrong:
        r, c = wrong[0]
        contradiction = (
            f"in which {names[r]} against {names[c]} is {texts[r, c]!r}, and the other way round {texts[c, r]!r}"
        )
        raise _refusal(
            table.path, lines[r], contradiction, "mend one of them, or write one row per game: army 1, army 2, winner"
        )
    game_rows = [
        (lines[r], (names[r], names[c], _RESULTS[score or 0.0]))
        for (r, c), score in scores.items()
        if r < c or (c, r) not in scores
    ]
    note = "A cross table: each cell is one game of the row against the column, told once though both halves show it."
    return replace(table, rows=((lines[0] - 1, ("one", "other", "result")), *game_rows)), (note,)


def _parse_cross_table(table: RawTable) -> tuple[list[str], list[list[str]], list[int]] | None:
    """Return the names of a cross table, its cells, and the line of each row; None for any other table."""
    wide = [at for at, (_, cells) in enumerate(table.rows[:HEADER_ROWS]) if sum(bool(c.strip()) for c in cells) > 1]
    if not wide:
        return None
    header, body = (
        table.rows[wide[0]][1],
        [(line, cells) for line, cells in table.rows[wide[0] + 1 :] if len(cells) > 2],
    )
    for first in (1, 0):  # a number of the row may stand before its name
        beside = [fold_name(cells[first]) for _, cells in body]
        above = {fold_name(cell): place for place, cell in enumerate(header) if place > first and cell.strip()}
        numbers = [cells[0].strip().rstrip(".") for _, cells in body]
        if first and _has_numbered_columns(above, numbers):
            above = {name: above[number] for name, number in zip(beside, numbers, strict=True)}
        common_names = [name for name in dict.fromkeys(beside) if name and name in above]
        if (
            len(common_names) < 2
            or len(common_names) < MIN_SHARE_OF_NAMES * max(len(body), len(above) / 2)
            or len(set(beside)) < len(beside)
        ):
            continue
        rows = {fold_name(cells[first]): (line, cells) for line, cells in body}
        names = [clean(rows[name][1][first]) for name in common_names]
        places = [above[name] for name in common_names]
        cells = [[_cell(rows[name][1], place) for place in places] for name in common_names]
        return names, cells, [rows[name][0] for name in common_names]
    return None


def _has_numbered_columns(above: dict[str, int], numbers: Sequence[str]) -> bool:
    """Return whether the columns are numbered as the rows are, as in chess."""
    count = [str(number) for number in range(1, len(numbers) + 1)]
    return len(count) > 1 and sorted(numbers) == sorted(count) and all(number in above for number in count)


def _cell(cells: Sequence[str], place: int) -> str:
    text = clean(cells[place]) if place < len(cells) else ""
    return "" if fold_name(text) in ("x", "xx", "n/a", "na", "■", "█") else text


def _contents_text(texts: Sequence[str]) -> str:
    """Return what the unreadable cells seem to hold, as a relative clause for the fault."""
    example = f"such as {texts[0]!r}" if texts else "all empty"
    if texts and all(_PAIR.fullmatch(text) for text in texts):
        return f"whose cells ({example}) may be games won and lost, or the points of one game"
    if texts and all(_NUMBER.fullmatch(text) for text in texts):
        return f"whose cells ({example}) are numbers that do not say of how many games"
    return f"whose cells ({example}) are no results of single games: 1, 0, = or win, loss, draw"


def _conversion_tip(texts: Sequence[str]) -> str:
    """Return how to write such a table as rows of match-ups or of games."""
    if texts and all(_NUMBER.fullmatch(text) for text in texts):
        return (
            "write one row per match-up, such as faction, opponent, win rate, games; or faction, opponent, wins, losses"
        )
    return (
        "write one row per match-up, such as faction, opponent, wins, losses; "
        "or one row per game: army 1, army 2, score"
    )


def _refusal(path: str, row: int, reason: str, tip: str) -> CatalogueError:
    return CatalogueError(Fault(f"this is a cross table (a matrix of match-ups), {reason}", path, max(row, 1), tip=tip))
