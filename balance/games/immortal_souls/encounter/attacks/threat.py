"""The threat token of a Master: which hero it hunts, and how the token passes on (IS-MAST.4 to IS-MAST.10)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX


class Threat(NamedTuple):
    """The token, `int8[n]` each: the threatening hero, from 0, and the level, 1 or 2.

    A Master enters with the active player's hero at level 1 (IS-MAST.4).
    """

    holder: IntArray
    level: IntArray


def threat_after_wound(threat: Threat, by: IntArray) -> Threat:
    """Return the token after a hero wounded the Master, `int[n]`, NO_INDEX where none did: IS-MAST.5, IS-MAST.7.

    The holder raises it to level 2. Another hero lowers it to level 1, or takes it if it is there already.

    >>> threat_after_wound(Threat(np.array([0, 0, 0]), np.array([1, 2, 1])), np.array([0, 1, 1]))
    Threat(holder=array([0, 0, 1], dtype=int8), level=array([2, 1, 1], dtype=int8))
    """
    return _threat_after(threat, by, np.full_like(threat.level, 2))


def threat_after_provocation(threat: Threat, by: IntArray) -> Threat:
    """Return the token after a hero provoked the Master, `int[n]`, NO_INDEX where none did: IS-MAST.6, IS-MAST.8.

    The holder turns it to the other level; another hero does the same as by wounding it.
    """
    return _threat_after(threat, by, 3 - threat.level)


def threat_after_taunt(threat: Threat, by: IntArray) -> Threat:
    """Return the token after a hero taunted, `int[n]`, NO_INDEX where none did: he holds it at level 1 (IS-MAST.9)."""
    does = by != NO_INDEX
    return Threat(np.where(does, by, threat.holder).astype(np.int8), np.where(does, 1, threat.level).astype(np.int8))


def pass_threat(threat: Threat, targets: BoolArray, wishes: IntArray | None = None) -> Threat:
    """Return the token where its holder died or cannot be a target: IS-MAST.10.

    Another hero gets it at level 1; if there is none, it stays, and the holder cannot be attacked. `targets` is who may
    be a target, `bool[n, heroes]`; `wishes` ranks heirs, lower first, `int[n, heroes]`, ties to the first.
    """
    passes = ~np.take_along_axis(targets, threat.holder[:, None].astype(np.intp), axis=1)[:, 0] & targets.any(axis=1)
    rank = np.zeros(targets.shape, np.int64) if wishes is None else wishes.astype(np.int64)
    heir = np.where(targets, rank, np.iinfo(np.int64).max).argmin(axis=1)
    return threat_after_taunt(threat, np.where(passes, heir, NO_INDEX))


def _threat_after(threat: Threat, by: IntArray, level_of_holder: IntArray) -> Threat:
    """Return the token after the holder sets it to a level, or a rival hero lowers it to 1 or takes it at 1."""
    by_holder, by_rival = by == threat.holder, (by != NO_INDEX) & (by != threat.holder)
    holder = np.where(by_rival & (threat.level == 1), by, threat.holder)
    level = np.where(by_holder, level_of_holder, np.where(by_rival, 1, threat.level))
    return Threat(holder.astype(np.int8), level.astype(np.int8))
