"""Which numbers of a catalogue may move, and to which values, derived from the columns of its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from balance.analysis.armies.battles import costs_of
from balance.analysis.scores.cards import priced_parts
from balance.base.arrays import FloatArray
from balance.base.errors import BalanceError, Fault, UsageError, comma_list, first_of, unknown
from balance.catalogue import Column, Record, leaf_columns, patch_catalogue, show_value
from balance.game.loaded import LoadedGame

FACTOR = 3.0
"""A cost is tried up to so many times the old one, and down to such a part of it."""
TENTH, STEPS = 10, (-2, -1, 1, 2)
"""A step of another number is this part of it, or 1 where that is more; so many steps are tried."""
MOST_NAMED = 3
"""Cards that are named where none of them has a cost of its own."""
KINDS = ("integer", "number", "flag", "choice")


@dataclass(frozen=True)
class Number:
    """A value of a catalogue that may move.

    `path` and `old`: where it stands, as a patch writes it, and its value. `texts`: the values to be tried. `points`:
    `float64[m]`: what one more of it adds to the cost of each entrant; None if it is not a cost.
    """

    path: str
    old: str
    texts: tuple[str, ...]
    points: FloatArray | None


def numbers_to_move(
    game: LoadedGame, entrants: Sequence[str], patterns: Sequence[str] = (), smallest_budget: float = np.inf
) -> list[Number]:
    """Return the numbers that may move: all costs by default, to whole points below the smallest budget.

    `patterns` are columns such as `precision`, or paths such as `weapons.*.cost_points`, `rules.*` and `constants.*`.
    Raise UsageError with every word that names nothing which may move.
    """
    values = _values(game)
    costs = _cost_places(game, entrants, values)
    if not patterns and not costs:
        whole = next((column.name for _, column, _ in values.values() if column.kind == "integer"), "NUMBER")
        message = f"no {game.words.entrant} of {game.definition.title} has a cost on a card that could move"
        raise UsageError(message, f"name the numbers that may, such as §move={whole}")
    faults = [_fault(word, values) for word in patterns if not any(_fits(word, path) for path in values)]
    if faults:
        raise UsageError(faults)
    numbers = []
    for path, (table, column, value) in values.items():
        cost = (table, column.name) in costs
        if any(_fits(word, path) for word in patterns) if patterns else cost:
            points = _points(game, entrants, path, value) if cost else None
            values_to_try = cost_texts(_number(value), smallest_budget) if cost else _texts(column, value)
            if texts := allowed_texts(game, path, values_to_try):
                numbers.append(Number(path, show_value(value), texts, points))
    if not numbers:
        raise UsageError("none of these numbers can take another value", "name others with §move")
    return numbers


def moves_all_costs(game: LoadedGame, entrants: Sequence[str], patterns: Sequence[str] = ()) -> bool:
    """Return whether every cost is among the numbers that may move, given patterns as `numbers_to_move` takes them."""
    values = _values(game)
    costs = _cost_places(game, entrants, values)
    paths = [path for path, (table, column, _) in values.items() if (table, column.name) in costs]
    return bool(paths) and (not patterns or all(any(_fits(word, path) for word in patterns) for path in paths))


def cost_paths(game: LoadedGame, entrants: Sequence[str]) -> dict[str, str]:
    """Return the path at which a patch writes the cost of each card, or of each entrant that is bought whole.

    Raise UsageError where some cost stands on no card of its own.
    """
    names = [*dict.fromkeys(part for parts in priced_parts(game, entrants) for part in parts)]
    places, values = dict[str, str](), _values(game)
    costs = _cost_places(game, entrants, values)
    for path, (table, column, value) in values.items():
        if (table, column.name) in costs and (points := _points(game, entrants, path, value)) is not None:
            touched = [entrants[at] for at in np.flatnonzero(points).tolist()]
            places.setdefault(path.split(".")[1], path)
            if len(touched) == 1:
                places.setdefault(touched[0], path)
    if missing_names := [name for name in names if name not in places]:
        message = f"§patch sets costs on cards, and {comma_list(first_of(missing_names, MOST_NAMED))} have none there"
        raise UsageError(message, "leave it out")
    return {name: places[name] for name in names}


Values = Mapping[str, tuple[str, Column, object]]


def _values(game: LoadedGame) -> dict[str, tuple[str, Column, object]]:
    """Return path -> (table, column, value) of every single value that is a number or a choice."""
    catalogue = game.catalogue
    records = [
        (f"{table}.{entry}", table, record)
        for table, entries in catalogue.tables.items()
        for entry, record in entries.items()
    ]
    records += [("rules", "rules", catalogue.rules), ("constants", "constants", catalogue.constants)]
    return {
        f"{place}.{name}": (table, column, value)
        for place, table, record in records
        for name, column, value in _leaves(record)
    }


def _leaves(record: Record) -> Iterator[tuple[str, Column, object]]:
    for name, column in leaf_columns(type(record)).items():
        value: object = record
        for part in name.split("."):
            value = getattr(value, part)
        if column.kind in KINDS and not column.is_list and value is not None:
            yield name, column, value


def _fits(word: str, path: str) -> bool:
    """Return whether a pattern matches a path as a whole, or its column alone."""
    return fnmatchcase(path, word) or ("." not in word and fnmatchcase(path.split(".")[-1], word))


def _fault(word: str, values: Values) -> Fault:
    columns = list(dict.fromkeys(path.split(".")[-1] for path, (table, _, _) in values.items() if table != "rules"))
    return unknown(word, values if "." in word else columns, "names no number that may move", "§move")


def _places(values: Values) -> dict[tuple[str, str], list[str]]:
    """Return (table, column) -> paths of the numbers in it."""
    paths: dict[tuple[str, str], list[str]] = {}
    for path, (table, column, _) in values.items():
        if column.kind in ("integer", "number") and table not in ("rules", "constants"):
            paths.setdefault((table, column.name), []).append(path)
    return paths


def _cost_places(game: LoadedGame, entrants: Sequence[str], values: Values) -> set[tuple[str, str]]:
    """Return the (table, column) of every number from which costs of entrants follow."""
    return {place for place in _places(values) if _is_cost(game, entrants, place, values)}


def _is_cost(game: LoadedGame, entrants: Sequence[str], place: tuple[str, str], old_values: Values) -> bool:
    """Return whether one more, or one less, in a whole column changes what any entrant costs."""
    before = costs_of(game, entrants)
    for by in (1, -1):
        values = {path: f"{_number(old_values[path][2]) + by:g}" for path in _places(old_values)[place]}
        after = _costs_after(game, entrants, values)
        if after is not None:
            return not np.array_equal(before, after)
    return False


def _points(game: LoadedGame, entrants: Sequence[str], path: str, value: object) -> FloatArray | None:
    before = costs_of(game, entrants)
    for by in (1, -1):
        after = _costs_after(game, entrants, {path: f"{_number(value) + by:g}"})
        if after is not None:
            return np.asarray((after - before) / by)
    return None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _costs_after(game: LoadedGame, entrants: Sequence[str], values: Mapping[str, str]) -> FloatArray | None:
    """Return what entrants cost with some values changed; None where the catalogue does not allow these."""
    try:
        return costs_of(LoadedGame(game.definition, patch_catalogue(game.catalogue, values)), entrants)
    except BalanceError:
        return None


def cost_texts(old: float, smallest_budget: float) -> list[str]:
    """Return whole costs near an old one to be tried instead: at least 1, and below the smallest budget if raised.

    >>> cost_texts(2.5, 6), cost_texts(9.0, 6)
    (['1', '2', '3', '4', '5'], ['3', '4', '5', '6', '7', '8'])
    """
    ends = (max(-(-old // FACTOR), 1), max(old * FACTOR, 10.0))
    whole = range(int(ends[0]), int(ends[1]) + 1)
    return [f"{new}" for new in whole if new != old and (new < old or new < smallest_budget)]


def allowed_texts(game: LoadedGame, path: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return those values that the catalogue allows at a path as a patch writes it."""
    return tuple(text for text in texts if is_allowed(game, {path: text}))


def is_allowed(game: LoadedGame, values: Mapping[str, str]) -> bool:
    """Return whether the catalogue allows some new values, path -> text, all at once."""
    try:
        patch_catalogue(game.catalogue, values)
    except BalanceError:
        return False
    return True


def _texts(column: Column, value: object) -> list[str]:
    """Return other values for a number that is not a cost: up to two steps either way, or every other choice."""
    if column.kind == "flag":
        return [show_value(not value)]
    if column.kind == "choice":
        return [choice for choice in column.choices if choice != value]
    old = _number(value)
    step = float(max(1, round(abs(old) / TENTH))) if column.kind == "integer" else abs(old) / TENTH or 1 / TENTH
    return [f"{old + times * step:g}" for times in STEPS]
