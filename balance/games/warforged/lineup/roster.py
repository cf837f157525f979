"""Who fights in a line-up: the members of the armies, taken apart into what they shoot with and what is shot at.

Members that carry the same weapons attack alike, and members that are the same unit are hit alike. So everything a
line-up looks up goes by weapon, by *arms* (all that a member carries) and by *body* (a unit, and how its shield is
used), of which there are far fewer than members.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.warforged.attack import DOWN, UP
from balance.games.warforged.cards import Unit, Weapon
from balance.games.warforged.fight_terms import FightTerms
from balance.games.warforged.setup import DuelStance, Side


@dataclass(frozen=True, kw_only=True)
class Terms(FightTerms):
    """What a line-up is fought under: the rules, with 0 for no round limit, and the situation.

    * `cover_dice`: armour dice that light cover gives side a, and side b.
    * `per_unit`: whether every unit has an action of its own, rather than the side so many to spend freely.
    * `unit_limit`: actions a turn where they are spent freely; 0 for as many as the larger army has units.
    * `distance`: cells between any two enemies.
    * `neighbours`: living units of the same side that a blast on a unit reaches too.
    """

    cover_dice: tuple[int, int]
    per_unit: bool
    unit_limit: int
    distance: int
    neighbours: int

    @property
    def splash_reaches(self) -> bool:
        """Whether the splash of High Explosive can reach anybody but its target."""
        return self.neighbours > 0 or (self.friendly_fire and self.distance <= self.splash_radius)

    @property
    def overload_reaches(self) -> bool:
        """Whether an Overload can reach anybody: the enemy across the gap or, with friendly fire, neighbours."""
        return self.distance <= self.overload_radius or (self.friendly_fire and self.neighbours > 0)


@dataclass(frozen=True)
class Body:
    """What is shot at: a unit, and how its Supershield is used, "none" without one."""

    unit: Unit
    shield: str


@dataclass(frozen=True)
class Roster:
    """The members of armies, whose places are their numbers, with m members, u bodies and w weapons."""

    members: tuple[Side[DuelStance], ...]

    @cached_property
    def weapons(self) -> tuple[Weapon, ...]:
        """Every weapon that somebody carries, once; its place is its number."""
        return tuple(dict.fromkeys(weapon for side in self.members for weapon in side.loadout.weapons))

    @cached_property
    def arms(self) -> tuple[tuple[Weapon, ...], ...]:
        """Every set of weapons that somebody carries, once; its place is its number."""
        return tuple(dict.fromkeys(side.loadout.weapons for side in self.members))

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Every body of a member, once; its place is its number."""
        return tuple(dict.fromkeys(_body(side) for side in self.members))

    @cached_property
    def arms_of(self) -> IntArray:
        """Number of the arms of each member, and last of nobody, `int16[m + 1]`."""
        places = [self.arms.index(side.loadout.weapons) for side in self.members]
        return np.array([*places, len(self.arms)], np.int16)

    @cached_property
    def body_of(self) -> IntArray:
        """Number of the body of each member, and last of nobody, `int16[m + 1]`."""
        return np.array([*(self.bodies.index(_body(side)) for side in self.members), len(self.bodies)], np.int16)

    @cached_property
    def health_of(self) -> IntArray:
        """Health of each body, and last of nobody, `int16[u + 1]`."""
        return np.array([*(body.unit.health for body in self.bodies), 0], np.int16)

    @cached_property
    def bodies_with(self) -> Mapping[str, BoolArray]:
        """Ability -> which bodies have it, and last nobody, `bool[u + 1]`."""
        return {
            ability: np.array([*(ability in body.unit.abilities for body in self.bodies), False])
            for ability in ("slim", "supershield", "overload")
        }

    @cached_property
    def raises(self) -> BoolArray:
        """Which bodies raise their shields in play, and last nobody, `bool[u + 1]`."""
        return np.array([*(body.shield == "raise" for body in self.bodies), False])

    @cached_property
    def first_shield(self) -> IntArray:
        """State of the shield of each body at the start, and last of nobody, `int16[u + 1]`."""
        return np.array([*(UP if body.shield == "up" else DOWN for body in self.bodies), DOWN], np.int16)


def mark_of(terms: Terms, side: Side[DuelStance]) -> str:
    """Return a text that members share if they play alike in a line-up under these terms."""
    body, weapons = _body(side), side.loadout.weapons
    idle = {"jump", "heavy"}
    idle |= set() if terms.overload_reaches else {"overload"}
    idle |= set() if terms.splash_reaches or terms.read.splash_hits_primary else {"high_explosive"}
    abilities = sorted(set(body.unit.abilities) - idle)
    arms = sorted(
        (weapon.precision, weapon.damage, tuple(effect for effect in weapon.effects if effect not in idle))
        for weapon in weapons
        if weapon.range_cells >= terms.distance
    )
    return repr((body.unit.health, body.unit.armour, abilities, body.shield, arms))


def _body(side: Side[DuelStance]) -> Body:
    unit = side.loadout.unit
    return Body(unit, side.stance.shield if "supershield" in unit.abilities else "none")
