"""Who may fight in a battle, as numbers: each member's unit and weapons, and what each weapon is reckoned to do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.games.warforged.attack import DOWN, UP, RuleOptions
from balance.games.warforged.cards import Unit, Weapon
from balance.games.warforged.lineup.preferences import action_damage
from balance.games.warforged.setup import DuelStance, Side, shot_at

REFINEMENT = 1024
"""Steps into which one health is cut where attacks are compared, so that equal is equal on every machine."""


@dataclass(frozen=True)
class Muster:
    """Members of armies, numbered; after the last of members, weapons and bodies comes one that stands for nobody."""

    members: tuple[Side[DuelStance], ...]
    read: RuleOptions

    @cached_property
    def weapons(self) -> tuple[Weapon, ...]:
        """Every weapon that somebody carries, once; its place is its number."""
        return tuple(dict.fromkeys(weapon for side in self.members for weapon in side.loadout.weapons))

    @cached_property
    def bodies(self) -> tuple[Unit, ...]:
        """Every unit card of a member, once; its place is its number."""
        return tuple(dict.fromkeys(side.loadout.unit for side in self.members))

    @cached_property
    def n_slots(self) -> int:
        """The most weapons that somebody carries."""
        return max((len(side.loadout.weapons) for side in self.members), default=0)

    @cached_property
    def slots(self) -> IntArray:
        """Numbers of the weapons of each member, `int64[m + 1, slots]`, that of nobody's in empty slots."""
        numbers = np.full((len(self.members) + 1, max(self.n_slots, 1)), len(self.weapons), np.int64)
        for number, side in enumerate(self.members):
            numbers[number, : len(side.loadout.weapons)] = [self.weapons.index(w) for w in side.loadout.weapons]
        return numbers

    @cached_property
    def body(self) -> IntArray:
        """Number of the unit card of each member, `int64[m + 1]`."""
        return np.array([*(self.bodies.index(side.loadout.unit) for side in self.members), len(self.bodies)], np.int64)

    def of_unit(self, field: str) -> IntArray:
        """Return a number on the unit card of each member, 0 for nobody, `int16[m + 1]`."""
        return np.array([*(getattr(side.loadout.unit, field) for side in self.members), 0], np.int16)

    def with_ability(self, ability: str) -> BoolArray:
        """Return which members have an ability, `bool[m + 1]`."""
        return np.array([*(ability in side.loadout.unit.abilities for side in self.members), False])

    def of_weapon(self, field: str) -> IntArray:
        """Return a number on each weapon card, 0 for none, `int16[w + 1]`."""
        return np.array([*(getattr(weapon, field) for weapon in self.weapons), 0], np.int16)

    def with_effect(self, effect: str) -> BoolArray:
        """Return which weapons have an effect, `bool[w + 1]`."""
        return np.array([*(effect in weapon.effects for weapon in self.weapons), False])

    @cached_property
    def first_shield(self) -> IntArray:
        """State of each member's Supershield at the start, `int8[m + 1]`."""
        up = [UP if side.stance.shield == "up" else DOWN for side in self.members]
        return np.array([*up, DOWN], np.int8) * self.with_ability("supershield")

    @cached_property
    def raises(self) -> BoolArray:
        """Which members have a Supershield and the stance to raise it, `bool[m + 1]`."""
        is_willing = np.array([*(side.stance.shield == "raise" for side in self.members), False])
        return np.asarray(self.with_ability("supershield") & is_willing)

    @cached_property
    def burns(self) -> bool:
        """Whether somebody carries a Laser, which burns armour away (WF-EFF.5)."""
        return bool(self.with_effect("laser").any())

    def mean_losses(self, most_cover: int) -> IntArray:
        """Return the health that an action takes on average, `int32[w + 1, bodies + 1, armour + 1, cover + 1, h + 1]`.

        By weapon, body, armour left, dice of cover and health left, in steps of 1 / 1024; what cannot be is 0.
        """
        healths = [unit.health for unit in self.bodies]
        armours = [unit.armour for unit in self.bodies]
        shape = (len(self.weapons) + 1, len(self.bodies) + 1, max(armours, default=0) + 1, most_cover + 1)
        means = np.zeros((*shape, max(healths, default=0) + 1), np.int32)
        for w, weapon in enumerate(self.weapons):
            for u, unit in enumerate(self.bodies):
                for armour in range(unit.armour + 1) if self.burns else (unit.armour,):
                    softer = unit.model_copy(update={"armour": armour})
                    for cover in range(most_cover + 1):
                        shot = shot_at(weapon, softer, cover, self.read, burnable=self.burns)
                        values = _mean_losses(action_damage(shot), unit.health)
                        means[w, u, armour, cover, : unit.health + 1] = np.rint(values * REFINEMENT)
        return means


def _mean_losses(p: tuple[float, ...], health: int) -> FloatArray:
    """Return the mean of damage capped by what is left, at health 0, 1 and so on, `float64[health + 1]`."""
    return np.asarray(np.minimum(np.arange(len(p)), np.arange(health + 1)[:, None]) @ np.array(p))
