"""What units do on a table but fight: march and wheel, shift, reform, collide, realign, enter and leave terrain."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.games.runewars.table.boxes import (
    DEGREE,
    FRONT,
    TOUCH,
    TURN,
    Box,
    Vector,
    crosses,
    direction,
    dot,
    edge_of_table,
    stop_of,
)
from balance.games.runewars.table.ground import Table

ACTIONS = ("melee", "shoot", "march", "shift", "reform", "rally")
NOTHING, ENEMY, EDGE = -1, -2, -3
"""What stops a move that no piece stops."""


@dataclass(frozen=True)
class Pose:
    """Where units stand, and how, `int[n]`; `terrain` is the number of the piece from 1, 0 outside."""

    x: IntArray
    y: IntArray
    heading: IntArray
    terrain: IntArray
    half_width: IntArray
    half_depth: IntArray
    trays: IntArray

    @cached_property
    def body(self) -> Box:
        """Its own rectangle."""
        return Box(self.x, self.y, self.half_width, self.half_depth, self.heading)

    def on(self, table: Table) -> Box:
        """Return the rectangle that it fills: its own, or that of the terrain it stands in."""
        if not len(table.pieces):
            return self.body
        piece, inside = table.boxes[0, np.maximum(self.terrain - 1, 0)], self.terrain > 0
        names = [field.name for field in fields(Box)]
        return Box(*(np.where(inside, getattr(piece, name), getattr(self.body, name)) for name in names))

    def take(self, rows: IntArray) -> Pose:
        """Return the poses of some trials."""
        return Pose(*(getattr(self, field.name)[rows] for field in fields(self)))

    def where(self, mask: BoolArray, other: Pose) -> Pose:
        """Return it where the mask is set, and else the other."""
        return Pose(*(np.where(mask, getattr(self, f.name), getattr(other, f.name)) for f in fields(self)))

    @property
    def columns(self) -> tuple[IntArray, ...]:
        """All its numbers."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def moved(self, point: Vector, heading: IntArray | None = None) -> Pose:
        """Return it at a point, rounded to a micrometre, with a heading rounded to a thousandth of a degree."""
        x, y = (np.rint(part).astype(np.int64) for part in point)
        turned = self.heading if heading is None else np.asarray(heading, np.int64) % TURN
        return replace(self, x=x, y=y, heading=turned)


@dataclass(frozen=True)
class Order:
    """What units are to do, `[n]` each: action by its number in `ACTIONS`, distance, widest wheel, where they aim."""

    action: IntArray
    distance: IntArray
    wheel: IntArray
    aim: Vector
    enters: bool
    of_side: str

    def is_of(self, *actions: str) -> BoolArray:
        """Return who is to do one of these actions, `bool[n]`."""
        return np.isin(self.action, [ACTIONS.index(action) for action in actions])


@dataclass(frozen=True)
class Deed:
    """What came of orders, `[n]` each.

    * `pose`: where units stand after it; `stop`: where they stood when they collided, before they realigned or entered.
    * `walks`, `leaves`, `enters`, `reforms`, `realigns`: who marched or shifted, left, entered, reformed, realigned.
    * `angle`: the wheel made. `direction`: edge towards which it went. `distance`: how far.
    * `stopped_by`: number of a piece from 0, or NOTHING, ENEMY or EDGE. `meets`: who collided with the enemy.
    * `edge`: the enemy's edge that was struck.
    """

    pose: Pose
    stop: Pose
    walks: BoolArray
    leaves: BoolArray
    enters: BoolArray
    reforms: BoolArray
    realigns: BoolArray
    angle: IntArray
    direction: IntArray
    distance: FloatArray
    stopped_by: IntArray
    meets: BoolArray
    edge: IntArray

    def take(self, rows: IntArray) -> Deed:
        """Return what came of the orders of some trials."""
        parts: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, part in parts.items():
            parts[name] = part.take(rows) if isinstance(part, Pose) else part[rows]
        return Deed(**parts)


