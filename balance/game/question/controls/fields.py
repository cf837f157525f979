"""Controls for the fields of records: which control fits a column, and the range of a slider."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from balance.catalogue import Catalogue, Column
from balance.game.question.controls.control import Control, ControlKind, Group, Value

MOST_STEPS = 40
"""Up to so many steps a slider goes over all that is allowed."""
LEAST_STEPS = 10
"""So many steps it has at least, if so many are allowed."""
PARTS = 100
"""A slider of a number that need not be whole has so many steps."""


def control_of(
    group: Group, path: str, column: Column, now: object, catalogue: Catalogue, card_numbers: Iterable[float] = ()
) -> Control:
    """Return the control for a field at `path`; `now` is None where the cards decide its value.

    The tables of the catalogue give the entries that a field may name, and `card_numbers`, the numbers of this field on
    cards, the range of a slider.
    """
    options = column.choices or _entries_beside(column, now, catalogue)
    kind = _kind(column, now, options)
    value = _value(now, kind)
    common: dict[str, Any] = {
        "group": group,
        "path": path,
        "kind": kind,
        "value": value,
        "is_optional": column.nullable,
        "unit": column.unit,
        "description": column.description,
    }
    if kind == "number":
        marks = {number for _, number in column.marks}
        unmarked_numbers = [number for number in card_numbers if number not in marks]
        reach = _reach(column, [*unmarked_numbers, *([value] if isinstance(value, int | float) else [])])
        step = 1.0 if column.kind == "integer" else (reach[1] - reach[0]) / PARTS
        return Control(**common, low=column.low, high=column.high, reach=reach, step=step)
    if kind in ("menu", "several"):
        return Control(**common, options=options, meanings=("",) * len(options))
    return Control(**common)


def fits(column: Column, value: object) -> bool:
    """Return whether a value has the type of a field; a field of the same name elsewhere may have another."""
    if column.is_list or value is None:
        return value is None or isinstance(value, list | tuple)
    if column.kind in ("integer", "number"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, bool) if column.kind == "flag" else isinstance(value, str)


def _kind(column: Column, now: object, options: tuple[str, ...]) -> ControlKind:
    if column.is_list:
        words = list(map(str, now)) if isinstance(now, list | tuple) else [""]
        return "several" if options and len({*words}) == len(words) and {*words} <= {*options} else "text"
    if column.kind in ("integer", "number"):
        return "number"
    if column.kind == "flag":
        return "switch"
    return "menu" if options and (now is None or str(now) in options) else "text"


def _value(now: object, kind: ControlKind) -> Value:
    if isinstance(now, list | tuple):
        words = tuple(map(str, now))
        return ",".join(words) if kind == "text" else words
    return now if isinstance(now, bool | int | float | str) else None


def _entries_beside(column: Column, now: object, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the ids of the table that the value of a field is in; empty if it is in none."""
    if column.kind != "id":
        return ()
    first = next(iter(now), None) if isinstance(now, list | tuple) else now
    tables: Iterable[Mapping[str, object]] = catalogue.tables.values()
    return next((tuple(entries) for entries in tables if first in entries), ())


def _reach(column: Column, numbers: list[float]) -> tuple[float, float]:
    """Return the range of a slider from the allowed range and the numbers on cards.

    >>> _reach(Column("health", "health", "integer", low=1, high=999), [4, 12])
    (1.0, 24.0)
    >>> _reach(Column("precision", "precision", "integer", low=1, high=10), [4, 12])
    (1.0, 10.0)
    >>> _reach(Column("modifier", "modifier", "number"), []), _reach(Column("modifier", "modifier", "number"), [-3])
    ((0.0, 10.0), (-6.0, 10.0))
    """
    if column.low is not None and column.high is not None and column.high - column.low <= MOST_STEPS:
        return float(column.low), float(column.high)
    low = min([0.0, *(2 * number for number in numbers)]) if column.low is None else column.low
    high = max(2 * max(numbers, default=0.0), max(low, 0.0) + LEAST_STEPS)
    return float(low), float(high if column.high is None else min(high, column.high))
