"""One strike of a Selected Troop at another (T5 to T7): protection, damage, extra damage, as pure functions of arrays.

There is no chance in it. Everything here works for arrays of any shape that broadcast together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from balance.games.edadh.cards.fields import STAR

__all__ = ["NO_ATT", "Blow", "Flags", "Ground", "Ints", "Profile", "Readings", "strike", "with_bonus"]

NO_ATT = -1
"""The att of a troop whose card prints *(5) instead (WE-NOATT)."""
Ints = Any
"""An integer array, or a number."""
Flags = Any
"""A boolean array, or a truth value."""


class Profile(NamedTuple):
    """The values of Selected Troops at the current level, each an array `int[...]`."""

    ml: Ints
    mp_bonus: Ints
    protection: Ints
    piercing: Ints
    att: Ints
    defence: Ints
    od: Ints
    dd: Ints
    dv: Ints


class Ground(NamedTuple):
    """What the terrain on the defender's half does at the current level (WE-TERR.1)."""

    modifier: Ints = 0
    protection: Ints = 0


@dataclass(frozen=True)
class Readings:
    """The switches and constants a turn depends on; the defaults are those of the shipped `rules.toml`."""

    dd_from_defender: bool = False
    star_protects_from_star: bool = False
    tie_protect: str = "per_strike"
    discard_on_each_move: bool = False
    noatt_protect: bool = True
    terrain_on_total: bool = False
    terrain_stops_star: bool = False
    noatt_loss: int = 5
    mp_cap: int = 60


class Blow(NamedTuple):
    """What one strike does to the defender.

    `damage` is the rise of the damage marker, `largest_move` its largest single move, `mp_loss` what *(5) takes, and
    `protected` whether the defender protected.
    """

    damage: Ints
    largest_move: Ints
    mp_loss: Ints
    protected: Flags


def strike(
    attacker: Profile,
    defender: Profile,
    gate: Flags,
    extra: Ints,
    read: Readings,
    *,
    won: Flags = True,
    ground: Ground = Ground(),  # noqa: B008 - immutable
    helpers_att: Ints = 0,
    champion_damage: Ints = 0,
) -> Blow:
    """Resolve one strike: protection, damage, extra damage (T5 to T7).

    Parameters
    ----------
    attacker, defender
        The Selected Troops.
    gate
        Whether the defender's mastery card lets protect from the attacker's CV (WE-PROT.1).
    extra
        Damage modifier of the attacker's mastery card (WE-XDMG).
    read
        The rules' readings.
    won
        Whether the attacker won the initiative; False on a tie, where *(5) does nothing (WE-NOATT.2).
    ground
        Terrain on the defender's half.
    helpers_att
        Sum of the att of the troops combined with the attacker's (WE-FEW.4).
    champion_damage
        Damage bonus of a combat master (WE-CM.1).

    >>> spears = Profile(3, 1, 1, 2, 7, 5, 5, 2, 4)
    >>> shieldsmen = Profile(3, 1, 3, 1, 5, 6, 4, 2, 4)
    >>> int(strike(spears, shieldsmen, gate=False, extra=0, read=Readings()).damage)
    5
    >>> int(strike(shieldsmen, spears, gate=False, extra=3, read=Readings()).damage)
    5
    """
    no_att = np.equal(attacker.att, NO_ATT)
    protected = np.logical_and(gate, _withstands(attacker, defender, ground, read))
    if not read.noatt_protect:
        protected = protected & ~no_att
    beaten = np.add(attacker.att, helpers_att) > defender.defence
    base = np.where(beaten, attacker.od, defender.dd if read.dd_from_defender else attacker.dd)
    hits = ~protected & ~no_att
    if read.terrain_on_total:
        printed = np.maximum(base + extra + ground.modifier, 0)
        first = np.maximum(base + ground.modifier, 0)
        moves = (first, printed - first, champion_damage)
    else:
        moves = (np.maximum(base + ground.modifier, 0), extra, champion_damage)
    damage = np.where(hits, moves[0] + moves[1] + moves[2], 0)
    largest = np.where(hits, np.maximum(np.maximum(moves[0], moves[1]), moves[2]), 0)
    mp_loss = np.where(no_att & ~protected & won, read.noatt_loss, 0)
    return Blow(damage, largest, mp_loss, protected)


def _withstands(attacker: Profile, defender: Profile, ground: Ground, read: Readings) -> Flags:
    """WE-PROT.2 and WE-TERR.2: a higher ML, a protection above the piercing, or a terrain's above it."""
    star = np.equal(attacker.piercing, STAR)
    shield = np.greater(defender.protection, attacker.piercing)
    if read.star_protects_from_star:
        shield = shield | (star & np.equal(defender.protection, STAR))
    terrain = np.greater(ground.protection, attacker.piercing)
    if read.terrain_stops_star:
        terrain = terrain | (star & np.greater(ground.protection, 0))
    return np.greater(defender.ml, attacker.ml) | shield | terrain


def with_bonus(troop: Profile, **bonus: Ints) -> Profile:
    """Return a profile with some values raised; an att that is not there stays away, and a * remains a *.

    >>> int(with_bonus(Profile(3, 1, 1, 2, 7, 5, 5, 2, 4), att=2).att)
    9
    >>> int(with_bonus(Profile(3, 1, STAR, 2, 7, 5, 5, 2, 4), protection=2).protection) == STAR
    True
    """
    raised = {name: np.add(getattr(troop, name), amount) for name, amount in bonus.items()}
    if "att" in raised:
        raised["att"] = np.where(np.equal(troop.att, NO_ATT), NO_ATT, raised["att"])
    if "protection" in raised:
        starred = np.equal(troop.protection, STAR)
        raised["protection"] = np.where(starred, STAR, np.minimum(raised["protection"], STAR - 1))
    return troop._replace(**raised)
