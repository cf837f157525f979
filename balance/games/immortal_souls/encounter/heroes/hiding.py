"""Heroes who hide: nobody aims at them, though they count for control (IS-AI.18, IS-SUP.5).

The token goes off with any activity but a Move: an attack that he tries, an action, a free action such as evading. Area
effects and criticals find him all the same.
"""

from __future__ import annotations

from balance.base.arrays import BoolArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import overcomes_blindness


def hidden(scene: Scene, hero: int, state: State, may: BoolArray, rolls: Rolls) -> None:
    """Let a hero with an artefact for it hide at the end of his turn, where he has an action and made no attack."""
    if not scene.party.hides[hero]:
        return
    hides = may & ~state["h_ghost"][:, hero] & overcomes_blindness(scene, hero, state, rolls, "hide save")
    state["h_hidden"][hides, hero] = 1
