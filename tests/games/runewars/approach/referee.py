"""A referee of approaches: it plays a game again from its record and dice, and says where the replay tells otherwise.

It is written from the ledger of the rules and `docs/reference/games/approach.md`, without a look at the engine; attacks
are those of the second engine of duels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.games.runewars import reference_dice as dice
from tests.games.runewars.approach import geometry as g
from tests.games.runewars.approach.geometry import EAST, NORTH, SOUTH, WEST, Block
from tests.games.runewars.approach.walk import EDGES, OTHER, Event, Row, Stand, Table, Walk, chosen
from tests.games.runewars.reference import Clash, How
from tests.games.runewars.reference_trays import Standing, Unit, at_first, ranks_of, regenerated, with_tray

NEAR = 0.005
"""What two engines may differ by, in mm and degrees: both round to 0.001, and go on from there."""


class SuspicionError(Exception):
    """The first thing that a game that keeps the rules would not tell."""


@dataclass
class Side:
    """A unit of a game: how it fights, how it stands, and what is set on its dial."""

    unit: Unit
    how: How
    standing: Standing
    row: Row

    @property
    def ranks(self) -> list[int]:
        return ranks_of(self.unit, self.standing)


def suspicions(
    document: dict[str, Any], units: tuple[Unit, Unit], hows: tuple[How, How], tables: Mapping[str, Any]
) -> list[str]:
    """Return what is suspicious in one game as `balance replay --json` tells it, up to the first thing."""
    game = Game(document, units, hows)
    try:
        game.lay(tables)
        game.play()
    except SuspicionError as error:
        return [f"line {game.line}: {error}"]
    return []


class Game:
    """One game on the referee's table."""

    def __init__(self, document: dict[str, Any], units: tuple[Unit, Unit], hows: tuple[How, How]) -> None:
        self.record = document["record"]
        self.situation = document["inputs"]["situation"]
        self.table = Table(self.record)
        self.told = [(n, event) for n, line in enumerate(document["lines"]) for event in line["events"]]
        self.place, self.line = 0, 0
        self.state_told: dict[str, Any] = document["begin"]
        pairs = zip("ab", units, hows, strict=True)
        self.sides = {side: Side(unit, how, at_first(unit), {}) for side, unit, how in pairs}
        self.stands = {side: self._start(side) for side in "ab"}
        self.runes: dict[str, int] = {}

    def expect(self, event: str, **says: Any) -> Event:
        """Take the next event, which must say this; before it the state is held against the one told last."""
        self.compare()
        if self.place == len(self.told):
            raise SuspicionError(f"{event} should come, and nothing does")
        told: Event
        self.line, told = self.told[self.place]
        self.place += 1
        self.demand(told["event"] == event, f"{event} {says} should come, not {told}")
        for key, value in says.items():
            self.demand(same(value, told.get(key)), f"{key} should be {value}: {told}")
        self.state_told = told.get("after", {})
        return told

    def demand(self, holds: bool, sentence: str) -> None:
        if not holds:
            raise SuspicionError(sentence)

    def compare(self) -> None:
        """Hold the state told last against the referee's, and go on from where it tells units to be."""
        state, self.state_told = self.state_told, {}
        for side in "ab" if state else "":
            told = state["units"][side]
            for key, value in self.state(side).items():
                self.demand(same(value, told[key]), f"{key} of {side} is {told[key]}, and should be {value}")
            if told["left"]:
                stand = self.stands[side]
                own = replace(stand.own, x=told["x"], y=told["y"], heading=told["heading"])
                self.stands[side] = replace(stand, own=own)

    def state(self, side: str) -> dict[str, Any]:
        """Return what the state tells of a unit; of one destroyed only that (RW-Q14: full ranks from the front)."""
        one, stand = self.sides[side], self.stands[side]
        if one.standing.gone:
            return {"left": 0}
        x, y, heading = stand.told
        state = {
            "x": x, "y": y, "heading": heading, "terrain": stand.piece, "columns": one.standing.width,
            "ranks": len(one.ranks), "trays": sum(one.ranks), "left": sum(one.standing.figures),
            "figures": len(one.standing.figures), "conditions": sorted(one.standing.conditions),
        }  # fmt: skip
        is_alone = self.sides[OTHER[side]].standing.gone
        return state if is_alone else {**state, "engaged": self.table.engaged(self.stands, side)}

    def _size(self, side: str) -> tuple[float, float]:
        one = self.sides[side]
        return one.standing.width * self.table.tray, len(one.ranks) * self.table.tray

    def _start(self, side: str) -> Stand:
        situation, (width, depth) = self.situation, self._size(side)
        sign = 1 if side == "b" else -1
        x, y = sign * situation["offset_mm"] / 2, sign * (situation["gap_bands"] * self.table.band + depth) / 2
        heading = self.table.units[side]["heading_degrees"] + (180 if side == "b" else 0)
        return Stand(Block(x, y, heading, width, depth).rounded())

    def lay(self, tables: Mapping[str, Any]) -> None:
        """Place terrain and tokens as the rules do (RW-TER.1, RW-TER.7, RW-OBJ.1)."""
        record, ground = self.record, tables["grounds"][self.situation["ground"]]
        size, gap = (ground.width_mm, ground.depth_mm), record["lengths"]["edge_gap_mm"]
        taken = [stand.own for stand in self.stands.values()]
        ids: dict[bool, list[str]] = {True: [], False: []}
        for name, row in tables["terrain"].items():
            if row.ground == ground.id:
                block = Block(row.x_mm, row.y_mm, row.heading_degrees, row.width_mm, row.depth_mm)
                rim = 1e-6 - (0 if row.kind.startswith("unit") else gap)
                inner = all(
                    abs(at) <= size[axis] / 2 + rim for corner in block.corners() for axis, at in enumerate(corner)
                )
                ids[is_legal := inner and not any(g.overlap(block, other) for other in taken)].append(name)
                taken += [block] if is_legal else []
                told = self.table.pieces.get(name, block), self.table.kinds.get(name, row.kind)
                self.demand(told == (block, row.kind), f"{name} is {told}")
        told_ids = [piece["id"] for piece in record["terrain"]], sorted(record["not_placed"])
        self.demand(told_ids == (ids[True], sorted(ids[False])), f"{told_ids} are placed and not: {ids}")
        free = [name for name in ids[True] if not self.table.kinds[name].startswith("unit")]
        tokens = dict.fromkeys(ids[True], "")
        for side in (record["first"], OTHER[record["first"]]):
            n = self.table.units[side]["overgrowth"]
            tokens |= dict.fromkeys([name for name in free if not tokens[name]][:n], side)
        told_tokens = {piece["id"]: piece["overgrowth"] for piece in record["terrain"]}
        self.demand(told_tokens == tokens, f"tokens are {told_tokens}, not {tokens}")
        spots = [0.0, *(sign * n * 2.0 * self.table.band for n in range(1, 100) for sign in (1, -1))]
        spots = [
            x for x in spots if abs(x) <= size[0] / 2 - gap and not any(inside(block, (x, 0.0)) for block in taken)
        ]
        legal = [[x, 0.0] for x in spots[: self.situation["objective_tokens"] if gap <= size[1] / 2 else 0]]
        self.demand(same(legal, record["objectives"]), f"objectives are {record['objectives']}, not {legal}")

    def play(self) -> None:
        winner = None
        for _ in range(self.situation["round_limit"]):
            self.play_round()
            alive = [side for side in "ab" if not self.sides[side].standing.gone]
            if len(alive) == 1:
                winner = alive[0]
                break
        if winner or self.place < len(self.told):
            self.expect("end", winner=winner)
        self.compare()
        self.demand(self.place == len(self.told), "something happens after the end")

    def play_round(self) -> None:
        self.compare()
        dials = self.expect("dials")
        for side, one in self.sides.items():
            rows = {row["id"]: row for row in self.table.units[side]["dials"]}
            if self.table.policies[side] in ("charge", "advance", "hold", "stand_and_shoot", "flank"):
                setting = chosen(self.table, self.stands, side, sum(one.ranks))
                self.demand(dials[side] == setting, f"{side} should set {setting}: {dials}")
            one.row = rows[dials[side]]
        early = {side: one.row["initiative"] for side, one in self.sides.items()}
        first, because = self.record["first"], "turn order"
        if early["a"] != early["b"]:
            first, because = min("ab", key=lambda side: early[side]), "initiative"
        told = self.expect("order", first=first, because=because)
        self.runes = dict.fromkeys(("stable", "natural", "unstable"), 0) | told["after"]["runes"]
        for side in (first, OTHER[first]):
            if not any(one.standing.gone for one in self.sides.values()):
                self.act(side)
        if not any(one.standing.gone for one in self.sides.values()):
            for side in "ab":
                self.grow(side)

    def act(self, side: str) -> None:
        self.compare()
        one = self.sides[side]
        walk = Walk(self.table, self.stands, side, sum(one.ranks)).carry_out(one.row)
        self.walked(walk)
        if walk.reaches:
            if one.row["action"] != "melee":
                self.expect("charge", side=side)
            self.strike(side)
        elif one.row["action"] == "shoot":
            shot = self.table.shot(self.stands, side)
            self.expect(shot.pop("event"), **shot)
            if shot["made"]:
                self.attack(side, replace(one.how, ranged=True))
        is_next = self.place < len(self.told) and self.told[self.place][1]["event"] == "shift"
        if is_next or not self.sides[OTHER[side]].standing.gone:  # after the last blow it may be told or not
            self.walked(Walk(self.table, self.stands, side, sum(one.ranks)).bonus())

    def walked(self, walk: Walk) -> None:
        self.stands = walk.stands
        for event in walk.events:
            self.expect(**event)

    def strike(self, side: str) -> None:
        """Strike at the edge in contact (RW-THR)."""
        one, (own, enemy) = self.sides[side], (self.stands[side], self.stands[OTHER[side]])
        edge, ranks, touches = self.table.edge(own, enemy), one.ranks, "none"
        if ranks[-1] < ranks[0] and edge in (WEST, SOUTH):
            axis = own.own.way(NORTH if edge == WEST else EAST)
            low, (least, most) = g.shadow(own.own, axis)[0], g.shadow(self.table.space(enemy), axis)
            high = low + self.table.tray * (1 if edge == WEST else ranks[-1])
            touches = "only" if min(high, most) - max(low, least) > g.TOUCH else "none"
        name = "side" if edge in (EAST, WEST) else EDGES[edge]
        how = replace(one.how, edges=(name,), touches=(touches,))
        self.attack(side, how, EDGES[edge], EDGES[self.table.edge(enemy, own)])

    def attack(self, side: str, how: How, edge: str = "", struck: str = "") -> None:
        """Roll and resolve an attack with the dice that are told."""
        one, other, row = self.sides[side], self.sides[OTHER[side]], self.sides[side].row
        more = {name: getattr(one.unit, name) + row[name] for name in ("add_hits", "add_mortal_strikes")}
        attacker = replace(one.unit, **more)
        defender = replace(other.unit, defence=f"{other.unit.defence}+{other.row['defend']}")
        clash = Clash(attacker, one.standing, defender, other.standing, how, tuple(self.runes.items()))
        threat = clash.threat - clash.worth(attacker.brutal)
        if edge:
            self.expect("strike", side=side, edge=edge, struck=struck, threat=threat)
        icons = dice.totals(self.thrown(side, clash))
        icons = (icons[0], icons[1] + row["add_surges"], *icons[2:4], icons[4] + row["add_morale"])
        outcome, after = clash.end(icons)
        told = outcome._asdict()
        pool = ("hits", "surges", "accuracy", "mortal_strikes", "morale", "damage")
        self.expect("pool", side=side, **{name: told[name] for name in pool})
        told |= {"figures": told["figures_lost"], "trays": told["trays_lost"]}
        other.standing = after
        if not after.gone:
            self.reshape(OTHER[side])
        names = ("wounds", "upgrade_wounds", "figures", "trays")
        self.expect("wounds", side=OTHER[side], **{name: told[name] for name in names})

    def thrown(self, side: str, clash: Clash) -> dice.Dice:
        """Return the dice as they lie after all re-rolls; who is rolled again is by the rules (RW-Q12)."""
        profile = clash.attacker.ranged if clash.how.ranged else clash.attacker.dice
        wanted = tuple(clash.worth(text) for text in profile)
        lying = self.faces("throw", side, "", wanted)
        ranks = ranks_of(clash.attacker, clash.attacking)
        steps = ["rank"] * (sum(rank == ranks[0] for rank in ranks) - 1 + clash.attacker.precise)
        steps += ["partial"] if ranks[-1] < ranks[0] else []
        guard = clash.worth(clash.defender.guard_rerolls)
        for step in ["guard", *(steps if clash.how.rerolls != "none" else [])]:
            again = dice.idle(lying) if step == "rank" else dice.poorest(lying)
            again = dice.guarded(lying, guard) if step == "guard" else again
            if again:
                new = self.faces("reroll", side, step, dice.colours_of(again))
                lying = tuple(sorted((*dice.set_aside(lying, again), *new)))
        return lying

    def faces(self, event: str, side: str, step: str, wanted: tuple[int, ...]) -> dice.Dice:
        """Return dice that are told, so many of each colour, in the words of the second engine."""
        words, shown = {"blank": "", "mortal_strike": "mortal"}, list[dice.Die]()
        for colour, n in zip(dice.COLOURS, wanted, strict=True):
            if n:
                why = {"for": step} if step in ("partial", "guard") else {}
                told = self.expect(event, side=side, **why)["dice"]
                self.demand(
                    [(key, len(told[key])) for key in told] == [(colour, n)], f"{n} {colour} should roll: {told}"
                )
                sides = [" ".join(words.get(icon, icon) for icon in face.split("+")) for face in told[colour]]
                shown += [(colour, face) for face in sides]
        return tuple(sorted(shown))

    def reshape(self, side: str) -> None:
        """Make the rectangle as small or large as the unit is now, about the edge that is touched."""
        stand, (width, depth) = self.stands[side], self._size(side)
        own, enemy = stand.own, self.stands[OTHER[side]]
        right, ahead = 0.0, (own.depth - depth) / 2
        if not stand.piece and g.touch(own, self.table.space(enemy)):
            edge = g.struck_edge(own, self.table.space(enemy))
            ahead = -ahead if edge == SOUTH else ahead
            right = {EAST: 1, WEST: -1}.get(edge, 0) * (own.width - width) / 2
        x, y = own.centre if stand.piece else own.at(right, ahead)
        self.stands[side] = replace(stand, own=replace(own, x=x, y=y, width=width, depth=depth).rounded())

    def grow(self, side: str) -> None:
        """Put figures back and add trays at the end of a round, where there is room (RW-TRAY)."""
        self.compare()
        one, stand = self.sides[side], self.stands[side]
        before = one.standing
        one.standing = regenerated(one.unit, before, dice.amount(one.unit.regenerate, self.runes))
        for _ in range(one.unit.trays_added):
            kept = one.standing
            one.standing = with_tray(one.unit, kept)
            self.reshape(side)
            if not self.stands[side].piece and not self.table.fits(self.stands, side, self.stands[side].own):
                one.standing, self.stands[side] = kept, stand
            stand = self.stands[side]
        if one.standing != before:
            figures = len(one.standing.figures) - len(before.figures)
            trays = sum(one.ranks) - sum(ranks_of(one.unit, before))
            self.expect("grow", side=side, figures=figures, trays=trays)


def inside(block: Block, point: g.Point) -> bool:
    right, ahead = block.frame(point)
    return abs(right) <= block.width / 2 + g.OVERLAP and abs(ahead) <= block.depth / 2 + g.OVERLAP


def same(own: Any, told: Any) -> bool:
    """Return whether two values are the same, numbers within what rounding explains."""
    if isinstance(own, list) and isinstance(told, list):
        return len(own) == len(told) and all(map(same, own, told))
    if isinstance(own, (int, float)) and isinstance(told, (int, float)) and not isinstance(own, bool):
        return abs(own - told) <= NEAR or abs(abs(own - told) - 360) <= NEAR
    return bool(own == told)
