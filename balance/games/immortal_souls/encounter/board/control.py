"""Who controls or dominates an area, who is engaged, and which enemies strike at a hero who leaves (IS-SUP)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray


class Faction(NamedTuple):
    """The miniatures of a side: heroes with their companions, or enemies; `int8[n, m]` each (IS-SUP.5).

    `area`: where they are. `minis`: how many there are: 1, as many as are left of a horde, or 0 for ghosts, the dead
    and those not in play. `upright`: how many of these are not knocked out (IS-SUP.4).
    """

    area: IntArray
    minis: IntArray
    upright: IntArray


def minis_at(places: IntArray, area: IntArray, minis: IntArray) -> IntArray:
    """Return how many miniatures of a faction are at `places`, `[n]` or `[n, k]`, as `int8` of that shape.

    Each member stands at `area` and counts as `minis`, `int[n, members]` each.

    >>> minis_at(np.array([[0, 1]]), np.array([[1, 1, 0]]), np.array([[1, 3, 0]])).tolist()
    [[0, 4]]
    """
    is_there = (places[:, None] if places.ndim == 1 else places)[:, :, None] == area[:, None, :]
    return np.asarray((is_there * minis[:, None, :]).sum(axis=2, dtype=np.int8).reshape(places.shape))


def controls(places: IntArray, faction: Faction, foes: Faction) -> BoolArray:
    """Return whether a faction controls the areas `places`, `int[n]` or `int[n, k]`: IS-SUP.1, IS-SUP.3, IS-SUP.4.

    It does with more miniatures than the other faction, if that has any there; those knocked out count 0.
    """
    own_up, foes_up = (minis_at(places, side.area, side.upright) for side in (faction, foes))
    return np.asarray((own_up > foes_up) & (minis_at(places, foes.area, foes.minis) > 0))


def dominates(places: IntArray, faction: Faction, foes: Faction) -> BoolArray:
    """Return whether a faction dominates the areas `places`, `int[n]` or `int[n, k]`: IS-SUP.2.

    It does with at least twice as many upright miniatures as its foes, if those have any there.
    """
    own_up, foes_up = (minis_at(places, side.area, side.upright) for side in (faction, foes))
    return np.asarray((own_up >= 2 * foes_up) & (own_up > 0) & (minis_at(places, foes.area, foes.minis) > 0))


def supremacy(places: IntArray, faction: Faction, foes: Faction, over_knocked_out: bool) -> BoolArray:
    """Return whether attacks on targets at `places` are made with supremacy, wherever the attacker stands: IS-SUP.7.

    By rule option it is had over an area where all opponents are knocked out, too.
    """
    has = dominates(places, faction, foes)
    return has if over_knocked_out else has & (minis_at(places, foes.area, foes.upright) > 0)


def engaged(places: IntArray, enemies: Faction) -> BoolArray:
    """Return whether heroes at `places`, `int[n]` or `int[n, heroes]`, are engaged: an enemy is there (IS-ACT.4)."""
    return np.asarray(minis_at(places, enemies.area, enemies.minis) > 0)


def reacting_enemies(area: IntArray, heroes: Faction, enemies: Faction, able: BoolArray) -> BoolArray:
    """Return which enemies make a reaction attack on a hero who leaves `area`, `int[n]`: `bool[n, enemies]`.

    All there that are `able`, `bool[n, enemies]`, react, unless the heroes, the leaving one included, dominate the
    area: IS-ACT.6, IS-ACT.7. Stunned ones are not able (IS-ACT.8); of other conditions rule options decide.
    """
    reacts = (enemies.area == area[:, None]) & (enemies.minis > 0) & able
    return np.asarray(reacts & ~dominates(area, heroes, enemies)[:, None])
