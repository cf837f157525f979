"""Duels, and positions as they are met in play, for what is worked out of positions."""

from __future__ import annotations

import numpy as np

from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.game.loaded import load
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import moves_of


def met_in_play(moves: Moves, n: int, n_steps: int) -> State:
    """Return the positions of `n` duels at the start and after each of so many steps, ended ones among them."""
    process, rolls = duel_process(moves.duel, moves.resolve), RandomRolls(5, "met", 0, n)
    states = [start_state(process, n)]
    for number in range(n_steps):
        states.append(process.step(number)(states[-1], rolls))
    return {name: np.concatenate([state[name] for state in states]) for name in states[0]}


def moves(a: str, b: str, *changes: str) -> Moves:
    """Return the choices of a duel."""
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)
