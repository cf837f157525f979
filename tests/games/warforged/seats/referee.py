"""A referee of Warforged's battles of three and four: it has the rules and a record, and says what is suspicious.

It is written from the ledger of the rules and from `docs/reference/games/seats.md`, without a look at the engine.
`Table` is its own battle: each event changes it by the rules, with the dice told, and says what must come of it.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections import Counter
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from string import ascii_uppercase
from types import SimpleNamespace
from typing import Any

from tests.games.battlelore.referee.game import Suspicion
from tests.games.battlelore.referee.referee import differences, merge
from tests.games.warforged.reference_attack import DOWN, GONE, UP, Piece, Readings, after_attack, roll
from tests.games.warforged.reference_battle import Battle, Blast
from tests.games.warforged.reference_board import LIGHT, OPEN, Board

Event = dict[str, Any]
SHIELDS = {DOWN: "down", UP: "up", GONE: "burnt out"}
ACTIONS = ("move", "jump", "raise", "attack", "explode")
CHOICES = (*ACTIONS, "pass", "turn_ends")
DICE = {"slim": "WF-ABIL.3", "shield": "WF-ABIL.4", "armour": "WF-ARM.1", "burn": "WF-EFF.5"}
CARDS = ("units.csv", "weapons.csv")
COLUMNS = {"speed": "speed_cells", "range": "range_cells"}
COLUMNS |= {name: name for name in ("health", "armour", "abilities", "precision", "damage", "effects")}
FIELDS = ("side", "cell", "health", "shield", "emp", "burn", "moves", "done")
COLUMN_NAMES = (*ascii_uppercase, *(f"A{letter}" for letter in "ABCDE"))
NAMES = dict(enumerate(f"{column}{row}" for column in COLUMN_NAMES for row in range(1, 17)))
CELLS = {name: cell for cell, name in NAMES.items()} | {None: -1}


class Table(Battle):
    """A battle of several players, numbered as in `abcd`; `owed` is what must come next, with the rule that asks."""

    def __init__(self, record: dict[str, Any], begin: dict[str, Any], folder: Path) -> None:
        constants = tomllib.loads((folder / "rules.toml").read_text("utf-8"))["constants"]
        plain = json.dumps([record["options"], constants])
        readings = json.loads(plain, object_hook=lambda fields: SimpleNamespace(**fields))
        self.record, self.read = record, Readings.of(*readings)
        self.board = Board(record["map"]["shape"], record["map"]["drawing"])
        self.names = sorted(record["order"])
        self.order = [self.names.index(name) for name in record["order"]]
        self.pieces, self.labels, self.on = [[] for _ in self.names], dict[str, Piece](), {}
        for label, card in record["units"].items():
            self._muster(label, card, CELLS[begin["units"][label]["cell"]])
        self.round = self.left = self.entering = self.kills = self.line = self.events = 0
        self.key, self.attacks = 0, [0] * len(self.names)
        self.side, self.phase, self.rapid, self.happened = -1, "begin", None, Counter()
        self.score, self.held = [0] * len(self.names), [0] * len(self.names)
        self.out, self.winners, self.bursting, self.throws = list[int](), list[int](), list[str](), list[Event]()
        self.owed, self.suspicions = list[tuple[str, Event]](), list[Suspicion]()

    def _muster(self, label: str, card: dict[str, Any], cell: int) -> None:
        unit = SimpleNamespace(**card, speed_cells=card["speed"])
        weapons = [SimpleNamespace(**weapon, range_cells=weapon["range"]) for weapon in card["weapons"]]
        loadout: Any = SimpleNamespace(unit=unit, weapons=weapons)
        army = self.pieces[self.names.index(card["side"])]
        piece = Piece(self.names.index(card["side"]), len(army), loadout, self.read, card["shield"] or "raise")
        self.labels[label] = piece
        army.append(piece)
        if cell >= 0:
            self.put(piece, cell)

    def demand(self, holds: object, rule: str, sentence: str) -> None:
        """Suspect the battle unless something holds."""
        if not holds:
            self.suspicions.append(Suspicion(self.line, rule, sentence))

    def owe(self, rule: str, event: str, **says: Any) -> None:
        self.owed.append((rule, {"event": event, **says}))

    def label(self, piece: Piece) -> str:
        return next(label for label, other in self.labels.items() if other is piece)

    # Who is whose enemy (WF-MULTI.1), and what blasts do

    def allies(self, seat: int) -> list[int]:
        """Return a player and those with whom he wins."""
        limit = self.record["alliance_rounds"]
        for names in self.record["alliances"] if not limit or self.round <= limit else ():
            if self.names[seat] in names:
                return [self.names.index(name) for name in sorted(names)]
        return [seat]

    def are_enemies(self, one: int, other: int) -> bool:
        return other not in self.allies(one)

    def enemies(self) -> list[Piece]:
        return [piece for piece in self.on.values() if self.are_enemies(self.side, piece.seat)]

    def named(self, seats: list[int]) -> list[str]:
        return [self.names[seat] for seat in seats]

    def _blast_die(self, start: int, wave: int, name: str, piece: Piece) -> int:
        return self.die(self.read.special_faces, f"blast {name}", unit=self.label(piece))

    def _exploding(self, piece: Piece, cell: int) -> Blast:
        self.bursting.append(self.label(piece))
        return super()._exploding(piece, cell)

    def _remove(self, piece: Piece) -> int:
        self.kills += self.are_enemies(self.side, piece.seat)
        self.owe("WF-UNIT.2", "destroyed", unit=self.label(piece), by=self.names[self.side])
        return super()._remove(piece)

    def _hurt(self, start: int, wave: int, target: Piece | None, blasts: list[Blast]) -> Any:
        losses, hostile = super()._hurt(start, wave, target, blasts)
        damage = {self.label(piece): loss for piece, loss in losses.items()}
        if self.bursting:
            self.owe("WF-ABIL.5", "overload", units=sorted(self.bursting), damage=damage)
            self.bursting = []
        elif blasts and target is not None:
            self.owe("WF-EFF.2", "splash", unit=self.label(target), cell=NAMES[target.cell], damage=damage)
        return losses, hostile

    def die(self, faces: int, name: str, j: int = 0, unit: str | None = None) -> int:
        """Return what the next die of a name shows, and suspect the battle where none was thrown."""
        for throw in self.throws:
            if throw["for"] == name and throw.get("unit", unit) == unit and throw["faces"]:
                face = int(throw["faces"].pop(0)) + (name == "precision" and self.read.faces == "0-9")
                self.demand(1 <= face <= faces, "WF-ATT.1", f"a die for {name} shows {face}")
                return face
        self.demand(False, DICE.get(name, "WF-ATT.1"), f"a die for {name} is missing")
        return 1

    # What players choose

    def _choose(self, event: Event) -> Piece:
        """Check that a unit may take an action, and count the action."""
        label, piece = event["unit"], self.labels[event["unit"]]
        self.demand(piece.seat == self.side and piece.cell >= 0, "WF-TURN.1", f"{label} acts out of turn")
        if not event.get("again"):
            self.demand(self.left > 0, "WF-ACT.1", f"{label} acts without an action")
            self.left, self.rapid = self.left - 1, None
        self.demand(not self.entering, "WF-BUILD.5", f"{self.entering} units did not enter")
        self.demand(not piece.emp, "WF-EFF.4", f"{label} acts though disabled")
        self.demand(not piece.done, "WF-ABIL.2", f"{label} acts after a jump")
        return piece

    def on_move(self, event: Event) -> None:
        piece, label, path = self._choose(event), event["unit"], [CELLS[name] for name in event["path"]]
        follows = all(there in self.board.neighbours(here) for here, there in pairwise(path))
        self.demand(follows and path[0] == piece.cell, "WF-ACT.3", f"{label} leaps")
        self.demand(1 < len(path) <= piece.speed + 1, "WF-ACT.3", f"{label} moves {len(path) - 1} cells")
        self.demand(piece.moves < self.read.max_moves, "WF-ACT.3", f"{label} moves again")
        ground = [self.board.terrain[cell] for cell in path[1:]]
        self.demand({*ground} <= {OPEN, LIGHT}, "WF-COV.3", f"{label} crosses {ground}")
        self.demand(ground[-1:] == [OPEN], "WF-COV.2", f"{label} stops in cover")
        taken = [cell for cell in (path[-1:] if piece.slim else path[1:]) if cell in self.on]
        self.demand(not taken, "WF-ACT.3", f"{label} crosses a unit")
        piece.moves += 1
        self.put(piece, path[-1])

    def on_jump(self, event: Event) -> None:
        piece, cell = self._choose(event), CELLS[event["to"]]
        is_legal = CELLS[event["from"]] == piece.cell and cell in self.jumps(piece)
        self.demand(is_legal, "WF-ABIL.2", f"{event['unit']} jumps from {event['from']} to {event['to']}")
        piece.done = True
        self.put(piece, cell)

    def on_raise(self, event: Event) -> None:
        piece = self._choose(event)
        self.demand(piece.raises and piece.shield == DOWN, "WF-ABIL.4", f"{event['unit']} raises a shield")
        piece.shield = UP

    def on_attack(self, event: Event) -> None:
        rapid, piece, target = self.rapid, self._choose(event), self.labels[event["target"]]
        slot = next((i for i, gun in enumerate(piece.guns) if gun.name == event["weapon"]), 0)
        gun = piece.guns[slot]
        shots = rapid[2] if event["again"] and rapid and rapid[:2] == (piece.place, slot) else 0
        self.demand(shots or not event["again"], "WF-EFF.3", f"{event['unit']} fires again")
        targets = self.targets(piece, gun, self.enemies()) if piece.cell >= 0 else ()
        line = next((line for other, line in targets if other is target), None)
        self.demand(line and gun.name == event["weapon"], "WF-ACT.4", f"{words(event)} is not legal")
        if line is None:
            return
        self.rapid = (piece.place, slot, (shots or gun.shots) - 1)
        outcome = roll(self.die, gun, target, self.cover(gun, line), self.read)
        self.owe("WF-ARM.1", "result", hit=outcome.hit, critical=outcome.critical, damage=outcome.damage)
        after_attack(target, outcome, self.read)
        bursts = [Blast(target.cell, self.side, outcome.splash, self.read.splash_radius)] if outcome.splash else []
        if outcome.damage or bursts:
            self._waves(0, target, outcome.damage, bursts)
        if outcome.emp and target.health:
            self.owe("WF-EFF.4", "emp", unit=event["target"])
        if outcome.burn and target.health:
            self.owe("WF-EFF.5", "burn", unit=event["target"], armour=outcome.burn)

    def on_explode(self, event: Event) -> None:
        """A unit overloads by its own will: that it is destroyed is told before anything else."""
        piece = self._choose(event)
        self.demand(piece.overload and piece.cell >= 0, "WF-ABIL.5", f"{event['unit']} explodes")
        if piece.cell >= 0:
            self._overload(piece)
            self.settle(event)

    def on_pass(self, event: Event) -> None:
        self.demand(event["who"] == self.names[self.side], "WF-TURN.1", f"{event['who']} passes out of turn")
        self.demand(self.left, "WF-ACT.1", f"{event['who']} passes without actions")
        self.left = 0

    # How turns and rounds begin and end

    def on_turn(self, event: Event) -> None:
        self.round += self.phase in ("begin", "round")
        self.side, self.phase, self.kills = self.names.index(event["who"]), "turn", 0
        lost = self.record["lost_actions"][event["who"]] if self.round == 1 else 0
        self.left, self.rapid = self.record["actions"] - lost, None
        self.demand(event["actions"] == self.left, "WF-ACT.1", f"{event['who']} has {event['actions']} actions")
        for piece in self.pieces[self.side]:
            piece.moves, piece.done = 0, False
        n_waiting = sum(piece.health > 0 and piece.cell < 0 for piece in self.pieces[self.side])
        self.entering = min(n_waiting, sum(cell not in self.on for cell in self.board.bases[self.side]))

    def on_enter(self, event: Event) -> None:
        piece, cell = self.labels[event["unit"]], CELLS[event["cell"]]
        waits = piece.seat == self.side and piece.health and piece.cell < 0 and self.entering > 0
        is_free = cell in self.board.bases[self.side] and cell not in self.on
        self.demand(waits and is_free, "WF-BUILD.5", f"{event['unit']} enters at {event['cell']}")
        self.entering -= 1
        if is_free:
            self.put(piece, cell)

    def on_turn_ends(self, event: Event) -> None:
        self.demand(event["who"] == self.names[self.side], "WF-TURN.1", f"the turn of {event['who']} ends")
        self.demand(not self.left, "WF-ACT.1", f"a turn ends with {self.left} actions")
        for piece in self.pieces[self.side]:
            piece.emp = max(0, piece.emp - 1)
        self.count(self.side, self.kills * self.record["victory_points"]["unit"], "units")
        for seat in self.order:
            if seat not in self.out and not any(piece.health for piece in self.pieces[seat]):
                self.out.append(seat)
                self.owe("WF-MULTI.3", "out", who=self.names[seat])
        later = [seat for seat in self.order[self.order.index(self.side) + 1 :] if seat not in self.out]
        if self.phase == "over":
            self.owe("WF-WIN.1", "end", winners=self.named(self.winners), why="annihilation")
        elif later:
            self.owe("WF-TURN.1", "turn", who=self.names[later[0]])
        else:
            self.owe("WF-TURN.1", "round_ends")

    def count(self, seat: int, points: int, why: str) -> None:
        """Count victory points (WF-MULTI.2)."""
        self.score[seat] += points
        if points:
            self.owe("WF-MULTI.2", "points", who=self.names[seat], points=points, why=why)

    def on_round_ends(self, _: Event) -> None:
        record, seats = self.record, self.order
        standing = [self.on[cell].seat for cell in self.board.objectives if cell in self.on]
        groups = {tuple(self.allies(seat)) for seat in standing}
        counts = record["objective_rounds"] or record["objective_points_rounds"]
        for seat in seats:
            self.count(seat, standing.count(seat) * record["victory_points"]["control"], "control")
            is_alone = counts and seat not in self.out and groups == {tuple(self.allies(seat))}
            self.held[seat] = self.held[seat] + 1 if is_alone else 0
            if self.held[seat] >= (record["objective_points_rounds"] or 99):
                self.held[seat] = 0
                self.count(seat, record["victory_points"]["objective"], "objective")
        winners = [seat for seat in seats if self.held[seat] >= (record["objective_rounds"] or 99)]
        if winners:
            self.finish(self.allies(winners[0]), "objective")
        elif self.round >= record["rounds"]:
            self.finish(self._leaders(), "round limit")
        else:
            if record["alliances"] and self.round == record["alliance_rounds"]:
                self.owe("WF-MULTI.1", "alliance_ends")
            self.phase = "round"
            self.owe("WF-TURN.1", "turn", who=self.names[next(seat for seat in seats if seat not in self.out)])

    def _leaders(self) -> list[int]:
        """Return who has won at the round limit: most points, then most health, those of allies added up (WF-Q18)."""
        groups = {tuple(self.allies(seat)) for seat in self.order if seat not in self.out}
        health = [sum(piece.health for piece in army) for army in self.pieces]
        for of in (self.score, health)[: 1 if self.read.limit_score == "destroyed" else 2]:
            sums = {group: sum(of[seat] for seat in group) for group in groups}
            groups = {group for group in groups if sums[group] == max(sums.values())}
        return list(groups.pop()) if len(groups) == 1 else []

    def finish(self, winners: list[int], why: str) -> None:
        self.winners, self.phase, self.left = sorted(winners), "over", 0
        if why != "annihilation":  # which is told after the turn has ended
            self.owe("WF-WIN.1", "end", winners=self.named(self.winners), why=why)

    def look_for_survivors(self) -> None:
        """End the battle where only one player, or only allies, have units left (WF-WIN.1)."""
        alive = sorted({piece.seat for piece in self.labels.values() if piece.health})
        winners = self.allies(alive[0]) if alive else []
        if {*alive} <= {*winners}:
            self.finish(winners, "annihilation")

    # The record against the battle

    def referee(self, event: Event) -> None:
        """Hold one event against the rules, and change the battle by it."""
        name = "explode" if event["event"] == "destroyed" and not self.owed else event["event"]
        if name in CHOICES:
            for rule, debt in self.owed:
                self.demand(False, rule, f"{words(debt)} should come before {words(event)}")
            self.owed.clear()
            may_be = self.phase == "turn" or name == "turn_ends"
            self.demand(may_be, "WF-TURN.1", f"{words(event)} happens out of turn")
            if self.side < 0:
                return
        elif name not in ("throw", "enter"):
            self.settle(event)
        handler = getattr(self, f"on_{name}", None)
        if handler is not None:
            handler(event)
        if name in ACTIONS:
            self.look_for_survivors()

    def settle(self, event: Event) -> None:
        """Take an event as what was owed."""
        for debt in self.owed:
            if all(event.get(key) == value for key, value in debt[1].items()):
                self.owed.remove(debt)
                return
        rule = next((rule for rule, debt in self.owed if debt["event"] == event["event"]), "WF-TURN.1")
        self.demand(False, rule, f"nothing asks for {words(event)}; owed: {[words(debt) for _, debt in self.owed]}")

    def compare(self, told: dict[str, Any]) -> None:
        """Hold the battle against the state that is told."""
        units = {}
        for label, piece in self.labels.items():
            shield = SHIELDS[piece.shield] if piece.shielded else None
            now = (NAMES.get(piece.cell), piece.health, shield, piece.emp, [*piece.burns], piece.moves, piece.done)
            if not piece.health:  # whose tokens are gone
                now = (None, 0, None, 0, [0] * len(piece.burns), 0, False)
            units[label] = dict(zip(FIELDS, (self.names[piece.seat], *now), strict=True))
        own = {"round": self.round, "turn": self.names[self.side] if self.side >= 0 else None, "units": units}
        own |= {"points": dict(zip(self.names, self.score, strict=True))}
        own |= {"held": dict(zip(self.names, self.held, strict=True)) if self.phase != "over" else told["held"]}
        own |= {"out": self.named(self.out), "winners": self.named(self.winners)}
        for sentence in differences(own, told):
            self.demand(False, "state", sentence)


def check_record(table: Table, folder: Path) -> None:
    """Hold the numbers of a record against the cards and the map of a catalogue."""
    drawing = (folder / "maps" / f"{table.record['map']['id']}.txt").read_text("utf-8").partition("\n\n")[2]
    table.demand(drawing.split() == table.record["map"]["drawing"], "WF-MAP.1", "the map is drawn otherwise")
    rows = [row for name in CARDS for row in csv.DictReader((folder / name).read_text("utf-8").splitlines())]
    cards = {row["id"]: row for row in rows}
    for label, unit in table.record["units"].items():
        for card in (unit, *unit["weapons"]):
            row = cards[card.get("id", card.get("unit"))]
            for field in (field for field in card if field in COLUMNS):
                number = ";".join(card[field]) if isinstance(card[field], list) else str(card[field])
                table.demand(number == row[COLUMNS[field]], "WF-UNIT.1", f"{label} has {field} {number}")


def words(event: Event) -> str:
    return ", ".join(f"{key} {value}" for key, value in event.items() if key != "after")


def suspicions(document: dict[str, Any], folder: Path) -> list[Suspicion]:
    """Return what is suspicious in one battle, as `balance replay --json` tells it."""
    document = deepcopy(document)
    told = document["begin"]
    table = Table(document["record"], told, folder)
    check_record(table, folder)
    table.owe("WF-MULTI.1", "turn", who=table.names[table.order[0]])
    for base, army in zip(table.board.bases, table.pieces, strict=False):
        cells = [piece.cell for piece in army if piece.cell >= 0]
        is_right = {*cells} <= {*base} and len({*cells}) == len(cells) == min(len(army), len(base))
        table.demand(is_right, "WF-BUILD.5", f"units deploy on {[NAMES[cell] for cell in cells]}")
    table.compare(told)
    for table.line, line in enumerate(document["lines"]):
        table.throws = [event for event in line["events"] if event["event"] == "throw"]
        for event in line["events"]:
            table.referee(event)
            merge(told, event.get("after") or {})
        table.demand(not any(throw["faces"] for throw in table.throws), "WF-ATT.1", "dice are thrown that nobody needs")
        table.compare(told)
    table.demand(table.phase == "over", "WF-WIN.1", "the record stops before the battle is over")
    for rule, debt in table.owed:
        table.demand(False, rule, f"{words(debt)} is missing at the end")
    return table.suspicions
