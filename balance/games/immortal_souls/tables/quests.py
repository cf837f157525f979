"""The tables of quests: their rooms, what lies in them, the traps, and what heroes buy between quests (IS-ECO)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import EntryId, Header, Record
from balance.games.immortal_souls.rules.effects import Result
from balance.games.immortal_souls.tables.board import Copies, EnemiesPlaced
from balance.games.immortal_souls.tables.cards import CardId, CardName

Act = Annotated[int, Field(ge=1, le=3, description="The act, I to III."), Header(("atto",))]
Crowns = Annotated[int, Field(ge=0, le=999, description="Crowns that it brings."), Header(unit="crowns")]
Souls = Annotated[int, Field(ge=0, le=99, description="Soul Points that it brings."), Header(unit="Soul Points")]
Cards = Annotated[int, Field(ge=0, le=9, description="Treasure cards that it brings."), Header(unit="cards")]
Harm = Annotated[int, Field(ge=0, le=99, description="Wounds that it deals."), Header(unit="wounds")]


class Quest(Record):
    """A quest: a chain of rooms."""

    id: CardId
    name: CardName
    act: Act
    rounds: Annotated[
        int, Field(ge=1, le=999, description="Rounds after which no event is left."), Header(("round",), unit="rounds")
    ]


class Room(Record):
    """A room of a quest, entered in the order of the table (IS-TERR.5, IS-TERR.6, IS-ECO.11, IS-ACT.17)."""

    id: CardId
    name: CardName
    quest: Annotated[EntryId, Field(description="The quest it is of.")]
    side: Annotated[bool, Field(description="Whether heroes may pass it by.")]
    door: Annotated[Literal["none", "unlocked", "locked"], Field(description="Its door."), Header(("porta",))]
    lock: Annotated[EntryId | None, Field(description="The colour of its magic lock; empty for none.")]
    key: Annotated[EntryId | None, Field(description="The colour of the key that is in it; empty for none.")]
    key_place: Annotated[Literal["floor", "chest"], Field(description="Where the key is: on the floor, or in a chest.")]
    encounter: Annotated[EntryId | None, Field(description="The encounter in it; empty for none.")]
    enemies: Annotated[EnemiesPlaced, Field(description="Its enemies at the start; empty for the encounter's.")]
    enemies_many: Annotated[
        EnemiesPlaced, Field(description="More of them where heroes are many, if it has enemies of its own.")
    ]
    chests: Annotated[
        tuple[Annotated[int, Field(ge=0, le=9)], ...], Field(description="The number of each chest: treasure cards.")
    ]
    searches: Annotated[tuple[EntryId, ...], Field(description="Its search tokens.")]
    decision: Annotated[EntryId | None, Field(description="The decision that is made in it; empty for none.")]


class Treasure(Record):
    """A treasure card (IS-ECO.5, IS-ECO.7); one with crowns is changed at once."""

    id: CardId
    name: CardName
    act: Act
    crowns: Crowns
    gear: Annotated[bool, Field(description="Whether it is a piece of equipment that may be worn.")]
    copies: Copies


class Trap(Record):
    """A trap card (IS-SAVE.4)."""

    id: CardId
    name: CardName
    radius: Annotated[int, Field(ge=0, le=9, description="How far it reaches."), Header(unit="areas")]
    wounds: Harm
    condition: Annotated[
        Literal["none", "ko", "stun", "slow", "blind", "poison1", "poison2", "fire1", "fire2"],
        Field(description="What befalls who does not save."),
    ]
    copies: Copies


class Search(Record):
    """What a result of the red die means on a search token (IS-ACT.17)."""

    id: CardId
    token: Annotated[EntryId, Field(description="The search token.")]
    result: Annotated[Result, Field(description="The result that is rolled.")]
    crowns: Crowns
    treasures: Cards
    soul_points: Souls
    wounds: Harm


class Decision(Record):
    """What a decision brings to a hero of an alignment who makes it (IS-ECO.13)."""

    id: CardId
    decision: Annotated[EntryId, Field(description="The decision.")]
    alignment: Annotated[Literal["lawful", "neutral", "chaos"], Field(description="Of the hero who makes it.")]
    crowns: Crowns
    treasures: Cards
    soul_points: Souls
    wounds: Harm


class Ware(Record):
    """A card that heroes buy at the Emporium, in the order of the table (IS-ECO.6)."""

    id: CardId
