"""Battles as a process: a step is one side's turn, and two turns are a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import Keys
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import lost_in_trials
from balance.game.kit.board.battle import battle_columns, by_side, is_over, keys_of, note_lead
from balance.games.warforged.battle.luck import LUCK
from balance.games.warforged.battle.policies.lookahead import Lookahead
from balance.games.warforged.battle.policies.random_play import RandomPlayer
from balance.games.warforged.battle.policies.scripts import SCRIPTS
from balance.games.warforged.battle.turns.actions import Player, Watch, take_turn
from balance.games.warforged.battle.turns.begin import begin_round, deployment, end_round
from balance.games.warforged.battle.turns.terms import Battle

PORTFOLIO = ("greedy", "focus", "kite", "kite_hold")
PLAYERS: Mapping[str, Player] = {
    **SCRIPTS,
    "random": RandomPlayer(),
    "lookahead": Lookahead(
        tuple(SCRIPTS[name] for name in PORTFOLIO), SCRIPTS["greedy"], samples=3, turns=2, interval=2
    ),
    "rollout": Lookahead(tuple(SCRIPTS[name] for name in PORTFOLIO), SCRIPTS["greedy"], samples=2, turns=0, interval=8),
}
"""Name of a policy -> who plays it."""

Draws: TypeAlias = Callable[[Keys, int], tuple[IntArray, IntArray]]
"""Luck of each battle, `uint64[n]`, and the side that goes first -> the armies, `int[n, k]` each."""
Armies: TypeAlias = tuple[IntArray, IntArray] | Draws


def _start(
    battle: Battle, armies: Armies, limits: IntArray, first: int, lost_actions: tuple[int, int], rolls: Rolls, n: int
) -> State:
    keys = keys_of(rolls, LUCK, LUCK[:1] if isinstance(armies, tuple) else ())
    pair = armies if isinstance(armies, tuple) else armies(keys, first)
    a, b = (np.broadcast_to(army, (n, army.shape[1])) for army in pair)
    state = deployment(battle, (a, b), keys, first)
    limit = np.broadcast_to(limits, n).astype(np.int16)
    state |= {"limit": limit, "turn_actions": limit, "ended": np.zeros(n, np.int16)}
    return state | lost_in_trials("ab", lost_actions, n)


def battle_process(
    battle: Battle,
    armies: Armies,
    limits: IntArray,
    players: tuple[Player, Player],
    order: str = "ab",
    watch: Watch | None = None,
    lost_actions: tuple[int, int] = (0, 0),
) -> Process:
    """Return battles as a process: a step is the turn of one side, in the order "ab" or "ba".

    `armies` are numbers of members, `int[n, k]`, -1 for nobody, a single row holding for every trial; or what draws
    them. `limits` are actions a turn, `int[n]` or one; `lost_actions` those that side a and side b lose at the start.
    `watch` is told every action.
    """
    sides = tuple("ab".index(side) for side in order)
    steps = tuple(partial(_turn, battle, side, players[side], watch) for side in sides)
    start = partial(_start, battle, armies, np.atleast_1d(limits), sides[0], lost_actions)
    return Process(start, steps, is_over, partial(_outcome, battle), 2 * battle.terms.round_limit, key="luck")


def _turn(battle: Battle, side: int, player: Player, watch: Watch | None, state: State, rolls: Rolls) -> State:
    """Play one side's turn, and after the second one end the round."""
    state = dict(state)
    begin_round(state, side)
    state = take_turn(battle, side, player, state, watch)
    fought_out = state["winner"] > 0
    end_round(battle, state, side)
    holds_objective = battle.terms.objective_rounds and (state["held"] >= battle.terms.objective_rounds).any(axis=1)
    ending = np.where(fought_out, 1, np.where(holds_objective, 2, 3)) * (state["winner"] > 0)
    state["ended"] = ending.astype(np.int16)
    points = _points(battle, state)
    note_lead(state, slice(None), points[:, 0] - points[:, 1])
    return state


def _points(battle: Battle, state: State) -> IntArray:
    """Return war points of the units that are left, `int64[n, 2]`."""
    return np.asarray((battle.cost[state["kind"]] * (state["health"] > 0)).sum(axis=2))


def _outcome(battle: Battle, state: State, steps: IntArray) -> State:
    about = {"rounds": state["round"], "ended": state["ended"]}
    left = {"units": (state["health"] > 0).sum(axis=2), "health": state["health"].sum(axis=2)}
    columns = battle_columns(state, about, **left, points=_points(battle, state))
    return columns | by_side(attacks=state["attacks"], cost=battle.cost[state["kind"]].sum(axis=2))
