"""The second engine of the approach: what a setting of a dial does to where units stand, and which one a side sets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan2, degrees, dist, radians, tan
from typing import Any

from tests.games.runewars.approach import geometry as g
from tests.games.runewars.approach.geometry import EAST, NORTH, SOUTH, WEST, Block, Point

Event = dict[str, Any]
Row = dict[str, Any]
OTHER = {"a": "b", "b": "a"}
EDGES = ("front", "right", "rear", "left")
WAYS = ("forward", "right", "back", "left")
ENTERED = ("blocking", "agony", "opening", "elevated")


@dataclass(frozen=True)
class Stand:
    """Where a unit stands: its own rectangle, and the piece of terrain that it is in."""

    own: Block
    piece: str = ""

    @property
    def told(self) -> list[float]:
        return [self.own.x, self.own.y, self.own.heading]


Stands = dict[str, Stand]


class Table:
    """A table with its terrain, and what the record says of both sides."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.tray, self.band = record["lengths"]["tray_mm"], record["lengths"]["band_mm"]
        width, depth = record["ground"]["width"], record["ground"]["depth"]
        outside = [(width, 0.0), (-width, 0.0), (0.0, depth), (0.0, -depth)]
        self.walls = [Block(x, y, 0.0, width + 2 * abs(y), depth + 2 * abs(x)) for x, y in outside]
        self.kinds = {piece["id"]: piece["kind"] for piece in record["terrain"]}
        keys = ("x", "y", "heading", "width", "depth")
        self.pieces = {piece["id"]: Block(*(piece[key] for key in keys)) for piece in record["terrain"]}
        self.units, self.situation = record["units"], record["situation"]
        self.policies = record["policies"]

    def space(self, stand: Stand) -> Block:
        """Return the rectangle that a unit takes up: that of the piece it is in."""
        return self.pieces[stand.piece] if stand.piece else stand.own

    def near(self, stands: Stands, side: str) -> dict[str, Block]:
        """Return all that a unit may run into, by name; a piece with the enemy in it is the enemy."""
        enemy = stands[OTHER[side]]
        pieces = {name: b for name, b in self.pieces.items() if name not in (stands[side].piece, enemy.piece)}
        return {"enemy": self.space(enemy), **pieces}

    def fits(self, stands: Stands, side: str, block: Block) -> bool:
        return not any(g.overlap(block, other) for other in [*self.near(stands, side).values(), *self.walls])

    def meets(self, stands: Stands) -> bool:
        return g.touch(self.space(stands["a"]), self.space(stands["b"]))

    def engaged(self, stands: Stands, side: str) -> bool:
        """Return whether a unit touches the enemy or a unit of the enemy's side that takes no part."""
        own, kind = self.space(stands[side]), f"unit_{OTHER[side]}"
        return self.meets(stands) or any(g.touch(own, b) for name, b in self.pieces.items() if self.kinds[name] == kind)

    def edge(self, of: Stand, by: Stand) -> int:
        """Return the edge of one unit that the other is at; in terrain all are its front (RW-TER.3)."""
        return NORTH if of.piece else g.struck_edge(of.own, self.space(by))

    def charges(self, side: str, row: Row) -> bool:
        turns = row["action"] == "march" and row["turn_degrees"]
        return bool(row["charge"] or (self.units[side]["aggressive"] and turns))

    def shot(self, stands: Stands, side: str) -> Event:
        """Return what a replay tells of a shot that a unit would make (RW-LOS)."""
        shooter, target, unit = stands[side], stands[OTHER[side]], self.units[side]
        own, aim = self.space(shooter), self.space(target)
        bands = max(1, -int(-g.distance(own, aim) // self.band))
        in_range = bands <= unit["range_bands"]
        points = [p for p in [*aim.corners(), aim.centre] if shooter.piece or self._in_arc(own, p)]
        front = [own.at(own.width / 2 * i, own.depth / 2) for i in (-1, 0, 1)]
        starts = [*own.corners(), own.centre] if shooter.piece else front
        blocks = {
            n: b
            for n, b in self.pieces.items()
            if self.kinds[n] != "opening" and n not in (shooter.piece, target.piece)
        }
        if self.kinds.get(shooter.piece) == "elevated":
            blocks = {}
        lines = [{name for name, b in blocks.items() if g.crosses(s, p, b)} for s in starts for p in points]
        sight = any(not names for names in lines) and (bool(shooter.piece) or not self._front_is_closed(own, side))
        free = not self.engaged(stands, side) or unit["shoots_engaged"]
        made = free and in_range and bool(points) and (sight or unit["ignores_sight"])
        told = {"in_arc": bool(points), "sight": sight, "blocked_by": sorted(set().union(*lines)), "made": made}
        return {"event": "shoot", "side": side, "band": bands, "in_range": in_range, **told}

    def _in_arc(self, own: Block, point: Point) -> bool:
        right, ahead = own.frame(point)
        ahead -= own.depth / 2
        wide = own.width / 2 + ahead * tan(radians(self.situation["arc_degrees"]))
        return ahead >= -g.TOUCH and abs(right) <= wide + g.TOUCH

    def _front_is_closed(self, own: Block, side: str) -> bool:
        """Return whether a unit of the enemy's side touches the whole front edge (RW-LOS.4)."""
        axis, kind = own.way(EAST), f"unit_{OTHER[side]}"
        low, high = g.shadow(own, axis)
        for block in (block for name, block in self.pieces.items() if self.kinds[name] == kind and g.touch(own, block)):
            least, most = g.shadow(block, axis)
            if g.struck_edge(own, block) == NORTH and least <= low + g.TOUCH and most >= high - g.TOUCH:
                return True
        return False


class Walk:
    """One action, carried out: where both stand after it, and what a replay tells of it."""

    def __init__(self, table: Table, stands: Stands, side: str, trays: int) -> None:
        self.table, self.stands, self.side, self.trays = table, dict(stands), side, trays
        self.events: list[Event] = []
        self.attacks, self.short = False, 0.0
        self.unit, away = table.units[side], table.policies[side] in ("hold", "stand_and_shoot")
        self.aim, self.goal = self._aims()
        own, enemy = stands[side].own, table.space(stands[OTHER[side]])
        self.drift = (2 * own.x - enemy.x, 2 * own.y - enemy.y) if away else self.aim

    def _aims(self) -> tuple[Point, Point | None]:
        """Return the point that a unit goes for, and it again where it is a detour."""
        stands = self.stands.values()
        own, enemy = self.own, self.table.space(self.stands[OTHER[self.side]])
        right, ahead = enemy.frame(own.centre)
        point: Point | None = None
        if self.table.policies[self.side] == "flank":
            beside = (enemy.width + own.width) / 2 + self.table.band
            point = enemy.at(beside if right >= 0 else -beside, 0) if ahead > enemy.depth / 2 else None
            return point or enemy.centre, point
        free = [b for name, b in self.table.pieces.items() if name not in {stand.piece for stand in stands}]
        walls = [(b, replace(b, width=b.width + own.width, depth=b.depth + own.width)) for b in free]
        walls = [pair for pair in walls if g.crosses(own.centre, enemy.centre, pair[1])]
        if walls:
            space = self.table.space(self.stands[self.side])
            piece, wall = min(walls, key=lambda pair: round(1000 * g.distance(space, pair[0])))
            out = own.width + own.depth
            spots = replace(piece, width=piece.width + out, depth=piece.depth + out).corners()
            point = min(spots, key=lambda spot: (
                g.crosses(own.centre, spot, wall), g.crosses(spot, enemy.centre, wall),
                round(1000 * (dist(own.centre, spot) + dist(spot, enemy.centre))),
            ))  # fmt: skip
        return point or enemy.centre, point

    @property
    def own(self) -> Block:
        return self.stands[self.side].own

    def _tell(self, event: str, **more: Any) -> None:
        self.events.append({"event": event, "side": self.side, **more})

    def _put(self, block: Block, piece: str = "") -> None:
        self.stands[self.side] = Stand(block.rounded(), piece)

    def carry_out(self, row: Row) -> Walk:
        """Do what a setting says, a melee or a shot left out, and the bonus shift."""
        engaged = self.table.engaged(self.stands, self.side)
        if row["action"] == "reform":
            self._reform()
        elif row["action"] in ("march", "shift") and not engaged:
            self.attacks = self.table.charges(self.side, row)
            self._go(row, row["distance_bands"])
        elif row["action"] == "melee":
            self.attacks = True
        return self

    def bonus(self) -> Walk:
        """Shift as a bonus action does (RW-CARD.3)."""
        if self.unit["bonus_shift_bands"] and not self.table.engaged(self.stands, self.side):
            self._go({"action": "shift", "turn_degrees": 0, "charge": False}, self.unit["bonus_shift_bands"])
        return self

    @property
    def reaches(self) -> bool:
        """Return whether an attack hand to hand follows."""
        return self.attacks and self.table.meets(self.stands)

    def _reform(self) -> None:
        stand, near = self.stands[self.side], self.table.near(self.stands, self.side)
        block = replace(self.own, heading=_heading(self.own.centre, self.aim)).rounded()
        if not stand.piece:
            anew = any(g.touch(block, other) and not g.touch(self.own, other) for other in near.values())
            if anew or not self.table.fits(self.stands, self.side, block):
                return
        self._put(block, stand.piece)
        self._tell("reform", **{"from": stand.told, "to": self.stands[self.side].told})

    def _go(self, row: Row, bands: int) -> None:
        stand, marches = self.stands[self.side], row["action"] == "march"
        aim = self.aim if marches else self.drift
        if stand.piece:
            self._leave(self.table.pieces[stand.piece], aim)
            return
        direction = NORTH if marches else _ways(self.own, aim)[0]
        if marches and row["turn_degrees"]:
            self._wheel(row["turn_degrees"])
        length, stopped = bands * self.table.band, None
        walls = [("edge", wall) for wall in self.table.walls]
        for name, block in [*self.table.near(self.stands, self.side).items(), *walls]:
            free = g.free_way(self.own, direction, length, block)
            if free <= length + 1e-6 and (stopped is None or free < length):
                length, stopped = free, name
        self._put(self.own.moved(direction, length))
        told = {"from": stand.told, "to": self.stands[self.side].told, "distance": length, "stopped_by": stopped}
        self._tell(row["action"], **told, **({} if marches else {"direction": WAYS[direction]}))
        self._collide(stopped, direction, marches)
        if stopped not in (None, "enemy") and not self.stands[self.side].piece:
            self.short = bands * self.table.band - length

    def _leave(self, piece: Block, aim: Point) -> None:
        """Leave terrain by the edge that looks most towards the aim, with the rear against its middle (RW-TER.4)."""
        own, name = self.own, self.stands[self.side].piece
        for direction in _ways(piece, aim):
            block = replace(own, heading=piece.heading + 90 * direction, x=piece.x, y=piece.y)
            block = block.moved(NORTH, piece.half(direction) + own.depth / 2).rounded()
            if self.table.fits({**self.stands, self.side: Stand(block)}, self.side, block):
                self._put(block)
                self._tell("leave", terrain=name, to=self.stands[self.side].told)
                return

    def _wheel(self, most: float) -> None:
        angle = (_heading(self.own.centre, self.aim) - self.own.heading + 180) % 360 - 180
        angle = max(-most, min(most, angle))
        left, right, *_ = self.own.corners()
        block = g.pivoted(self.own, angle, right if angle > 0 else left).rounded()
        if abs(angle) >= 0.0005 and self.table.fits(self.stands, self.side, block):
            self._put(block)
            self._tell("turn", degrees=angle)

    def _collide(self, name: str | None, direction: int, marches: bool) -> None:
        """Collide with what stopped a move: realign with the enemy, or enter terrain (RW-MOV.1, RW-TER)."""
        if name is None or name == "edge":
            return
        enemy = self.stands[OTHER[self.side]]
        edge = self.table.edge(enemy, self.stands[self.side]) if name == "enemy" else None
        self._tell("collide", **{"with": name, "edge": None if edge is None else EDGES[edge]})
        if edge is not None and not enemy.piece:
            self._realign(enemy.own, edge, direction)
        elif marches and self.table.kinds.get(name) in ENTERED and self._enters(name):
            piece = self.table.pieces[name]
            self._put(replace(self.own, x=piece.x, y=piece.y), name)
            self._tell("enter", terrain=name, to=self.stands[self.side].told)

    def _enters(self, name: str) -> bool:
        """Return whether a unit wants to enter a piece, and as many trays as it has fit there."""
        piece, tray = self.table.pieces[name], self.table.tray
        return self.unit["enters_terrain"] and self.trays <= int(piece.width // tray) * int(piece.depth // tray)

    def _realign(self, enemy: Block, edge: int, direction: int) -> None:
        heading = enemy.heading + 90 * edge + 180 - 90 * direction
        if abs((heading - self.own.heading + 180) % 360 - 180) < 0.0015:
            return
        across = EAST if edge in (NORTH, SOUTH) else NORTH
        middle = self.own.moved(direction, self.own.half(direction)).centre
        right, ahead = enemy.frame(middle)
        wide = self.own.half(EAST if direction in (NORTH, SOUTH) else NORTH)
        most = enemy.half(EAST if edge in (NORTH, SOUTH) else NORTH) + wide - self.table.tray
        aside = max(-most, min(most, right if across == EAST else ahead))
        spot = enemy.moved(edge, enemy.half(edge) + self.own.half(direction)).moved(across, aside)
        block = replace(self.own, x=spot.x, y=spot.y, heading=heading).rounded()
        if self.table.fits(self.stands, self.side, block):
            self._put(block)
            self._tell("realign", to=self.stands[self.side].told)


def _heading(start: Point, end: Point) -> float:
    return degrees(atan2(end[0] - start[0], end[1] - start[1]))


def _ways(block: Block, aim: Point) -> list[int]:
    """Return the directions of a rectangle, those first that point most towards a point."""
    right, ahead = block.frame(aim)
    ways = {NORTH: ahead, EAST: right, SOUTH: -ahead, WEST: -right}
    return sorted(ways, key=lambda direction: -round(ways[direction], 6))


def chosen(table: Table, stands: Stands, side: str, trays: int) -> str:
    """Return the id of the setting that a side's policy sets."""
    rows = table.units[side]["dials"]
    return str(min(rows, key=lambda row: keys(table, stands, side, trays, row))["id"])


def keys(table: Table, stands: Stands, side: str, trays: int, row: Row) -> tuple[float, ...]:
    """Return what a policy orders the rows of a dial by, smaller first."""
    walk = Walk(table, stands, side, trays).carry_out(row)
    reaches, charge = walk.reaches, table.charges(side, row)
    after, enemy = walk.stands, walk.stands[OTHER[side]]
    way = gap = round(1000 * g.distance(table.space(after[side]), table.space(enemy)))
    if walk.goal is not None:
        way = round(1000 * dist(after[side].own.centre, walk.goal))
    way += round(1000 * walk.short)
    shoots = row["action"] == "shoot" and table.shot(stands, side)["made"]
    last = (row["initiative"], -sum(row[f"add_{icon}"] for icon in ("hits", "mortal_strikes", "surges", "morale")))
    policy = table.policies[side]
    if policy == "stand_and_shoot" and not table.units[side]["range_bands"]:
        policy = "hold"
    if policy == "charge":
        return not reaches, way, not charge, *last
    if policy == "advance":
        return charge, not reaches, way, *last
    if policy == "hold":
        defends, moves = str(row["defend"]) != "0", row["action"] in ("march", "shift")
        return not (reaches or shoots), moves, not defends, row["action"] != "rally", *last
    if policy == "stand_and_shoot":
        can = table.shot(after, side)["made"]
        charges = (other["distance_bands"] for other in table.units[OTHER[side]]["dials"] if other["charge"])
        is_near = gap <= 1000 * table.band * max(charges, default=0)
        fights = row["action"] == "melee" and reaches
        return not shoots, not fights, charge, is_near, not can, -gap if can else way, *last
    flanks = reaches and (not charge or table.edge(enemy, after[side]) != NORTH)
    return not flanks, way, charge, *last
