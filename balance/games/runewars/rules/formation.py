"""Trays in ranks: how many there are of what is left, what a contacted edge threatens, where an added tray goes.

What is left of a unit is one number, the wounds that its figures can still take; figures, trays and ranks follow from
it (RW-Q14): trays are as full as can be and ranks full from the front, so that losses come off the rear.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Literal, TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray

Edge: TypeAlias = Literal["front", "side", "rear"]
Touch: TypeAlias = Literal["none", "some", "only"]
"""Whether an enemy touches trays of the partial rank: none of them, some beside others, or only those."""


@dataclass(frozen=True)
class Formation:
    """How a unit stands.

    * `columns`: trays of its front rank, as long as it has so many.
    * `trays`: trays it begins with.
    * `figures_per_tray`: slots of a tray.
    * `wound_threshold`: wounds that remove a figure.
    * `most_ranks`: ranks that a unit may have.
    """

    columns: int
    trays: int
    figures_per_tray: int
    wound_threshold: int
    most_ranks: int


@dataclass(frozen=True)
class Contact:
    """Where the enemy stands.

    `edges`: edges of the attacker that its target touches, each with how it touches the partial rank; none: it shoots.
    `is_amended`: whether the partial rank counts as the errata have it (RW-THR.1).
    """

    edges: tuple[tuple[Edge, Touch], ...]
    is_amended: bool = True


def figures_of(formation: Formation, health: IntArray) -> IntArray:
    """Return the figures of a unit that can take `health` wounds, `int[n]`; a wounded one is wounded first (RW-Q15).

    >>> figures_of(Formation(2, 2, 1, 3, 4), np.array([6, 5, 3, 0])).tolist()
    [2, 2, 1, 0]
    """
    return -(-health // formation.wound_threshold) if formation.wound_threshold > 1 else health


def trays_of(formation: Formation, health: IntArray, other_slots: IntArray | int = 0) -> IntArray:
    """Return the trays that figures stand on, `int[n]`; a figure upgrade fills `other_slots` of their slots.

    `health` is the wounds that figures can still take, `int[n]`.

    >>> trays_of(Formation(2, 4, 4, 1, 4), np.array([16, 13, 12, 1])).tolist()
    [4, 4, 3, 1]
    """
    return -(-(figures_of(formation, health) + other_slots) // formation.figures_per_tray)


def trays_with_figure(formation: Formation, health: IntArray, upgrade: IntArray, slots: int) -> IntArray:
    """Return the trays of a unit with a figure upgrade, `int[n]`; it keeps one as long as it can take wounds.

    `health` and `upgrade` are the wounds that figures and figure upgrade can still take, `int[n]` each, and `slots`
    those that the figure upgrade fills while it lives.

    >>> small = Formation(2, 2, 4, 1, 4)
    >>> trays_with_figure(small, np.array([4, 4, 0, 0]), np.array([1, 0, 1, 0]), 1).tolist()
    [2, 1, 1, 0]
    """
    lives = upgrade > 0
    return np.maximum(trays_of(formation, health, slots * lives), lives)


def ranks_of(columns: IntArray | int, trays: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return width of the front, full ranks (that one included, RW-Q1) and trays of the partial rank, `int[n]` each.

    The front gets narrower only when it is the last rank (RW-Q14). `columns` are trays of a full front rank, `int[n]`
    or one number.

    >>> [part.tolist() for part in ranks_of(3, np.array([9, 7, 3, 2]))]
    [[3, 3, 3, 2], [3, 2, 1, 1], [0, 1, 0, 0]]
    """
    width = np.minimum(columns, trays)
    full, partial = np.divmod(trays, np.maximum(width, 1))
    return width, full, partial


def threat_of(contact: Contact, columns: IntArray | int, trays: IntArray) -> IntArray:
    """Return the threat of trays in ranks, `int[n]`: the best contacted edge, which the attacker picks (RW-THR.4).

    `columns` are trays of a full front rank, `int[n]` or one number.

    >>> side = Contact((("side", "none"),)), Contact((("side", "some"),)), Contact((("rear", "only"),))
    >>> [int(threat_of(contact, 2, np.array([3]))[0]) for contact in side]
    [1, 2, 1]
    """
    width, full, partial = ranks_of(columns, trays)
    threats = [edge_threat(*edge, contact.is_amended, width, full, partial) for edge in contact.edges]
    return np.asarray(reduce(np.maximum, threats)) if threats else width


def edge_threat(
    edge: Edge, touch: Touch, is_amended: bool, width: IntArray, full: IntArray, partial: IntArray
) -> IntArray:
    """RW-THR.2 and RW-THR.3; before the errata all ranks count from the side, and the last one from the rear."""
    if edge == "front":
        return width
    if edge == "side":
        return np.asarray(full + (partial > 0)) if touch != "none" or not is_amended else full
    return np.where(partial > 0, partial, width) if touch == "only" or not is_amended else width


def with_tray(formation: Formation, columns: IntArray, trays: IntArray) -> BoolArray:
    """Return where a tray may be added to the rear rank, `bool[n]`: not to four full ranks (RW-TRAY.3, RW-TRAY.4).

    A lone rank is front and rear at once, and is never widened (RW-TRAY.5): `columns` is its width as it stands,
    `int[n]`.

    >>> with_tray(Formation(3, 12, 4, 1, 4), np.array([3, 3]), np.array([12, 11])).tolist()
    [False, True]
    """
    return np.asarray((trays > 0) & (trays < columns * formation.most_ranks))
