"""Who is strictly worse than another by what the cards print: no dice, no battles, no fit.

A card is *strictly worse* than another of its table if it is worse in one number and better in none, and costs as much
or more; so is one that is the same for more points. Which values are better its game declares
(`balance.catalogue.Better`); where a field without a direction differs, nothing is claimed. A loadout is compared as a
whole: by its cost, and card by card with one that has as many cards of each table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice, permutations, product
from operator import attrgetter
from typing import Annotated, Any

import numpy as np

from balance.base.answers import Doc
from balance.catalogue import Catalogue, Column, Record, leaf_columns
from balance.game.loaded import LoadedGame
from balance.game.setup import EntrantKind

MOST_ORDERS = 24
"""Orders of cards of one table in which a loadout is held against another."""
COST = "cost_points"
NEVER_COMPARED = ("id", "name", COST)
PART = "part"
"""Stands for the id of another card of the same loadout, which is compared itself."""


@dataclass(frozen=True)
class StrictlyWorse:
    """The better one of two that are alike in all that has no direction, and in what the other is worse."""

    than: Annotated[str, Doc("The id of the better one.")]
    fields: Annotated[tuple[str, ...], Doc("In what it is worse: fields of its cards, words that it lacks, the cost.")]


@dataclass(frozen=True)
class _Card:
    """What of a card is compared: `unlike` must be the same, and of each of the `goods` more is better."""

    unlike: str
    goods: tuple[float, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class _Whole:
    """A loadout, or a card by itself; its cards in the order of what must be the same of them."""

    name: str
    cost: float
    cards: tuple[_Card, ...]

    def orders(self) -> Iterator[tuple[float, ...]]:
        """Yield its goods and its cost below 0, with cards that can stand for each other in every order."""
        alike = [list(group) for _, group in groupby(self.cards, key=lambda card: card.unlike)]
        for order in islice(product(*(permutations(group) for group in alike)), MOST_ORDERS):
            yield (*(good for group in order for card in group for good in card.goods), -self.cost)


def strictly_worse(game: LoadedGame, kind: str, names: Sequence[str]) -> dict[str, StrictlyWorse]:
    """Return who of some loadouts, or of some cards, is strictly worse than another of them.

    `names` are ids of what meets in a kind of question, of members where armies do, or of cards. Of several that are
    better, one that is not worse itself is named, and of those the one that differs in the fewest fields.
    """
    question = game.kind(kind)
    entrant = question.armies.member if question.armies is not None else question.takes[0]
    listed = frozenset(game.ids(entrant))
    wholes = (_whole(game.catalogue, entrant, listed, name) for name in dict.fromkeys(names))
    return _worse_of(whole for whole in wholes if whole is not None)


def worse_cards(catalogue: Catalogue) -> dict[tuple[str, str], StrictlyWorse]:
    """Return the cards that are strictly worse than another of their table, by (table, id), in tables with costs."""
    worse: dict[tuple[str, str], StrictlyWorse] = {}
    for table, entries in catalogue.tables.items():
        cards = (_by_itself(table, name, entry) for name, entry in entries.items())
        worse |= {(table, name): better for name, better in _worse_of(card for card in cards if card).items()}
    return worse


def _whole(catalogue: Catalogue, entrant: EntrantKind, listed: frozenset[str], name: str) -> _Whole | None:
    """Return an entrant with all its cards, else the card of this id; None where its cards or cost are not known."""
    tables = catalogue.tables
    home = next((table for table, entries in tables.items() if name in entries), "")
    if home and name not in listed:
        return _by_itself(home, name, tables[home][name])
    if entrant.cards is not None:
        places = list(entrant.cards(catalogue, name))
    else:
        parts = entrant.parts(name)
        places = [(table, part) for part in parts for table, entries in tables.items() if part in entries]
        if {part for _, part in places} != set(parts):
            return None
    ids = {card for _, card in places}
    cards = (_card(table, tables[table][card], ids - {card}) for table, card in places)
    kept = sorted((card for card in cards if card is not None), key=lambda card: (card.unlike, card.goods))
    return _Whole(name, float(entrant.cost_points(catalogue, name)), tuple(kept)) if kept else None


def _by_itself(table: str, name: str, entry: Record) -> _Whole | None:
    cost, card = getattr(entry, COST, None), _card(table, entry, frozenset())
    return None if cost is None or card is None else _Whole(name, float(cost), (card,))


def _card(table: str, entry: Record, others: Iterable[str]) -> _Card | None:
    """Return what of a card is compared; None if that is nothing but ids of the `others` of its loadout."""
    unlike, goods = list[str](), list[tuple[str, float]]()
    for path, column in leaf_columns(type(entry)).items():
        if path in NEVER_COMPARED or column.better.way == "ignored":
            continue
        value = attrgetter(path)(entry)
        goods += (better := _goods(column, value))
        rest = _rest(column, value, others) if column.better.words or not better else ""
        unlike.append(f"{path}={rest}")
    if not goods and all(text.endswith(f"={PART}") for text in unlike):
        return None
    return _Card(f"{table}: {', '.join(unlike)}", tuple(good for _, good in goods), tuple(label for label, _ in goods))


def _goods(column: Column, value: Any) -> list[tuple[str, float]]:
    """Return (what people call it, how good it is); nothing for a value that no direction of its field covers."""
    better, label = column.better, _label(column)
    if better.words:
        return [(word.replace("_", " "), float(word in value)) for word in better.words]
    if better.order:
        return [(label, float(better.order.index(value)))] if value in better.order else []
    if not better.way or not (isinstance(value, int | float) or (isinstance(value, str) and value.isdecimal())):
        return []
    return [(label, float(value) * (1 if better.way == "more" else -1))]


def _rest(column: Column, value: Any, others: Iterable[str]) -> str:
    """Return as a text what of a value must be the same in both: no words that are better to have, no ids of parts."""
    if column.kind == "id" and not column.is_list:
        return PART if value in others else repr(value)
    if column.is_list and column.better.words:
        return repr([word for word in value if word not in column.better.words])
    return repr(value)


def _label(column: Column) -> str:
    """Return a field as people read it: without the unit at its end, so that `speed_cells` is speed."""
    return column.name.removesuffix(f"_{column.unit}").replace("_", " ")


def _worse_of(wholes: Iterable[_Whole]) -> dict[str, StrictlyWorse]:
    """Return who is strictly worse than another, in the order given."""
    given = tuple(wholes)
    alike: dict[tuple[str, ...], list[_Whole]] = {}
    for whole in given:
        alike.setdefault(tuple(card.unlike for card in whole.cards), []).append(whole)
    worse = {name: better for group in alike.values() for name, better in _worse_in(group).items()}
    return {whole.name: worse[whole.name] for whole in given if whole.name in worse}


def _worse_in(group: Sequence[_Whole]) -> dict[str, StrictlyWorse]:
    """Return who is strictly worse among those that are the same in all that has no direction."""
    orders = [(at, order) for at, whole in enumerate(group) for order in whole.orders()]
    owners, values = np.array([at for at, _ in orders]), np.array([order for _, order in orders])
    labels = [*(label for card in group[0].cards for label in card.labels), "cost"]
    own = values[np.searchsorted(owners, np.arange(len(group)))]
    better = [np.flatnonzero((values >= row).all(1) & (values > row).any(1)).tolist() for row in own]

    def nearness(at: int, row: int) -> tuple[bool, int, str]:
        owner = owners[row]
        return len(better[owner]) > 0, int((values[row] > own[at]).sum()), group[owner].name

    worse = {}
    for at, rows in enumerate(better):
        if rows:
            row = min(rows, key=partial(nearness, at))
            fields = dict.fromkeys(labels[place] for place in np.flatnonzero(values[row] > own[at]))
            worse[group[at].name] = StrictlyWorse(group[owners[row]].name, tuple(fields))
    return worse
