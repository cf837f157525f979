"""Companions: who calls which of them at which rank, and what they fight with (IS-POW.11, IS-POW.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.catalogue import Catalogue
from balance.games.immortal_souls.encounter.party.options import PartyStance
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.cards import Companion
from balance.games.immortal_souls.tables.characters import Character, Profile, calling_power
from balance.games.immortal_souls.tables.items import Weapon

NOT_CALLED = -1
"""Instead of a companion: the hero calls none."""


@dataclass(frozen=True, eq=False)
class Pack:
    """The companions that heroes may call; all heroes and then all companions are numbered together, A of them.

    `calls`: the number of the companion that a hero of a rank calls, NOT_CALLED for none, `int[heroes, 8]`. `owner`:
    whose companion each is, `int[A]`; heroes are their own. `cooldown`: hourglasses that the power shows when its
    companion dies, `int[A]`; 0 for heroes. `by_action`: whether an action calls and activates it; else a combat
    activity, `bool[A]`.
    """

    calls: IntArray
    owner: IntArray
    cooldown: IntArray
    by_action: BoolArray

    def of(self, hero: int) -> tuple[int, ...]:
        """Return the numbers of the companions of a hero, of which one is in play at most."""
        return tuple(number for number in range(len(self.calls), len(self.owner)) if self.owner[number] == hero)


def pack_of(
    catalogue: Catalogue, units: Sequence[Side], ranks: int, highest_ranks: Sequence[int]
) -> tuple[list[Side], Pack]:
    """Return the companions that heroes may call, as sides, and the tables of who calls them.

    `ranks` is the highest rank there is; companions called only beyond a hero's own highest rank are left out.
    """
    calls = np.full((len(units), ranks + 1), NOT_CALLED)
    owner, cooldown, by_action = [*range(len(units))], [0] * len(units), [False] * len(units)
    sides, numbers = list[Side](), dict[tuple[int, str], int]()
    for hero, (unit, highest) in enumerate(zip(units, highest_ranks, strict=True)):
        for rank in range(1, highest + 1):
            power = calling_power(catalogue, unit.character.id, rank)
            if power is None or power.companion is None:
                continue
            if (hero, power.id) not in numbers:
                numbers[hero, power.id] = len(owner)
                sides.append(Side(_character(catalogue, power.companion), PartyStance()))
                owner.append(hero)
                cooldown.append(power.cooldown)
                by_action.append(power.activation == "action")
            calls[hero, rank] = numbers[hero, power.id]
    return sides, Pack(calls, np.array(owner), np.array(cooldown), np.array(by_action))


def _character(catalogue: Catalogue, name: str) -> Character:
    """Return a companion as a character: one attack with its weapon, no action, and the attack of its innate power."""
    card, weapons = catalogue.entries(Companion)[name], catalogue.entries(Weapon)
    hands = tuple(Profile.of(weapons[hand]) for hand in (card.weapon, card.innate) if hand)
    return Character(
        name, card.name, card, hands, None, None, card.armour, card.shields, card.defence_dice,
        tuple(card.defence_effects), card.health, combat_activities=1, actions=0, saves_dice=1,
    )  # fmt: skip
