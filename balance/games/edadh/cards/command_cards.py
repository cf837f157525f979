"""The cards behind a Unit: combat masters, standards, battle masters and stratagems (level D)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Better, EntryId, Header, Record, SortedSet
from balance.games.edadh.cards.records import CardId, CardName, Level, Small

Bonus = Annotated[Small, Better("more")]


class CombatMaster(Record):
    """The champion of a Unit (WE-CM.1)."""

    id: CardId
    name: CardName
    ml: Bonus
    mp: Bonus
    att: Bonus
    defence: Annotated[Bonus, Header(name="def")]
    damage: Bonus
    discard_value: Annotated[int, Field(ge=1, le=99)]


class Standard(Record):
    """A standard, used once in a game (WE-STD.1)."""

    id: CardId
    name: CardName
    damage: Annotated[Bonus, Field(description="Damage of one turn it takes away (WE-STD.2).")]
    res: Annotated[Bonus, Field(description="Cards it leaves out of the own pile (WE-STD.3).")]


class BattleMaster(Record):
    """The leader of a Unit (WE-BM.1): tactical ML by the terrain's symbol."""

    id: CardId
    name: CardName
    land: Annotated[Bonus, Field(description="Tactical ML on Land.")]


class Stratagem(Record):
    """A stratagem card (WE-STR.1)."""

    id: CardId
    name: CardName
    cost: Annotated[int | None, Field(ge=0, le=99, description="Empty for *: the whole tactical ML.")]
    levels: Annotated[tuple[Level, ...], SortedSet, Field(description="Levels at which it works.")]
    assignment: Annotated[Literal["unit", "terrain", "card"], Field(description="What it is assigned to.")]
    counterable: Annotated[bool, Field(description="Whether it has a C: it can be countered.")]
    secondary: Annotated[bool, Field(description="Whether it has an S: it starts locked.")]
    exclusive: Annotated[bool, Field(description="Whether it has an X.")]
    instant: Annotated[bool, Field(description="Whether its effect happens once, at EOP0.")]
    effect: Annotated[
        Literal["att", "def", "ml", "protection", "damage", "counter", "recover"],
        Field(description="What it changes: a value of the own Selected Troop, or an instant effect."),
    ]
    amount: Annotated[Small, Field(description="By how much.")]
    needs_troop: Annotated[EntryId | None, Field(description="Restriction: a troop the Unit must contain.")]
