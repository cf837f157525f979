"""A unit that walks: its dial as it can be carried out, how it stands, and what it threatens where it is touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.runewars.duellist import Duel, Duellist
from balance.games.runewars.rules.formation import Edge, Touch, edge_threat, ranks_of
from balance.games.runewars.table.boxes import DEGREE, FRONT, LEFT, REAR, TOUCH, Vector
from balance.games.runewars.table.ground import Table
from balance.games.runewars.table.moves import ACTIONS, Deed, Order, Pose, alike, carried_out, detour
from balance.games.runewars.table.situation import ApproachStance
from balance.games.runewars.tables import Dial

WHERE = ("x", "y", "heading", "terrain")
"""State columns of where a unit stands, after the name of its side."""


CONTACTS: tuple[tuple[Edge, Touch], ...] = (
    ("front", "none"), ("side", "none"), ("side", "some"), ("rear", "none"), ("rear", "only"),
)  # fmt: skip
"""Edges at which an enemy may touch, with how it touches the partial rank."""


@dataclass(frozen=True)
class Walker:
    """One side of an approach: the duellist it is in contact, what was set, how it plays, and how far it shoots."""

    duellist: Duellist
    stance: ApproachStance
    policy: str
    range_bands: int
    is_amended: bool

    @property
    def name(self) -> str:
        """The prefix of its state columns: "a" or "b"."""
        return self.duellist.name

    @property
    def foe(self) -> str:
        """The name of the other side."""
        return "b" if self.name == "a" else "a"

    @cached_property
    def settings(self) -> tuple[Dial, ...]:
        """The rows of its dial, as far as it goes and turns with what was set."""
        return self.duellist.dial.policy.settings if self.duellist.dial else ()

    def of_settings(self, field: str) -> IntArray:
        """Return a field of the rows of its dial, `int[settings]`."""
        return np.array([getattr(setting, field) for setting in self.settings])

    @cached_property
    def actions(self) -> IntArray:
        """The number of each row's action in `ACTIONS`, `int[settings]`."""
        return np.array([ACTIONS.index(setting.action) for setting in self.settings])

    def columns(self, state: State) -> IntArray:
        """Return trays of its front rank, `int[n]`; a unit without trays has one."""
        most = state.get(f"{self.name}_columns", self.duellist.formation.columns)
        return np.maximum(np.minimum(most, self.duellist.trays(state)), 1).astype(np.int64)

    def pose(self, state: State, tray: int) -> Pose:
        """Return how it stands in each trial."""
        trays, columns = self.duellist.trays(state).astype(np.int64), self.columns(state)
        halves = (columns * tray // 2, -(-np.maximum(trays, 1) // columns) * tray // 2)
        x, y, heading, terrain = (state[f"{self.name}_{name}"].astype(np.int64) for name in WHERE)
        half_width, half_depth = (np.asarray(half, np.int64) for half in halves)
        return Pose(x, y, heading, terrain, half_width, half_depth, trays)

    def written(self, pose: Pose) -> State:
        """Return the state columns that say where it stands."""
        return {f"{self.name}_{name}": getattr(pose, name).astype(np.int32) for name in WHERE}

    def order(self, table: Table, setting: IntArray, me: Pose, foe: Pose) -> Order:
        """Return what settings of its dial have it do, `setting` being `int[n]`."""
        return Order(
            self.actions[setting],
            self.of_settings("distance_bands")[setting] * table.band,
            self.of_settings("turn_degrees")[setting] * DEGREE,
            self.aim(table, me, foe, self.actions[setting] == ACTIONS.index("shift")),
            self.stance.enters_terrain,
            self.name,
        )

    def aim(self, table: Table, me: Pose, foe: Pose, shifts: BoolArray) -> Vector:
        """Return where it aims: at the enemy's centre, beside it to flank it, or away from it to keep apart."""
        own, target, (point, is_far) = me.on(table), foe.on(table), self.waypoint(table, me, foe)
        apart = shifts & (self.policy in ("hold", "stand_and_shoot"))
        x, y = (np.where(is_far, point[axis], at) for axis, at in enumerate((target.x, target.y)))
        return np.where(apart, 2 * own.x - target.x, x), np.where(apart, 2 * own.y - target.y, y)

    def waypoint(self, table: Table, me: Pose, foe: Pose) -> tuple[Vector, BoolArray]:
        """Return the point to which it goes first, and whether there is one: beside the enemy, or around a piece."""
        if self.policy == "flank":
            return self.beside(table, me, foe), self.is_before(table, me, foe)
        return detour(table, me, foe)

    def is_before(self, table: Table, me: Pose, foe: Pose) -> BoolArray:
        """Return where its centre lies before the line of the enemy's front, `bool[n]`."""
        own, target = me.on(table), foe.on(table)
        return np.asarray(target.seen_from(own.x, own.y)[1] > target.half_depth)

    def beside(self, table: Table, me: Pose, foe: Pose) -> Vector:
        """Return the point beside the enemy from which its flank can be charged."""
        own, target = me.on(table), foe.on(table)
        sign = np.where(target.seen_from(own.x, own.y)[0] >= 0, 1, -1)
        return target.at(sign * (target.half_width + me.half_width + table.band), 0.0)

    def deed(self, table: Table, setting: IntArray, me: Pose, foe: Pose) -> Deed:
        """Return what comes of settings, worked out once for trials that are alike."""
        rows, place = alike(*me.columns, *foe.columns, setting)
        own, other = me.take(rows), foe.take(rows)
        return carried_out(table, own, other, self.order(table, setting[rows], own, other)).take(place)

    def strikes(self, setting: IntArray, deed: Deed, touches: BoolArray) -> BoolArray:
        """Return which settings end in a melee attack, where it then touches the enemy or not."""
        walked = deed.walks | deed.leaves
        charges = self.of_settings("charge")[setting] & walked
        return np.asarray(touches & (self.of_settings("attacks")[setting] | charges))

    def threat(self, table: Table, state: State, me: Pose, foe: Pose) -> tuple[IntArray, IntArray]:
        """Return its edge that the enemy touches, and what it threatens there (RW-THR.2, RW-THR.3), `int[n]` each."""
        own, other = me.on(table), foe.on(table)
        edge = np.where(me.terrain > 0, FRONT, own.edge_towards(other))
        width, full, partial = ranks_of(self.columns(state), me.trays)
        aside, ahead = own.seen_from(other.x, other.y)
        last, first = -own.half_depth, -own.half_width
        beside = _meet(ahead, other.reach(own.axes[1]), last, last + table.tray)
        behind = _meet(aside, other.reach(own.axes[0]), first, first + partial * table.tray)
        values = [edge_threat(at, touch, self.is_amended, width, full, partial) for at, touch in CONTACTS]
        some = np.where(edge % 2 == 1, 1 + (beside & (edge == LEFT) & (partial > 0)), 3 + (behind & (partial > 0)))
        return edge, np.choose(np.where(edge == FRONT, 0, some), values).astype(np.int16)

    def closed_up(self, table: Table, before: Pose, after: Pose, foe: Pose) -> Pose:
        """Return it with the trays that are left: its front, or the edge that the enemy touches, keeps its place."""
        edge = np.where(before.on(table).touches(foe.on(table)), before.on(table).edge_towards(foe.on(table)), FRONT)
        narrower, shallower = (getattr(before, name) - getattr(after, name) for name in ("half_width", "half_depth"))
        aside = np.where(edge % 2 == 1, np.where(edge == LEFT, -narrower, narrower), 0)
        ahead = np.where(edge == REAR, -shallower, shallower)
        changes = (after.terrain == 0) & ((narrower != 0) | (shallower != 0))
        return after.moved(before.body.at(aside, ahead)).where(changes, after)


def _meet(middle: Array, reach: Array, low: Array, high: Array) -> BoolArray:
    return np.asarray(np.minimum(middle + reach, high) - np.maximum(middle - reach, low) > TOUCH)


@dataclass(frozen=True)
class Approach:
    """An approach of two units, ready to be played; `places` are state columns of where they stand at the start.

    `gap_bands` are between their front edges at first.
    """

    duel: Duel
    table: Table
    walkers: Mapping[str, Walker]
    places: Mapping[str, Any]
    gap_bands: int = 0

    def poses(self, state: State, name: str) -> tuple[Pose, Pose]:
        """Return how a side stands, and how the other does."""
        walker, foe = self.walkers[name], self.walkers["b" if name == "a" else "a"]
        return walker.pose(state, self.table.tray), foe.pose(state, self.table.tray)

    def touches(self, me: Pose, foe: Pose) -> BoolArray:
        """Return where two units touch, `bool[n]`."""
        return me.on(self.table).touches(foe.on(self.table))
