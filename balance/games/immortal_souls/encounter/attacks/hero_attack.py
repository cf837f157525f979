"""An attack of a hero or a companion on enemies, on others of their areas, and what it stirs (IS-HIT, IS-AOE)."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.blows import Blow, Plan, met_of, struck, swung
from balance.games.immortal_souls.encounter.attacks.candidates import hits_added, others_near
from balance.games.immortal_souls.encounter.attacks.masters import written
from balance.games.immortal_souls.encounter.attacks.threat import Threat, wounded
from balance.games.immortal_souls.encounter.board.areas import ENEMY
from balance.games.immortal_souls.encounter.party.gear import worn
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import fallen, get, put

__all__ = ["hero_attack"]


def hero_attack(
    scene: Scene, hero: int, state: State, rows: IntArray, target: IntArray, strike: IntArray, focus: BoolArray,
    rolls: Rolls,
) -> None:  # fmt: skip
    """Make an attack on enemies, and on others of their areas if that was bought; by a companion for its owner."""
    name, owner = ("hero", hero) if hero < scene.n_heroes else ("companion", int(scene.party.pack.owner[hero]))
    state["hero_attacks"][rows] += hero == owner
    area = get(state, "e_area", rows, target)
    bonus = hits_added(scene, hero, state, rows, area, focus.astype(np.int16))
    foe = scene.kind_of[get(state, "e_card", rows, target)]
    met = met_of(scene, state, "e", rows, target, "h", hero, bonus)
    met["others"] = others_near(scene, state, rows, target, strike)
    plan = Plan(rows, strike, bonus, scene.party.damage_type[strike])
    blow = swung(scene, scene.hero_arms, plan, foe, met, rolls, name)
    if "h_ready" in state:
        state["h_ready"][rows, hero] = 0
    if (own := scene.party.kits[hero]) is not None:
        worn(own, hero, state, rows, strike, blow.roll, blow.chosen)
    hurt = _hurt(scene, state, target, blow, rolls, name, primary=True)
    if scene.hero_arms.reaches:
        _others(scene, hero, state, target, area, blow, hurt, rolls)
    if scene.hero_arms.pushes:
        _pushed(scene, hero, state, target, blow)
    for body in range(state["e_card"].shape[1]):
        fallen(scene, state, rows, body, owner)
    if scene.has_masters:
        by = np.full(rolls.n, -1)
        by[rows[hurt]] = owner
        written(state, wounded(Threat(state["holder"], state["level"]), by))


def _hurt(scene: Scene, state: State, target: IntArray, blow: Blow, rolls: Rolls, name: str, *,
          primary: bool) -> BoolArray:  # fmt: skip
    """Resolve an attack on enemies; return where it wounds a Master."""
    lost = struck(scene, scene.hero_arms, state, "e", target, blow, rolls, name, primary=primary)
    master = scene.bestiary.is_master[scene.kind_of[get(state, "e_card", blow.plan.rows, target)]]
    return np.asarray((lost > 0) & master)


def _others(scene: Scene, hero: int, state: State, target: IntArray, area: IntArray, blow: Blow, hurt: BoolArray,
            rolls: Rolls) -> None:  # fmt: skip
    """Resolve the attack on every other enemy in its area of effect: IS-AOE.1, IS-AOE.2."""
    rows = blow.plan.rows
    for body in range(state["e_card"].shape[1]):
        there = get(state, "e_area", rows, body)
        reached = (blow.deeds["area"] > 0) & (get(state, "e_card", rows, body) >= 0) & (target != body)
        reached &= scene.board.points(ENEMY, area, there) <= blow.deeds["radius"]
        among = blow.among(reached)
        if scene.rules.supremacy_of_area_attacks == "each_area":
            own = among.plan.rows, np.zeros(len(among.plan.rows), np.int16)
            here = hits_added(scene, hero, state, own[0], area[reached], own[1])
            among = among.with_more(hits_added(scene, hero, state, own[0], there[reached], own[1]) - here)
        other = np.full(len(among.plan.rows), body)
        hurt[reached] |= _hurt(scene, state, other, among, rolls, "area", primary=False)


def _pushed(scene: Scene, hero: int, state: State, target: IntArray, blow: Blow) -> None:
    """IS-PUSH.1 to IS-PUSH.3: the target goes back an area."""
    goes = (blow.deeds["push"] > 0) & (blow.hits > 0)
    rows, target = blow.plan.rows[goes], target[goes]
    start, foe = get(state, "e_area", rows, target), state["h_area"][rows, hero]
    nowhere = np.full(len(rows), scene.board.nowhere)
    first = {"attackers_way": state["h_from"][rows, hero], "defenders_way": get(state, "e_from", rows, target),
             "away": nowhere}[scene.rules.push_direction]  # fmt: skip
    taken = scene.board.bits(np.concatenate((state["h_area"][rows], state["e_area"][rows]), axis=1))
    walker = scene.bestiary.walker[scene.kind_of[get(state, "e_card", rows, target)]]
    goal = scene.board.step_back(walker, start, foe, first, taken, farther=False)
    put(state, "e_area", rows, target, goal)
    put(state, "e_from", rows, target, start)
