"""Adventures as a process: a step is one side's turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import KeyRequest, Keys
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.games.battlelore.adventure.luck import LUCK
from balance.games.battlelore.adventure.policies.lookahead import LOOKAHEAD
from balance.games.battlelore.adventure.policies.random_play import RandomPlayer
from balance.games.battlelore.adventure.policies.scripts import SCRIPTS
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Player, Watch
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import DRAW, start
from balance.games.battlelore.adventure.turns.turn import take_turn

PLAYERS: Mapping[str, Player] = {
    **SCRIPTS,
    "random": RandomPlayer(),
    "lookahead": LOOKAHEAD,
}
"""Name of a policy -> who plays it."""


def battle_process(battle: Battle, players: tuple[Player, Player], first: int, watch: Watch | None = None) -> Process:
    """Return adventures as a process, a turn per step; `players` decide for side a and side b.

    `first` is the side that begins, 0 or 1, and `watch` is called with everything that happens.
    """
    steps = tuple(partial(_turn, battle, side, players, watch) for side in (first, 1 - first))
    return Process(
        _Start(battle, first, players, watch),
        steps,
        _over,
        partial(_outcome, battle),
        battle.terms.turn_limit,
        key="luck",
    )


def keys_of(rolls: Rolls, lore: bool = True) -> Keys:
    """Return the luck of each trial, `uint64[n]`, or by source, `uint64[n, s]`; `lore` if Lore cards are drawn."""
    return rolls.answer(KeyRequest("luck", LUCK if lore else tuple("" if "lore" in name else name for name in LUCK)))


@dataclass(frozen=True, eq=False)
class _Start:
    battle: Battle
    first: int
    players: tuple[Player, Player]
    watch: Watch | None

    def __call__(self, rolls: Rolls, n: int) -> State:
        return start(self.battle, keys_of(rolls, self.battle.lore), self.first, self.players, self.watch)


def _turn(
    battle: Battle, side: int, players: tuple[Player, Player], watch: Watch | None, state: State, rolls: Rolls
) -> State:
    """Return the state after one side's turn, played in copies of the columns."""
    state = {name: values.copy() for name, values in state.items()}
    take_turn(Turn(battle, side, players, state, watch))
    return state


def _over(state: State) -> BoolArray:
    return np.asarray(state["winner"] > 0)


def _outcome(battle: Battle, state: State, steps: IntArray) -> State:
    winner, lives = state["winner"] % DRAW, state["cell"] != OFF_BOARD
    behind = np.where(winner == 1, state["behind"][:, 0], np.where(winner == 2, state["behind"][:, 1], 0))
    columns = {"winner": winner, "turns": state["turn"], "ended": np.where(state["winner"] == DRAW, 2, 1)}
    whole = {"banners": state["banners"], "units": lives.sum(axis=2), "figures": state["figures"].sum(axis=2)}
    for name, values in whole.items():
        columns |= {f"{side}_{name}": values[:, place] for place, side in enumerate("ab")}
    return columns | {"lead_changes": state["lead_changes"], "comeback": np.maximum(behind, 0)}
