"""How battles begin, and what happens between actions: deployment, turns, rounds, and who has won."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import Keys, base_words, key_of, words
from balance.chance.rolls.process import State
from balance.game.kit.board.battle import DRAW, score_columns
from balance.game.kit.combat.members import any_place
from balance.game.kit.combat.outcome import leader, winner
from balance.games.warforged.battle.luck import DEPLOYMENT, SEATS
from balance.games.warforged.battle.turns.terms import Battle


def deployment(
    battle: Battle, armies: tuple[IntArray, ...], keys: Keys, first: int, order: tuple[int, ...] = ()
) -> State:
    """Return battles before the first turn (WF-BUILD.5); the side `first` goes first.

    Armies are numbers of members, `int[n, K]`, -1 for nobody; `keys` are the luck of each battle, `uint64[n]`, or by
    source (see `LUCK`), `uint64[n, s]`. `order` is that of more than two sides.
    """
    n, s, k = len(keys), len(armies), max(army.shape[1] for army in armies)
    nobody_number = len(battle.muster.members)
    kind = np.full((n, s, k), nobody_number, np.int16)
    for side, army in enumerate(armies):
        kind[:, side, : army.shape[1]] = np.where(army < 0, nobody_number, army)
    luck, bases = base_words(key_of(keys, DEPLOYMENT), np.zeros(n, np.int64)), battle.ground.map.bases[:s]
    entry, base = np.zeros((n, s, k), np.int16), np.full((n, s, max(map(len, bases))), OFF_BOARD, np.int16)
    for side, cells in enumerate(bases):
        seat = "first" if side == first else "second" if s == 2 else SEATS[order.index(side)]
        entry[:, side] = np.argsort(words(luck[:, None], f"units {seat}", np.arange(k)), axis=1).argsort(axis=1)
        base_cells = np.array(cells, np.int64)
        relative = battle.ground.seats[side].relative[base_cells]
        base[:, side, : len(base_cells)] = base_cells[
            np.argsort(words(luck[:, None], f"base {seat}", relative), axis=1)
        ]
    state = {
        "kind": kind,
        "cell": np.full((n, s, k), OFF_BOARD, np.int16),
        "health": battle.health[kind],
        "shield": battle.muster.first_shield[kind],
        "emp": np.zeros((n, s, k), np.int8),
        "burn": np.zeros((n, s, k, battle.terms.read.burn_attacks), np.int8),
        "moves": np.zeros((n, s, k), np.int8),
        "done": np.zeros((n, s, k), bool),
        "order": entry,
        "base": base,
        "luck": keys,
        "events": np.zeros(n, np.int32),
        "attacks": np.zeros((n, s), np.int32),
        "choices": np.zeros(n, np.int32),
        "round": np.zeros(n, np.int16),
        "held": np.zeros((n, s), np.int16),
        "second": np.full(n, order[-1] if order else 1 - first, np.int8),
        **score_columns(n),
        **(battle.table.begin(n, order) if battle.table else {}),
    }
    for side in range(s):
        _enter(state, side)
    settle(battle, state, np.arange(n))
    return state


def begin_turn(state: State, side: int) -> None:
    """Have a side's waiting units enter, and free its units to move again; writes into the state."""
    _enter(state, side)
    state["moves"][:, side] = 0
    state["done"][:, side] = False


def _enter(state: State, side: int) -> None:
    """Put waiting units on free base cells, in their order, on the cells in theirs (WF-BUILD.5, WF-Q21)."""
    is_waiting = (state["health"][:, side] > 0) & (state["cell"][:, side] == OFF_BOARD)
    if not is_waiting.any():
        return
    rows = np.flatnonzero(is_waiting.any(axis=1))
    is_waiting, base = is_waiting[rows], state["base"][rows, side]
    all_cells = state["cell"][rows].reshape(len(rows), -1)
    free = (base != OFF_BOARD) & ~(base[:, :, None] == all_cells[:, None, :]).any(axis=2)
    queue = np.argsort(np.where(is_waiting, state["order"][rows, side], np.int16(10_000)), axis=1, kind="stable")
    cells = np.argsort(~free, axis=1, kind="stable")
    n_entering = np.minimum(is_waiting.sum(axis=1), free.sum(axis=1))
    for place in range(min(queue.shape[1], cells.shape[1])):
        battles = np.flatnonzero(n_entering > place)
        unit, cell = queue[battles, place], base[battles, cells[battles, place]]
        state["cell"][rows[battles], side, unit] = cell


