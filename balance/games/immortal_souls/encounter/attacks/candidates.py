"""Whom a hero can attack this turn, from where and with what (IS-ACT.3, IS-ACT.4, IS-HIT.14, IS-LOS)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.games.immortal_souls.encounter.attacks.blows import met_of
from balance.games.immortal_souls.encounter.board.areas import ENEMY, FAR, FLYER
from balance.games.immortal_souls.encounter.board.control import supremacy
from balance.games.immortal_souls.encounter.board.events import opened, uncovered
from balance.games.immortal_souls.encounter.party.gear import attack_with
from balance.games.immortal_souls.encounter.policies import Sight
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    alive,
    enemies_of,
    get,
    heroes_of,
    kinds_of,
    most_health,
    standing,
)

__all__ = ["Candidates", "candidates", "held", "hits_added", "lasting_hits", "others_near", "sight", "strike_with"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The enemies as a hero may attack them this turn, `[n, bodies]`.

    Attributes
    ----------
    now
        Whom he can attack from where he stands.
    in_reach
        Whom he can attack, there or after his Move.
    goal, points
        The area from which he would, or the enemy's own if it is out of reach, and the movement points to it.
    """

    now: BoolArray
    in_reach: BoolArray
    goal: IntArray
    points: IntArray


def candidates(scene: Scene, hero: int, state: State, points: IntArray, *, off_hand: bool = False) -> Candidates:
    """Return whom a hero can attack, with so many movement points for his Move, below 0 for none, `int[n]`.

    With his second weapon, if it is to be that; else with any power that is ready and with the first.
    """
    board, here, there = scene.board, state["h_area"][:, hero], state["e_area"]
    in_play = alive(state)
    reach = np.maximum(_reaches(scene, hero, state).max(axis=1), scene.party.reach[held(scene, hero, state)])
    if off_hand:
        reach = np.broadcast_to(scene.party.reach[held(scene, hero, state, off_hand=True)], here.shape)
    crowded = board.bits(there)
    same = in_play & (there == here[:, None])
    engaged = same.any(axis=1)
    far = board.points(FLYER, here[:, None], there)
    shot = in_play & (far <= reach[:, None]) & board.hero_sees(here[:, None], there, crowded[:, None])
    now = np.where(engaged[:, None], same, shot)
    melee = board.points(scene.party.walker[hero], here[:, None], there)
    goal, cost = there, melee
    if reach.any():
        goal, cost = _stands(scene, hero, here, there, reach, crowded, points)
        shooter = cost <= points[:, None]
        goal, cost = np.where(shooter, goal, there), np.where(shooter, cost, melee)
    moved = in_play & (cost <= points[:, None]) & (points >= 0)[:, None]
    goal, cost = np.where(now, here[:, None], goal), np.where(now, 0, cost)
    return Candidates(now, now | moved, goal.astype(np.int16), cost.astype(np.int16))


def _stands(scene: Scene, hero: int, here: IntArray, there: IntArray, reach: IntArray, crowded: npt.NDArray[np.uint32],
            points: IntArray) -> tuple[IntArray, IntArray]:  # fmt: skip
    """Return the nearest area without enemies from which each enemy can be shot at, and the points to it."""
    board = scene.board
    areas = np.arange(board.n_areas, dtype=np.int16)
    ways = board.points(scene.party.walker[hero], here[:, None], areas).astype(np.int16)
    free = ((crowded[:, None] >> areas.astype(np.uint32)) & 1) == 0
    ways = np.where(free & (ways <= points[:, None]), ways, FAR)
    goal, cost = np.zeros(there.shape, np.int16), np.full(there.shape, FAR, np.int16)
    for body in range(there.shape[1]):
        aim = there[:, body, None]
        good = board.points(FLYER, areas, aim) <= reach[:, None]
        good &= board.hero_sees(areas, aim, crowded[:, None])
        ranked = np.where(good, ways, FAR)
        goal[:, body] = ranked.argmin(axis=1)
        cost[:, body] = ranked.min(axis=1)
    return goal, cost


def _reaches(scene: Scene, hero: int, state: State) -> IntArray:
    """Return how far each power of a hero reaches that is ready, `int[n, powers]`; -1 for none."""
    own = scene.party.powers[hero][state["h_rank"][:, hero]]
    ready = (own >= 0) & (state["cool"][:, hero] == 0)
    return np.where(ready, scene.party.reach[own], -1)


def strike_with(scene: Scene, hero: int, state: State, distance: IntArray) -> tuple[IntArray, IntArray]:
    """Return the attack with which a hero attacks, and the place of its power, -1 for the weapon, `int[n, m]` each.

    It is the first power that is ready and reaches, else the weapon.

    Parameters
    ----------
    distance
        Attack distances, `int[n, m]`.
    """
    own = scene.party.powers[hero][state["h_rank"][:, hero]]
    reach = _reaches(scene, hero, state)
    power = np.full(distance.shape, -1, np.int16)
    for place in reversed(range(own.shape[1])):
        power = np.where(reach[:, place, None] >= distance, np.int16(place), power)
    strike = np.take_along_axis(own, np.maximum(power, 0), axis=1)
    return np.where(power >= 0, strike, held(scene, hero, state)[..., None]), power


