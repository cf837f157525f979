"""A line-up: armies take turns in range of each other until one has nobody left, or a round limit is reached.

Nobody moves and there is no board: everybody is in range of every weapon that reaches `distance` cells. In a side's
turn its actions are spent freely (WF-ACT.1), or each of its units has one; actions that a side loses at the start are
had by nobody. With each other one, the first of these applies:

1. nothing, where an EMP token disables the unit (WF-EFF.4; the token goes at the end of that turn, WF-Q13);
2. a unit whose stance is to raise its Supershield raises it, if it is neither active nor burnt out (WF-ABIL.4); where
   actions are spent freely, the first such unit as the army is written;
3. the attack that the side's policy likes best is made. Each unit uses against each enemy the weapon in range that
   does most damage per action on average to a fresh one; the second attack of Rapid Fire may go to another target
   (WF-EFF.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State, Step, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import lost_in_trials
from balance.game.game import Lane
from balance.game.kit.combat.budget import step_limit
from balance.game.kit.combat.members import start_of
from balance.game.kit.combat.outcome import outcome_columns, side_is_out, winner
from balance.games.warforged.lineup.batch import Batch
from balance.games.warforged.lineup.roster import Terms
from balance.games.warforged.lineup.tables import Tables
from balance.games.warforged.lineup.turn import take_slot

MOST_STEPS = 2**15 - 1
"""Attack slots after which a line-up is called a draw."""
CONSTANT = ("arms", "body", "threat")
"""Columns that no step changes."""


def line_up_process(
    tables: Mapping[str, Tables],
    a: IntArray,
    b: IntArray,
    limits: IntArray | None = None,
    *,
    lane: Lane = "compiled",
    order: str = "ab",
    lost_actions: tuple[int, int] = (0, 0),
) -> Process:
    """Return the process of line-ups whose armies differ by trial, sides going in the order "ab" or "ba".

    Armies are numbers of members, `int[n, k]`, -1 for nobody; a single row holds for every trial. `limits` are actions
    a turn of each trial, `int[n]`, without it as the terms say; `lost_actions` those that each side loses at the start.
    """
    batch, terms = Batch.of(tables, np.asarray(a), np.asarray(b), limits), tables["a"].terms
    steps = [partial(take_slot, slot) for side in order for slot in batch.slots(f"{side}_", lane)]
    start, fixed = dict(batch.start), State()
    start |= lost_in_trials("ab", lost_actions, len(batch.limits))
    if len(batch.members["a_"]) == 1:
        fixed = {name: start.pop(name)[0] for name in tuple(start) if name.endswith(CONSTANT)}
    return Process(
        start=start_of(start),
        steps=tuple(partial(_with, fixed, step) for step in steps),
        over=partial(_over, fixed, tables if batch.can_get_stuck else None),
        outcome=partial(_outcome, fixed, terms, len(tables["a"].roster.bodies), len(steps)),
        max_steps=min(step_limit(terms.round_limit, len(steps)), MOST_STEPS // len(steps) * len(steps)),
    )


def _with(fixed: State, step: Step, state: State, rolls: Rolls) -> State:
    """Make a step on a state without the columns that are the same in every trial, adding these for the step."""
    if not fixed:
        return step(state, rolls)
    whole = _whole(fixed, state)
    after = step(whole, rolls)
    return state if after is whole else {name: after[name] for name in state}


def _whole(fixed: State, state: State) -> State:
    if not fixed:
        return state
    n = n_trials(state)
    return {**{name: np.broadcast_to(value, (n, *value.shape)) for name, value in fixed.items()}, **state}


def _over(fixed: State, tables: Mapping[str, Tables] | None, state: State) -> BoolArray:
    state = _whole(fixed, state)
    alive = {side: state[f"{side}_health"] > 0 for side in "ab"}
    over = side_is_out(alive["a"], alive["b"])
    if tables is None:
        return over
    first = {side: np.argmax(alive[side], axis=1)[:, None] for side in "ab"}
    fronts = {f"{side}_{column}": state[f"{side}_{column}"] for side in "ab" for column in ("arms", "body")}
    fronts = {name: np.take_along_axis(column, first[name[0]], axis=1) for name, column in fronts.items()}
    unsure = np.flatnonzero(~over & ~_can_hurt(tables, fronts))  # nearly always those in front can hurt each other
    if len(unsure):
        trials = {name: column[unsure] for name, column in state.items()}
        over[unsure] = ~_can_hurt(tables, trials, {side: units[unsure] for side, units in alive.items()})
    return over


def _can_hurt(tables: Mapping[str, Tables], state: State, alive: Mapping[str, BoolArray] | None = None) -> BoolArray:
    """Return whether somebody can hurt somebody of the other side; of the living, where not all of them live."""
    can_hurt = np.zeros(n_trials(state), bool)
    for side, foe in (("a", "b"), ("b", "a")):
        pairs = tables[side].can_hurt[state[f"{side}_arms"][:, :, None], state[f"{foe}_body"][:, None, :]]
        if alive is not None:
            pairs = pairs & alive[side][:, :, None] & alive[foe][:, None, :]
        can_hurt |= pairs.any(axis=(1, 2))
    return can_hurt


def _outcome(fixed: State, terms: Terms, n_bodies: int, n_slots: int, state: State, steps: IntArray) -> State:
    state = _whole(fixed, state)
    units, health, losses = [], [], []
    for side in "ab":
        healths = state[f"{side}_health"]
        units.append((healths > 0).sum(axis=1))
        health.append(healths.sum(axis=1, dtype=np.int32))
        losses.append((state[f"{side}_body"] < n_bodies).sum(axis=1) - units[-1])
    margins = losses[1] - losses[0], (health[0] - health[1]) * terms.health_decides
    winners = winner(units[0] > 0, units[1] > 0, *(margins if terms.round_limit else ()))
    return outcome_columns(winners, steps, n_slots, units=units, health=health)