def alike(*columns: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first trial of each group with equal columns, `int[n]` each, and the group of each trial, `int[n]`."""
    factors = 0x9E3779B97F4A7C15 * np.arange(1, 2 * len(columns), 2, dtype=np.uint64) ** 3
    key = sum(column.astype(np.uint64) * factor for column, factor in zip(columns, factors, strict=True))
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    if all((column == column[first][place]).all() for column in columns):
        return first, place
    _, first, place = np.unique(np.stack(columns), axis=1, return_index=True, return_inverse=True)
    return first, place.reshape(-1)


def obstacles(table: Table, me: Pose, foe: Pose) -> tuple[Box, BoolArray]:
    """Return enemy and pieces as rectangles `[n, 1 + pieces]`, and which of them are in a unit's way."""
    enemy, n = foe.on(table), len(me.x)
    names = [field.name for field in fields(Box)]
    pieces = {name: np.broadcast_to(getattr(table.boxes, name), (n, len(table.pieces))) for name in names}
    box = Box(*(np.concatenate([getattr(enemy, name)[:, None], pieces[name]], axis=1) for name in names))
    counts = np.ones((n, 1 + len(table.pieces)), bool)
    own = me.terrain > 0
    counts[np.flatnonzero(own), me.terrain[own]] = False
    return box, counts


def fits(table: Table, me: Pose, foe: Pose) -> BoolArray:
    """Return who is on the table and overlaps nothing; where it stands in terrain, that does not count."""
    box, counts = obstacles(table, me, foe)
    return np.asarray(me.on(table).within(table.half) & ~(me.on(table)[:, None].overlaps(box) & counts).any(axis=1))


def detour(table: Table, me: Pose, foe: Pose) -> tuple[Vector, BoolArray]:
    """Return a point on the way around the nearest piece that is in the way, and whether there is such a piece.

    Of the corners of the piece, as far off as the unit is wide and deep, it is one from which the rest of the way is
    clear, else one to which the way is clear; of several the one on the shortest way.
    """
    own, target, n = me.on(table), foe.on(table), len(me.x)
    if not len(table.pieces):
        return (me.x, me.y), np.zeros(n, bool)
    numbers, room = np.arange(1, len(table.pieces) + 1), me.half_width[:, None]
    wide = replace(table.boxes, half_width=table.boxes.half_width + room, half_depth=table.boxes.half_depth + room)
    begin, end = ((box.x[:, None], box.y[:, None]) for box in (own, target))
    blocks = crosses((begin[0], end[0]), (begin[1], end[1]), wide)
    blocks &= (me.terrain[:, None] != numbers) & (foe.terrain[:, None] != numbers)
    nearest = np.where(blocks, np.rint(own[:, None].distance(table.boxes)), np.inf).argmin(axis=1)
    piece = table.boxes[0, nearest][:, None]
    box, margin = (
        replace(piece, half_width=piece.half_width + more, half_depth=piece.half_depth + more)
        for more in (room, room + me.half_depth[:, None])
    )
    x, y = (part[:, 0, :4] for part in margin.points())
    there, clear = (~crosses((at[0], x), (at[1], y), box) for at in (begin, end))
    length = np.hypot(x - begin[0], y - begin[1]) + np.hypot(x - end[0], y - end[1])
    best = np.argmin(np.rint(length) + np.where(there, 0.0, 1e12) + np.where(clear, 0.0, 1e9), axis=1)
    rows = np.arange(n)
    return (x[rows, best], y[rows, best]), np.asarray(blocks.any(axis=1))


def is_engaged(table: Table, me: Pose, foe: Pose, foe_side: str) -> BoolArray:
    """Return who touches the enemy, or a unit of the enemy's side that takes no part, `bool[n]`."""
    box, counts = obstacles(table, me, foe)
    counts &= np.append(True, table.of_kind(f"unit_{foe_side}"))
    return np.asarray((me.on(table)[:, None].touches(box) & counts).any(axis=1))


def angle_to(me: Pose, aim: Vector) -> IntArray:
    """Return the angle from a unit's heading to the line from its centre to a point, in thousandths of a degree."""
    right, forward = me.body.seen_from(*aim)
    return np.asarray(np.rint(np.degrees(np.arctan2(right, forward)) * DEGREE).astype(np.int64))


def best_edge(heading: IntArray, way: Vector) -> IntArray:
    """Return which edge looks most towards a vector, of equal ones the first, `int[n]`."""
    looks = np.stack([dot(direction(heading + edge * TURN // 4), way) for edge in range(4)])
    return np.asarray(np.rint(looks * 1e3).argmax(axis=0))


def carried_out(table: Table, me: Pose, foe: Pose, order: Order) -> Deed:
    """Return what comes of orders to march, shift or reform; others, and who is engaged and walks, stay as they are."""
    foe_side = "b" if order.of_side == "a" else "a"
    is_free = ~is_engaged(table, me, foe, foe_side)
    walks, inside = is_free & order.is_of("march", "shift"), me.terrain > 0
    wheeled, angle = _wheeled(table, me, foe, order, walks & ~inside & order.is_of("march"))
    deed = _walked(table, me, wheeled, foe, order, walks & ~inside, angle)
    away, able = _outside(table, me, foe, order)
    leaves = walks & inside & able
    turned, reforms = _reformed(table, me, foe, order)
    pose = away.where(leaves, turned.where(reforms, deed.pose))
    return replace(deed, pose=pose, leaves=leaves, reforms=reforms)


def _wheeled(table: Table, me: Pose, foe: Pose, order: Order, marches: BoolArray) -> tuple[Pose, IntArray]:
    """Turn about the front corner on the side to which it turns, unless something is in the way."""
    angle = np.clip(angle_to(me, order.aim), -order.wheel, order.wheel) * marches
    sign = np.sign(angle)
    corner = me.body.at(sign * me.half_width, me.half_depth)
    turned = replace(me, heading=(me.heading + angle) % TURN)
    about = replace(turned.body, x=corner[0], y=corner[1])
    wheeled = turned.moved(about.at(-sign * me.half_width, -me.half_depth))
    able = (angle != 0) & fits(table, wheeled, foe)
    return wheeled.where(able, me), np.where(able, angle, 0)


def _walked(table: Table, me: Pose, wheeled: Pose, foe: Pose, order: Order, walks: BoolArray, angle: IntArray) -> Deed:
    offset = (order.aim[0] - me.x, order.aim[1] - me.y)
    edge = np.where(order.is_of("shift"), best_edge(wheeled.heading, offset), FRONT)
    way = direction(wheeled.heading + edge * TURN // 4)
    box, _ = obstacles(table, wheeled, foe)
    limit = np.asarray(order.distance, float) * walks
    along = (way[0][:, None], way[1][:, None])
    stops = stop_of(wheeled.body[:, None], along, limit[:, None], box)
    first, rim = stops.argmin(axis=1), edge_of_table(wheeled.body, way, table.half)
    nearest = stops[np.arange(len(first)), first]
    distance = np.minimum(np.minimum(nearest, rim), limit)
    by_piece = np.where(first == 0, ENEMY, first - 1)
    stopped_by = np.where(nearest <= np.minimum(rim, limit), by_piece, np.where(rim < limit, EDGE, NOTHING))
    stopped_by = np.where(walks, stopped_by, NOTHING)
    stop = wheeled.moved((wheeled.x + way[0] * distance, wheeled.y + way[1] * distance))
    stop = stop.where(walks, me)
    meets = stopped_by == ENEMY
    struck = np.where(foe.terrain > 0, FRONT, foe.on(table).edge_towards(stop.body))
    flush = _realigned(table, stop, foe, struck, edge)
    realigns = meets & (foe.terrain == 0) & (flush.heading != stop.heading) & fits(table, flush, foe)
    inside, enters = _entered(table, stop, foe, order, np.where(walks & order.is_of("march"), stopped_by, NOTHING))
    pose = inside.where(enters, flush.where(realigns, stop))
    none = np.zeros_like(walks)
    return Deed(pose, stop, walks, none, enters, none, realigns, angle, edge, distance, stopped_by, meets, struck)


def _realigned(table: Table, me: Pose, foe: Pose, struck: IntArray, edge: IntArray) -> Pose:
    """RW-MOV.1: lay its leading edge along the edge that it struck, where the middle of the leading edge was."""
    outward = foe.heading + struck * TURN // 4
    normal, along = direction(outward), direction(outward + TURN // 4)
    lead, own = direction(me.heading + edge * TURN // 4), me.body
    middle = (me.x + lead[0] * own.half(edge) - foe.x, me.y + lead[1] * own.half(edge) - foe.y)
    most = foe.body.half(struck + 1) + own.half(edge + 1) - table.tray
    aside = np.clip(dot(middle, along), -most, most)
    apart = foe.body.half(struck) + own.half(edge)
    x, y = (at + normal[axis] * apart + along[axis] * aside for axis, at in enumerate((foe.x, foe.y)))
    return me.moved((x, y), outward + TURN // 2 - edge * TURN // 4)


def _entered(table: Table, me: Pose, foe: Pose, order: Order, piece: IntArray) -> tuple[Pose, BoolArray]:
    """Return it in the terrain that stopped it, and who enters: it fits, and nobody stands there (RW-TER.2)."""
    if not order.enters or not len(table.pieces):
        return me, np.zeros_like(me.x, bool)
    number = np.maximum(piece, 0)
    enters = (piece >= 0) & (me.trays <= table.rooms[number]) & (foe.terrain != piece + 1)
    boxes = table.boxes[0, number]
    return replace(me, x=boxes.x, y=boxes.y, terrain=number + 1), enters


def _outside(table: Table, me: Pose, foe: Pose, order: Order) -> tuple[Pose, BoolArray]:
    """RW-TER.4: leave by the edge where there is room that looks most towards where it aims, if there is one."""
    place, away, able = me.on(table), me, np.zeros_like(me.x, bool)
    aim = (order.aim[0] - place.x, order.aim[1] - place.y)
    best = np.full(len(me.x), -np.inf)
    for edge in range(4):
        heading = place.heading + edge * TURN // 4
        ahead, apart = direction(heading), place.half(np.asarray(edge)) + me.half_depth
        outside = me.moved((place.x + ahead[0] * apart, place.y + ahead[1] * apart), heading)
        outside = replace(outside, terrain=np.zeros_like(me.terrain))
        looks = np.rint(dot(ahead, aim) * 1e3)
        better = (looks > best) & fits(table, outside, foe)
        away, able, best = outside.where(better, away), able | better, np.where(better, looks, best)
    return away, able


def _reformed(table: Table, me: Pose, foe: Pose, order: Order) -> tuple[Pose, BoolArray]:
    """RW-REF.1: turn on its centre; it may not overlap, nor touch what it does not touch already."""
    turned = replace(me, heading=(me.heading + angle_to(me, order.aim)) % TURN)
    box, _ = obstacles(table, me, foe)
    new = turned.on(table)[:, None].touches(box) & ~me.on(table)[:, None].touches(box)
    inside = me.terrain > 0
    able = inside | (fits(table, turned, foe) & ~new.any(axis=1))
    return turned, np.asarray(able & order.is_of("reform"))


@dataclass(frozen=True)
class Shot:
    """Whether shots can be made, `[n]` each, and which pieces are in the way of some line, `bool[n, pieces]`."""

    distance: FloatArray
    band: IntArray
    in_range: BoolArray
    in_arc: BoolArray
    sees: BoolArray
    blocked_by: BoolArray


def shot_at(table: Table, me: Pose, foe: Pose, range_bands: int, foe_side: str) -> Shot:
    """Return range, arc of fire and line of sight from units to their enemy (RW-LOS.1 to RW-LOS.5)."""
    own, target, inside = me.on(table), foe.on(table), me.terrain > 0
    distance = np.rint(own.distance(target))
    band = np.maximum(-(-distance // table.band), 1).astype(np.int64)
    x, y = target.points()
    right, forward = own[:, None].seen_from(x, y)
    ahead = forward - own.half_depth[:, None] + TOUCH
    wide = own.half_width[:, None] + TOUCH + np.maximum(ahead - TOUCH, 0) * np.tan(np.radians(table.arc_degrees))
    in_arc = ((ahead >= 0) & (abs(right) <= wide)) | inside[:, None]
    crossed = _crossed(table, me, foe, (x, y))
    clear = ~crossed.any(axis=-1) & in_arc[:, None, :]
    sees = clear.any(axis=(1, 2)) & ~_is_covered(table, me, foe_side)
    in_range = band <= range_bands
    return Shot(
        distance, band, in_range, in_arc.any(axis=1), sees, (crossed & in_arc[:, None, :, None]).any(axis=(1, 2))
    )


def _crossed(table: Table, me: Pose, foe: Pose, ends: Vector) -> BoolArray:
    """Return which lines to the target's points cross which piece, `bool[n, lines, points, pieces]`."""
    own, inside, n = me.on(table), me.terrain > 0, len(me.x)
    shape = (n, 5, 5, len(table.pieces))
    if not len(table.pieces):
        return np.zeros(shape, bool)
    front = own[:, None].at(np.array([-1, 0, 1, 1, 1]) * own.half_width[:, None], own.half_depth[:, None])
    corners = own.points()
    begins = [np.where(inside[:, None], corners[axis], front[axis])[:, :, None, None] for axis in (0, 1)]
    x, y = ((begins[axis], ends[axis][:, None, :, None]) for axis in (0, 1))
    blocks = ~table.of_kind("opening") & ~(table.of_kind("elevated")[me.terrain - 1] & inside)[:, None]
    numbers = np.arange(1, len(table.pieces) + 1)
    blocks &= (me.terrain[:, None] != numbers) & (foe.terrain[:, None] != numbers)
    return np.asarray(crosses(x, y, table.boxes[:, None, None]) & blocks[:, None, None])


def _is_covered(table: Table, me: Pose, foe_side: str) -> BoolArray:
    """RW-LOS.4: return whose front edge a unit of the other side that takes no part touches along its whole length."""
    if not len(table.pieces):
        return np.zeros(len(me.x), bool)
    own = me.on(table)[:, None]
    right = own.seen_from(table.boxes.x, table.boxes.y)[0]
    covers = abs(right) + own.half_width <= table.boxes.reach(own.axes[0]) + TOUCH
    at_front = (own.edge_towards(table.boxes) == FRONT) & own.touches(table.boxes) & table.of_kind(f"unit_{foe_side}")
    return np.asarray((covers & at_front).any(axis=1) & (me.terrain == 0))
