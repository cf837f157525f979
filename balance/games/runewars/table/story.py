"""One approach told step by step, in words and as events, as docs/reference/games/approach.md lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.dice import Pool
from balance.chance.rolls.process import State, start_state, take_trials
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls
from balance.chance.trials.collect import branches
from balance.game.question.narration import Line, Narration
from balance.game.setup import Setup
from balance.games.runewars.rules.exchange import Exchange, results_of_roll, rolled
from balance.games.runewars.rules.formation import figures_of
from balance.games.runewars.rules.morale import Deck
from balance.games.runewars.table.boxes import DEGREE, MM
from balance.games.runewars.table.moves import EDGE, ENEMY, NOTHING, Pose, Shot, is_engaged, shot_at
from balance.games.runewars.table.play import approach_processes
from balance.games.runewars.table.walker import Approach, Walker

EDGES = ("front", "right", "rear", "left")
WAYS = ("forward", "right", "back", "left")
Event = dict[str, Any]
Notes = list[tuple[str, Mapping[str, Any]]]


def tell(setup: Setup[Approach], rolls: RandomRolls, trial: int) -> Narration:
    """Return what happens in trial number `trial`, from 0, of those that the rolls of a block of a simulation play."""
    approach: Approach = setup.play
    notes: Notes = []
    processes = approach_processes(approach, partial(_resolve, notes), lambda kind, parts: notes.append((kind, parts)))
    runs = zip(processes, branches(len(processes), rolls), strict=True)
    number, (process, (own_rolls, places)) = next((n, run) for n, run in enumerate(runs) if trial in run[1][1])
    place = int(np.searchsorted(places, trial))
    state, lines = start_state(process, len(places), own_rolls), list[Line]()
    first = approach.duel.first if len(processes) == 1 else "ab"[number]
    story = _Story(approach, first)
    begun = end = take_trials(state, [place])
    begin = story.state(begun)
    for step in range(process.max_steps):
        notes.clear()
        requests: list[tuple[Request[Any], Any]] = []
        after = process.step(step)(state, ProxyRolls(own_rolls, partial(_note, requests, notes)))
        end, over = take_trials(after, [place]), process.over(after)
        lines += story.lines(notes, place, end, bool(over[place]))
        if over[place]:
            break
        alive = np.flatnonzero(~over)
        state, place = take_trials(after, alive), int(np.searchsorted(alive, place))
        own_rolls.keep(alive)
    return Narration(story.start_text, tuple(lines), story.end_text(end), story.left(begun), None, story.record, begin)


def _note(requests: list[Any], notes: Notes, behind: Rolls, request: Request[Any]) -> Any:
    answer = behind.answer(request)
    notes.append(("roll", {"request": request, "answer": answer}))
    return answer


def _resolve(notes: Notes, exchange: Exchange, context: Mapping[str, Any], rolls: Rolls, name: str) -> State:
    """Roll an attack in full, and note all that it comes to."""
    state = rolled(exchange, context, rolls, name)
    notes.append(("rolled", {"exchange": exchange, "state": state}))
    return results_of_roll(exchange, state)


def _point(pose: Pose) -> list[float]:
    return [round(int(pose.x[0]) / MM, 3), round(int(pose.y[0]) / MM, 3), round(int(pose.heading[0]) / DEGREE, 3)]


@dataclass(eq=False)
class _Story:
    """What is told of one approach; `round` counts its rounds."""

    approach: Approach
    first: str
    round: int = 0
    _told: bool = field(default=False, init=False)
    _side: str = field(default="", init=False)

    @property
    def start_text(self) -> str:
        """The opening sentence."""
        gap = (abs(self.approach.places["a_y"] - self.approach.places["b_y"])) / MM
        ground = self.approach.table.ground.name.lower()
        return f"Two units face each other on the {ground}, {gap:g} mm from centre to centre"

    def end_text(self, state: State) -> str:
        """Return how it ended."""
        winner = self._winner(state)
        return f"Side {winner} has won: the other is destroyed." if winner else "Nobody has won."

    def _winner(self, state: State) -> str | None:
        standing = [name for name, side in self.approach.duel.sides.items() if not side.is_destroyed(state)[0]]
        return standing[0] if len(standing) == 1 else None

    def left(self, state: State) -> dict[str, int]:
        """Return the figures of each side."""
        sides = self.approach.duel.sides.values()
        return {side.name: int(figures_of(side.formation, state[f"{side.name}_left"])[0]) for side in sides}

    @property
    def record(self) -> Event:
        """What does not change."""
        table, duel = self.approach.table, self.approach.duel
        pieces = zip(table.pieces, table.overgrown, strict=True)
        return {
            "units": {name: self._unit(walker) for name, walker in self.approach.walkers.items()},
            "lengths": table.lengths.model_dump(),
            "ground": {"width": table.ground.width_mm, "depth": table.ground.depth_mm},
            "terrain": [
                {"id": piece.id, "kind": piece.kind, "x": piece.x_mm, "y": piece.y_mm, "width": piece.width_mm,
                 "depth": piece.depth_mm, "heading": piece.heading_degrees, "overgrowth": owner}
                for piece, owner in pieces
            ],
            "not_placed": list(table.not_placed),
            "objectives": [list(point) for point in table.tokens],
            "situation": {"round_limit": duel.round_limit, "arc_degrees": table.arc_degrees},
            "policies": {name: walker.policy for name, walker in self.approach.walkers.items()},
            "first": self.first,
        }  # fmt: skip

    def _unit(self, walker: Walker) -> Event:
        duellist, target = walker.duellist, self.approach.walkers[walker.foe].duellist.melee.attack.target
        formation = duellist.formation
        return {
            "columns": formation.columns, "trays": formation.trays, "slots": formation.figures_per_tray,
            "wound_threshold": formation.wound_threshold, "defence": str(target.defence),
            "protected": target.protection, "range_bands": walker.range_bands,
            "dials": [setting.model_dump() for setting in walker.settings],
            **walker.stance.model_dump(mode="json", include=set(type(walker.stance).model_fields) - {"range_bands"}),
        }  # fmt: skip

    def state(self, state: State) -> Event:
        """Return the whole state as plain data."""
        kinds = {kind: int(state[kind][0]) for kind in self.approach.duel.runes.kinds}
        return {"round": self.round, "units": {name: self._unit_state(name, state) for name in "ab"}, "runes": kinds}

    def _unit_state(self, name: str, state: State) -> Event:
        walker, (me, foe) = self.approach.walkers[name], self.approach.poses(state, name)
        x, y, heading = _point(me)
        trays, columns = int(me.trays[0]), int(walker.columns(state)[0]) if me.trays[0] else 0
        extra = ("upgrade", "ready", "inspiration", "panic", "cowed", "lost_actions")
        more = {of: int(state[f"{name}_{of}"][0]) for of in extra if f"{name}_{of}" in state}
        conditions = [of for of, _ in walker.duellist.conditions if state[f"{name}_{of}"][0]]
        return {
            "x": x, "y": y, "heading": heading, "terrain": self._piece(int(me.terrain[0]) - 1) or "",
            "columns": columns, "ranks": -(-trays // columns) if columns else 0, "trays": trays,
            "left": int(state[f"{name}_left"][0]), "figures": self.left(state)[name],
            "engaged": bool(is_engaged(self.approach.table, me, foe, walker.foe)[0]), "conditions": conditions, **more,
        }  # fmt: skip

    def _piece(self, number: int) -> str | None:
        return self.approach.table.pieces[number].id if number >= 0 else {ENEMY: "enemy", EDGE: "edge"}.get(number)

    def lines(self, notes: Notes, place: int, after: State, over: bool) -> Iterator[Line]:
        """Yield a line for a step in which something happens; its last event has the state after it."""
        events, texts, actor = list[Event](), list[str](), ""
        for kind, parts in notes:
            for event, text in getattr(self, f"_{kind}")(parts, place):
                events.append(event)
                texts += [text] if text else []
                actor = actor or str(event.get("side", ""))
        if over:
            events.append({"event": "end", "winner": self._winner(after)})
        if events:
            events[-1] = {**events[-1], "after": self.state(after)}
            who = {"dials": "Dials", "grow": "End"}.get(str(events[0]["event"]), f"Side {actor}")
            yield Line(f"Round {self.round}", who, "; ".join(texts), self.left(after), events=tuple(events))

    def _dials(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        self.round += 1
        rows = {name: walker.settings[parts[name][place]] for name, walker in self.approach.walkers.items()}
        text = ", ".join(f"{name}: {row.name}" for name, row in rows.items())
        yield {"event": "dials", **{name: row.id for name, row in rows.items()}}, text
        a, b = rows["a"].initiative, rows["b"].initiative
        first = self.first if a == b else "a" if a < b else "b"
        yield (
            {"event": "order", "first": first, "because": "turn order" if a == b else "initiative"},
            f"{first} acts first",
        )

    def _deed(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        if not parts["acts"][place]:
            return
        deed, row, side = parts["deed"], [place], parts["side"]
        me, foe = parts["me"].take(row), parts["foe"].take(row)
        pose, stop = deed.pose.take(row), deed.stop.take(row)
        begin, end = {"from": _point(me), "to": _point(pose)}, _point(pose)
        setting = (
            self.approach.walkers[side].settings[parts["setting"][place]] if parts["setting"][place] >= 0 else None
        )
        if deed.angle[place] and deed.walks[place]:
            yield {"event": "turn", "side": side, "degrees": round(int(deed.angle[place]) / DEGREE, 3)}, "wheels"
        if deed.walks[place]:
            kind, by = "march" if setting and setting.action == "march" else "shift", int(deed.stopped_by[place])
            went = round(float(deed.distance[place]) / MM, 3)
            way = {"direction": WAYS[deed.direction[place]]} if kind == "shift" else {}
            event = {"event": kind, "side": side, **begin, "to": _point(stop), **way, "distance": went}
            yield (
                {**event, "stopped_by": self._piece(by)},
                f"{kind}es {went:g} mm" if kind == "march" else f"shifts {went:g} mm",
            )
            if by not in (NOTHING, EDGE):
                edge = EDGES[deed.edge[place]] if by == ENEMY else None
                yield {"event": "collide", "side": side, "with": self._piece(by), "edge": edge}, "collides"
        for kind in ("realign", "enter", "leave", "reform"):
            if getattr(deed, f"{kind}s")[place]:
                number = int((pose if kind == "enter" else me).terrain[0]) - 1
                where = {"terrain": self._piece(number)} if kind in ("enter", "leave") else {}
                places = begin if kind == "reform" else {"to": end}
                yield {"event": kind, "side": side, **places, **where}, f"{kind}s{' terrain' if where else ''}"
        if setting and setting.action == "shoot":
            yield self._shot(side, pose, foe)

    def _shot(self, side: str, me: Pose, foe: Pose) -> tuple[Event, str]:
        walker, table = self.approach.walkers[side], self.approach.table
        shot: Shot = shot_at(table, me, foe, walker.range_bands, walker.foe)
        engaged = bool(is_engaged(table, me, foe, walker.foe)[0]) and not walker.stance.shoots_engaged
        sees = bool(shot.sees[0])
        made = bool(shot.in_range[0] & shot.in_arc[0]) and (sees or walker.stance.ignores_sight) and not engaged
        blocked = [piece.id for piece, hit in zip(table.pieces, shot.blocked_by[0], strict=True) if hit]
        event = {"event": "shoot", "side": side, "band": int(shot.band[0]), "in_range": bool(shot.in_range[0])}
        event |= {"in_arc": bool(shot.in_arc[0]), "sight": sees, "blocked_by": blocked, "made": made}
        return event, f"shoots at range {event['band']}" if made else "cannot shoot"

    def _attack(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        self._told = bool(parts["acts"][place])
        if not self._told:
            return
        self._side, threat = parts["side"], int(parts["threat"][place])
        if not parts["shot"]:
            edge, struck = (EDGES[parts[name][place]] for name in ("edge", "struck"))
            if self.approach.walkers[self._side].settings[parts["setting"][place]].charge:
                yield {"event": "charge", "side": self._side}, "charges"
            event = {"event": "strike", "side": self._side, "edge": edge, "struck": struck, "threat": threat}
            yield event, f"strikes its {struck}"

    def _roll(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        request, answer = parts["request"], parts["answer"]
        if not isinstance(request, Pool) or not self._told:
            return
        _, _, colour, *again = request.name.split()
        total = request.k if request.n_dice is None else int(request.n_dice[place])
        faces = [face for face, counts in answer.items() for _ in range(int(counts[place]))]
        rest = next(iter(set(request.die.faces) - set(answer)))
        faces += [rest] * (total - len(faces))
        reason = " ".join(again).replace("again", "rank")
        if faces:
            kind = {"event": "reroll", "for": reason} if again else {"event": "throw"}
            yield {**kind, "side": self._side, "dice": {colour: faces}}, ""

    def _rolled(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        if not self._told:
            return
        state, purchase = parts["state"], parts["exchange"].attack.strike.purchase
        names = ("hits", "surges", "accuracy", "mortal_strikes", "morale", "damage")
        plan = purchase.plans[int(state["bought"][place])]
        bought = {str(ability): int(n) for ability, n in zip(purchase.abilities, plan, strict=True) if n}
        numbers = {name: int(state[name][place]) for name in names}
        yield {"event": "pool", "side": self._side, **numbers, "bought": bought}, f"{show_many(numbers['hits'], 'hit')}"

    def _losses(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        if not parts["acts"][place]:
            return
        side, duellist = parts["side"], self.approach.duel.sides[parts["side"]]
        before, after = (take_trials(parts[name], [place]) for name in ("before", "after"))
        lost = {
            of: int(before[column][0] - after[column][0]) if (column := f"{side}_{name}") in before else 0
            for of, name in (("wounds", "left"), ("upgrade_wounds", "upgrade"))
        }
        figures = self.left(before)[side] - self.left(after)[side]
        trays = int(duellist.trays(before)[0] - duellist.trays(after)[0])
        if "deck" in after and (after["deck"].sum() != before["deck"].sum()):
            yield self._morale(side, before, after), ""
        event = {"event": "wounds", "side": side, **lost, "figures": figures, "trays": trays}
        yield event, f"{side} loses {show_many(figures, 'figure')}"

    def _morale(self, side: str, before: State, after: State) -> Event:
        deck = self.approach.duel.deck or Deck(())
        whole = before["deck"][0] if before["deck"][0].sum() else deck.numbers("copies")
        return {"event": "morale", "side": side, "card": deck.cards[int((whole - after["deck"][0]).argmax())].id}

    def _grow(self, parts: Mapping[str, Any], place: int) -> Iterator[tuple[Event, str]]:
        before, after = (take_trials(parts[name], [place]) for name in ("before", "after"))
        for side, duellist in self.approach.duel.sides.items():
            figures = self.left(after)[side] - self.left(before)[side]
            trays = int(duellist.trays(after)[0] - duellist.trays(before)[0])
            if figures or trays:
                event = {"event": "grow", "side": side, "figures": figures, "trays": trays}
                yield event, f"{side} regains {show_many(figures, 'figure')}"
