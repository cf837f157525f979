"""Adventures before the first turn, and what a turn begins with (BL-SETUP-03, BL-SETUP-04)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import Keys
from balance.chance.rolls.process import State
from balance.game.kit.board.battle import score_columns
from balance.games.battlelore.adventure.lore.hands import begin_lore, deal_lore, lore_columns
from balance.games.battlelore.adventure.lore.landmarks import landmark_columns, place_landmarks, stronghold_columns
from balance.games.battlelore.adventure.map.adventure import GRID
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import AT_RANDOM, Player, Watch
from balance.games.battlelore.adventure.terms.drawing import NO_CARD
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.cards import deal


def start(
    battle: Battle,
    keys: Keys,
    first: int,
    players: tuple[Player, Player] | None = None,
    watch: Watch | None = None,
    **beside: IntArray,
) -> State:
    """Return adventures before the first turn, with both hands dealt; positions may have won one already.

    `keys` are the luck of each trial, `uint64[n]`, or by source (see `LUCK`), `uint64[n, s]`; `first` is the side that
    begins, 0 or 1. Without `players` no Lore cards are dealt. `beside` are further columns of the state.
    """
    state = undealt(battle, keys, first) | beside
    turn = Turn(battle, first, players or (AT_RANDOM, AT_RANDOM), state, watch)
    if battle.lore and players is not None:
        place_landmarks(turn)
        deal_lore(turn)
    for side in (first, 1 - first):
        deal(turn, side, battle.terms.cards[side])
    settle(turn, np.arange(len(keys)))
    return state


def undealt(battle: Battle, keys: Keys, first: int) -> State:
    """Return adventures as they are deployed, before masters place landmarks and cards are dealt.

    `keys` are the luck of each trial, `uint64[n]`, or by source (see `LUCK`), `uint64[n, s]`; `first` begins, 0 or 1.
    """
    n = len(keys)
    state = {**_units(battle, n), **_cards(battle, n), **_tallies(battle, n), "luck": keys}
    if battle.stronghold_owners:
        state |= stronghold_columns(battle, n)
    if battle.lore:
        state |= lore_columns(battle, n, first)
        if battle.has_landmarks:
            state |= landmark_columns(battle, n)
    return state


def _units(battle: Battle, n: int) -> State:
    """Return the columns of units for n trials, both sides in their hexes."""
    k, muster = battle.n_slots, battle.muster
    kind = np.full((2, k), muster.nobody, np.int16)
    cell = np.full((2, k), OFF_BOARD, np.int16)
    occupant = np.zeros(GRID.n_cells + 1, np.int8)
    for side, members in enumerate(battle.members):
        for slot, (member, at) in enumerate(members):
            kind[side, slot], cell[side, slot] = member, at
            occupant[at + 1] = 1 + slot + side * k
    units: State = {"kind": kind, "cell": cell, "figures": muster.full[kind].astype(np.int8), "occupant": occupant}
    units |= {name: np.zeros((2, k), bool) for name in ("webbed", "poisoned")}
    units["stored"] = np.zeros((2, k), np.int8)
    units |= {name: np.zeros(k, bool) for name in ("ordered", "moved", "may_battle", "charged")}
    units |= {name: np.zeros(k, np.int8) for name in ("battles", "bonus", "melee_bonus")}
    return {name: np.repeat(values[None], n, axis=0) for name, values in units.items()}


def _cards(battle: Battle, n: int) -> State:
    """Return the columns of command cards for n trials: a full deck, empty hands, and no card played."""
    n_types = battle.deck.n_types
    return {
        "deck": np.repeat(battle.deck.counts[None], n, axis=0),
        "discard": np.zeros((n, n_types), np.int8),
        "hand": np.zeros((n, 2, n_types), np.int8),
        "card": np.full(n, NO_CARD, np.int16),
        "last_card": np.full((n, 2), NO_CARD, np.int16),
    }


def _tallies(battle: Battle, n: int) -> State:
    """Return the columns of scores, turns and moments for n trials, all 0, and what is needed to win."""
    return {
        "tokens": np.zeros((n, 2), np.int16),
        "pool": np.zeros(n, np.int16),
        "banners": np.zeros((n, 2), np.int16),
        "earned": np.zeros((n, len(battle.adventure.blazons)), bool),
        "needed": np.repeat(np.array([battle.terms.banners], np.int16), n, axis=0),
        "turn": np.zeros(n, np.int16),
        "turn_limit": np.full(n, battle.terms.turn_limit, np.int16),
        "moments": np.zeros(n, np.int32),
        "script": np.zeros(n, np.int8),
        **score_columns(n),
    }


def begin_turn(turn: Turn, rows: IntArray) -> None:
    """Count a turn, and reset what units did in the last one; writes into the state."""
    state = turn.state
    state["turn"][rows] += 1
    for name, value in (("ordered", 0), ("moved", 0), ("charged", 0), ("may_battle", 1), ("battles", 1)):
        state[name][rows] = value
    for name in ("bonus", "melee_bonus"):
        state[name][rows] = 0
    state["card"][rows] = NO_CARD
    if turn.battle.lore:
        begin_lore(state, rows)
    turn.report("begin", turn.side, rows)
