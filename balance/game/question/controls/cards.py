"""Controls for the fields of a side's cards, each under the shortest path by which it can be set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.catalogue import Column, Record, leaf_columns
from balance.game.question.controls.control import Control
from balance.game.question.controls.fields import control_of, fits
from balance.game.question.controls.probing import can_be_set
from balance.game.question.question import Question

Card = Mapping[str, Any]
"""A card as a question tells of it: field -> value, with records in it as mappings."""


@dataclass(frozen=True)
class _Place:
    """A field of one card, or of several with the same value: alternative beginnings of its path, and the value."""

    heads: tuple[str, ...]
    value: object


def cards_of_side(question: Question, side: str) -> Iterator[Control]:
    """Yield controls for the fields of a side's cards: numbers, abilities, options, references to entries.

    Where several cards of a kind have the same value in a field, one control sets it on all; else each has its own.
    """
    place = question.kind.sides.index(side)
    roles, stance = question.kind.takes[place].fields, question.kind.stances[place]
    words: dict[type[Record], list[str]] = {}
    for word, record in roles.items():
        words.setdefault(record, []).append(word)
    for record, heads in words.items():
        rivals = (stance,) if "" in heads else (stance, *(rival for rival in words if rival is not record))
        rival_names = {name for rival in rivals for name in leaf_columns(rival)}
        for name, column in leaf_columns(record).items():
            if _is_set(question, record, column):
                for field in _places(question.inputs[side], record, heads, name, name in rival_names):
                    yield from _control(question, side, name, column, record, field)


def _is_set(question: Question, record: type[Record], column: Column) -> bool:
    """Return whether a field can be set: neither the key of a table nor a text."""
    keys = {spec.key for spec in question.game.catalogue.spec.tables if spec.record is record}
    return column.name not in keys and column.kind != "text"


def _places(side: Card, record: type[Record], words: Sequence[str], name: str, is_shared: bool) -> Iterator[_Place]:
    cards = [card for card in mappings_in(side) if set(record.model_fields) <= set(card)]
    values = [value_at(card, name) for card in cards]
    if any(word.isupper() for word in words):
        ids = dict(zip((str(card["id"]) for card in cards), values, strict=True))
        yield from (_Place((f"{card}.",), value) for card, value in ids.items())
    elif cards and all(value == values[0] for value in values):
        bare = () if is_shared else ("",)
        yield _Place((*bare, *(f"{word}." for word in words if word)), values[0])
    else:
        for number, value in enumerate(values, start=1):
            of_member = (f"{number}.", *(f"{number}.{word}." for word in words if word))
            yield _Place((*(f"{word}{number}." for word in words if word), *of_member), value)


def _control(
    question: Question, side: str, name: str, column: Column, record: type[Record], place: _Place
) -> Iterator[Control]:
    """Yield the control of a field under the first path that sets it; nothing if none does."""
    catalogue = question.game.catalogue
    tables = [spec.name for spec in catalogue.spec.tables if spec.record is record]
    entries = [value_at(entry, name) for table in tables for entry in catalogue.tables[table].values()]
    card_numbers = [float(value) for value in entries if isinstance(value, int | float)]
    for head in place.heads:
        control = control_of("side", f"{side}.{head}{name}", column, place.value, catalogue, card_numbers)
        if can_be_set(question, control):
            yield control
            return


def fields_of_side(question: Question, side: str, stance: type[Record]) -> Iterator[Control]:
    """Yield controls for the fields of a side's `stance`; of an army, for those in which its members agree."""
    for name, column in leaf_columns(stance).items():
        values = _outermost(question.inputs[side], name)
        if all(value == values[0] for value in values):
            now = values[0] if values and fits(column, values[0]) else None
            yield control_of("side", f"{side}.{name}", column, now, question.game.catalogue)


def _outermost(side: Card, name: str) -> list[object]:
    """Return the values of a field at the least depth that has it: of the side itself, else of each member."""
    level: list[object] = [side]
    while level:
        if values := [value_at(card, name) for card in level if isinstance(card, Mapping) and name in card]:
            return values
        level = [part for value in level for part in _parts(value)]
    return []


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def mappings_in(value: object) -> Iterator[Card]:
    """Yield every mapping among nested values, outer ones first.

    >>> [sorted(card) for card in mappings_in({"id": "scout", "weapons": [{"damage": 2}]})]
    [['id', 'weapons'], ['damage']]
    """
    if isinstance(value, Mapping):
        yield value
    for part in _parts(value):
        yield from mappings_in(part)


def value_at(card: object, name: str) -> object:
    """Return the value of a field of a record or mapping, with dots for nested records; None if there is none.

    >>> value_at({"melee": {"dice": 3}}, "melee.dice"), value_at({}, "dice")
    (3, None)
    """
    value: Any = card
    for word in name.split("."):
        value = value.get(word) if isinstance(value, Mapping) else getattr(value, word, None)
    return value
