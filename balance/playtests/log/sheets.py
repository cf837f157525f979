"""The file of a log as rows of text: CSV, TSV or the sheet of a workbook, as any spreadsheet program writes it.

Games as programs keep them, JSON and PGN, become rows as well.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from balance.base.errors import CatalogueError, Fault, comma_list, unknown
from balance.base.limits import MOST_LOG_ROWS, MOST_TABLE_BYTES
from balance.base.text import slug
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.files import read_bytes, rows_of, text_of
from balance.catalogue.workbook import cells
from balance.playtests.words.vocabulary import known_words

_WORKBOOK = b"PK\x03\x04"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
BOOKS = (".xlsx", ".xlsm")
_FIRST_LINES = 20
"""Lines in which the header is looked for."""
Record: TypeAlias = dict[str, str]
MOST_DEPTH, MOST_LISTED, MOST_FIELDS = 5, 8, 400
"""Records within each other, entries of a list that get columns of their own, and columns in all."""
_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_PGN = re.compile(r'\s*(?:%[^\n]*\s+)*\[\w+\s+"')
_KEPT_TAGS = ("White", "Black", "Result", "Date", "Round")
_UNFINISHED_WORDS = ("abandoned", "unterminated")


@dataclass(frozen=True)
class Sheet:
    """Rows of text with their line numbers, and the hash of the bytes they came from; `notes` are one sentence each."""

    table: RawTable
    path: str
    sha256: str
    notes: tuple[str, ...] = ()


def read_sheet(
    path: Path | str, sheet: str = "", further_headers: Iterable[str] = (), max_rows: int = MOST_LOG_ROWS
) -> Sheet:
    """Read the rows of a CSV or TSV file (UTF-8, UTF-16 with its mark, Windows-1252), JSON, PGN or workbook.

    `sheet` names a sheet of an .xlsx workbook, the first without it; `further_headers` help to find the separator.
    Raises `CatalogueError` if the file is missing, unreadable or too large, or has no such sheet.
    """
    path = Path(path)
    if not path.suffix and not path.exists():
        tip = "name a file of games, such as evenings.csv; `balance rate evenings.csv --template` writes one to fill in"
        raise CatalogueError(Fault("there is no such log", str(path), tip=tip))
    if path.suffix.lower() not in BOOKS and path.is_file() and path.stat().st_size > MOST_TABLE_BYTES:
        raise CatalogueError(too_long(str(path), max_rows))
    data = cells.read_bytes(path) if path.suffix.lower() in BOOKS else read_bytes(path)
    digest, notes = hashlib.sha256(data).hexdigest(), list[str]()
    if data.startswith(_WORKBOOK):
        return Sheet(_of_workbook(data, path, sheet, notes), str(path), digest, tuple(notes))
    if sheet:
        raise CatalogueError(Fault("has no sheets: it is no workbook", str(path), found=sheet, tip="leave out §sheet"))
    if path.suffix.lower() in (*BOOKS, ".xls", ".ods"):
        tip = "save it as Excel workbook (.xlsx), or as CSV"
        raise CatalogueError(Fault("the file is not an .xlsx workbook, or is damaged", str(path), tip=tip))
    text = text_of(_utf8(data, notes), path)
    if text.count("\n") + text.count("\r") > 2 * max_rows + _FIRST_LINES and not text.lstrip().startswith("["):
        raise CatalogueError(too_long(str(path), max_rows))
    if (table := rows_of_json(text, str(path)) or rows_of_pgn(text, str(path))) is not None:
        return Sheet(table, str(path), digest, tuple(notes))
    first = [cell for line in text.splitlines()[:_FIRST_LINES] for cell in re.split("[,;\t]", line[:10_000])]
    header_words = known_words([cell.strip(' "') for cell in first], further_headers)
    return Sheet(rows_of(text, path, header_words), str(path), digest, tuple(notes))


def too_long(path: str, max_rows: int) -> Fault:
    """Return the fault of a log with more than `max_rows` rows, whose tip is to pool equal games."""
    tip = "give games of equal kind one row, with a column n that says how many"
    return Fault(f"the log has more than {max_rows:,} rows", path, tip=tip)


def _utf8(data: bytes, notes: list[str]) -> bytes:
    """Return the bytes as UTF-8; others that are valid Windows-1252, as Excel writes CSV, are decoded with a note."""
    try:
        if not data.startswith(_MARKS) and b"\0" not in data:
            data.decode("utf-8")
        return data
    except UnicodeDecodeError:
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            return data
    notes.append("The text is not UTF-8 and was read as Windows-1252: look at the accents in the names.")
    return text.encode()


def _of_workbook(data: bytes, path: Path, required_name: str, notes: list[str]) -> RawTable:
    """Return the rows of one sheet of a workbook; raises `CatalogueError` for cells that cannot be read."""
    faults: list[Fault] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, formulas = cells.open_workbook(data, path)
        name = _sheet_name(values, path, required_name, notes)
        table = cells.sheet_rows(values[name], formulas[name], f"{path}, sheet {name}", faults, dates=True)
    if faults or table is None:
        raise CatalogueError(faults)
    return table


def _sheet_name(book: Any, path: Path, title: str, notes: list[str]) -> str:
    """Return the name of the wanted sheet, or of the first one with a note on the others if none is named.

    Raises `CatalogueError` if there is no such sheet.
    """
    names = [str(name) for name in book.sheetnames if hasattr(book[name], "iter_rows")]
    if not names:
        raise CatalogueError(Fault("the workbook has no sheet with cells", str(path)))
    if not title:
        if len(names) > 1:
            notes.append(
                f"Of the workbook the sheet {names[0]} was read; §sheet names another: {comma_list(names[1:])}."
            )
        return names[0]
    matches = [name for name in names if name == title] or [name for name in names if slug(name) == slug(title)]
    if not matches:
        raise CatalogueError(unknown(title, names, "is not a sheet of this workbook", str(path), field="§sheet"))
    return matches[0]


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
