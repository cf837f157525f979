"""An attack of enemies on heroes, with what their powers add, and attacks on heroes who enter (IS-ENE.4, IS-ENE.5)."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.belongings import warded
from balance.games.immortal_souls.encounter.attacks.blows import Blow, Plan, met_of, struck, swung
from balance.games.immortal_souls.encounter.attacks.candidates import lasting_hits
from balance.games.immortal_souls.encounter.board.areas import HERO
from balance.games.immortal_souls.encounter.board.control import dominates, supremacy
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    enemies_of,
    first_of_cards,
    get,
    heroes_of,
    passed_away,
    put,
    saved,
    standing,
    targets,
)

__all__ = ["enemy_attack", "entered", "has_power", "used"]

IN_HERO_TURN = ("reaction", "entering")
"""Attacks on a hero in his own turn."""


def enemy_attack(
    scene: Scene, state: State, rows: IntArray, body: IntArray, hero: IntArray, hand: IntArray | int, rolls: Rolls,
    name: str,
) -> tuple[IntArray, BoolArray]:  # fmt: skip
    """Make an attack of enemies in trials `rows`; return the wounds dealt to the victim, and whether it died."""
    beasts, powers = scene.bestiary, scene.powers
    kind, own = scene.kind_of[get(state, "e_card", rows, body)], get(state, "e_powers", rows, body)
    strike = beasts.strike[kind, hand, powers.variant[own]]
    where = get(state, "h_area", rows, hero)
    bonus = _bonus(scene, state, rows, body, own, where)
    met = met_of(scene, state, "h", rows, hero, "e", body, bonus)
    blow = swung(
        scene, scene.enemy_arms, Plan(rows, strike, bonus, beasts.damage_type[kind, hand]), hero, met, rolls, name
    )
    if scene.party.reacts and name not in IN_HERO_TURN:
        warded(scene, state, hero, blow, rolls)
    lost = struck(scene, scene.enemy_arms, state, "h", hero, blow, rolls, name)
    state["enemy_attacks"][rows] += 1
    state["wounds"][rows] += np.where(hero < scene.n_heroes, lost, 0).astype(np.int16)
    if scene.enemy_arms.reaches:
        _others(scene, state, body, hero, where, blow, rolls)
    if scene.enemy_arms.pushes:
        _pushed(scene, state, body, hero, blow)
    if powers.curse.any():
        _cursed(scene, state, rows, own, hero, rolls, name)
    return lost, passed_away(scene, state, rows, hero)


def _bonus(scene: Scene, state: State, rows: IntArray, body: IntArray, own: IntArray, where: IntArray) -> IntArray:
    """Return the hits that powers, supremacy, events and criticals add, `int[m]`."""
    part = standing(state, rows)
    heroes, enemies = heroes_of(part), enemies_of(part)
    leads = supremacy(where, enemies, heroes, scene.rules.supremacy_over_knocked_out)
    more = leads * scene.constants.attack.supremacy_hits + scene.powers.hits[own]
    if scene.powers.leading_hits.any():
        more = more + scene.powers.leading_hits[own] * dominates(get(state, "e_area", rows, body), enemies, heroes)
    return np.asarray(more + lasting_hits(scene, state, "e")[rows] - get(state, "e_dulled", rows, body))


def _others(
    scene: Scene, state: State, body: IntArray, hero: IntArray, where: IntArray, blow: Blow, rolls: Rolls
) -> None:
    """Resolve the attack on every other hero in its area of effect: IS-AOE.1, IS-AOE.2."""
    rows = blow.plan.rows
    for other in range(scene.n_allies):
        there = get(state, "h_area", rows, other)
        reached = (blow.deeds["area"] > 0) & ~state["h_ghost"][rows, other] & (hero != other)
        reached &= scene.board.points(HERO, where, there) <= blow.deeds["radius"]
        among = blow.among(reached)
        if scene.rules.supremacy_of_area_attacks == "each_area":
            own = get(state, "e_powers", rows, body)[reached]
            here = _bonus(scene, state, among.plan.rows, body[reached], own, where[reached])
            among = among.with_more(_bonus(scene, state, among.plan.rows, body[reached], own, there[reached]) - here)
        lost = struck(scene, scene.enemy_arms, state, "h", other, among, rolls, "enemy area", primary=False)
        state["wounds"][among.plan.rows] += (lost * (other < scene.n_heroes)).astype(np.int16)
    for other in range(scene.n_allies):
        passed_away(scene, state, rows[hero != other], other)


def _pushed(scene: Scene, state: State, body: IntArray, hero: IntArray, blow: Blow) -> None:
    """IS-PUSH.1 to IS-PUSH.4: the hero goes back an area, and nobody reacts."""
    goes = (blow.deeds["push"] > 0) & (blow.hits > 0)
    rows, body, hero = blow.plan.rows[goes], body[goes], hero[goes]
    start, foe = get(state, "h_area", rows, hero), get(state, "e_area", rows, body)
    first = {"attackers_way": get(state, "e_from", rows, body), "defenders_way": get(state, "h_from", rows, hero),
             "away": np.full(len(rows), scene.board.nowhere)}[scene.rules.push_direction]  # fmt: skip
    taken = scene.board.bits(np.concatenate((state["h_area"][rows], state["e_area"][rows]), axis=1))
    goal = scene.board.step_back(scene.party.walker[hero], start, foe, first, taken, farther=False)
    put(state, "h_area", rows, hero, goal)
    put(state, "h_from", rows, hero, start)


def _cursed(scene: Scene, state: State, rows: IntArray, own: IntArray, hero: IntArray, rolls: Rolls, name: str) -> None:
    """Curse the attacks of a victim who does not save, until the end of his next turn."""
    who = np.zeros(rolls.n, np.int64)
    who[rows] = hero
    fails = ~saved(scene, who, rolls, f"{name} curse save")[rows]
    put(state, "h_curse", rows, hero, np.maximum(get(state, "h_curse", rows, hero), scene.powers.curse[own] * fails))


def has_power(scene: Scene, state: State, rows: IntArray, body: IntArray | int, power: int) -> BoolArray:
    """Return whether enemies have a power, and a charge if it takes one (IS-ENE.4), `bool[m]`."""
    has = (get(state, "e_powers", rows, body) >> power & 1) > 0
    return (
        np.asarray(has & (get(state, "e_charges", rows, body) > 0)) if scene.powers.charged[power] else np.asarray(has)
    )


def used(scene: Scene, state: State, rows: IntArray, body: IntArray | int, power: int) -> None:
    """Take the charge of a power that is used."""
    if scene.powers.charged[power]:
        put(state, "e_charges", rows, body, get(state, "e_charges", rows, body) - 1)


def entered(scene: Scene, hero: int, state: State, rows: IntArray, rolls: Rolls) -> None:
    """Let enemies attack a hero who ended his Move in their area, those whose power says so, unless he saves."""
    for power, hand in scene.powers.on_entering:
        for body in range(state["e_card"].shape[1]):
            fails = np.ones(rolls.n, bool)
            if scene.powers.saved[power]:
                fails = ~saved(scene, np.full(rolls.n, hero), rolls, "entering save")
            there = rows[(state["e_area"][rows, body] == state["h_area"][rows, hero]) & targets(state)[rows, hero]]
            able = first_of_cards(scene, state)[there, body] & (get(state, "e_stun", there, body) == 0)
            there = there[able & has_power(scene, state, there, body, power)]
            used(scene, state, there, body, power)
            there = there[fails[there]]
            enemy_attack(
                scene, state, there, np.full(len(there), body), np.full(len(there), hero), hand, rolls, "entering"
            )
