"""Battles of the engine that the game runs, told action by action, for the second engine to play along.

A `Meeting` is one batch: a map, rules, and many pairs of armies. Maps, cards and rules may be ones that no catalogue
has, so that rare meetings of rules come about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, cast

import numpy as np

from balance.catalogue.patching import patch_catalogue
from balance.chance.rolls.board import Shape, bits_of
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import load
from balance.games.warforged.battle.armies.muster import Muster
from balance.games.warforged.battle.columns import AskedBattle
from balance.games.warforged.battle.map.ground import Ground
from balance.games.warforged.battle.map.maps import map_of_drawing, map_text
from balance.games.warforged.battle.play import PLAYERS, battle_process
from balance.games.warforged.battle.turns.actions import Action as Acts
from balance.games.warforged.battle.turns.actions import Player, Watch
from balance.games.warforged.battle.turns.position import Position
from balance.games.warforged.battle.turns.terms import Battle as Fast
from balance.games.warforged.cards import Loadout, Unit, WarforgedRules, Weapon, constants_of, legal_loadouts
from balance.games.warforged.setup import DuelStance, Side
from tests.games.warforged.reference_attack import Readings
from tests.games.warforged.reference_battle import ATTACK, END, JUMP, MOVE, OVERLOAD, RAISE, Action, Battle
from tests.games.warforged.reference_board import Board
from tests.games.warforged.reference_play import Step, Values

SHIPPED = load("warforged")
OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "faces": ("0-9",),
    "armour": ("le",),
    "min_damage": ("always_one",),
    "slim_vs_splash": (True,),
    "cover_stack": ("each",),
    "shield_roll": ("every_attack",),
    "effects_through_shield": (False,),
    "he_hits_primary": (True,),
    "friendly_fire": (False,),
    "laser_self": (True,),
    "burn_stack": ("cap",),
    "crit_is_hit": (False,),
    "overload_chain": ("none", "any"),
    "emp": ("cumulative",),
    "laser_heavy": (False,),
    "shield_vs_splash": (True,),
    "units_block": (True,),
    "jump_exact": (True,),
    "limit_score": ("destroyed",),
    "square_radius": ("manhattan",),
}
"""The other readings of every rule option."""
COLUMNS = ("cell", "health", "shield", "emp", "burn", "moves", "done", "events", "choices", "round", "held", "winner")


@dataclass
class Trace:
    """Takes down what each battle of a batch did; battles are told apart by their luck."""

    battle: Fast
    steps: dict[int, list[Step]] = field(default_factory=dict)
    starts: dict[int, dict[str, Any]] = field(default_factory=dict)

    def __call__(self, side: int, acts: Acts, before: State, after: State, rows: Any, *_: object) -> None:
        if not self.steps:
            for i, luck in enumerate(before["luck"].tolist()):
                self.steps[luck] = []
                self.starts[luck] = {name: before[name][i].tolist() for name in ("kind", "limit", "order", "base")}
        legal = _again(self.battle, side, acts, before) if acts.again else _candidates(self.battle, side, before)
        then, now = _rows(before), _rows(after)
        for earlier, later in zip(then, now, strict=True):
            earlier["choices"] -= 1  # the engine counts the choice of this very action before it shows the state
            del later["choices"]  # and that of a further shot, which nobody may have made, later than the reference
        fields = (acts.verb, acts.unit, acts.slot, acts.target, acts.cell)
        for i, values in enumerate(zip(*(column.tolist() for column in fields), strict=True)):
            action = Action(*values)
            step = Step(side, action, then[i], now[i], acts.again, frozenset(legal[i]))
            self.steps[int(before["luck"][i])].append(step)


def _rows(state: State) -> list[dict[str, Any]]:
    columns = [state[name].tolist() for name in COLUMNS]
    return [dict(zip(COLUMNS, values, strict=True)) for values in zip(*columns, strict=True)]


def _candidates(battle: Fast, side: int, state: State) -> list[set[Action]]:
    """Return what the engine holds legal in each battle."""
    position = Position(battle, side, state, state["limit"])
    found = [{Action(END)} for _ in range(position.n)]
    for slot in battle.slots:
        for row, unit, target in np.argwhere(position.attacks(slot)).tolist():
            found[row].add(Action(ATTACK, unit, slot, target))
    for what, may, cells_of in ((MOVE, position.may_move, position.moves), (JUMP, position.may_jump, position.jumps)):
        rows, units = np.nonzero(may)
        if len(rows):
            for which, cell in np.argwhere(bits_of(cells_of(rows, units))).tolist():
                found[rows[which]].add(Action(what, int(units[which]), cell=cell))
    for what, may in ((RAISE, position.may_raise), (OVERLOAD, position.may_explode)):
        for row, unit in np.argwhere(may).tolist():
            found[row].add(Action(what, unit))
    return found


def _again(battle: Fast, side: int, acts: Acts, state: State) -> list[set[Action]]:
    position = Position(battle, side, state, state["limit"])
    weapon = battle.muster.slots[position.kinds[np.arange(position.n), acts.unit], acts.slot]
    legal = position.attacks_of(acts.unit, weapon)
    return [
        {Action(END)}
        | {Action(ATTACK, int(acts.unit[i]), int(acts.slot[i]), target) for target in np.flatnonzero(row).tolist()}
        for i, row in enumerate(legal)
    ]


@dataclass
class Meeting:
    """A batch of battles.

    `rules` and `situation` are changes such as `units_block: True`, `constants.emp.turns: 2` and `rounds: 4`; `armies`
    are pairs of lists of numbers of `sides`. `first` is the side that begins, 0 or 1.
    """

    shape: Shape
    rows: Sequence[str]
    sides: Sequence[Side[DuelStance]]
    armies: Sequence[tuple[Sequence[int], Sequence[int]]]
    policies: tuple[str, str]
    rules: Mapping[str, Any] = field(default_factory=dict)
    situation: Mapping[str, Any] = field(default_factory=dict)
    limits: Sequence[int] = (4,)
    first: int = 0
    seed: int = 0

    def asked(self) -> tuple[Fast, Readings]:
        """Return the battle for the engine that the game runs, and the readings for the other."""
        texts = {
            name if "." in name else f"rules.{name}": str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in self.rules.items()
        }
        catalogue = patch_catalogue(SHIPPED.catalogue, texts)
        changes = {"map": "objective", **self.situation}
        situation = {f"situation.{name}": value for name, value in changes.items()}
        question = load("warforged", catalogue).ask("battle", "trooper+sidearm", "trooper+sidearm", situation, "a")
        own = cast("AskedBattle", question.setup.play).battle
        read = Readings.of(cast("WarforgedRules", catalogue.rules), constants_of(catalogue))
        field_ = map_of_drawing("twin", "Twin", self.shape, self.rows)
        ground = Ground(field_, read.square_radius == "chebyshev")
        terms = own.terms
        if not field_.objectives:
            terms = replace(terms, objective_rounds=0)
        return Fast(ground, terms, Muster(tuple(self.sides), terms.read)), read

    def players(self) -> tuple[Player, Player]:
        return PLAYERS[self.policies[0]], PLAYERS[self.policies[1]]

    def process(self, fast: Fast, players: tuple[Player, Player] | None = None, watch: Watch | None = None) -> Process:
        """Return the batch as a process, played by others than `policies` says if some are given."""
        a, b = (_padded([pair[side] for pair in self.armies]) for side in (0, 1))
        order = "ab" if self.first == 0 else "ba"
        return battle_process(fast, (a, b), np.array(self.limits, np.int16), players or self.players(), order, watch)

    def played(self) -> tuple[Fast, Trace, dict[str, list[int]]]:
        """Play the batch; return the battle, what happened, and the outcome columns in the order of the trace."""
        fast, _ = self.asked()
        trace = Trace(fast)
        rolls = RandomRolls(self.seed, "twins", 0, len(self.armies))
        outcome = simulate(self.process(fast, watch=trace), rolls, in_order=True)
        return fast, trace, {name: values.tolist() for name, values in outcome.items()}

    def reference(self, board: Board, read: Readings, luck: int, start: Mapping[str, Any]) -> Battle:
        """Return the same battle at its start, for the reference."""
        numbers = [[kind for kind in army if kind < len(self.sides)] for army in start["kind"]]
        armies: list[list[Loadout]] = [[self.sides[kind].loadout for kind in army] for army in numbers]
        return Battle(
            board,
            armies,
            read,
            key=luck,
            unit_limit=start["limit"],
            rounds=self.situation.get("rounds", 10),
            first=self.first,
            hold=self.situation.get("objective") == "hold",
            objective_rounds=self.situation.get("objective_rounds", 3),
            stances=[[self.sides[kind].stance.shield for kind in army] for army in numbers],
        )

    def board(self) -> Board:
        """Return the map as the reference reads it: as the text that a designer draws."""
        return Board.read(map_text(map_of_drawing("twin", "Twin", self.shape, self.rows)))


def _padded(armies: Sequence[Sequence[int]]) -> Any:
    most = max(map(len, armies))
    return np.array([[*army, *[-1] * (most - len(army))] for army in armies], np.int16)


def values_in(fast: Fast) -> Values:
    """Return the values of attacks that the engine plays by: data, not rules."""
    weapons = {weapon.id: number for number, weapon in enumerate(fast.muster.weapons)}
    bodies = {unit.id: number for number, unit in enumerate(fast.muster.bodies)}
    table = fast.mean_losses

    def value(weapon: str, unit: str, armour: int, cover: int, up: bool, health: int) -> int:
        taken = int(table[weapons[weapon], bodies[unit], armour, cover, health])
        return min(1, taken) if up else taken

    return value


def shipped_loadouts() -> list[Loadout]:
    """Return every legal loadout with one or two weapons of the shipped catalogue."""
    return legal_loadouts(SHIPPED.catalogue, 1) + legal_loadouts(SHIPPED.catalogue, 2)


ABILITIES = ("jump", "overload", "slim", "supershield")
EFFECTS = ("emp", "high_explosive", "laser", "piercing", "rapid_fire")


def random_cards(rng: Random, n_units: int, n_weapons: int) -> list[Loadout]:
    """Return loadouts of cards that no catalogue has, with any mixture of abilities and of effects."""
    some = shipped_loadouts()[0]
    units = [_unit(rng, some.unit, i) for i in range(n_units)]
    weapons = [_weapon(rng, some.weapons[0], i) for i in range(n_weapons)]
    return [Loadout(unit, tuple(rng.choices(weapons, k=rng.choice((1, 1, 2, 3))))) for unit in units]


def _unit(rng: Random, card: Unit, i: int) -> Unit:
    abilities = tuple(name for name in ABILITIES if rng.random() < 0.35)
    changes = {"id": f"unit_{i}", "name": f"Unit {i}", "abilities": abilities, "armour": rng.choice((0, 0, 1, 2, 4))}
    return card.model_copy(
        update={**changes, "health": rng.choice((1, 2, 3, 4, 6, 9, 14)), "speed_cells": rng.choice((0, 1, 2, 3, 4, 6))}
    )


def _weapon(rng: Random, card: Weapon, i: int) -> Weapon:
    effects = tuple(name for name in EFFECTS if rng.random() < 0.4)
    changes = {"id": f"weapon_{i}", "name": f"Weapon {i}", "effects": effects, "damage": rng.choice((0, 1, 2, 3, 5, 7))}
    numbers = {"precision": rng.choice((1, 4, 6, 8, 10)), "range_cells": rng.choice((1, 2, 3, 5, 8, 12))}
    return card.model_copy(update=changes | numbers)


def random_map(rng: Random, objective: bool, *, small: bool = False) -> tuple[Shape, list[str]]:
    """Return the shape and rows of a map with bases on its left and right, covers, holes and perhaps objectives."""
    shapes: tuple[Shape, ...] = ("hex", "hex", "square")
    shape = rng.choice(shapes)
    columns, rows = rng.randint(5, 8 if small else 13), rng.randint(3, 5 if small else 9)
    if not small and rng.random() < 0.1:
        columns, rows = rng.randint(14, 31), rng.randint(10, 16)
    dense = rng.choice((0.0, 0.08, 0.2, 0.35))
    cells = [[rng.choice("++#~") if rng.random() < dense else "." for _ in range(columns)] for _ in range(rows)]
    for side, letter in enumerate("AB"):
        near = [(row, rng.randint(0, 1)) for row in range(rows)]
        for row, depth in rng.sample(near, rng.randint(1, min(rows, 7))):
            cells[row][columns - 1 - depth if side else depth] = letter
    if objective:
        for _ in range(rng.randint(1, 4)):
            cells[rng.randrange(rows)][rng.randint(2, columns - 3)] = "*"
    return shape, ["".join(row) for row in cells]
