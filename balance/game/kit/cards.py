"""Cards: base records for rows of tables, the schema of a catalogue, and a side that is one card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from balance.base.errors import Fault, suggestion
from balance.catalogue import CatalogueSpec, EntryId, Name, Record, Rules, TableSpec, apply
from balance.catalogue.tables.schema import CrossCheck, Tables
from balance.game.setup import AskedSide, EntrantKind

StanceT = TypeVar("StanceT", bound=Record)


def tables_of(
    game: str,
    rules: type[Rules],
    constants: type[Record],
    cross_checks: tuple[CrossCheck, ...] = (),
    **tables: type[Record],
) -> CatalogueSpec:
    """Return the schema of a catalogue whose tables have files of their names: `fighters` is `fighters.csv`.

    * `game`: the id of the game.
    * `rules` and `constants`: records for the rule options, and for the numbers of the rulebook.
    * `cross_checks`: checks of references between tables.
    * `tables`: name of a table -> the record of its rows.
    """
    specs = tuple(TableSpec(name, f"{name}.csv", record) for name, record in tables.items())
    return CatalogueSpec(game, specs, rules, constants, cross_checks)


def names_known(table: str, **fields: str) -> CrossCheck:
    """Return the check that ids in some fields of a table exist in other tables; None in a field refers to nothing.

    `table`: the table whose fields are checked. `fields`: field -> the table that must have its ids.

    >>> class Squad(Named):
    ...     members: tuple[EntryId, ...]
    >>> squad = Squad(id="patrol", name="Patrol", members=("rat", "knigth"))
    >>> tables = {"squads": {"patrol": squad}, "fighters": {"rat": squad, "knight": squad}}
    >>> for table, entry, fault in names_known("squads", members="fighters")(tables):
    ...     print(table, entry, fault)
    squads patrol members: 'knigth' is not in fighters; did you mean knight?
    """
    return partial(_unknown_names, table, fields)


def _unknown_names(table: str, fields: Mapping[str, str], tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    for field, target_table in fields.items():
        for entry_id, entry in tables[table].items():
            names = getattr(entry, field)
            for name in (names,) if isinstance(names, str) else dict.fromkeys(names or ()):
                if name not in tables[target_table]:
                    tip = suggestion(name, tables[target_table])
                    yield table, entry_id, Fault(f"is not in {target_table}", field=field, found=name, tip=tip)


class Named(Record):
    """The base of a card that has a name."""

    id: EntryId
    name: Name


class Card(Named):
    """The base of a card that has a name and a price."""

    cost_points: Annotated[int, Field(ge=0, le=999)]


@dataclass(frozen=True)
class CardSide(Generic[StanceT]):
    """A side that is one card of a table, with its stance."""

    card: Any
    stance: StanceT

    @property
    def units(self) -> tuple[CardSide[StanceT], ...]:
        """Itself: a card by itself is an army of one."""
        return (self,)

    def inputs(self) -> dict[str, Any]:
        """Return the card and its stance, after overrides, as plain values."""
        return {**self.card.model_dump(mode="json"), **self.stance.model_dump(mode="json")}


def cards_of(table: str, record: type[Record], name: str = "card") -> EntrantKind:
    """Return the kind of entrant that is one card of a table, with its fields `name` and `cost_points`.

    `table`: the table of the cards. `record`: the record of its rows. `name`: what a card is called in messages.
    """

    def read(side: AskedSide[Any, Any]) -> CardSide[Any]:
        own_fields, fields = side.split()
        card = apply(side.catalogue.find(table, side.text, side.root), fields, side.place, side.stance_fields)
        return CardSide(card, apply(side.stance, own_fields, side.place))

    return EntrantKind(
        name,
        ids=lambda catalogue: list(catalogue.tables[table]),
        label=lambda catalogue, entrant: str(vars(catalogue.find(table, entrant))["name"]),
        cost_points=lambda catalogue, entrant: int(vars(catalogue.find(table, entrant))["cost_points"]),
        read=read,
        fields={"": record},
    )
