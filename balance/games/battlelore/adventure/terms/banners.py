"""Victory banners: who has won, and hexes that are worth some (BL-WIN)."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.terms.battle import NOBODY, Battle


def settle(battle: Battle, state: State, rows: IntArray, side: int) -> None:
    """Write down who has won where a side has the banners it needs (BL-WIN-04); writes into the state.

    Where one event gives both sides their last banner, the side whose turn it is has won.

    Parameters
    ----------
    battle
        What is fought.
    state
        The columns of all trials.
    rows
        Numbers of the trials.
    side
        The side whose turn it is.
    """
    has_won = state["banners"][rows] >= np.array(battle.terms.banners)
    winner = np.where(has_won[:, side], side + 1, np.where(has_won[:, 1 - side], 2 - side, 0))
    state["winner"][rows] = np.where(state["winner"][rows] > 0, state["winner"][rows], winner)


def claim_hexes(battle: Battle, state: State, rows: IntArray, side: int) -> None:
    """Give out the banners of hexes by who stands on them now (BL-WIN-03); writes into the state.

    Parameters
    ----------
    battle
        What is fought.
    state
        The columns of all trials.
    rows
        Numbers of the trials.
    side
        The side whose turn it is.
    """
    for number, blazon in enumerate(battle.adventure.blazons):
        is_there = battle.slots_of(blazon.side, state["occupant"][rows, blazon.cell + 1]) != NOBODY
        before = state["earned"][rows, number]
        after = is_there if blazon.held else before | is_there
        state["banners"][rows, blazon.side] += blazon.banners * (after.astype(np.int16) - before)
        state["earned"][rows, number] = after
    if battle.adventure.blazons:
        settle(battle, state, rows, side)