def end_turn(battle: Battle, state: State, side: int) -> None:
    """Take one EMP token off each of a side's units (WF-Q13); of more than two players, count points and who is out."""
    tokens = state["emp"][:, side]
    state["emp"][:, side] = np.maximum(tokens - tokens.dtype.type(1), tokens.dtype.type(0))
    if battle.table is not None:
        battle.table.end_turn(state, side, units_lost(battle, state))


def settle(battle: Battle, state: State, rows: IntArray) -> None:
    """Write down who has won in some open battles, where a side has nobody left (WF-WIN.1, WF-Q28)."""
    if battle.table is not None:
        battle.table.settle(state, rows)
        return
    health = state["health"].take(rows, axis=0)
    a, b = (any_place(health[:, side] > 0) for side in (0, 1))
    over = np.flatnonzero(~(a & b))
    if len(over):
        a, b = a[over], b[over]
        state["winner"][rows[over]] = np.where(a | b, winner(a, b), DRAW)


def begin_round(state: State, side: int) -> None:
    """Count a round that begins where this side's turn is the first of it; writes into the state."""
    begins = state["seat"][:, side] == 0 if "seat" in state else state["second"] != side
    state["round"] = (state["round"] + begins).astype(np.int16)


def end_round(battle: Battle, state: State, side: int) -> None:
    """After a side's turn that is the last of a round, look whether that ends the battle; writes into the state.

    Rounds of holding the objective are counted, and at the round limit somebody may have won (WF-WIN.1, WF-Q18).
    """
    if state["second"][0] != side:
        return
    open_ = state["winner"] == 0
    if battle.table is not None:
        on_objectives = battle.ground.objectives[state["cell"] + 1].sum(axis=2)
        battle.table.end_round(state, on_objectives, battle.terms.objective_rounds)
    elif battle.terms.objective_rounds:
        on_objective = (battle.ground.objectives[state["cell"] + 1]).any(axis=2)
        alone = on_objective & ~on_objective[:, ::-1]
        state["held"] = np.where(alone, state["held"] + 1, 0).astype(np.int16)
        has_won = state["held"] >= battle.terms.objective_rounds
        state["winner"] = np.where(open_ & has_won.any(axis=1), has_won.argmax(axis=1) + 1, state["winner"]).astype(
            np.int16
        )
    over = (state["winner"] == 0) & (state["round"] >= battle.terms.round_limit)
    if over.any() and battle.table is not None:
        battle.table.on_points(state, np.flatnonzero(over), battle.terms.health_decides)
    elif over.any():
        state["winner"] = np.where(over, _on_points(battle, state), state["winner"]).astype(np.int16)


def units_lost(battle: Battle, state: State) -> IntArray:
    """Return how many units of each side have no health left, `int64[n, S]`; those that wait are not lost."""
    return np.asarray(((state["health"] == 0) & (battle.health[state["kind"]] > 0)).sum(axis=2, dtype=np.int64))


def _on_points(battle: Battle, state: State) -> IntArray:
    """Return who has won at the round limit: who lost fewer units, then (WF-Q18) who has more health left."""
    losses = units_lost(battle, state)
    health = state["health"].sum(axis=2, dtype=np.int64) * battle.terms.health_decides
    ahead = leader(losses[:, 1] - losses[:, 0], health[:, 0] - health[:, 1])
    return np.where(ahead, ahead, DRAW)
