"""What heroes hold, wear and carry: weapons, armours, artefacts, and items that they use up (IS-ITEM)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from balance.catalogue import Better, EntryId, Header, Record
from balance.catalogue.tables.cells import BadCell
from balance.games.immortal_souls.rules.effects import DamageType
from balance.games.immortal_souls.rules.harm import REDS
from balance.games.immortal_souls.tables.cards import (
    ArmourValue,
    Blue,
    CardId,
    CardName,
    Charges,
    Count,
    DefenceDice,
    OnAttack,
    OnDefence,
    Price,
    RangeAreas,
    Red,
    Shields,
    Styles,
    Sure,
)


class Weapon(Record):
    """A weapon of a hero or an enemy (IS-ITEM.5)."""

    id: CardId
    name: CardName
    damage_type: Annotated[DamageType, Field(description="What resistances look at."), Header(("danno",))]
    hand: Annotated[
        Literal["two", "main", "off", "either", "enemy"],
        Field(description="Which hand holds it; only enemies hold those of enemies."),
        Header(("mano",)),
    ]
    range_areas: RangeAreas
    sure: Sure
    red: Red
    blue: Blue
    effects: OnAttack
    forged: Annotated[bool, Field(description="Whether it is the forged side."), Header(("forgiata",))]
    gem_souls: Annotated[
        int | None,
        Field(ge=1, le=99, description="What its gem costs to use; empty for no soul weapon."),
        Header(unit="Soul Points"),
    ]
    price_crowns: Price
    styles: Styles
    projectile: Annotated[bool, Field(description="Whether a miss loses it.")]
    front: Annotated[
        EntryId | None, Field(description="The weapon that a soul weapon is until its gem is paid for (IS-ITEM.6).")
    ]


class Armour(Record):
    """An armour (IS-ITEM.7)."""

    id: CardId
    name: CardName
    armour: ArmourValue
    shields: Shields
    defence_dice: DefenceDice
    defence_effects: OnDefence
    forged: Annotated[bool, Field(description="Whether it is the forged side."), Header(("forgiata",))]
    price_crowns: Price
    styles: Styles


class Artefact(Record):
    """An artefact: what it adds to its bearer (IS-ITEM.9, IS-ITEM.10)."""

    id: CardId
    name: CardName
    armour: ArmourValue
    shields: Shields
    defence_dice: DefenceDice
    effects: OnAttack
    defence_effects: OnDefence
    charges: Charges
    price_crowns: Price
    styles: Styles
    per_use: Annotated[Count, Field(description="Charges that each use of its effects takes.")]
    hides: Annotated[bool, Field(description="Whether its bearer may hide with an action.")]

    @model_validator(mode="after")
    def _has_charges_for_its_effects(self) -> Self:
        if bool(self.per_use) != bool(self.charges):
            raise BadCell("does not say what a use takes", allowed="charges and per_use, or neither")
        if self.charges and any(text.startswith("reroll") for text in self.effects):
            raise BadCell("has charges for a reroll", allowed="charges for all other effects of an attack")
        return self


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
    heals: Annotated[Count, Field(description="Wounds it heals."), Header(("cura",), unit="wounds"), Better("more")]
    removes: Annotated[
        tuple[Literal["ko", "slow", "blind", "poison", "critical"], ...],
        Field(description="Conditions it removes; critical stands for all that are red."),
        Better(words=("ko", "slow", "blind", "poison", "critical")),
    ]
    shields: Annotated[
        Count, Field(description="Magic shields it gives."), Header(("scudi",), unit="hits"), Better("more")
    ]
    hits: Annotated[
        Count, Field(description="Hits it adds to the next attack of this turn."), Header(unit="hits"), Better("more")
    ]
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
        """What it removes, by names of state columns: critical stands for all red ones."""
        return tuple(mark for name in self.removes for mark in (REDS if name == "critical" else (name,)))
