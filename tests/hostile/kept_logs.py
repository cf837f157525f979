"""Logs in the shapes of `tests.playtests.public_shapes`, changed as people change them, so that most stay valid."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable

from tests.hostile.mutations import CSV, mutate
from tests.playtests.public_shapes import LOGS

Table = list[list[str]]
NAMES = ("Ada", "Città", "Élan", "O'Neil", "Bye", "1", "draw", "Red, the", "=1+1", "Σ", "NA", "x" * 80, "日本", "a-b")
WORDS = (
    "bye", "w/o", "+/-", "2-1-0", "0-1", "½-½", "annullata", "-1", "", "-", "DQ", "02-Jan", "54 %", "1e9", "TRUE",
    "*",
)  # fmt: skip
HEADERS = (
    "n", "tie", "round", "session", "winner", "result", "player 3", "bye", "stato", "starts", "opponent",
    "points 1", "",
)  # fmt: skip


def shuffle_rows(rows: Table, chance: random.Random) -> Table:
    return [rows[0], *chance.sample(rows[1:], len(rows) - 1)]


def shuffle_columns(rows: Table, chance: random.Random) -> Table:
    order = chance.sample(range(len(rows[0])), len(rows[0]))
    return [[row[at] if at < len(row) else "" for at in order] for row in rows]


def repeat_rows(rows: Table, chance: random.Random) -> Table:
    return [rows[0], *rows[1:] * chance.randrange(1, 6)]


def drop_row(rows: Table, chance: random.Random) -> Table:
    at = chance.randrange(1, len(rows)) if len(rows) > 2 else 0
    return [row for place, row in enumerate(rows) if not at or place != at]


def rename(rows: Table, chance: random.Random) -> Table:
    """Give another name to whatever is called by one of the cells."""
    old, new = chance.choice([cell for row in rows[1:] for cell in row] or [""]), chance.choice(NAMES)
    return [rows[0], *([new if cell == old and old else cell for cell in row] for row in rows[1:])]


def other_case(rows: Table, chance: random.Random) -> Table:
    turn: Callable[[str], str] = chance.choice([str.upper, str.lower, str.title, "  {} ".format])
    n = chance.choice([1, len(rows)])
    return [*([turn(cell) for cell in row] for row in rows[:n]), *rows[n:]]


def put_word(rows: Table, chance: random.Random) -> Table:
    """Write something that people write in place of a result into one cell."""
    at = chance.randrange(len(rows))
    place = chance.randrange(len(rows[at])) if rows[at] else 0
    return [
        [chance.choice(WORDS) if (r, c) == (at, place) else cell for c, cell in enumerate(row)]
        for r, row in enumerate(rows)
    ]


def put_column(rows: Table, chance: random.Random) -> Table:
    header = chance.choice(HEADERS)
    return [[*row, header if not at else chance.choice(WORDS)] for at, row in enumerate(rows)]


def drop_column(rows: Table, chance: random.Random) -> Table:
    at = chance.randrange(len(rows[0]))
    return [row[:at] + row[at + 1 :] for row in rows]


def tell_twice(rows: Table, chance: random.Random) -> Table:
    """Write each row once more with its first two cells exchanged."""
    return [rows[0], *(row for one in rows[1:] for row in (one, [*one[1::-1], *one[2:]]))]


def add_title(rows: Table, chance: random.Random) -> Table:
    return [["My evenings"], *rows]


KIND = [shuffle_rows, shuffle_columns, repeat_rows, drop_row, other_case, rename]
"""Changes that mostly leave a log valid."""
ROUGH = [put_word, put_column, drop_column, tell_twice, add_title]


READ = [what for what, kept in LOGS.items() if not isinstance(kept.games, str)]


def changed_log(case: int) -> tuple[str, bytes]:
    """Return the file name and the bytes of one changed log; the same for the same case."""
    chance = random.Random(case)
    kept = LOGS[chance.choice(READ if case % 8 else list(LOGS))]
    if not kept.file.endswith(".csv"):
        return kept.file, mutate(kept.text.encode(), CSV, chance) if case % 2 else kept.text.encode()
    separator = next(mark for mark in ";," if mark in kept.text.splitlines()[0])
    rows = list(csv.reader(io.StringIO(kept.text), delimiter=separator))
    for _ in range(chance.randrange(1, 4)):
        rows = chance.choice(KIND)(rows, chance)
    if case % 3 == 0:
        rows = chance.choice(ROUGH)(rows, chance)
    text = io.StringIO()
    csv.writer(
        text, delimiter=chance.choice([separator, "\t"]), lineterminator=chance.choice(["\n", "\r\n"])
    ).writerows(rows)
    content = text.getvalue().encode(chance.choice(["utf-8", "utf-8-sig", "utf-16"]))
    return kept.file, mutate(content, CSV, chance) if case % 10 == 0 else content
