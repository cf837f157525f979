"""Whom a hero can attack this turn, from where and with what (IS-ACT.3, IS-ACT.4, IS-HIT.14, IS-LOS)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.attacks.blows import circumstances_of
from balance.games.immortal_souls.encounter.board.areas import ENEMY, FAR, FLYER
from balance.games.immortal_souls.encounter.board.control import supremacy
from balance.games.immortal_souls.encounter.board.events import lasting_card, open_cards
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
    standing_columns,
)


@dataclass(frozen=True, eq=False)
class Candidates:
    """The enemies that a hero may attack this turn, `[n, bodies]` each.

    `now`: whom he can attack from where he stands. `in_reach`: whom he can attack, there or after his Move. `goal` and
    `points`: the area from which he would, or the enemy's own if it is out of reach, and the movement points to it.
    """

    now: BoolArray
    in_reach: BoolArray
    goal: IntArray
    points: IntArray


def candidates(scene: Scene, hero: int, state: State, points: IntArray, *, off_hand: bool = False) -> Candidates:
    """Return whom a hero can attack if his Move has so many movement points, `int[n]`; below 0 he does not move.

    He attacks with the second weapon if `off_hand`, else with the first one or any power that is ready.
    """
    board, hero_area, enemy_areas = scene.board, state["h_area"][:, hero], state["e_area"]
    in_play = alive(state)
    reach = np.maximum(_reaches(scene, hero, state).max(axis=1), scene.party.reach[weapon_strike(scene, hero, state)])
    if off_hand:
        reach = np.broadcast_to(scene.party.reach[weapon_strike(scene, hero, state, off_hand=True)], hero_area.shape)
    enemy_bits = board.bits(enemy_areas)
    melee_targets = in_play & (enemy_areas == hero_area[:, None])
    engaged = melee_targets.any(axis=1)
    far = board.points(FLYER, hero_area[:, None], enemy_areas)
    shot = in_play & (far <= reach[:, None]) & board.hero_sees(hero_area[:, None], enemy_areas, enemy_bits[:, None])
    now = np.where(engaged[:, None], melee_targets, shot)
    melee = board.points(scene.party.walker[hero], hero_area[:, None], enemy_areas)
    goal, cost = enemy_areas, melee
    if reach.any():
        goal, cost = _stands(scene, hero, hero_area, enemy_areas, reach, enemy_bits, points)
        shooter = cost <= points[:, None]
        goal, cost = np.where(shooter, goal, enemy_areas), np.where(shooter, cost, melee)
    after_move = in_play & (cost <= points[:, None]) & (points >= 0)[:, None]
    goal, cost = np.where(now, hero_area[:, None], goal), np.where(now, 0, cost)
    return Candidates(now, now | after_move, goal.astype(np.int16), cost.astype(np.int16))


def _stands(
    scene: Scene, hero: int, hero_area: IntArray, enemy_areas: IntArray, reach: IntArray,
    enemy_bits: npt.NDArray[np.uint32], points: IntArray,
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """Return the nearest enemy-free area to shoot each enemy from, and the points to it, `int16[n, bodies]` each."""
    board = scene.board
    areas = np.arange(board.n_areas, dtype=np.int16)
    ways = board.points(scene.party.walker[hero], hero_area[:, None], areas).astype(np.int16)
    free = ((enemy_bits[:, None] >> areas.astype(np.uint32)) & 1) == 0
    ways = np.where(free & (ways <= points[:, None]), ways, FAR)
    goal, cost = np.zeros(enemy_areas.shape, np.int16), np.full(enemy_areas.shape, FAR, np.int16)
    for body in range(enemy_areas.shape[1]):
        aim = enemy_areas[:, body, None]
        good = board.points(FLYER, areas, aim) <= reach[:, None]
        good &= board.hero_sees(areas, aim, enemy_bits[:, None])
        costs = np.where(good, ways, FAR)
        goal[:, body] = costs.argmin(axis=1)
        cost[:, body] = costs.min(axis=1)
    return goal, cost


def _reaches(scene: Scene, hero: int, state: State) -> IntArray:
    """Return the range in areas of each power of a hero, `int[n, powers]`; -1 where it is not ready."""
    power_strikes = scene.party.powers[hero][state["h_rank"][:, hero]]
    ready = (power_strikes >= 0) & (state["cool"][:, hero] == 0)
    return np.where(ready, scene.party.reach[power_strikes], -1)


def strike_with(scene: Scene, hero: int, state: State, distance: IntArray) -> tuple[IntArray, IntArray]:
    """Return the attack a hero makes at a distance, and the place of its power, -1 for the weapon, `int[n, m]` each.

    It is the first power that is ready and reaches, else the weapon; `distance` is in areas, `int[n, m]`.
    """
    power_strikes = scene.party.powers[hero][state["h_rank"][:, hero]]
    reach = _reaches(scene, hero, state)
    power = np.full(distance.shape, -1, np.int16)
    for place in reversed(range(power_strikes.shape[1])):
        power = np.where(reach[:, place, None] >= distance, np.int16(place), power)
    strike = np.take_along_axis(power_strikes, np.maximum(power, 0), axis=1)
    return np.where(power >= 0, strike, weapon_strike(scene, hero, state)[..., None]), power


def weapon_strike(scene: Scene, hero: int, state: State, *, off_hand: bool = False) -> IntArray:
    """Return the number of the attack with a hero's first or second weapon, `int[n]`; a scalar if it never changes."""
    kit = scene.party.kits[hero]
    if kit is not None:
        return attack_with(kit, hero, state, int(off_hand))
    return np.asarray((scene.party.off_hand if off_hand else scene.party.weapon)[hero])


