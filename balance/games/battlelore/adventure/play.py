"""Adventures as a process: a step is one side's turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import Keys
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.board.battle import DRAW, battle_columns, copy_state, is_over, keys_of
from balance.games.battlelore.adventure.luck import LORE_CARDS, LUCK
from balance.games.battlelore.adventure.policies.lookahead import LOOKAHEAD
from balance.games.battlelore.adventure.policies.scripts import BY_WAY, SCRIPTS
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import AT_RANDOM, Player, Watch
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import start
from balance.games.battlelore.adventure.turns.turn import take_turn

PLAYERS: Mapping[str, Player] = {
    **SCRIPTS,
    "random": AT_RANDOM,
    "lookahead": LOOKAHEAD,
}
"""Name of a policy -> who plays it."""


def battle_process(battle: Battle, players: tuple[Player, Player], first: int, watch: Watch | None = None) -> Process:
    """Return adventures as a process, a turn per step; `players` decide for side a and side b.

    `first` is the side that begins, 0 or 1, and `watch` is called with everything that happens.
    """
    begin = partial(_start, battle, first, players, watch)
    steps = tuple(partial(_turn, battle, side, players, watch) for side in (first, 1 - first))
    return Process(begin, steps, is_over, partial(_outcome, battle), battle.terms.turn_limit, key="luck")


def side_by_side(battles: Sequence[Battle], first: int, which: IntArray, ways: IntArray) -> Process:
    """Return trials of several battles (see `joined`) as a process, each played by scripts of its own.

    `which`: the battle of each trial by its place, `int64[n]`. `ways`: the scripts of both sides by number,
    `int8[n, 2]`.
    """
    players = BY_WAY, BY_WAY

    def begin(rolls: Rolls, n: int) -> State:
        keys = luck_of(battles[0], rolls)
        parts = [
            start(battle, keys[which == at], first, players, way=ways[which == at]) for at, battle in enumerate(battles)
        ]
        place = np.argsort(np.argsort(which, kind="stable"))
        return {name: np.concatenate([part[name] for part in parts]).take(place, axis=0) for name in parts[0]}

    most_steps = max(battle.terms.turn_limit for battle in battles)
    return replace(battle_process(battles[0], players, first), start=begin, max_steps=most_steps)


def luck_of(battle: Battle, rolls: Rolls) -> Keys:
    """Return the luck of each trial, `uint64[n]`, or by source, `uint64[n, s]`; none of Lore cards without Lore."""
    return keys_of(rolls, LUCK, () if battle.lore else (LUCK[LORE_CARDS],))


def _start(
    battle: Battle, first: int, players: tuple[Player, Player], watch: Watch | None, rolls: Rolls, n: int
) -> State:
    return start(battle, luck_of(battle, rolls), first, players, watch)


def _turn(
    battle: Battle, side: int, players: tuple[Player, Player], watch: Watch | None, state: State, rolls: Rolls
) -> State:
    """Return the state after one side's turn, played in copies of the columns."""
    state = copy_state(state)
    take_turn(Turn(battle, side, players, state, watch))
    return state


def _outcome(battle: Battle, state: State, steps: IntArray) -> State:
    about = {"turns": state["turn"], "ended": np.where(state["winner"] == DRAW, 2, 1)}
    units, figures = (state["cell"] != OFF_BOARD).sum(axis=2), state["figures"].sum(axis=2)
    return battle_columns(state, about, banners=state["banners"], units=units, figures=figures)
