"""What a side brings that may be set: everything that a fight depends on; what is not set is the cards'."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Header, Record
from balance.game.armies.lost_actions import LostActions
from balance.games.immortal_souls.rules.effects import AttackEffects, DamageType, DefenceEffects, Modifiers, Result

SmallNumber = Annotated[int | None, Field(ge=0, le=99)]
Dice = Annotated[int | None, Field(ge=0, le=9)]
CARDS = "; the cards' if nothing is said."
Wounds = Annotated[int | None, Field(ge=1, le=999)]


class AttackStance(Record):
    """What may be set of an attacker; None means what the cards say."""

    rank: Annotated[int, Field(ge=1, le=7, description="Soul rank of a hero, I to VII (IS-HP.9).")] = 1
    hand: Annotated[Literal["main", "off"], Field(description="Which of his weapons attacks: main or off.")] = "main"
    sure: Annotated[SmallNumber, Field(description=f"Hits without a roll{CARDS}"), Header(unit="hits")] = None
    red: Annotated[Dice, Field(description=f"Red dice{CARDS}"), Header(unit="dice")] = None
    blue: Annotated[Dice, Field(description=f"Blue dice{CARDS}"), Header(unit="dice")] = None
    damage_type: Annotated[DamageType | None, Field(description=f"What resistances look at{CARDS}")] = None
    bonus_hits: Annotated[
        int, Field(ge=-9, le=99, description="Hits that focus, supremacy and the like add."), Header(unit="hits")
    ] = 0
    effects: Annotated[AttackEffects | None, Field(description=f"What results may buy{CARDS}")] = None


class DefenceStance(Record):
    """What may be set of a defender; None means what the cards say."""

    rank: Annotated[int, Field(ge=1, le=7, description="Soul rank of a hero, I to VII (IS-HP.9).")] = 1
    health: Annotated[Wounds, Field(description=f"Wounds that kill{CARDS}"), Header(("vita",), unit="wounds")] = None
    armour: Annotated[SmallNumber, Field(description=f"Hits taken off every attack{CARDS}"), Header(unit="hits")] = None
    shields: Annotated[int | None, Field(ge=0, le=20, description=f"Magic shields{CARDS}"), Header(unit="hits")] = None
    defence_dice: Annotated[Dice, Field(description=f"Most dice in defence{CARDS}"), Header(unit="dice")] = None
    modifiers: Annotated[Modifiers | None, Field(description=f"Weaknesses and resistances{CARDS}")] = None
    defence_effects: Annotated[DefenceEffects | None, Field(description=f"What its results may buy{CARDS}")] = None
    ko: Annotated[bool, Field(description="Knocked out at the start (IS-COND.4, IS-COND.9).")] = False
    poison: Annotated[int, Field(ge=0, le=2, description="Poisoned at the start: 1 or 2 (IS-COND.5).")] = 0


class DuelStance(AttackStance, DefenceStance, LostActions):
    """What may be set of a side of a duel; None means what the cards say."""

    combat_activities: Annotated[
        int | None, Field(ge=0, le=9, description=f"Attacks of a turn or an activation{CARDS}")
    ] = None
    fire1: Annotated[int, Field(ge=0, le=20, description="Fire I tokens at the start (IS-FIRE.1).")] = 0
    fire2: Annotated[int, Field(ge=0, le=20, description="Fire II tokens at the start.")] = 0
    save: Annotated[Result | None, Field(description="The result that makes a hero's save (IS-SAVE.1).")] = None
    focus: Annotated[
        bool | None, Field(description="Whether a hero focuses every round (IS-ACT.14); if he has an action.")
    ] = None
    power_sure: Annotated[SmallNumber, Field(description=f"Sure hits of his power{CARDS}"), Header(unit="hits")] = None
    power_red: Annotated[Dice, Field(description=f"Red dice of his power{CARDS}"), Header(unit="dice")] = None
    power_blue: Annotated[Dice, Field(description=f"Blue dice of his power{CARDS}"), Header(unit="dice")] = None
    power_effects: Annotated[AttackEffects | None, Field(description=f"What its results may buy{CARDS}")] = None
    power_damage_type: Annotated[
        DamageType | None, Field(description="Its damage type; that set of the attack, else the cards'.")
    ] = None
    power_cooldown: Annotated[
        int | None, Field(ge=0, le=4, description=f"Its hourglasses, 0 for no power{CARDS}"), Header(unit="rounds")
    ] = None


HERO_ONLY = ("save", "focus", *(name for name in DuelStance.model_fields if name.startswith("power_")))
"""What only heroes have."""
