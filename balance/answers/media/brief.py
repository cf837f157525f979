"""An answer in short, for programs that pay for every byte: what `--brief` prints, at most 10,000 bytes.

It holds the sentence, the tables that matter most with the intervals that stand in them, what the answer cannot see,
and where it comes from. A table without room for all its rows begins with those of which a verdict says that they are
off, and says how many it has; one without any room is named.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.documents.brief import Brief, BriefTable

MOST_BYTES = 10_000
MOST_ROWS = 24
"""Rows of a table, however much room there is."""
SENTENCE_BYTES, CELL_BYTES, UNSEEN_BYTES, NOTES_BYTES, LEFT_OUT_BYTES = 800, 200, 3000, 1500, 400
"""The most that the sentence, a cell, what cannot be seen, the notes and the names of tables left out may take."""
MOST_PARTS, MOST_TEXTS = 12, 24
"""Parts of a cell that is a list, and texts of a field."""
OFF = ("too dear", "too cheap", "overpowered", "underpowered", "unfair")
"""Verdicts that say that something is off: on a price, on a rating, and on a match-up."""
DIGITS = 6
"""Of a number, those that count."""
SOURCES = ("game", "file", "kind", "seed", "rules_version", "catalogue_sha256", "sha256")
"""Fields of an object that say where an answer comes from; some objects have them among their settings."""


def brief_of(
    document: Mapping[str, Any],
    sentence: str,
    tables: Mapping[str, pl.DataFrame],
    cannot_see: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Brief:
    """Return an answer in at most 10,000 bytes of JSON, from the object of `--json` and its tables.

    `tables` begin with the one that matters most; of the sentences `cannot_see` and `notes` as many as fit are kept.
    """
    parts = [part for name in ("simulated", "settings", "log") if isinstance(part := document.get(name), dict)]
    sources: dict[str, Any] = {key: value for part in (*parts, document) for key, value in part.items()}
    brief: dict[str, Any] = {
        "schema": document["schema"],
        "verb": document["verb"],
        "form": "brief",
        **{key: _plain(sources[key]) for key in SOURCES if sources.get(key) is not None},
        "sentence": _short(sentence, SENTENCE_BYTES),
        "tables": [],
        "left_out": [],
        "cannot_see": _few(cannot_see, UNSEEN_BYTES),
        "notes": _few(notes, NOTES_BYTES),
    }
    room, left_out = MOST_BYTES - LEFT_OUT_BYTES - len(dumps(brief)), list[str]()
    for name, frame in tables.items():
        table = _table(name, frame, room)
        if table is None:
            left_out.append(name)
        else:
            brief["tables"].append(table)
            room -= len(dumps(table)) + 2
    return cast("Brief", {**brief, "left_out": _few(left_out, LEFT_OUT_BYTES)})


def dumps(document: Mapping[str, Any]) -> str:
    """Return an object as `--brief` prints it: one line of ASCII."""
    return json.dumps(document, allow_nan=False)


def _few(texts: Sequence[str], n_bytes: int) -> list[str]:
    """Return as many texts as fit into so many bytes of JSON, and how many more there are.

    >>> _few(["health", "speed"], 40), _few(["no map", "no morale", "no luck " * 4], 40)
    (['health', 'speed'], ['no map', '2 more, with --json'])
    """
    for n in range(min(len(texts), MOST_TEXTS), -1, -1):
        more = [f"{len(texts) - n} more, with --json"] if n < len(texts) else []
        few = [*(_short(text, SENTENCE_BYTES) for text in texts[:n]), *more]
        if len(json.dumps(few)) <= n_bytes:
            return few
    return []


def _short(text: str, n_bytes: int = CELL_BYTES) -> str:
    """Return a text, cut to so many bytes of JSON.

    >>> _short("war points"), _short("a" * 300)[-7:], len(json.dumps(_short("é" * 300)))
    ('war points', 'aaa ...', 192)
    """
    size = len(json.dumps(text))
    while size > n_bytes:
        text = f"{text[: len(text) * (n_bytes - 6) // size - 1]} ..."
        size = len(json.dumps(text))
    return text


def _table(name: str, frame: pl.DataFrame, room: int) -> BriefTable | None:
    """Return as many rows of a table as fit into `room` bytes, 24 at most; None where not even the first does."""
    table: BriefTable = {"name": name, "columns": list(frame.columns), "rows": [], "n_rows": frame.height}
    left = room - len(dumps(table))
    for row in _off_first(frame).head(MOST_ROWS).iter_rows():
        cells = [_plain(cell) for cell in row]
        left -= len(json.dumps(cells)) + 2
        if left < 0:
            break
        table["rows"].append(cells)
    return table if table["rows"] or (not frame.height and left >= 0) else None


def _off_first(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table of over 24 rows with those first whose verdict says that they are off; a shorter one as it is."""
    if frame.height <= MOST_ROWS or "verdict" not in frame.columns:
        return frame
    import polars as pl

    return frame.sort(pl.col("verdict").is_in(OFF), descending=True, maintain_order=True)


def _plain(cell: Any) -> Any:
    """Return a cell as JSON has it: numbers with six digits, None for infinite ones, texts cut to 200 bytes.

    >>> _plain(0.123456789), _plain(math.inf), _plain([1, "a"])
    (0.123457, None, [1, 'a'])
    """
    if isinstance(cell, float):
        return float(f"{cell:.{DIGITS}g}") if math.isfinite(cell) else None
    if isinstance(cell, list | tuple):
        return [_plain(part) for part in cell[:MOST_PARTS]]
    if isinstance(cell, str):
        return _short(cell)
    return cell if cell is None or isinstance(cell, bool | int) else _short(str(cell))
