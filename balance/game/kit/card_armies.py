"""Armies of cards: lists in a table or written out, and arrays of who stands where in battles that differ by trial.

A game whose sides are cards gets armies of them, and with them prices, by three things. `army_lists` is the kind of
entrant, `Armies` turns sides into arrays that its rules can play, and `any_armies` lets armies of any members meet,
with other armies in every trial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias, cast

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import UsageError
from balance.catalogue import Catalogue, Record, apply
from balance.catalogue.overrides import field_paths
from balance.chance.rolls.process import Process, Start
from balance.game.armies.armies import Arena, Army, ArmyKind, AskedArena, army_of
from balance.game.game import Lane
from balance.game.kit.combat.members import start_of
from balance.game.setup import Asked, AskedSide, EntrantKind

CardNumber: TypeAlias = str | Callable[[Any], int]
"""A number of a card: the name of its field, or a function of the card."""
PLAIN = ("id", "name", "cost_points")
"""Fields of a card by which nothing is played."""


@dataclass(frozen=True, eq=False)
class Armies:
    """The cards on each side as arrays: one army per side for all trials, or different ones in each.

    `cards`: side -> the cards that its places may hold. `places`: side -> the number of the card in each place, from
    the front to the back, `int[n, k]`; -1 for nobody.

    >>> from types import SimpleNamespace as Card
    >>> rat, ogre = Card(health=1), Card(health=5)
    >>> both = Armies({"a": (rat, ogre), "b": (ogre,)}, {"a": np.array([[0, 0, 1]]), "b": np.array([[0]])})
    >>> both.printed("a", "health").tolist(), both.most("a", "health", 2)
    ([[1, 1, 5]], 6)
    """

    cards: Mapping[str, tuple[Any, ...]]
    places: Mapping[str, IntArray]

    @classmethod
    def of(cls, sides: Mapping[str, Any]) -> Armies:
        """Return the armies of the sides of a question: the cards of their `units`, in written order."""
        cards = {side: tuple(unit.card for unit in army.units) for side, army in sides.items()}
        return cls(cards, {side: np.arange(len(members), dtype=np.int16)[None] for side, members in cards.items()})

    def printed(self, side: str, of: CardNumber) -> IntArray:
        """Return a number of the card in each place of a side, `int16[n, k]`; 0 for empty places.

        `side`: "a" or "b". `of`: field of the card, or a function card -> number.
        """
        read = of if callable(of) else lambda card: getattr(card, of)
        return np.array([*map(read, self.cards[side]), 0], np.int16)[self.places[side]]

    def most(self, side: str, of: CardNumber, n_units: int) -> int:
        """Return the largest sum of a number over `n_units` units that an army of this side can have.

        `side`: "a" or "b". `of`: field of the card, or a function card -> number. `n_units`: how many units are
        counted, those with the largest numbers.
        """
        return int(np.sort(self.printed(side, of), axis=1)[:, -n_units:].sum(axis=1).max())

    def start(self, *fields: str, **beside: int | Callable[[Any], int]) -> Start:
        """Return the start of a process with the numbers of all cards.

        `fields`: fields of the cards: each becomes a column `SIDE_FIELD` for each side, with a number for every place.
        `beside`: name -> a function card -> number, for such columns too; or a number, for one column of this name.
        """
        read: dict[str, CardNumber] = {field: field for field in fields}
        read |= {name: of for name, of in beside.items() if callable(of)}
        columns = {f"{side}_{name}": self.printed(side, of) for name, of in read.items() for side in self.cards}
        n = max(len(army) for army in self.places.values())
        numbers = {name: np.full(n, value, np.int16) for name, value in beside.items() if not callable(value)}
        return start_of({**columns, **numbers})


def army_lists(table: str, record: type[Record], member: EntrantKind, field: str, name: str = "army") -> EntrantKind:
    """Return the kind of entrant that is an army: a row of a table, or members written out, such as `knight,scout:2`.

    An army costs what its members cost. Where none is listed, each member is an army of one. Overrides of an army apply
    to its row, to its stance, or else to every member; `a.2.health=3` applies to the second member written.

    `table` and `record`: the table that lists armies, and the type of its rows. `member`: the kind of entrant of the
    members. `field`: the column of the table that lists an army's members, by id.
    """
    army = army_of(member, name)

    def members_text(catalogue: Catalogue, text: str) -> str:
        row = catalogue.tables[table].get(text)
        return text if row is None else _army_text(getattr(row, field))

    def cards(catalogue: Catalogue, text: str) -> list[tuple[str, str]]:
        row = [(table, text)] if text in catalogue.tables[table] else []
        return [*row, *(army.cards(catalogue, members_text(catalogue, text)) if army.cards is not None else ())]

    def label(catalogue: Catalogue, text: str) -> str:
        row = catalogue.tables[table].get(text)
        return army.label(catalogue, text) if row is None else str(vars(row)["name"])

    def read(side: AskedSide[Any, Any]) -> Army[Any]:
        row = side.catalogue.tables[table].get(side.text)
        own_fields, fields = side.split()
        of_row = {path: text for path, text in fields.items() if row is not None and path in field_paths(record)}
        of_members = {path: text for path, text in fields.items() if path not in of_row}
        row = row if row is None else apply(row, of_row, side.place)
        text = side.text if row is None else _army_text(getattr(row, field))
        army_read = cast("Army[Any]", army.read(replace(side, text=text, fields=of_members, stance=Record())))
        army_name = army_read.name if row is None else str(vars(row)["name"])
        return replace(army_read, text=side.text, name=army_name, stance=apply(side.stance, own_fields, side.place))

    return replace(
        army,
        ids=lambda catalogue: list(catalogue.tables[table] or member.ids(catalogue)),
        label=label,
        cost_points=lambda catalogue, text: army.cost_points(catalogue, members_text(catalogue, text)),
        read=read,
        written=f"an id, or {army.written}",
        cards=cards,
        fields={"": record},
    )


def _army_text(members: Sequence[str]) -> str:
    """Return members as an army is written, runs of one member as `member:n`.

    >>> _army_text(["scout", "scout", "knight", "scout"])
    'scout:2,knight,scout'
    """
    runs = ((member, len(list(run))) for member, run in groupby(members))
    return ",".join(member + (f":{n}" if n > 1 else "") for member, n in runs)


def any_armies(
    member: EntrantKind,
    setup: Callable[[Asked[Any, Any, Any]], Any],
    processes: Callable[[Any, Lane], tuple[Process, ...]],
    *,
    together: bool = False,
) -> ArmyKind:
    """Return how armies of any members meet in a kind of question, by its own setup and processes.

    The setup must be a frozen dataclass with an attribute `armies` of type `Armies`, which is replaced; nothing else in
    it may depend on who stands where. The processes of a kind with sides a and b are made with side a going first.

    * `member`: the kind of entrant of the members.
    * `setup`: function from a question to its setup, as in the kind of question.
    * `processes`: (setup, lane) -> its processes, as in the kind of question.
    * `together`: whether battles of any sizes are best played in one run: where units that do not act cost nothing.
    """
    return ArmyKind(member, partial(_arena, setup, processes, together), together=together)


def _arena(
    setup: Callable[[Asked[Any, Any, Any]], Any],
    processes: Callable[[Any, Lane], tuple[Process, ...]],
    together: bool,
    question: AskedArena[Any, Any, Any],
) -> Arena:
    members = tuple(question.members.values())
    army = Army("", "", 0, members, (1,) * len(members), stance=members[0].stance)
    sides = {"a": army, "b": army}
    rules, situation, choices = question.rules, question.situation, question.choices
    template = setup(Asked(("", ""), question.catalogue, rules, situation, sides, "a", choices, question.policies))
    if not isinstance(getattr(template, "armies", None), Armies):
        tip = "begin its setup with armies=kit.Armies.of(asked.sides)"
        raise UsageError("the setup of a battle of any armies lacks an attribute `armies`", tip)
    marks = tuple(repr(member.card.model_dump(exclude=set(PLAIN))) for member in members)
    return Arena(tuple(question.members), marks, partial(_process, processes, template), together=together)


def _process(
    processes: Callable[[Any, Lane], tuple[Process, ...]],
    template: Any,
    a: IntArray,
    b: IntArray,
    limits: IntArray | None = None,
) -> Process:
    (process,) = processes(replace(template, armies=Armies(template.armies.cards, {"a": a, "b": b})), "compiled")
    return process
