"""What the cards' fields have in common: ids, ranges, and how a printed `*` is written."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import EntryId, Header, Name, SortedSet

__all__ = [
    "LEVELS",
    "STAR",
    "Attack",
    "CardId",
    "CardName",
    "Change",
    "Faction",
    "Level",
    "Small",
    "Starred",
    "Stat",
    "Value",
    "Values",
]

LEVELS = ("ballistic", "charge", "melee")
"""Combat levels, from far to near; arrays by level follow this order."""
STAR = 99
"""How a printed `*` is written: it beats any value."""

Level = Literal["ballistic", "charge", "melee"]
Faction = Literal["angueth", "huaos_dzaa"]
CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name on the card."), Header(("nome",))]
Small = Annotated[int, Field(ge=0, le=99)]
Value = Annotated[int, Field(ge=1, le=12)]
Values = Annotated[tuple[Value, ...], SortedSet]
Change = Annotated[int, Field(ge=-99, le=99)]
Stat = Annotated[int, Field(ge=0, le=98)]
Starred = Annotated[int, Field(ge=0, le=99, description="99 stands for the printed *."), Header(marks=(("*", STAR),))]
Attack = Annotated[
    int | None, Field(ge=0, le=98, description="Empty for the printed *(5)."), Header(marks=(("*(5)", None),))
]
