"""A round of a fight: in which order the sides act, whoever works out what their units do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State, Step
from balance.chance.rolls.rolls import Rolls
from balance.rulebook.play.turns import Player

Turn = Callable[[State, Rolls], State]


def steps_of(player: Player, first: str, second: str) -> tuple[Step, ...]:
    """Return the steps of a round; `first` goes first in the orders that take turns."""
    fight = player.fight
    order = fight.rules.book.turns.order
    if order == "alternate":
        return partial(player.turn, first), partial(_last, player, partial(player.turn, second))
    if order == "attacker only":
        return (partial(_last, player, partial(player.turn, fight.sides[0])),)
    if order == "activations":
        n_places = max(places.shape[1] for places in fight.armies.places.values())
        turns = [partial(player.one_unit, side, place) for place in range(n_places) for side in (first, second)]
        return *turns[:-1], partial(_last, player, turns[-1])
    return (partial(_last, player, partial(_both, player)),)


def _last(player: Player, turn: Turn, state: State, rolls: Rolls) -> State:
    """Return the state after the last turn of a round, the steps at its end, and the next number of the round."""
    state = player.end_of_round(turn(state, rolls), rolls)
    return {**state, "round": (state["round"] + 1).astype(np.int16)} if "round" in state else state


def _both(player: Player, state: State, rolls: Rolls) -> State:
    """Return the state after both sides acted: at once, or in the order of their initiative if the file has one.

    Ties are broken by a coin, or both act at once.
    """
    (side_a, side_b), rules = player.fight.sides, player.fight.rules
    if "initiative" not in rules.singles:
        return _together(player, state, rolls, np.ones(rolls.n, bool))
    lead = player.initiative(side_a, state, rolls) - player.initiative(side_b, state, rolls)
    if rules.book.turns.ties == "random":
        lead = np.where(lead == 0, 2 * rolls.uniform(2, "who goes first") - 1, lead)
    else:
        tied = _together(player, state, rolls, lead == 0)
        state = {name: _where(lead == 0, tied[name], values) for name, values in state.items()}
    for side, mask in ((side_a, lead > 0), (side_b, lead < 0), (side_b, lead > 0), (side_a, lead < 0)):
        state = player.turn(side, state, rolls, mask)
    return state


def _together(player: Player, state: State, rolls: Rolls, mask: BoolArray) -> State:
    """Return the state after both sides acted on the same state before: their changes are added, and clipped at 0."""
    first, second = (player.turn(side, state, rolls, mask) for side in player.fight.sides)
    after = dict(state)
    for name, before in state.items():
        if before.dtype.kind == "i":
            changed = before.astype(np.int64) + (first[name] - before) + (second[name] - before)
            after[name] = np.maximum(0, changed).astype(before.dtype) if name[-5:] != "_card" else before
    return player.with_out(after)


def _where(mask: BoolArray, values: IntArray, otherwise: IntArray) -> IntArray:
    return np.where(mask.reshape(-1, *([1] * (values.ndim - 1))), values, otherwise)
