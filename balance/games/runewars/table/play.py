"""An approach as a process: dials set in secret, walks, shots, charges and melees by initiative.

State columns of a side beside those of a duel: `s_x`, `s_y`, `s_heading` and `s_terrain` (where it stands), `s_threat`
(of its latest attack) and `s_shot_wounds`; of both: `met` (whether they have touched), `walked` (rounds begun before),
`charger` and `struck` (who charged first, and the edge that the first melee attack struck).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State, Step
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.game.kit import orders
from balance.game.kit.combat.outcome import outcome_columns, winner
from balance.games.runewars.duel import attack_changes, grow, is_over
from balance.games.runewars.rules.exchange import Resolver
from balance.games.runewars.rules.formation import figures_of
from balance.games.runewars.table.boxes import FRONT
from balance.games.runewars.table.moves import ACTIONS, Order, Pose, carried_out, fits
from balance.games.runewars.table.policies import Outlook, can_shoot
from balance.games.runewars.table.walker import Approach, Walker

Note: TypeAlias = Callable[[str, Mapping[str, Any]], None]
"""Is told what happens, with its parts, each with values for all trials."""
EDGE_CODE = np.array([1, 2, 3, 2])
"""The code in `struck` of each edge: front, side, rear."""


def approach_processes(approach: Approach, resolve: Resolver, note: Note | None = None) -> tuple[Process, ...]:
    """Return the approach as equally likely processes: one, or one for each side being first of equals."""
    return tuple(_process(approach, resolve, order, note) for order in orders(approach.duel.first))


def _process(approach: Approach, resolve: Resolver, order: str, note: Note | None) -> Process:
    duel, (first, second) = approach.duel, (approach.walkers[name] for name in order)
    own = [f"{name}_{of}" for name in order for of in ("threat", "shot_wounds")]
    both = dict.fromkeys(("met", "walked", "charger", "struck", *own), 0)
    turns = ((first, second, "before"), (second, first, "between"), (first, second, "after"))
    steps: tuple[Step, ...] = (
        *((duel.runes.throw,) if duel.runes.kinds else ()),
        partial(_set_dials, approach, note),
        *(partial(_act, approach, resolve, note, *turn) for turn in turns),
        partial(_end_of_round, approach, note),
    )
    return Process(
        start={**duel.a.start, **duel.b.start, **duel.start, **both, **approach.places},
        steps=steps,
        over=partial(is_over, duel),
        outcome=partial(_outcome, approach, len(steps)),
        max_steps=len(steps) * duel.round_limit,
        policies={name: side.dial.policy for name, side in duel.sides.items() if side.dial},
    )


def _set_dials(approach: Approach, note: Note | None, state: State, rolls: Rolls) -> State:
    """Let both sides choose before either dial is shown (RW-INFO.1)."""
    after = dict(state)
    for name, walker in approach.walkers.items():
        view = Outlook(approach, walker, *approach.poses(state, name))
        names = tuple(setting.id for setting in walker.settings)
        after[f"{name}_dial"] = rolls.choose(name, "dial", len(names), view, names).astype(np.int16)
    met = state["met"] | approach.touches(*approach.poses(state, "a"))
    if note:
        note("dials", {name: after[f"{name}_dial"] for name in approach.walkers})
    return {**after, "met": met, "walked": (state["walked"] + 1 - met).astype(np.int16)}


def _act(
    approach: Approach,
    resolve: Resolver,
    note: Note | None,
    walker: Walker,
    enemy: Walker,
    moment: str,
    state: State,
    rolls: Rolls,
) -> State:
    """Let a side do what its dial says; the first in the turn order has a step before the other acts and one after."""
    name = walker.name
    own, other = (side.of_settings("initiative")[state[f"{side.name}_dial"]] for side in (walker, enemy))
    due = {"before": own <= other, "between": own == own, "after": own > other}[moment]
    acts = ~is_over(approach.duel, state) & due
    acts, state = acting(state, name, acts)
    able = acts
    if (column := f"{name}_cowed") in state:
        able, state = acts & (state[column] == 0), {**state, column: (state[column] * ~acts).astype(np.int16)}
    if not acts.any():
        return state
    setting, (me, foe) = state[f"{name}_dial"], approach.poses(state, name)
    deed = walker.deed(approach.table, setting, me, foe)
    pose = deed.pose.where(acts, me)
    if note:
        note("deed", {"side": name, "acts": acts, "me": me, "foe": foe, "deed": deed, "setting": setting})
    state = {**state, **walker.written(pose)}
    strikes = able & walker.strikes(setting, deed, approach.touches(pose, foe))
    shoots = able & (walker.actions[setting] == ACTIONS.index("shoot"))
    shoots &= can_shoot(approach, walker, pose, foe) if shoots.any() else False
    charges = np.asarray(strikes & walker.of_settings("charge")[setting], bool)
    state = _marked(state, "charger", charges, np.full(len(acts), 1 if name == "a" else 2))
    for shot, attacks in ((False, strikes), (True, shoots)):
        if attacks.any():
            state = _attack(approach, resolve, note, shot, walker, enemy, attacks, state, rolls)
    if walker.stance.bonus_shift_bands:
        state = _shifted(approach, note, walker, acts, state)
    return {**state, "met": state["met"] | approach.touches(*approach.poses(state, name))}


def _marked(state: State, column: str, mask: BoolArray, codes: IntArray) -> State:
    """Write codes into a column where it has none yet."""
    return {**state, column: np.where(mask & (state[column] == 0), codes, state[column]).astype(np.int16)}


def _attack(
    approach: Approach,
    resolve: Resolver,
    note: Note | None,
    shot: bool,
    walker: Walker,
    enemy: Walker,
    attacks: BoolArray,
    state: State,
    rolls: Rolls,
) -> State:
    """Make attacks of a side, and let the defender close up."""
    table, (me, foe) = approach.table, approach.poses(state, walker.name)
    edge, threat = walker.threat(table, state, me, foe)
    struck = np.where(foe.terrain > 0, FRONT, foe.on(table).edge_towards(me.on(table)))
    threat = walker.columns(state).astype(np.int16) if shot else threat
    state = {**state, f"{walker.name}_threat": threat}
    if not shot:
        state = _marked(state, "struck", attacks, EDGE_CODE[struck])
    if note:
        setting = state[f"{walker.name}_dial"]
        parts = {
            "shot": shot,
            "setting": setting,
            "acts": attacks,
            "edge": edge,
            "struck": struck,
            "threat": threat,
            "me": me,
            "foe": foe,
        }
        note("attack", {"side": walker.name, **parts})
    changes = attack_changes(approach.duel, resolve, shot, walker.duellist, enemy.duellist, attacks, state, rolls)
    after = {**state, **changes}
    if shot:
        wounds = state[f"{enemy.name}_left"] - after[f"{enemy.name}_left"]
        after[f"{walker.name}_shot_wounds"] = (state[f"{walker.name}_shot_wounds"] + wounds).astype(np.int16)
    closed = enemy.closed_up(table, foe, enemy.pose(after, table.tray), me)
    if note:
        note("losses", {"side": enemy.name, "acts": attacks, "before": state, "after": after})
    return {**after, **enemy.written(closed)}


def _shifted(approach: Approach, note: Note | None, walker: Walker, acts: BoolArray, state: State) -> State:
    """Shift once more, after the action that was chosen (RW-CARD.3)."""
    me, foe = approach.poses(state, walker.name)
    shift, n = ACTIONS.index("shift"), len(acts)
    aim = walker.aim(approach.table, me, foe, np.ones(n, bool))
    distance = np.full(n, walker.stance.bonus_shift_bands * approach.table.band)
    none = np.zeros(n, np.int64)
    order = Order(np.where(acts, shift, ACTIONS.index("rally")), distance, none, aim, False, walker.name)
    deed = carried_out(approach.table, me, foe, order)
    if note:
        note("deed", {"side": walker.name, "acts": acts, "me": me, "foe": foe, "deed": deed, "setting": none - 1})
    return {**state, **walker.written(deed.pose.where(acts, me))}


def _end_of_round(approach: Approach, note: Note | None, state: State, rolls: Rolls) -> State:
    """Bring figures back and add trays as in a duel, where they find room (RW-TRAY.2)."""
    after, table = dict(state), approach.table
    for name, walker in approach.walkers.items():
        before, foe = approach.poses(after, name)
        grow(walker.duellist, after, partial(_has_room, approach, walker, before, foe))
        after |= walker.written(walker.closed_up(table, before, walker.pose(after, table.tray), foe))
    if note:
        note("grow", {"before": state, "after": after})
    passing = (*approach.duel.runes.kinds, "a_dial", "b_dial")
    return {**after, **{name: np.zeros_like(after[name]) for name in passing}}


def _has_room(approach: Approach, walker: Walker, before: Pose, foe: Pose, state: State) -> BoolArray:
    table = approach.table
    return fits(table, walker.closed_up(table, before, walker.pose(state, table.tray), foe), foe)


def _outcome(approach: Approach, steps_per_round: int, state: State, steps: IntArray) -> State:
    duel = approach.duel
    winners = winner(~duel.a.is_destroyed(state), ~duel.b.is_destroyed(state))
    figures = [figures_of(side.formation, state[f"{side.name}_left"]) for side in duel.sides.values()]
    trays = [side.trays(state) for side in duel.sides.values()]
    shots = [state[f"{name}_shot_wounds"] for name in duel.sides]
    columns = outcome_columns(winners, steps, steps_per_round, shot_wounds=shots, figures=figures, trays=trays)
    own = {"approach_rounds": state["walked"], "first_charge": state["charger"], "edge_struck": state["struck"]}
    return {"winner": columns.pop("winner"), "rounds": columns.pop("rounds"), **own, **columns}
