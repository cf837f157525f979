"""A battle of three or four as plain data, for referees and programs, as `docs/reference/games/seats.md` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.process import State
from balance.game.question.board_story import Frame, cell_name
from balance.game.question.narration import changed_parts
from balance.games.warforged.attack import BURNT_OUT, DOWN, UP
from balance.games.warforged.battle.columns import ENDS, AskedBattle
from balance.games.warforged.battle.luck import SIDES
from balance.games.warforged.battle.story.board import BattleStep, Board
from balance.games.warforged.battle.story.dice import ShotTold, Unit, said_of
from balance.games.warforged.battle.turns.actions import ATTACK, END, EXPLODE, JUMP, MOVE, RAISE
from balance.games.warforged.battle.turns.table import Table

Event: TypeAlias = dict[str, Any]
SHIELDS = {UP: "up", DOWN: "down", BURNT_OUT: "burnt out"}


@dataclass(eq=False)
class Account:
    """Keeps the record of one battle, and turns its frames into frames with events."""

    plan: AskedBattle
    table: Table
    options: Mapping[str, Any]
    last: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: AskedBattle, options: Mapping[str, Any]) -> Account | None:
        """Return the account of a battle of more than two; None for others. `options`: of the rules."""
        return None if plan.battle.table is None else cls(plan, plan.battle.table, options)

    def begin(self, board: Board, state: State) -> dict[str, Any]:
        """Return the whole state before the first turn."""
        self.board, self.first = board, state
        self.names = {unit: f"{SIDES[unit[0]]}{unit[1] + 1}" for unit in board.units}
        self.last, self.n_turns = self._state(state, None), 0
        return self.last

    def record(self) -> dict[str, Any]:
        """Return what does not change."""
        plan, table, field_map = self.plan, self.table, self.board.ground
        seats, the_map = self.first["seat"][0].tolist(), self.plan.battle.ground.map
        sides = SIDES[: table.n_sides]
        return {
            "map": {
                "id": the_map.id,
                "shape": field_map.shape,
                "drawing": list(the_map.drawing),
                "bases": {side: list(map(cell_name, cells)) for side, cells in zip(sides, the_map.bases, strict=False)},
                "objectives": list(map(cell_name, the_map.objectives)),
            },
            "units": {self.names[unit]: self._card(unit) for unit in self.board.units},
            "order": "".join(sorted(sides, key=lambda side: seats[SIDES.index(side)])),
            "actions": plan.limit,
            "lost_actions": dict(zip(sides, plan.lost_actions, strict=True)),
            "alliances": ["".join(SIDES[side] for side in alliance) for alliance in table.alliances],
            "alliance_rounds": table.alliance_rounds,
            "rounds": plan.battle.terms.round_limit,
            "objective_rounds": plan.battle.terms.objective_rounds,
            "objective_points_rounds": table.objective_rounds,
            "victory_points": {
                "unit": table.per_unit,
                "objective": table.per_objective,
                "control": table.per_control,
            },
            "policies": dict(zip(sides, plan.policies, strict=True)),
            "aims": dict(zip(sides, plan.aims, strict=True)),
            "options": self.options,
        }

    def _card(self, unit: Unit) -> dict[str, Any]:
        member = self.plan.battle.muster.members[self.first["kind"][0][unit]]
        card, has_shield = member.loadout.unit, "supershield" in member.loadout.unit.abilities
        weapons = [
            {
                "id": weapon.id,
                "range": weapon.range_cells,
                "precision": weapon.precision,
                "damage": weapon.damage,
                "effects": list(weapon.effects),
            }
            for weapon in member.loadout.weapons
        ]
        return {
            "side": SIDES[unit[0]],
            "unit": card.id,
            "name": member.loadout.name,
            "cost_points": member.loadout.cost_points,
            "speed": card.speed_cells,
            "health": card.health,
            "armour": card.armour,
            "abilities": list(card.abilities),
            "shield": member.stance.shield if has_shield else None,
            "weapons": weapons,
        }

    def _state(self, state: State, turn: str | None) -> dict[str, Any]:
        sides = SIDES[: self.table.n_sides]
        out = state["out"][0] * 8 + state["seat"][0]
        return {
            "round": int(state["round"][0]),
            "turn": turn,
            "points": dict(zip(sides, state["victory"][0].tolist(), strict=True)),
            "out": [sides[side] for side in np.argsort(out) if state["out"][0, side]],
            "held": dict(zip(sides, state["held"][0].tolist(), strict=True)),
            "winners": [side for side, won in zip(sides, state["victors"][0], strict=True) if won],
            "units": {name: self._unit(state, unit) for unit, name in self.names.items()},
        }

    def _unit(self, state: State, unit: Unit) -> dict[str, Any]:
        cell, health = int(state["cell"][0][unit]), int(state["health"][0][unit])
        has_shield = bool(self.plan.battle.shield[state["kind"][0][unit]])
        return {
            "side": SIDES[unit[0]],
            "cell": None if cell == OFF_BOARD else cell_name(cell),
            "health": health,
            "shield": SHIELDS[int(state["shield"][0][unit])] if has_shield and health else None,
            "emp": int(state["emp"][0][unit]) if health else 0,
            "burn": (state["burn"][0][unit] * bool(health)).tolist(),
            "moves": int(state["moves"][0][unit]) if health else 0,
            "done": bool(state["done"][0][unit] and health),
        }

    # -- turns ---------------------------------------------------------------------------------------------------------

    def turn(self, frames: Sequence[Frame], before: State, steps: Sequence[BattleStep], after: State) -> list[Frame]:
        """Return the frames of a turn, between these states, with events; one more where its end brings news."""
        self.n_turns += 1
        own, side = [frame for frame in frames if frame.side >= 0], steps[0].side if steps else None
        parts = list[tuple[Frame, list[Event], State]]()
        opening = list(self._opening(before, steps[0])) if steps else []
        if len(own) > len(steps):  # units that enter have a frame of their own
            parts, opening, own = [(own[0], opening, steps[0].before)], [], own[1:]
        for frame, step in zip(own, steps, strict=True):
            parts.append((frame, [*opening, *self._action(step, frame)], step.after))
            opening = []
        closing = list(self._closing(side, before, after))
        news = [*filter(None, map(_words, closing)), *(frame.text for frame in frames if frame.side < 0)]
        if news or (closing and not parts):
            moment, score = f"Round {int(after['round'][0])}", tuple(self.board.score(after))
            text = "; ".join(news) or "the round ends"
            parts.append((Frame(moment, -1, "", text, self.board.standings(after), score=score), closing, after))
        elif closing:
            parts[-1] = parts[-1][0], [*parts[-1][1], *closing], after
        return [replace(frame, events=self._changing(events, state, side)) for frame, events, state in parts]

    def _changing(self, events: Sequence[Event], state: State, turn: int | None) -> tuple[Event, ...]:
        """Return events, the last of them with what has changed in the state since the frame before."""
        whole = self._state(state, self.last["turn"] if turn is None else SIDES[turn])
        changes, self.last = changed_parts(self.last, whole), whole
        return (*events[:-1], events[-1] | {"after": changes})

    def _opening(self, before: State, step: BattleStep) -> Iterator[Event]:
        state, side = step.before, step.side
        left = int(state["turn_actions"][0])
        yield {"event": "turn", "who": SIDES[side], "actions": left, "lost": int(state["limit"][0]) - left}
        for place in np.flatnonzero((before["cell"][0, side] == OFF_BOARD) & (state["cell"][0, side] >= 0)).tolist():
            cell = cell_name(int(state["cell"][0, side, place]))
            yield {"event": "enter", "unit": self.names[side, place], "cell": cell}

    def _action(self, step: BattleStep, frame: Frame) -> Iterator[Event]:
        verb = int(step.action.verb[0])
        if verb == END:
            yield {"event": "pass", "who": SIDES[step.side]}
            return
        unit = self.names[step.unit]
        if verb in (MOVE, JUMP):
            end = int(step.action.cell[0])
            path = frame.act.path if frame.act and verb == MOVE else ()
            begin = cell_name(step.cell(step.unit))
            goes = {"path": list(map(cell_name, path))} if path else {"from": begin, "to": cell_name(end)}
            yield {"event": "move" if path else "jump", "unit": unit, **goes}
        elif verb == RAISE:
            yield {"event": "raise", "unit": unit}
        elif verb == ATTACK:
            yield from self._attack(step)
        if verb in (ATTACK, EXPLODE):
            yield from self._blasts(step)

    def _attack(self, step: BattleStep) -> Iterator[Event]:
        battle, target, outcome = self.plan.battle, self.names[step.target], said_of(step.outcome)
        weapon = int(battle.muster.slots[step.before["kind"][0][step.unit], step.action.slot[0]])
        shot = ShotTold(battle, step.before, step.unit, step.target, weapon, outcome)
        again = bool(step.action.again)
        unit = self.names[step.unit]
        yield {"event": "attack", "unit": unit, "target": target, "weapon": shot.card.id, "again": again}
        yield from ({"event": "throw", "for": name, "faces": faces} for name, faces in shot.throws())
        hits = {"hit": bool(outcome["hit"]), "critical": bool(outcome["critical"])}
        yield {"event": "result", **hits, "damage": outcome["damage"]}
        if step.after["health"][0][step.target]:
            if outcome["emp"]:
                yield {"event": "emp", "unit": target}
            if outcome["burn"]:
                yield {"event": "burn", "unit": target, "armour": outcome["burn"]}

    def _blasts(self, step: BattleStep) -> Iterator[Event]:
        """Yield bursts wave by wave, with the dice thrown against them, and who is destroyed."""
        is_attack, by = step.action.verb[0] == ATTACK, SIDES[step.side]
        if not is_attack:
            yield {"event": "destroyed", "unit": self.names[step.unit], "by": by}
        for number, wave in enumerate(step.waves):
            for ability, (faces, _) in wave.saves.items():
                for unit in _places(faces[0] > 0):
                    face = int(faces[0][unit])
                    yield {"event": "throw", "for": f"blast {ability}", "unit": self.names[unit], "faces": [face]}
            damage = {self.names[unit]: int(wave.losses[0][unit]) for unit in _places(wave.losses[0] > 0)}
            centres = [self.names[unit] for unit in _places(wave.centres[0])]
            if centres and is_attack and number == 0:
                cell = cell_name(step.cell(step.target))
                yield {"event": "splash", "unit": centres[0], "cell": cell, "damage": damage}
            elif centres:
                yield {"event": "overload", "units": centres, "damage": damage}
            for unit in _places(wave.casualties[0]):
                yield {"event": "destroyed", "unit": self.names[unit], "by": by}
        if is_attack and not step.waves and not step.after["health"][0][step.target]:
            yield {"event": "destroyed", "unit": self.names[step.target], "by": by}

    def _closing(self, side: int | None, before: State, after: State) -> Iterator[Event]:
        """Yield what happens at the end of the turn of a side, None if it is out, and at the end of a round."""
        number, is_over = int(after["round"][0]), bool(after["winner"][0])
        gains = (after["victory"] - before["victory"])[0].astype(np.int64)
        if side is not None:
            yield {"event": "turn_ends", "who": SIDES[side]}
            lost = (after["losses"] - before["losses"])[0] * self.table.hostile(number)[side]
            points = self.table.per_unit * int(lost.sum())
            yield from _points(side, points, "units")
            gains[side] -= points
        out = after["out"][0] * 8 + after["seat"][0]
        new = np.flatnonzero((after["out"] > 0) & (before["out"] == 0))
        yield from ({"event": "out", "who": SIDES[one]} for one in sorted(new.tolist(), key=lambda one: int(out[one])))
        if self.n_turns % self.table.n_sides == 0 and (not is_over or after["ended"][0] > 1):
            yield {"event": "round_ends"}
            on_objectives = self.plan.battle.ground.objectives[after["cell"][0] + 1].sum(axis=1)
            control = np.minimum(gains, self.table.per_control * on_objectives)
            for one in range(self.table.n_sides):
                yield from _points(one, int(control[one]), "control")
                yield from _points(one, int((gains - control)[one]), "objective")
            if self.table.allied(number) and not self.table.allied(number + 1) and not is_over:
                yield {"event": "alliance_ends"}
        if is_over:
            why = ENDS[int(after["ended"][0])]
            yield {"event": "end", "winners": self._state(after, "")["winners"], "why": why}


def _points(side: int, points: int, why: str) -> Iterator[Event]:
    if points:
        yield {"event": "points", "who": SIDES[side], "points": points, "why": why}


def _words(event: Event) -> str:
    """Return news at the end of a turn in words; empty for what goes without saying."""
    who = f"Side {event.get('who')}"
    if event["event"] == "points":
        return f"{who} gets {show_many(event['points'], 'victory point')} ({event['why']})"
    return {"out": f"{who} is out", "alliance_ends": "alliances end"}.get(event["event"], "")


def _places(flags: Any) -> list[Unit]:
    return [(int(side), int(place)) for side, place in np.argwhere(flags)]
