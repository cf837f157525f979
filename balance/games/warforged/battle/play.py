"""Battles as a process: a step is one side's turn, and a turn of each is a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import Keys, base_words, below, key_of, words
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import lost_in_trials
from balance.game.kit.board.battle import DRAW, battle_columns, by_side, is_over, keys_of, note_lead
from balance.games.warforged.battle.luck import LUCK, SIDES, luck_of
from balance.games.warforged.battle.policies.lookahead import Lookahead
from balance.games.warforged.battle.policies.random_play import RandomPlayer
from balance.games.warforged.battle.policies.scripts import SCRIPTS, Script
from balance.games.warforged.battle.turns.actions import Player, Watch, take_turn
from balance.games.warforged.battle.turns.begin import begin_round, deployment, end_round
from balance.games.warforged.battle.turns.table import each_plays, in_seat
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


def player_of(policy: str, aim: str = "nearest") -> Player:
    """Return who plays a policy and prefers some enemy among several, as far as scripts play it."""
    player = PLAYERS[policy]
    if aim == "nearest" or isinstance(player, RandomPlayer):
        return player
    if isinstance(player, Lookahead):
        scripts = tuple(_aiming(script, aim) for script in player.scripts)
        return replace(player, scripts=scripts, reply=_aiming(player.reply, aim))
    return _aiming(player, aim)


def _aiming(script: Any, aim: str) -> Script:
    preferring: Script = replace(script, prefers=aim)
    return preferring


Draws: TypeAlias = Callable[[Keys, int, tuple[int, ...]], tuple[IntArray, ...]]
"""Luck of each battle, `uint64[n]`, who goes first, the order of more than two -> the armies, `int[n, k]` each."""
Armies: TypeAlias = tuple[IntArray, ...] | Draws


def _start(
    battle: Battle,
    armies: Armies,
    limits: IntArray,
    orders: tuple[tuple[int, ...], ...],
    lost_actions: tuple[int, ...],
    rolls: Rolls,
    n: int,
) -> State:
    sources = luck_of(len(orders[0]))
    keys = keys_of(rolls, sources, LUCK[:1] if isinstance(armies, tuple) else ())

    def deploy(number: int, part: State) -> State:
        sides = orders[number]
        order = sides if battle.table else ()
        rows = armies if isinstance(armies, tuple) else armies(part["luck"], sides[0], order)
        whole = tuple(np.broadcast_to(army, (len(part["luck"]), army.shape[1])) for army in rows)
        return deployment(battle, whole, part["luck"], sides[0], order)

    start: State = {"winner": np.zeros(n, np.int16), "luck": keys}
    if len(orders) == 1:
        state = deploy(0, start)
    else:
        luck = base_words(key_of(keys, len(sources) - 1), np.zeros(n, np.int64))
        drawn = below(words(luck, "order"), np.full(n, len(orders)))
        groups = [(number, np.flatnonzero(drawn == number)) for number in range(len(orders))]
        state = each_plays(start, groups, deploy)
    limit = np.broadcast_to(limits, n).astype(np.int16)
    state |= {"limit": limit, "turn_actions": limit, "ended": np.zeros(n, np.int16)}
    return state | lost_in_trials(SIDES[: len(orders[0])], lost_actions, n)


def battle_process(
    battle: Battle,
    armies: Armies,
    limits: IntArray,
    players: tuple[Player, ...],
    order: str = "ab",
    watch: Watch | None = None,
    lost_actions: tuple[int, ...] = (),
) -> Process:
    """Return battles as a process: a step is the turn of one side, in an order such as "ba".

    Of more than two sides luck draws it from some, such as "abc bca". `armies` are numbers of members, `int[n, k]`, -1
    for nobody, a single row holding for every trial; or what draws them. `limits` are actions a turn, `int[n]` or one;
    `lost_actions` those that each side loses at the start. `watch` is told every action.
    """
    orders = tuple(tuple(map(SIDES.index, sides)) for sides in order.split())
    sides = orders[0]
    if battle.table is None:
        steps = tuple(partial(_turn, battle, side, players[side], watch) for side in sides)
    else:
        steps = tuple(partial(_turn_in_seat, battle, seat, players, watch) for seat in range(len(sides)))
    start = partial(_start, battle, armies, np.atleast_1d(limits), orders, lost_actions or (0,) * len(sides))
    outcome = partial(_outcome if battle.table is None else _outcome_of_table, battle)
    return Process(start, steps, is_over, outcome, len(sides) * battle.terms.round_limit, key="luck")


def _turn(battle: Battle, side: int, player: Player, watch: Watch | None, state: State, rolls: Rolls) -> State:
    """Play one side's turn, and after the last one end the round."""
    state = dict(state)
    begin_round(state, side)
    state = take_turn(battle, side, player, state, watch)
    fought_out = state["winner"] > 0
    end_round(battle, state, side)
    holds_objective = battle.terms.objective_rounds and (state["held"] >= battle.terms.objective_rounds).any(axis=1)
    ending = np.where(fought_out, 1, np.where(holds_objective, 2, 3)) * (state["winner"] > 0)
    state["ended"] = ending.astype(np.int16)
    if battle.table is not None:
        return state
    points = _points(battle, state)
    note_lead(state, slice(None), points[:, 0] - points[:, 1])
    return state


