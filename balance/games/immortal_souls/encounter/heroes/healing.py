"""Powers that heal: an action of a hero for whoever needs it most and is near (IS-POW.2, IS-POW.4, IS-POW.8)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.areas import FLYER, HERO
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import get, most_health, overcomes_blindness, unhide


def heal_ally(scene: Scene, hero: int, state: State, able: BoolArray, actions: IntArray, rolls: Rolls) -> IntArray:
    """Let a hero heal the most wounded hero he sees in range, if no healing is wasted; return the actions left.

    Companions cannot be healed (IS-POW.12). A blinded hero saves first; if he fails, the action is lost, and by rule
    option the power cools down all the same.
    """
    party, rank = scene.party, state["h_rank"][:, hero]
    if not party.heals[hero].any():
        return actions
    heals = party.heals[hero, rank]
    wounds = np.where(state["h_ghost"], 0, most_health(scene, state) - state["h_health"])
    hero_area, enemy_bits = state["h_area"][:, hero, None], scene.board.bits(state["e_area"])
    near = scene.board.points(FLYER, hero_area, state["h_area"]) <= party.heal_reach[hero, rank][:, None]
    near &= scene.board.hero_sees(hero_area, state["h_area"], enemy_bits[:, None])
    lacks, wounds = wounds, np.where(near, wounds, 0)[:, : scene.n_heroes]
    uses = able & (actions > 0) & (heals > 0) & (state["h_mend"][:, hero] == 0) & (wounds.max(axis=1) >= heals)
    unhide(state, hero, uses)
    works = uses & overcomes_blindness(scene, hero, state, rolls, "heal save")
    rows = np.flatnonzero(works)
    target = wounds.argmax(axis=1)[rows]
    state["h_health"][rows, target] += heals[rows].astype(np.int16)
    if (party.heal_radius[hero] >= 0).any():
        _heal_others(scene, hero, state, rows, target, lacks[rows])
    trials = np.flatnonzero(uses if scene.rules.failed_save_turns_power else works)
    state["h_mend"][trials, hero] = party.heal_cooldown[hero, rank[trials]]
    return np.where(uses, actions - 1, actions)


def _heal_others(scene: Scene, hero: int, state: State, rows: IntArray, target: IntArray, lacks: IntArray) -> None:
    """Heal all other heroes within the power's radius of the target, by at most the health each lacks: IS-AOE.3.

    `lacks` is that health of each hero and companion, `int[m, allies]`.
    """
    rank = state["h_rank"][rows, hero]
    ways = scene.board.points(HERO, get(state, "h_area", rows, target)[:, None], state["h_area"][rows])
    around = (ways <= scene.party.heal_radius[hero, rank][:, None])[:, : scene.n_heroes]
    around &= np.arange(scene.n_heroes) != target[:, None]
    more = np.minimum(lacks[:, : scene.n_heroes], scene.party.heals[hero, rank][:, None]) * around
    state["h_health"][rows, : scene.n_heroes] += more.astype(np.int16)