def held(scene: Scene, hero: int, state: State, *, off_hand: bool = False) -> IntArray:
    """Return the attack with a hero's weapon or with his second one, `int[n]`, or of no axis if it never changes."""
    own = scene.party.kits[hero]
    if own is not None:
        return attack_with(own, hero, state, int(off_hand))
    return np.asarray((scene.party.off_hand if off_hand else scene.party.weapon)[hero])


def lasting_hits(scene: Scene, state: State, side: str) -> IntArray:
    """Return what the events that lie open add to the attacks of a side, "h" or "e", `int[n]` (IS-EVT.2, IS-EVT.4)."""
    hits = scene.events.hero_hits if side == "h" else scene.events.enemy_hits
    return np.asarray(hits[uncovered(opened(state))] + hits[state["aside"]])


def hits_added(scene: Scene, hero: int, state: State, rows: IntArray, where: IntArray, focus: IntArray) -> IntArray:
    """Return the hits that focus, supremacy, events, curses and criticals add to attacks, `int[m]` or `int[m, k]`."""
    part = standing(state, rows)
    rule = scene.constants.attack
    leads = supremacy(where, heroes_of(part), enemies_of(part), scene.rules.supremacy_over_knocked_out)
    own = lasting_hits(scene, state, "h")[rows] - state["h_curse"][rows, hero] + focus * rule.focus_hits
    for name, sign in (("h_dulled", -1), ("h_ready", 1)):
        if name in state:
            own = own + sign * state[name][rows, hero]
    return np.asarray(own.reshape((-1,) + (1,) * (where.ndim - 1)) + leads * rule.supremacy_hits)


def sight(scene: Scene, hero: int, state: State, found: Candidates, focus: IntArray) -> Sight:
    """Return what a hero sees when he chooses."""
    n, everybody = len(state["rounds"]), np.arange(scene.n_allies)
    others = ~state["h_ghost"] & (everybody != hero)
    hurt = np.where(others, most_health(scene, state) - state["h_health"], -1)
    ways = scene.board.points(scene.party.walker[hero], state["h_area"][:, hero, None], state["h_area"])
    return Sight(
        found.in_reach, found.points, state["e_health"], hurt, np.where(others, ways, FAR), state["h_health"][:, hero],
        partial(_wounds, scene, hero, state, found, focus, np.arange(n)),
        partial(_suffered, scene, hero, state, found),
    )  # fmt: skip


def _wounds(
    scene: Scene, hero: int, state: State, found: Candidates, focus: IntArray, rows: IntArray
) -> npt.NDArray[np.float64]:
    """Return the wounds to be expected of an attack on each body."""
    there = state["e_area"]
    strike, _ = strike_with(scene, hero, state, scene.board.points(FLYER, found.goal, there))
    bonus = hits_added(scene, hero, state, rows, there, focus)
    n, n_bodies = there.shape
    flat, body = np.repeat(rows, n_bodies), np.tile(np.arange(n_bodies), n)
    met = met_of(scene, state, "e", flat, body, "h", hero, bonus.ravel())
    met["others"] = others_near(scene, state, flat, body, strike.ravel())
    foe = np.minimum(kinds_of(scene, state), len(scene.bestiary.names) - 1).ravel()
    return scene.hero_arms.expected(strike.ravel(), foe, met).reshape(there.shape)


def others_near(scene: Scene, state: State, rows: IntArray, body: IntArray, strike: IntArray) -> IntArray:
    """Return how many others an area effect of attacks on bodies would reach, `int[m]`; 0 of attacks without one."""
    if not scene.hero_arms.reaches:
        return np.zeros(len(rows), np.int64)
    where = state["e_area"][rows]
    way = scene.board.points(ENEMY, get(state, "e_area", rows, body)[:, None], where)
    near = (way <= scene.hero_arms.radius[strike][:, None]) & (state["e_card"][rows] >= 0)
    return np.asarray(np.maximum(near.sum(axis=1) - 1, 0))


def _suffered(scene: Scene, hero: int, state: State, found: Candidates) -> npt.NDArray[np.float64]:
    """Return the wounds to be expected of all enemies who could attack where each attack would be made from."""
    kind, beasts = kinds_of(scene, state), scene.bestiary
    strike = np.maximum(beasts.strike[kind, 0, scene.powers.variant[state["e_powers"]]], 0)
    none = {name: np.zeros(strike.shape, np.int16) for name in scene.enemy_arms.names}
    each = scene.enemy_arms.expected(strike, np.full(strike.shape, hero), none) * alive(state)
    way = scene.board.points(beasts.walker[kind][:, None, :], state["e_area"][:, None, :], found.goal[:, :, None])
    return np.asarray(((way <= beasts.attacks_within[kind][:, None, :]) * each[:, None, :]).sum(axis=2))
