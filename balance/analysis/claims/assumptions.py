"""Values that nobody stated: which of them a question may rest on, and what else they might be.

A value is assumed where the catalogue's sources say so, or where nobody said where it comes from. A number may be one
step more or less, within its bounds; anything else may be whatever the same column holds elsewhere in the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from balance.analysis.scores.cards import cards_of
from balance.base.errors import UsageError, unknown
from balance.catalogue import Catalogue, Column, Record, TableSpec, columns_of, leaf_columns, show_value
from balance.game.loaded import LoadedGame

TENTH = 10
"""A step of a number that need not be whole is this part of it."""
NO_VALUE = "name"
"""The column by which people call an entry: nothing rests on it."""


@dataclass(frozen=True)
class Place:
    """A value that nobody stated.

    `table`, `entry`, `field`: where it stands; rules and constants are tables whose entries have no field. `old`: the
    value as a catalogue writes it. `texts`: what else it might be, in an order that no row decides; some of it the
    catalogue may refuse. `alike`: the other columns of its entry, if it is a list: faces of one die have them in
    common.
    """

    table: str
    entry: str
    field: str
    old: str
    texts: tuple[str, ...]
    alike: tuple[str, ...] | None = None

    @property
    def path(self) -> str:
        """Path in a patch, `table.entry.field`."""
        return ".".join(filter(None, (self.table, self.entry, self.field)))


def assumed_places(game: LoadedGame, entrants: Sequence[str], over: Sequence[str] = ()) -> list[Place]:
    """Return the values that nobody stated and that what is asked about some entrants may rest on, by path.

    Of a table of cards these are the cards of the entrants named; of any other table, of the rules and of the constants
    they are all. `over` names the tables, all by default. Raise UsageError where there is no such table, or nothing in
    them could be otherwise.
    """
    table_names = [*game.catalogue.tables, "rules", "constants"]
    if faults := [unknown(name, table_names, "is not a table", "§over") for name in over if name not in table_names]:
        raise UsageError(faults)
    made_of = {card for name in entrants for card in cards_of(game, name)}
    of_cards = _tables_of_cards(game)
    places = [
        place
        for place in (*_of_tables(game.catalogue), *_of_rules(game.catalogue))
        if place.texts
        and (not over or place.table in over)
        and (place.table not in of_cards or (place.table, place.entry) in made_of)
    ]
    if not places:
        scope_text = f" in {', '.join(over)}" if over else ""
        tip = f"`balance show {game.definition.called} sources` says what is"
        raise UsageError(f"nothing that is assumed{scope_text} can be otherwise", tip)
    return sorted(places, key=lambda place: place.path)


def _tables_of_cards(game: LoadedGame) -> set[str]:
    """Return the tables whose entries are cards of some entrant."""
    ids = {
        name for kind in game.definition.kinds.values() for side_input in kind.takes for name in game.ids(side_input)
    }
    return {table for name in ids for table, _ in cards_of(game, name)}


def _is_assumed(catalogue: Catalogue, table: str, entry: str, field: str) -> bool:
    source = catalogue.source_of(table, entry, field)
    return source is None or source.status == "assumed"


def _of_tables(catalogue: Catalogue) -> Iterator[Place]:
    for spec in catalogue.spec.tables:
        entries = catalogue.tables[spec.name]
        for column in columns_of(spec.record):
            if column.name in (spec.key, NO_VALUE):
                continue
            column_texts = sorted({show_value(getattr(record, column.name)) for record in entries.values()})
            for entry, record in entries.items():
                if _is_assumed(catalogue, spec.name, entry, column.header):
                    value = getattr(record, column.name)
                    texts = tuple(_texts(column, value, column_texts))
                    alike = _alike(spec, record, column) if column.is_list else None
                    yield Place(spec.name, entry, column.name, show_value(value), texts, alike)


def _alike(spec: TableSpec, record: Record, column: Column) -> tuple[str, ...]:
    names = (
        sibling.name for sibling in columns_of(spec.record) if sibling.name not in (spec.key, NO_VALUE, column.name)
    )
    return tuple(show_value(getattr(record, name)) for name in names)


def _of_rules(catalogue: Catalogue) -> Iterator[Place]:
    for root, record in (("rules", catalogue.rules), ("constants", catalogue.constants)):
        for name, column in leaf_columns(type(record)).items():
            if _is_assumed(catalogue, root, name, "value"):
                value = attrgetter(name)(record)
                yield Place(root, name, "", show_value(value), tuple(_texts(column, value, sorted(column.choices))))


def _texts(column: Column, value: object, column_texts: Sequence[str]) -> Iterator[str]:
    """Yield other values: the opposite flag, a plain number one step less and more, else those of the same column."""
    if isinstance(value, bool):
        yield show_value(not value)
    elif isinstance(value, int | float) and value not in dict(column.marks).values():
        step = 1 if isinstance(value, int) else abs(value) / TENTH or 1 / TENTH
        for new in (value - step, value + step):
            if (column.low is None or new >= column.low) and (column.high is None or new <= column.high):
                yield f"{new:.10g}"
    else:
        yield from (text for text in column_texts if text != show_value(value))
