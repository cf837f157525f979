"""Companions in play: a hero calls one or bids it act, and it leaves when it dies (IS-POW.11, IS-POW.12).

A hero who can does so in every turn of his, before he attacks. A companion is a column of heroes that is a ghost while
it is not in play. While its owner is a ghost, or of a rank without the power, it stays and nobody activates it; his
Hero Turn ends its tokens as it would end a hero's own.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import has, overcomes_blindness, put


def command_companion(
    scene: Scene, hero: int, companion: int, state: State, able: BoolArray, actions: IntArray, to_make: IntArray,
    rolls: Rolls,
) -> tuple[BoolArray, IntArray, IntArray]:  # fmt: skip
    """Let a hero call a companion if none of his is in play, or command the one that is to act, once in his turn.

    A stunned one is left alone. A blinded hero saves first; if he fails, the activity is lost. Returns where the
    companion acts now, `bool[n]`, and the actions and combat activities that the hero has left, `int[n]` each.
    """
    pack, ghosts = scene.party.pack, state["h_ghost"]
    power = pack.calls[hero][state["h_rank"][:, hero]]
    ready = (power == companion) & (state["h_call"][:, hero] == 0)
    comes = ready & ghosts[:, list(pack.of(hero))].all(axis=1)
    in_play = ~ghosts[:, companion] & (power >= 0) & ~has(state, "stun", companion)
    by_action = bool(pack.by_action[companion])
    wants = able & (comes | in_play) & ((actions if by_action else to_make) > 0)
    acts = wants & overcomes_blindness(scene, hero, state, rolls, "companion save")
    _place_companion(scene, companion, state, np.flatnonzero(acts & comes))
    return acts, actions - (wants & by_action), to_make - (wants & (not by_action))


def _place_companion(scene: Scene, companion: int, state: State, rows: IntArray) -> None:
    """Place a companion in its owner's area with full health and shields."""
    party = scene.party
    values = {"area": state["h_area"][rows, party.pack.owner[companion]], "ghost": False,
              "health": party.health[companion, 1], "shields": party.shields[companion]}  # fmt: skip
    for name, value in values.items():
        put(state, f"h_{name}", rows, companion, value)
