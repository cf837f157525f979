"""Look-up tables of a game file: bands of a number, a list, or a grid of two numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from balance.base.limits import MOST_SETTINGS
from balance.rulebook.text.book import Band, Line, LookUp
from balance.rulebook.text.source import Source

BANDS = '"0", "1..2", "<= -3", ">= 3", "4+"'
ELSE = "else"
GRID = ("rows", "columns", "values")
_RANGE = re.compile(r"(-?\d{1,6})\s*(?:\.\.|to)\s*(-?\d{1,6})|(\d{1,6})\s*[-–]\s*(\d{1,6})")
_SIGNED = re.compile(r"(<=|>=|<|>|≤|≥)\s*(-?\d{1,6})")
_ALONE = re.compile(r"(-?\d{1,6})(\+?)")


def read_band(text: str) -> Band | None:
    """Return the band that a text such as `4+` or `-2..-1` means; None for anything else.

    >>> read_band("<= -3"), read_band("-2..-1"), read_band("4+"), read_band("many")
    (Band(low=None, high=-3), Band(low=-2, high=-1), Band(low=4, high=None), None)
    """
    text = text.strip().replace("−", "-")
    if match := _RANGE.fullmatch(text):
        low, high = (int(part) for part in match.groups() if part is not None)
        return Band(low, high) if low <= high else None
    if match := _SIGNED.fullmatch(text):
        sign, limit = match[1], int(match[2])
        bands = {"<": Band(None, limit - 1), ">": Band(limit + 1, None)}
        bands |= dict.fromkeys(("<=", "≤"), Band(None, limit)) | dict.fromkeys((">=", "≥"), Band(limit, None))
        return bands[sign]
    if match := _ALONE.fullmatch(text):
        return Band(int(match[1]), None if match[2] else int(match[1]))
    return None


def read_look_up(source: Source, name: str, value: object) -> LookUp | None:
    """Return the look-up table that a value of the file means; None with faults if it means none."""
    key = f"tables.{name}"
    place = source.locate(key)
    line = Line(name, "", key, place.path, place.row)
    if isinstance(value, list):
        numbers = _numbers(source, key, value)
        bands = tuple(Band(place, place) for place in range(1, len(value) + 1))
        return None if numbers is None else LookUp(line, bands, (), tuple((number,) for number in numbers))
    if not isinstance(value, Mapping) or not value:
        tip = 'such as [tables.to_wound] with lines like "1..2" = 3, or a list [6, 5, 4]'
        source.fault(key, "is no look-up table", value if value != {} else None, tip=tip)
        return None
    return _grid(source, line, value) if set(value) & set(GRID) else _banded(source, line, value)


def _banded(source: Source, line: Line, table: Mapping[str, Any]) -> LookUp | None:
    n_faults = len(source.faults)
    values = {band_text: source.whole(f"{line.key}.{band_text}", value) for band_text, value in table.items()}
    band_texts = [text for text in table if text != ELSE]
    bands = _bands(source, line.key, band_texts, [f"{line.key}.{text}" for text in band_texts])
    if len(source.faults) > n_faults:
        return None
    numbers = [values[text] for text in band_texts]
    return LookUp(line, bands, (), tuple((number,) for number in numbers if number is not None), values.get(ELSE))


def _grid(source: Source, line: Line, table: Mapping[str, Any]) -> LookUp | None:
    n_faults = len(source.faults)
    source.known(line.key, table, (*GRID, ELSE))
    for name in GRID:
        if name not in table:
            source.fault(
                f"{line.key}.{name}", "is missing", tip="a grid has rows = [..], columns = [..], values = [[..]]"
            )
        elif not isinstance(table[name], list):
            source.fault(f"{line.key}.{name}", "is not a list", table[name], "a list in square brackets")
    if len(source.faults) > n_faults:
        return None
    heads = {name: _heads(source, f"{line.key}.{name}", table[name]) for name in ("rows", "columns")}
    values = _values(source, f"{line.key}.values", table["values"], len(table["rows"]), len(table["columns"]))
    otherwise = source.whole(f"{line.key}.{ELSE}", table[ELSE]) if ELSE in table else None
    return None if len(source.faults) > n_faults else LookUp(line, heads["rows"], heads["columns"], values, otherwise)


def _values(
    source: Source, key: str, rows: Sequence[object], n_rows: int, n_columns: int
) -> tuple[tuple[int, ...], ...]:
    if len(rows) != n_rows:
        source.fault(key, f"has {len(rows)} rows", legal_text=f"{n_rows}, as many as in rows")
    values = []
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != n_columns:
            found = f"{len(row)} values" if isinstance(row, list) else "no list"
            source.fault(key, f"row {number} has {found}", legal_text=f"{n_columns}, as many as in columns")
        elif (numbers := _numbers(source, key, row)) is not None:
            values.append(numbers)
    return tuple(values)


def _heads(source: Source, key: str, heads: Sequence[object]) -> tuple[Band, ...]:
    texts = [str(head) for head in heads if isinstance(head, str | int) and not isinstance(head, bool)]
    if len(texts) < len(heads):
        source.fault(key, "holds something else than numbers and bands", legal_text=BANDS)
        return ()
    return _bands(source, key, texts, [key] * len(texts))


def _bands(source: Source, key: str, texts: Sequence[str], keys: Sequence[str]) -> tuple[Band, ...]:
    """Return the bands of texts, with a fault for each that is none and for two that overlap."""
    bands: dict[str, Band] = {}
    if len(texts) > MOST_SETTINGS or not texts:
        source.fault(key, f"has {len(texts)} bands", legal_text=f"1 to {MOST_SETTINGS}")
        return ()
    for text, place in zip(texts, keys, strict=True):
        if (band := read_band(text)) is None:
            source.fault(place, "is no number and no band of numbers", text, BANDS)
        elif text in bands:
            source.fault(place, "stands there twice", text)
        else:
            bands[text] = band
    in_order = sorted(bands.items(), key=lambda item: (item[1].low is not None, item[1].low or 0))
    for (first, a), (second, b) in pairwise(in_order):
        if a.high is None or b.low is None or a.high >= b.low:
            later = max(first, second, key=texts.index)
            earlier = min(first, second, key=texts.index)
            source.fault(dict(zip(texts, keys, strict=True))[later], f"overlaps with {earlier!r}", later)
    return tuple(bands.values())


def _numbers(source: Source, key: str, values: Sequence[object]) -> tuple[int, ...] | None:
    if not 1 <= len(values) <= MOST_SETTINGS:
        source.fault(key, f"has {len(values)} values", legal_text=f"1 to {MOST_SETTINGS}")
        return None
    numbers = [source.whole(key, value) for value in values]
    whole_numbers = tuple(number for number in numbers if number is not None)
    return whole_numbers if len(whole_numbers) == len(numbers) else None
