"""An attack of a hero or a companion on enemies, with area effects, pushes, deaths and threat (IS-HIT, IS-AOE)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.blows import (
    AttackPlan,
    Blow,
    circumstances_of,
    resolve_blow,
    roll_blow,
)
from balance.games.immortal_souls.encounter.attacks.candidates import hits_added, n_others_near
from balance.games.immortal_souls.encounter.attacks.masters import write_threat
from balance.games.immortal_souls.encounter.attacks.threat import Threat, threat_after_wound
from balance.games.immortal_souls.encounter.board.areas import ENEMY
from balance.games.immortal_souls.encounter.party.gear import wear_out
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import get, put, remove_fallen


def hero_attack(
    scene: Scene, hero: int, state: State, rows: IntArray, target: IntArray, strike: IntArray, focus: BoolArray,
    rolls: Rolls,
) -> None:  # fmt: skip
    """Attack enemies, and others near them if an area effect was bought; a companion scores for its owner.

    `target` is the number of a body, `strike` of the attack, `int[m]` each, and `focus` whether he spends focus,
    `bool[m]`.
    """
    name, owner = ("hero", hero) if hero < scene.n_heroes else ("companion", int(scene.party.pack.owner[hero]))
    state["hero_attacks"][rows] += hero == owner
    area = get(state, "e_area", rows, target)
    bonus = hits_added(scene, hero, state, rows, area, focus.astype(np.int16))
    foe = scene.kind_of[get(state, "e_card", rows, target)]
    circumstances = circumstances_of(scene, state, "e", rows, target, "h", hero, bonus)
    circumstances["others"] = n_others_near(scene, state, rows, target, strike)
    plan = AttackPlan(rows, strike, bonus, scene.party.damage_type[strike])
    blow = roll_blow(scene, scene.hero_arms, plan, foe, circumstances, rolls, name)
    if "h_ready" in state:
        state["h_ready"][rows, hero] = 0
    if (kit := scene.party.kits[hero]) is not None:
        wear_out(kit, hero, state, rows, strike, blow.roll, blow.purchase)
    master_wounded = _wounds_master(scene, state, target, blow, rolls, name, primary=True)
    if scene.hero_arms.reaches:
        _area_attack(scene, hero, state, target, area, blow, master_wounded, rolls)
    if scene.hero_arms.pushes:
        _push(scene, hero, state, target, blow)
    for body in range(state["e_card"].shape[1]):
        remove_fallen(scene, state, rows, body, owner)
    if scene.has_masters:
        by = np.full(rolls.n, -1)
        by[rows[master_wounded]] = owner
        write_threat(state, threat_after_wound(Threat(state["holder"], state["level"]), by))


def _wounds_master(scene: Scene, state: State, target: IntArray, blow: Blow, rolls: Rolls, name: str, *,
          primary: bool) -> BoolArray:  # fmt: skip
    """Resolve an attack on enemies; return where it wounds a Master, `bool[m]`."""
    wounds = resolve_blow(scene, scene.hero_arms, state, "e", target, blow, rolls, name, primary=primary)
    master = scene.bestiary.is_master[scene.kind_of[get(state, "e_card", blow.plan.rows, target)]]
    return np.asarray((wounds > 0) & master)


def _area_attack(
    scene: Scene, hero: int, state: State, target: IntArray, area: IntArray, blow: Blow, master_wounded: BoolArray,
    rolls: Rolls,
) -> None:  # fmt: skip
    """Resolve the attack on every other enemy within the radius of its area effect: IS-AOE.1, IS-AOE.2."""
    rows = blow.plan.rows
    for body in range(state["e_card"].shape[1]):
        body_area = get(state, "e_area", rows, body)
        in_radius = (blow.deeds["area"] > 0) & (get(state, "e_card", rows, body) >= 0) & (target != body)
        in_radius &= scene.board.points(ENEMY, area, body_area) <= blow.deeds["radius"]
        among = blow.among(in_radius)
        if scene.rules.supremacy_of_area_attacks == "each_area":
            trials_and_focus = among.plan.rows, np.zeros(len(among.plan.rows), np.int16)
            bonus = hits_added(scene, hero, state, trials_and_focus[0], area[in_radius], trials_and_focus[1])
            among = among.with_more(
                hits_added(scene, hero, state, trials_and_focus[0], body_area[in_radius], trials_and_focus[1]) - bonus
            )
        bystander = np.full(len(among.plan.rows), body)
        master_wounded[in_radius] |= _wounds_master(scene, state, bystander, among, rolls, "area", primary=False)


def _push(scene: Scene, hero: int, state: State, target: IntArray, blow: Blow) -> None:
    """Push the target back an area: IS-PUSH.1 to IS-PUSH.3."""
    goes = (blow.deeds["push"] > 0) & (blow.hits > 0)
    rows, target = blow.plan.rows[goes], target[goes]
    start, foe = get(state, "e_area", rows, target), state["h_area"][rows, hero]
    off_map = np.full(len(rows), scene.board.off_map)
    first = {"attackers_way": state["h_from"][rows, hero], "defenders_way": get(state, "e_from", rows, target),
             "away": off_map}[scene.rules.push_direction]  # fmt: skip
    occupied_bits = scene.board.bits(np.concatenate((state["h_area"][rows], state["e_area"][rows]), axis=1))
    walker = scene.bestiary.walker[scene.kind_of[get(state, "e_card", rows, target)]]
    goal = scene.board.step_back(walker, start, foe, first, occupied_bits, farther=False)
    put(state, "e_area", rows, target, goal)
    put(state, "e_from", rows, target, start)
