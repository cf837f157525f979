"""Games as programs keep them, JSON and PGN, as the rows of a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from balance.base.errors import CatalogueError, Fault
from balance.catalogue.tables.schema import RawTable

Record: TypeAlias = dict[str, str]
MOST_DEPTH, MOST_LISTED, MOST_FIELDS = 5, 8, 400
"""Records within each other, entries of a list that get columns of their own, and columns in all."""
_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_PGN = re.compile(r'\s*(?:%[^\n]*\s+)*\[\w+\s+"')
_KEPT_TAGS = ("White", "Black", "Result", "Date", "Round")
_UNFINISHED_WORDS = ("abandoned", "unterminated")


def rows_of_json(text: str, path: str) -> RawTable | None:
    r"""Return the records of a JSON text, or one per line, as rows with flattened fields; None for no JSON.

    Raises `CatalogueError` at `path` if it is damaged JSON, holds no list of records, or over `MOST_FIELDS` fields.

    >>> rows_of_json('[{"players": ["Ada", "Bo"], "result": {"score": 1.0}}]', "log.json").rows
    ((1, ('players_1', 'players_2', 'result_score')), (2, ('Ada', 'Bo', '1.0')))
    """
    if text.lstrip()[:1] not in ("{", "[") or _PGN.match(text):
        return None
    try:
        content = _parse(text)
    except (ValueError, RecursionError) as error:
        reason = str(error)[:200] if isinstance(error, ValueError) else "too many lists within each other"
        raise CatalogueError(Fault(f"this looks like JSON and cannot be read ({reason})", path)) from None
    records = _records(content)
    if not records:
        tip = 'such as [{"army_1": "Elves", "army_2": "Orcs", "winner": "Elves"}]'
        raise CatalogueError(Fault("the JSON holds no list of games", path, tip=tip))
    flat = [dict(_flat(record)) for record in records]
    header = tuple(dict.fromkeys(key for record in flat for key in record))
    if len(header) > MOST_FIELDS:
        tip = "give each game one record with two names and who won"
        raise CatalogueError(Fault(f"the games have more than {MOST_FIELDS} different fields", path, tip=tip))
    return _table(path, header, list(enumerate(flat, start=2)))


def rows_of_pgn(text: str, path: str) -> RawTable | None:
    r"""Return the games of a PGN text as rows of names, results, dates and rounds; None for a text that is no PGN.

    Raises `CatalogueError` at `path` if no game names White and Black.

    >>> rows_of_pgn('[White "Ada"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n', "games.pgn").rows
    ((1, ('White', 'Black', 'Result')), (1, ('Ada', 'Bo', '1-0')))
    """
    if not _PGN.match(text):
        return None
    games: list[tuple[int, Record]] = []
    within = False
    for number, line in enumerate(text.splitlines(), start=1):
        tag = _TAG.fullmatch(line)
        if tag is None:
            within = within and not line.strip()
            continue
        if not within:
            games.append((number, {}))
        within = True
        key, value = tag[1], re.sub(r"\\(.)", r"\1", tag[2])
        games[-1][1][key] = "" if value.strip("?. ") == "" else value
    for _, game in games:
        if game.get("Termination", "").casefold() in _UNFINISHED_WORDS:
            game["Result"] = game["Termination"]
    header = tuple(key for key in _KEPT_TAGS if any(key in game for _, game in games))
    if not {"White", "Black"} <= set(header):
        raise CatalogueError(Fault("the PGN file names no White and Black", path))
    return _table(path, header, games)


def _table(path: str, header: tuple[str, ...], records: list[tuple[int, Record]]) -> RawTable:
    rows = [(number, tuple(record.get(key, "") for key in header)) for number, record in records]
    return RawTable(path, ((1, header), *rows))


def _parse(text: str) -> Any:
    """Return the content of a JSON text, or the list of contents of its lines (JSON Lines)."""
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{") or not lines[0].rstrip().endswith("}"):
            raise
    return [json.loads(line) for line in lines]


def _records(content: Any, depth: int = 0) -> list[Mapping[str, Any]]:
    """Return the longest list of objects in a JSON content, down to the third level; empty if there is none."""
    if isinstance(content, list):
        return [entry for entry in content if isinstance(entry, dict)]
    if not isinstance(content, dict) or depth > 2:
        return []
    return max((_records(part, depth + 1) for part in content.values()), key=len, default=[])


def _flat(content: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each value of a record, nested keys joined by `_` and list entries numbered from 1."""
    if isinstance(content, dict) and depth < MOST_DEPTH:
        for key, value in content.items():
            yield from _flat(value, f"{name}_{key}" if name else str(key), depth + 1)
    elif isinstance(content, list) and content and len(content) <= MOST_LISTED and depth < MOST_DEPTH:
        for at, value in enumerate(content, start=1):
            yield from _flat(value, f"{name}_{at}" if name else str(at), depth + 1)
    elif isinstance(content, dict | list):
        yield name, json.dumps(content)[:200] if content else ""
    else:
        yield name, "" if content is None else str(content).lower() if isinstance(content, bool) else str(content)
