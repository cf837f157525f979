"""What can be set of a side in a question: its numbers and its lists of abilities, and their present values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from balance.catalogue import Record, leaf_columns
from balance.engine.query import Query
from balance.game.game import QuestionKind
from balance.game.question.controls.cards import mappings_in
from balance.game.question.question import Question


@dataclass(frozen=True)
class Place:
    """A number, or a list of words such as abilities, of a side that can be set.

    `field`: the path after the side, such as `health`, with a card's id before it if the number is that card's alone.
    `whole`: whether a number has to be whole. `options`: the words that a list may hold; none for a number.
    """

    side: str
    field: str
    whole: bool = False
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Path that an assignment sets, such as `b.health`."""
        return f"{self.side}.{self.field}"


def numbers_of(question: Question) -> Iterator[Place]:
    """Yield the numbers of both sides, including those of single cards that are addressed by id."""
    kind = question.kind
    for side, side_input in zip(kind.sides, kind.takes, strict=True):
        yield from (place for place in plain_numbers(kind) if place.side == side)
        for record in (record for word, record in side_input.fields.items() if word.isupper()):
            for name, whole in _numbers(record):
                for entry in _entries(question.inputs[side], name):
                    yield Place(side, f"{entry}.{name}", whole)


def plain_numbers(kind: QuestionKind) -> Iterator[Place]:
    """Yield the numbers that a side has whoever takes part, without those of single cards that are addressed by id."""
    for side, side_input, stance in zip(kind.sides, kind.takes, kind.stances, strict=True):
        plain = [record for word, record in side_input.fields.items() if not word.isupper()]
        for name, whole in {name: whole for record in (*plain, stance) for name, whole in _numbers(record)}.items():
            yield Place(side, name, whole)


def words_of(question: Question) -> Iterator[Place]:
    """Yield the lists of words, such as abilities, of both sides."""
    kind = question.kind
    for side, side_input, stance in zip(kind.sides, kind.takes, kind.stances, strict=True):
        plain = [record for word, record in side_input.fields.items() if not word.isupper()]
        for record in (*plain, stance):
            for name, column in leaf_columns(record).items():
                if column.kind == "choice" and column.is_list:
                    yield Place(side, name, options=tuple(column.choices))


def _numbers(record: type[Record]) -> Iterator[tuple[str, bool]]:
    for name, column in leaf_columns(record).items():
        if column.kind in ("integer", "number") and not column.is_list:
            yield name, column.kind == "integer"


def _entries(inputs: object, name: str) -> list[str]:
    """Return the ids of all cards nested in the inputs that have a number of this name."""
    return [str(card["id"]) for card in mappings_in(inputs) if "id" in card and _is_number(card.get(name))]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def value_of(question: Question, place: Place) -> float | None:
    """Return the present value of a number; None where the side has none, or several that differ."""
    entry, _, name = place.field.rpartition(".")
    cards = (card for card in mappings_in(question.inputs[place.side]) if not entry or card.get("id") == entry)
    values = {float(str(card[name])) for card in cards if _is_number(card.get(name))}
    return values.pop() if len(values) == 1 else None


def with_number(query: Query, place: Place, value: float) -> Query:
    """Return a query with the number assigned, in place of any earlier assignment to it."""
    kept_changes = (change for change in query.changes if not change.startswith(f"{place.name}="))
    return replace(query, changes=(*kept_changes, f"{place.name}={value:.10g}"))


def words_at(question: Question, place: Place) -> tuple[str, ...] | None:
    """Return the present words of a list; None where the side has no such list, or several that differ."""
    lists = {tuple(map(str, value)) for value in _lists(question.inputs[place.side], place.field)}
    return lists.pop() if len(lists) == 1 else None


def _lists(inputs: object, name: str) -> Iterator[list[object] | tuple[object, ...]]:
    for mapping in mappings_in(inputs):
        value = mapping.get(name)
        if isinstance(value, list | tuple):
            yield value
