"""The records of War for Edadh's cards: mastery values, troops, armies, terrain; and its ledger of rules.

Every combat level (Ballistic, Charge, Melee) has its own row of values on a troop card; discard value and psyche stand
once. A printed `*` for protection or piercing is kept as 99, a printed `*(5)` instead of att as an empty cell; both may
also be written as printed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Better, EntryId, Header, Name, Record, SortedSet

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
StarStat = Annotated[
    int, Field(ge=0, le=99, description="99 stands for the printed *."), Header(marks=(("*", STAR),)), Better("more")
]
Attack = Annotated[
    int | None,
    Field(ge=0, le=98, description="Empty for the printed *(5)."),
    Header(marks=(("*(5)", None),)),
    Better("more"),
]


class MasteryValue(Record):
    """One end of a mastery card (WE-CARD.1): a conflict value (CV) and what is printed beside it."""

    id: CardId
    other_end: Annotated[Value, Field(description="The CV on the other end of the card.")]
    alternative: Annotated[int | None, Field(ge=1, le=99, description="What the CV turns into (WE-CARD.2).")]
    alternative_against: Annotated[Values, Field(description="The opponent's CVs that turn it.")]
    mp_cost: Annotated[Small, Field(description="MP paid for using it (WE-MP.1)."), Header(unit="MP")]
    mp_reduced: Annotated[int | None, Field(ge=0, le=99, description="The reduced cost (WE-MP.2).")]
    mp_reduced_against: Annotated[Values, Field(description="The opponent's CVs that reduce the cost.")]
    protects_against: Annotated[Values, Field(description="The attacker's CVs it lets protect from (WE-PROT.1).")]
    extra_damage: Annotated[Small, Field(description="Damage added by the Attacker's card (WE-XDMG.1).")]


class Troop(Record):
    """A troop card: one row of values per combat level."""

    id: CardId
    name: CardName
    faction: Annotated[Faction, Field(description="Angueth rebels or Huaos-Dzaa empire.")]
    discard_value: Annotated[int, Field(ge=1, le=99, description="DV: damage it takes away when it is discarded.")]
    psyche: Annotated[Small, Field(description="psy: MP gained when it is retired."), Better("more")]
    ballistic_ml: Annotated[Stat, Field(description="Mastery level.")]
    ballistic_mp_bonus: Annotated[Small, Field(description="MP gained when it is selected."), Better("more")]
    ballistic_protection: StarStat
    ballistic_piercing: StarStat
    ballistic_att: Attack
    ballistic_def: Annotated[Stat, Better("more")]
    ballistic_od: Annotated[Small, Field(description="Offensive damage."), Better("more")]
    ballistic_dd: Annotated[Small, Field(description="Defensive damage."), Better("more")]
    charge_ml: Annotated[Stat, Field(description="Mastery level.")]
    charge_mp_bonus: Annotated[Small, Field(description="MP gained when it is selected."), Better("more")]
    charge_protection: StarStat
    charge_piercing: StarStat
    charge_att: Attack
    charge_def: Annotated[Stat, Better("more")]
    charge_od: Annotated[Small, Field(description="Offensive damage."), Better("more")]
    charge_dd: Annotated[Small, Field(description="Defensive damage."), Better("more")]
    melee_ml: Annotated[Stat, Field(description="Mastery level.")]
    melee_mp_bonus: Annotated[Small, Field(description="MP gained when it is selected."), Better("more")]
    melee_protection: StarStat
    melee_piercing: StarStat
    melee_att: Attack
    melee_def: Annotated[Stat, Better("more")]
    melee_od: Annotated[Small, Field(description="Offensive damage."), Better("more")]
    melee_dd: Annotated[Small, Field(description="Defensive damage."), Better("more")]


Troops = Annotated[tuple[EntryId, ...], Field(description="Troops of this rank, first column first.")]
CardIds = Annotated[EntryId | None, Field(description="Empty for none.")]


class ArmyCard(Record):
    """A Unit ready for the field (WE-SETUP.1, WE-SETUP.2), with the set-up it is meant for."""

    id: CardId
    name: CardName
    faction: Faction
    front: Troops
    second: Troops
    third: Troops
    fourth: Troops
    movement: Annotated[Literal["melee", "standard"], Field(description="Melee throughout, or WE-LEVEL.1.")]
    terrain: CardIds
    combat_master: CardIds
    standard: CardIds
    battle_master: CardIds

    @property
    def ranks(self) -> tuple[tuple[str, ...], ...]:
        """Troop ids by rank, front first, without empty ranks."""
        return tuple(rank for rank in (self.front, self.second, self.third, self.fourth) if rank)


class Terrain(Record):
    """A terrain card between the Units (WE-TERR.1): modifier and protection per level and half."""

    id: CardId
    name: CardName
    symbol: Annotated[Literal["land"], Field(description="Picks the tactical ML of a battle master (WE-BM.1).")]
    a_ballistic_modifier: Change
    a_ballistic_protection: StarStat
    a_charge_modifier: Change
    a_charge_protection: StarStat
    a_melee_modifier: Change
    a_melee_protection: StarStat
    b_ballistic_modifier: Change
    b_ballistic_protection: StarStat
    b_charge_modifier: Change
    b_charge_protection: StarStat
    b_melee_modifier: Change
    b_melee_protection: StarStat
