"""Heroes who draw a Master's threat upon themselves: Taunt, and the action Provoke (IS-MAST.6, IS-MAST.8, IS-MAST.9).

A hero does so once in his turn (IS-ACT.18) if he has more health left than the threatened hero. The threatened hero
himself never provokes: at either level the Master hunts him.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.threat import Threat, threat_after_provocation, threat_after_taunt
from balance.games.immortal_souls.encounter.board.areas import FLYER
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import alive, kinds_of, overcomes_blindness, unhide


def write_threat(state: State, token: Threat) -> None:
    """Write holder and level of the threat token into the state, `int16[n]` each."""
    state["holder"], state["level"] = token.holder.astype(np.int16), token.level.astype(np.int16)


def draw_threat(scene: Scene, hero: int, state: State, able: BoolArray, actions: IntArray, rolls: Rolls) -> IntArray:
    """Let a hero taunt a Master, a free action, or else provoke it for an action; return the actions left, `int[n]`."""
    if not scene.bestiary.vindictive.any():
        return actions
    rows, reach = np.arange(rolls.n), scene.party.taunts[hero, state["h_rank"][:, hero]]
    health = state["h_health"]
    wants = able & (state["holder"] != hero) & (health[:, hero] > health[rows, state["holder"]])
    wants &= overcomes_blindness(scene, hero, state, rolls, "threat save")  # for the free action of a Taunt too
    hero_area, enemy_areas = state["h_area"][:, hero, None], state["e_area"]
    visible = alive(state) & scene.bestiary.vindictive[kinds_of(scene, state)]
    visible &= scene.board.hero_sees(hero_area, enemy_areas, scene.board.bits(enemy_areas)[:, None])
    near = (visible & (scene.board.points(FLYER, hero_area, enemy_areas) <= reach[:, None])).any(axis=1)
    taunts, provokes = wants & near, wants & ~near & visible.any(axis=1) & (actions > 0)
    unhide(state, hero, taunts | provokes)
    token = threat_after_taunt(Threat(state["holder"], state["level"]), np.where(taunts, hero, NO_INDEX))
    write_threat(state, threat_after_provocation(token, np.where(provokes, hero, NO_INDEX)))
    return np.where(provokes, actions - 1, actions)