def _turn_in_seat(
    battle: Battle, seat: int, players: tuple[Player, ...], watch: Watch | None, state: State, rolls: Rolls
) -> State:
    """Play the turn of whoever is in a seat of each battle."""
    return each_plays(
        state, in_seat(state, seat), lambda side, part: _turn(battle, side, players[side], watch, part, rolls)
    )


def _points(battle: Battle, state: State) -> IntArray:
    """Return war points of the units that are left, `int64[n, 2]`."""
    return np.asarray((battle.cost[state["kind"]] * (state["health"] > 0)).sum(axis=2))


def _outcome(battle: Battle, state: State, steps: IntArray) -> State:
    about = {"rounds": state["round"], "ended": state["ended"]}
    left = {"units": (state["health"] > 0).sum(axis=2), "health": state["health"].sum(axis=2)}
    columns = battle_columns(state, about, **left, points=_points(battle, state))
    return columns | by_side(attacks=state["attacks"], cost=battle.cost[state["kind"]].sum(axis=2))


def _outcome_of_table(battle: Battle, state: State, steps: IntArray) -> State:
    """Return the columns of `seats`: the same of side a and of the others together, and who was in which seat."""
    seat, out, n = state["seat"], state["out"], np.arange(len(state["seat"]))
    health = state["health"].sum(axis=2, dtype=np.int64)
    worth = np.where(state["victors"], state["victory"] * np.int64(1 << 24) + health + 1, 0)
    best = (worth * 8 - seat).argmax(axis=1)  # of allies who leads them, else who was first to act
    first_out = out == 1
    columns = {
        "winner": state["winner"] % DRAW,
        "winner_seat": np.where(state["victors"].any(axis=1), seat[n, best] + 1, 0),
        "rounds": state["round"],
        "ended": state["ended"],
        "out_seat": np.where(first_out.any(axis=1), seat[n, first_out.argmax(axis=1)] + 1, 0),
        "out_side": np.where(first_out.any(axis=1), first_out.argmax(axis=1) + 1, 0),
    }
    kinds = state["kind"]
    values = {
        "victory": state["victory"],
        "units": (state["health"] > 0).sum(axis=2),
        "health": health,
        "attacks": state["attacks"],
        "attacked": state["attacked"],
        "cost": battle.cost[kinds].sum(axis=2),
    }
    for name, value in values.items():
        columns |= {f"a_{name}": value[:, 0], f"others_{name}": value[:, 1:].sum(axis=1)}
    return {name: np.asarray(column).astype(np.int32) for name, column in columns.items()}