def lasting_hits(scene: Scene, state: State, side: str) -> IntArray:
    """Return the hits that open event cards add to attacks of a side, "h" or "e", `int[n]` (IS-EVT.2, IS-EVT.4)."""
    hits = scene.events.hero_hits if side == "h" else scene.events.enemy_hits
    return np.asarray(hits[lasting_card(open_cards(state))] + hits[state["aside"]])


def hits_added(scene: Scene, hero: int, state: State, rows: IntArray, area: IntArray, focus: IntArray) -> IntArray:
    """Return the hits that focus, supremacy, events, curses and criticals add to attacks, `int[m]` or `int[m, k]`.

    `area` is where the targets are, of the shape of the result; `focus` counts the focus tokens that are spent.
    """
    part = standing_columns(state, rows)
    rule = scene.constants.attack
    leads = supremacy(area, heroes_of(part), enemies_of(part), scene.rules.supremacy_over_knocked_out)
    hits = lasting_hits(scene, state, "h")[rows] - state["h_curse"][rows, hero] + focus * rule.focus_hits
    for name, sign in (("h_dulled", -1), ("h_ready", 1)):
        if name in state:
            hits = hits + sign * state[name][rows, hero]
    return np.asarray(hits.reshape((-1,) + (1,) * (area.ndim - 1)) + leads * rule.supremacy_hits)


def sight(scene: Scene, hero: int, state: State, options: Candidates, focus: IntArray) -> Sight:
    """Return what a hero's targeting policy sees: the options, and his focus tokens, `int[n]`, for expected wounds."""
    n, allies = len(state["rounds"]), np.arange(scene.n_allies)
    comrades = ~state["h_ghost"] & (allies != hero)
    ally_wounds = np.where(comrades, most_health(scene, state) - state["h_health"], -1)
    ways = scene.board.points(scene.party.walker[hero], state["h_area"][:, hero, None], state["h_area"])
    return Sight(
        options.in_reach, options.points, state["e_health"], ally_wounds, np.where(comrades, ways, FAR),
        state["h_health"][:, hero],
        partial(_wounds, scene, hero, state, options, focus, np.arange(n)),
        partial(_expected_harm, scene, hero, state, options),
    )  # fmt: skip


def _wounds(scene: Scene, hero: int, state: State, options: Candidates, focus: IntArray, rows: IntArray) -> FloatArray:
    """Return the expected wounds of an attack on each body, `float64[n, bodies]`."""
    enemy_areas = state["e_area"]
    strike, _ = strike_with(scene, hero, state, scene.board.points(FLYER, options.goal, enemy_areas))
    bonus = hits_added(scene, hero, state, rows, enemy_areas, focus)
    n, n_bodies = enemy_areas.shape
    flat, body = np.repeat(rows, n_bodies), np.tile(np.arange(n_bodies), n)
    circumstances = circumstances_of(scene, state, "e", flat, body, "h", hero, bonus.ravel())
    circumstances["others"] = n_others_near(scene, state, flat, body, strike.ravel())
    foe = np.minimum(kinds_of(scene, state), len(scene.bestiary.names) - 1).ravel()
    return scene.hero_arms.expected(strike.ravel(), foe, circumstances).reshape(enemy_areas.shape)


def n_others_near(scene: Scene, state: State, rows: IntArray, body: IntArray, strike: IntArray) -> IntArray:
    """Return how many other enemies an area effect on each body would reach, `int[m]`; 0 for attacks without one.

    `strike` is the number of the attack, `int[m]`.
    """
    if not scene.hero_arms.reaches:
        return np.zeros(len(rows), np.int64)
    enemy_areas = state["e_area"][rows]
    way = scene.board.points(ENEMY, get(state, "e_area", rows, body)[:, None], enemy_areas)
    near = (way <= scene.hero_arms.radius[strike][:, None]) & (state["e_card"][rows] >= 0)
    return np.asarray(np.maximum(near.sum(axis=1) - 1, 0))


def _expected_harm(scene: Scene, hero: int, state: State, options: Candidates) -> FloatArray:
    """Return the expected wounds by all enemies whose attacks reach the area of each option, `float64[n, bodies]`."""
    kind, beasts = kinds_of(scene, state), scene.bestiary
    strike = np.maximum(beasts.strike[kind, 0, scene.powers.variant[state["e_powers"]]], 0)
    no_marks = {name: np.zeros(strike.shape, np.int16) for name in scene.enemy_arms.names}
    wounds = scene.enemy_arms.expected(strike, np.full(strike.shape, hero), no_marks) * alive(state)
    way = scene.board.points(beasts.walker[kind][:, None, :], state["e_area"][:, None, :], options.goal[:, :, None])
    return np.asarray(((way <= beasts.attacks_within[kind][:, None, :]) * wounds[:, None, :]).sum(axis=2))
