"""TOML files that others wrote: their content, and where each key of it stands."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.base.limits import MOST_NESTING, MOST_POINTS, MOST_TOML_BYTES
from balance.catalogue.tables.columns import Locate
from balance.catalogue.tables.files import read_text

_BREAK = re.compile(r"[\n={},\[\]]")
_TEXTS = re.compile(r'"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)
_HEAD = re.compile(r"\s*(\[{1,2})([^\[\]]+)\]")
_KEY = re.compile(r"\s*((?:[\w\-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w\-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_MARKS, _POINT = re.compile("[\"']"), re.compile(r"\s*\.\s*")


def _line_numbers(text: str) -> dict[str, int]:
    r"""Return the line of each dotted key of a TOML text, from how its lines begin.

    A key of a list of tables is listed with and without its numbers: `sections.1.id` and, of the first, `sections.id`.
    What stands inside a text or a list of several lines is no key.

    >>> _line_numbers("[[sections]]\nid = 1\n[[sections]]\nid = 2")["sections.1.id"]
    4
    >>> _line_numbers('grid = [\n[1, 2]\n]\n"<= 3" = 4')
    {'grid': 1, '<= 3': 4}
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    tables: tuple[str, ...] = ("",)
    depth = 0
    for number, line in enumerate(_TEXTS.sub(_on_one_line, text).split("\n"), start=1):
        if not line.strip():
            continue
        if depth == 0 and (head := _HEAD.match(line)):
            name = _MARKS.sub("", _POINT.sub(".", head[2])).strip()
            tables = (f"{name}.", f"{_numbered_name(name, counts, head[1] == '[[')}.")
            for table in tables:
                lines.setdefault(table.rstrip("."), number)
            continue
        if depth == 0 and (key := _KEY.match(line)):
            for table in tables:
                lines.setdefault(table + _MARKS.sub("", _POINT.sub(".", key[1])), number)
        bare = _TEXTS.sub("", line)
        depth = max(0, depth + sum(map(bare.count, "[{")) - sum(map(bare.count, "]}")))
    return lines


def without_key(text: str, name: str) -> str:
    r"""Return a TOML text without a key at its top level and all tables below it; comments between their lines stay.

    >>> without_key("a = 1\n[units.rat] # small\nlife = 3\n# next\n[attack]", "units")
    'a = 1\n# next\n[attack]'
    """
    keys_at, is_own, lines = defaultdict[int, list[str]](list), False, list[str]()
    for key, row in _line_numbers(text).items():
        keys_at[row].append(key)
    bare = _TEXTS.sub(_on_one_line, text).split("\n")
    for row, line in enumerate(text.split("\n"), start=1):
        if row in keys_at:
            is_own = any(key.split(".")[0] == name for key in keys_at[row])
        if not is_own or bare[row - 1].lstrip().startswith("#"):
            lines.append(line)
    return "\n".join(lines)


def with_lines(text: str, lines: str) -> str:
    r"""Return a TOML text with lines of its top level added: below those that it has, above its first table.

    >>> with_lines("a = 1\n\n# how to\n[attack]", "b = 2")
    'a = 1\n\nb = 2\n# how to\n[attack]'
    """
    rows, bare = text.split("\n"), _TEXTS.sub(_on_one_line, text).split("\n")
    at = next((row for row, line in enumerate(bare) if _HEAD.match(line)), len(rows))
    while at and rows[at - 1].lstrip().startswith("#"):
        at -= 1
    return "\n".join([*rows[:at], lines, *rows[at:]])


def _on_one_line(match: re.Match[str]) -> str:
    """Return a text of several lines as an empty one with as many line ends after it; any other as it is."""
    n_lines = match[0].count("\n")
    return '""' + "\n" * n_lines if n_lines else match[0]


def _with_outer_tables(lines: Mapping[str, int]) -> dict[str, int]:
    """Return the lines of keys, with tables that only the head of an inner table implies.

    >>> _with_outer_tables({"policies.effort.bold": 3, "policies.effort.bold.may": 4})["policies.effort"]
    3
    """
    outer_lines: dict[str, int] = {}
    for key, row in lines.items():
        while (key := key.rpartition(".")[0]) and key not in outer_lines:
            outer_lines[key] = row
    return outer_lines | dict(lines)


def _numbered_name(name: str, counts: dict[str, int], is_entry: bool) -> str:
    """Return a table's name with the index in each list of tables on its way; an entry starts the next index."""
    full = ""
    parts = name.split(".")
    for place, part in enumerate(parts):
        full = f"{full}.{part}" if full else part
        if is_entry and place == len(parts) - 1:
            counts[full] = counts.get(full, -1) + 1
        if full in counts:
            full = f"{full}.{counts[full]}"
    return full


def _check_values(data: Any) -> None:
    """Raise RecursionError for deep nesting, ValueError for an integer beyond 64 bits, which TOML does not have."""
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > MOST_NESTING:
            raise RecursionError
        inner = [list(value.values()) if isinstance(value, dict) else value for value in level]
        parts = [part for values in inner for part in values]
        if any(type(part) is int and not -(2**63) <= part < 2**63 for part in parts):
            raise ValueError("a whole number has more than 64 bits")
        level = [part for part in parts if isinstance(part, dict | list)]


def read_rules_file(path: Path) -> tuple[Mapping[str, Any], Locate]:
    """Read a TOML file; return its content and a function from a dotted key to its place.

    `CatalogueError` if it cannot be read or is not TOML.
    """
    return read_toml(read_text(path, MOST_TOML_BYTES), path)


def read_toml(text: str, path: Path) -> tuple[Mapping[str, Any], Locate]:
    """Read the text of a TOML file as `read_rules_file` does."""
    if any(piece.count(".") > MOST_POINTS for piece in _BREAK.split(text)):
        raise CatalogueError(Fault(f"a key has more than {MOST_POINTS} points", str(path)))
    try:
        data = tomllib.loads(text.replace("\r\n", "\n"))
        _check_values(data)
    except (ValueError, RecursionError) as error:
        row = re.search(r"at line (\d+)", str(error))
        problem = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
        tip = "texts stand in double quotes, one key = value per line"
        fault = Fault(f"the file is not TOML ({problem})", str(path), int(row[1]) if row else None, tip=tip)
        raise CatalogueError(fault) from None
    lines: dict[str, int] = {}

    def locate(key: str) -> Fault:
        if not lines:  # only where something is wrong
            lines.update(_with_outer_tables(_line_numbers(text)))
        known_path = key
        while known_path and known_path not in lines:
            known_path = known_path.rpartition(".")[0]
        return Fault("", str(path), lines.get(known_path), key)

    return data, locate
