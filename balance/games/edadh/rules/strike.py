"""One strike of a Selected Troop at another (T5 to T7): protection, damage, extra damage, as pure functions of arrays.

There is no chance in it. Everything here works for arrays of any shape that broadcast together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.edadh.cards.records import STAR

NO_ATT = -1
"""The att of a troop whose card prints *(5) instead (WE-NOATT)."""
Ints: TypeAlias = IntArray | int
"""Integers of any shape, or one for all trials."""
Flags: TypeAlias = BoolArray | bool
"""Truth values of any shape, or one for all trials."""


N_co = TypeVar("N_co", bound=Ints, covariant=True)
ZERO: IntArray = np.zeros((), np.int16)


class Profile(NamedTuple, Generic[N_co]):
    """The values of Selected Troops at the current level, each an array `int[...]`, or a number."""

    ml: N_co
    mp_bonus: N_co
    protection: N_co
    piercing: N_co
    att: N_co
    defence: N_co
    od: N_co
    dd: N_co
    dv: N_co


class Ground(NamedTuple):
    """What the terrain on the defender's half does at the current level (WE-TERR.1): 0 for none.

    `modifier` is added to the damage, `protection` is compared with the attacker's piercing.
    """

    modifier: Ints = 0
    protection: Ints = 0


LEVEL_GROUND = Ground()
"""No terrain."""


class Boost(NamedTuple):
    """What cards behind a Unit add to one side's turn (level D); `int[n]` each, or a single 0.

    `ml` to `defence` are added to the Selected Troop, `damage` to what it deals, `ground` to the terrain's protection
    of its half, and `relief` is taken from the damage it suffers.
    """

    ml: IntArray = ZERO
    mp_bonus: IntArray = ZERO
    protection: IntArray = ZERO
    att: IntArray = ZERO
    defence: IntArray = ZERO
    damage: IntArray = ZERO
    ground: IntArray = ZERO
    relief: IntArray = ZERO


@dataclass(frozen=True)
class RuleOptions:
    """The rule options and constants a turn depends on; the defaults are those of the shipped `rules.toml`."""

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
    `is_protected` whether the defender protected.
    """

    damage: IntArray
    largest_move: IntArray
    mp_loss: IntArray
    is_protected: BoolArray


def strike(
    attacker: Profile[Ints],
    defender: Profile[Ints],
    gate: Flags,
    extra: Ints,
    read: RuleOptions,
    *,
    has_initiative: Flags = True,
    ground: Ground = LEVEL_GROUND,
    helpers_att: Ints = 0,
    champion_damage: Ints = 0,
) -> Blow:
    """Resolve one strike: protection, damage, extra damage (T5 to T7).

    The defender may protect where `gate` says that its mastery card lets it (WE-PROT.1). `extra` is the damage modifier
    of the attacker's card (WE-XDMG), `helpers_att` the att of the troops combined with the attacker's (WE-FEW.4),
    `champion_damage` the bonus of a combat master (WE-CM.1); on a tie `has_initiative` is False, and *(5) does nothing
    (WE-NOATT.2).

    >>> spears = Profile(3, 1, 1, 2, 7, 5, 5, 2, 4)
    >>> shieldsmen = Profile(3, 1, 3, 1, 5, 6, 4, 2, 4)
    >>> int(strike(spears, shieldsmen, gate=False, extra=0, read=RuleOptions()).damage)
    5
    >>> int(strike(shieldsmen, spears, gate=False, extra=3, read=RuleOptions()).damage)
    5
    """
    no_att = np.equal(attacker.att, NO_ATT)
    is_protected = np.logical_and(gate, _withstands(attacker, defender, ground, read))
    if not read.noatt_protect:
        is_protected = is_protected & ~no_att
    beats_defence = np.add(attacker.att, helpers_att) > defender.defence
    base = np.where(beats_defence, attacker.od, defender.dd if read.dd_from_defender else attacker.dd)
    hits = ~is_protected & ~no_att
    if read.terrain_on_total:
        total = np.maximum(base + extra + ground.modifier, 0)
        first = np.maximum(base + ground.modifier, 0)
        second: Ints = total - first
    else:
        first, second = np.maximum(base + ground.modifier, 0), extra
    damage = np.where(hits, first + second + champion_damage, 0)
    largest = np.where(hits, np.maximum(np.maximum(first, second), champion_damage), 0)
    mp_loss = np.where(no_att & ~is_protected & has_initiative, read.noatt_loss, 0)
    return Blow(damage, largest, mp_loss, is_protected)


def _withstands(attacker: Profile[Ints], defender: Profile[Ints], ground: Ground, read: RuleOptions) -> Flags:
    """Return whether a higher ML, or a protection above the piercing, protects (WE-PROT.2, of terrain WE-TERR.2)."""
    star = np.equal(attacker.piercing, STAR)
    shield = np.greater(defender.protection, attacker.piercing)
    if read.star_protects_from_star:
        shield = shield | (star & np.equal(defender.protection, STAR))
    terrain = np.greater(ground.protection, attacker.piercing)
    if read.terrain_stops_star:
        terrain = terrain | (star & np.greater(ground.protection, 0))
    return np.greater(defender.ml, attacker.ml) | shield | terrain


def with_bonus(troop: Profile[Ints], **bonus: Ints) -> Profile[Ints]:
    """Return a profile with some values raised; an att that is not there stays away, and a * remains a *."""
    values = {name: np.add(getattr(troop, name), amount) for name, amount in bonus.items()}
    if "att" in values:
        values["att"] = np.where(np.equal(troop.att, NO_ATT), NO_ATT, values["att"])
    if "protection" in values:
        has_star = np.equal(troop.protection, STAR)
        values["protection"] = np.where(has_star, STAR, np.minimum(values["protection"], STAR - 1))
    return troop._replace(**values)
