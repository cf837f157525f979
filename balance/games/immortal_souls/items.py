"""What a hero carries in his inventory, and may use from there: bandages, draughts and the like (IS-ITEM.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from balance.catalogue import Header, Record
from balance.catalogue.cells import BadCell
from balance.games.immortal_souls.cards import CardId, CardName, Count, Price
from balance.games.immortal_souls.harm import REDS

__all__ = ["Item"]


class Item(Record):
    """An item that is used for what it does to its bearer (IS-ITEM.12, IS-ITEM.13, IS-COND.3)."""

    id: CardId
    name: CardName
    activation: Annotated[
        Literal["action", "free", "reaction"],
        Field(description="What its use takes; a reaction is for when its bearer is attacked (IS-ACT.20)."),
        Header(("attivazione",)),
    ]
    limit: Annotated[
        Literal["once", "round", "quest"],
        Field(description="Discarded with its use, or kept for a use in each round or for one in the quest."),
    ]
    heals: Annotated[Count, Field(description="Wounds it heals."), Header(("cura",), unit="wounds")]
    removes: Annotated[
        tuple[Literal["ko", "slow", "blind", "poison", "critical"], ...],
        Field(description="Conditions it removes; critical stands for all that are red."),
    ]
    shields: Annotated[Count, Field(description="Magic shields it gives."), Header(("scudi",), unit="hits")]
    hits: Annotated[Count, Field(description="Hits it adds to the next attack of this turn."), Header(unit="hits")]
    price_crowns: Price

    @model_validator(mode="after")
    def _is_used_for_what_it_does(self) -> Self:
        for_others = bool(self.heals or self.removes)
        if for_others + bool(self.shields) + bool(self.hits) != 1:
            raise BadCell("does not do one thing", allowed="heals or removes, shields, or hits")
        if (self.activation == "reaction") != bool(self.shields):
            raise BadCell("is used at the wrong time", allowed="a reaction for shields, and for nothing else")
        if self.hits and self.activation != "free":
            raise BadCell("is used at the wrong time", allowed="free for hits")
        return self

    @property
    def marks(self) -> tuple[str, ...]:
        """What it removes, as columns call it."""
        return tuple(mark for name in self.removes for mark in (REDS if name == "critical" else (name,)))
