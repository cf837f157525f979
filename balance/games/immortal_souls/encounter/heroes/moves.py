"""The Move of a hero: his way, enemies that strike at him as he leaves their areas, what he comes into (IS-ACT.3 to 7).

A way passes each area once, so each enemy reacts once at most: reactions are played one after the other, by the area
that is left and by rank, and the hero goes on in between as far as he can. Where a story lies his Move is interrupted:
it is played in stretches, from one such area to the next, and whoever is in play then reacts in the next stretch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.enemy_attack import enemy_attack
from balance.games.immortal_souls.encounter.board.activation import RANKS
from balance.games.immortal_souls.encounter.board.areas import HERO
from balance.games.immortal_souls.encounter.board.control import reacting_enemies
from balance.games.immortal_souls.encounter.board.decks import NO_CARD
from balance.games.immortal_souls.encounter.phases.conditions import set_alight
from balance.games.immortal_souls.encounter.phases.shadows import reveal_shadows
from balance.games.immortal_souls.encounter.phases.stories import story_ahead, story_in, tell_story
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    alive,
    enemies_of,
    first_of_cards,
    has,
    heroes_of,
    kinds_of,
    make_ghosts,
    overcomes_blindness,
    standing_columns,
    unhide,
)

NEVER = 99


@dataclass(eq=False)
class Way:
    """The way of a hero in this Move, and how far he has come.

    * `path` and `cost`: areas from the one where he stands, and movement points to each, `int[n, steps + 1]`.
    * `stop`: the place on the path that he means to reach, `int[n]`.
    * `budget`: movement points, `int[n]`.
    * `at`: the place on the path where he is, `int[n]`.
    * `is_moving`: whether he still moves, `bool[n]`.
    """

    path: IntArray
    cost: IntArray
    stop: IntArray
    budget: IntArray
    at: IntArray
    is_moving: BoolArray


def way_of(scene: Scene, hero: int, state: State, goal: IntArray, budget: IntArray, longest: int) -> Way:
    """Return the way to an area, `int[n]`, as far as the movement points lead, `int[n]`; below 0 points nobody moves.

    `longest` is the most areas of a way.
    """
    n, walker = len(goal), scene.party.walker[hero]
    path = np.repeat(state["h_area"][:, hero, None], longest + 1, axis=1)
    cost = np.zeros((n, longest + 1), np.int16)
    for step in range(longest):
        path[:, step + 1] = scene.board.next_area(walker, path[:, step], goal)
        cost[:, step + 1] = cost[:, step] + scene.board.points(walker, path[:, step], path[:, step + 1])
    moves = (path[:, 1:] != path[:, :-1]) & (cost[:, 1:] <= budget[:, None])
    stop = moves.cumprod(axis=1).sum(axis=1)
    return Way(path, cost, stop.astype(np.int16), budget.astype(np.int16), np.zeros(n, np.int16), stop > 0)


def move_along(scene: Scene, hero: int, state: State, way: Way, rolls: Rolls) -> None:
    """Move a hero on his way, past enemies that react and through stories; he goes on if he can (IS-ACT.6, IS-Q17).

    Companions trigger no stories (IS-POW.12).
    """
    _save_for_move(scene, hero, state, way, rolls)
    if scene.shadows is not None and hero < scene.n_heroes:
        _area_by_area(scene, hero, state, way, rolls)
        return
    for _ in range(scene.n_stories if hero < scene.n_heroes else 0):
        _go_on(scene, hero, state, way, story_ahead(scene, state, way.path, way.at, way.stop), rolls)
        _tell_story(scene, hero, state, way, rolls)
    _go_on(scene, hero, state, way, way.stop, rolls)


def _area_by_area(scene: Scene, hero: int, state: State, way: Way, rolls: Rolls) -> None:
    """Move area by area, so that the hero turns over Shadows that he sees from each one on the way: IS-ENE.12.

    Enemies that come of them may react as others do.
    """
    for _ in range(way.path.shape[1] - 1):
        _go_on(scene, hero, state, way, np.minimum(way.at + 1, way.stop), rolls)
        rows, area_before = np.flatnonzero(way.is_moving), state["h_area"][:, hero].copy()
        reveal_shadows(scene, state, hero, rolls)
        _halt(state, hero, way, rows, area_before[rows])
        if scene.n_stories:
            _tell_story(scene, hero, state, way, rolls)


def _tell_story(scene: Scene, hero: int, state: State, way: Way, rolls: Rolls) -> None:
    """Resolve the story in the area where a hero pauses, and end his Move if it stops him: IS-EVT.3, IS-ACT.21."""
    area = state["h_area"][:, hero].copy()
    story = np.where(way.is_moving, story_in(scene, state, area), NO_CARD)
    rows = np.flatnonzero(story != NO_CARD)
    tell_story(scene, state, rows, story[rows], hero, rolls)
    _halt(state, hero, way, rows, area[rows])


def _go_on(scene: Scene, hero: int, state: State, way: Way, to: IntArray, rolls: Rolls) -> None:
    """Move a hero to a place of his path, `int[n]`, with the reactions of enemies whose areas he leaves on the way."""
    enemies = enemies_of(state)
    able = _able(scene, state)
    exits = way.path[:, :-1, None] == state["e_area"][:, None, :]
    steps = np.arange(exits.shape[1])
    exits &= ((steps >= way.at[:, None]) & (steps < to[:, None]))[:, :, None] & able[:, None, :]
    places = np.where(exits.any(axis=1), exits.argmax(axis=1), NEVER)
    n_bodies = places.shape[1]
    rank = scene.bestiary.rank[kinds_of(scene, state)]
    order = np.sort((places * len(RANKS) + RANKS.index("purple") - rank) * 16 + np.arange(n_bodies), axis=1)
    for turn in range(n_bodies):
        body, place = order[:, turn] % 16, order[:, turn] // (16 * len(RANKS))
        reacts = way.is_moving & (place < NEVER)
        _advance(scene, hero, state, way, np.where(reacts, place, way.at))
        reacts &= way.is_moving
        rows = np.flatnonzero(reacts & _leaves(state, hero, way))
        at = state["h_area"][rows, hero]
        part = standing_columns(state, rows)
        strikes = reacting_enemies(
            at, heroes_of(part), type(enemies)(*(values[rows] for values in enemies)), able[rows]
        )
        rows = rows[strikes[np.arange(len(rows)), body[rows]]]
        before = state["h_area"][rows, hero]
        enemy_attack(scene, state, rows, body[rows], np.full(len(rows), hero), 0, rolls, "reaction")
        _halt(state, hero, way, rows, before)
    _advance(scene, hero, state, way, to)


def _halt(state: State, hero: int, way: Way, rows: IntArray, before: IntArray) -> None:
    """End the Move of a hero who has died, been stunned, or been moved out of the area `before`, `int[m]` (IS-Q17)."""
    halts = state["h_ghost"][rows, hero] | (state["h_area"][rows, hero] != before)
    if "h_stun" in state:
        halts |= state["h_stun"][rows, hero] > 0
    way.is_moving[rows[halts]] = False


def _save_for_move(scene: Scene, hero: int, state: State, way: Way, rolls: Rolls) -> None:
    """Let a blinded hero save for the Move, and for evading if engaged; failure stops it (IS-COND.6, IS-Q22)."""
    if "h_blind" not in state:
        return
    fails = ~overcomes_blindness(scene, hero, state, rolls, "move save")
    is_engaged = ((way.path[:, 0, None] == state["e_area"]) & alive(state)).any(axis=1)
    fails_to_evade = ~overcomes_blindness(scene, hero, state, rolls, "evade save") & is_engaged
    if scene.rules.blinded_hero_saves == "every_activity":
        fails = fails | fails_to_evade
    way.stop[fails] = 0
    way.is_moving[fails] = False


def _able(scene: Scene, state: State) -> BoolArray:
    """Return which bodies may react, `bool[n, bodies]`: IS-ACT.8, IS-Q15, IS-Q16, IS-Q18."""
    able = alive(state) if scene.rules.horde_attacks == "each_mini" else first_of_cards(scene, state)
    reaction_rules = {"e_stun": False, "e_ko": scene.rules.knocked_out_enemies_react,
                  "e_blind": scene.rules.blinded_enemies_react}  # fmt: skip
    for name, may in reaction_rules.items():
        if name in state and not may:
            able = able & (state[name] == 0)
    return able


def _leaves(state: State, hero: int, way: Way) -> BoolArray:
    """Return who has the points to leave the area where he is, `bool[n]`, standing up first if he must (IS-COND.4)."""
    n = np.arange(len(way.at))
    onward = way.cost[n, np.minimum(way.at + 1, way.cost.shape[1] - 1)]
    return np.asarray(onward + has(state, "ko", hero) <= way.budget)


def _advance(scene: Scene, hero: int, state: State, way: Way, to: IntArray) -> None:
    """Move heroes step by step to a place of their path, `int[n]`, without reactions."""
    for _ in range(way.path.shape[1] - 1):
        goes = way.is_moving & (way.at < to)
        if not goes.any():
            return
        down, may = has(state, "ko", hero), _leaves(state, hero, way)
        way.is_moving[goes & ~may] = False
        rows = np.flatnonzero(goes & may)
        risers = rows[down[rows]]
        if len(risers):
            state["h_ko"][risers, hero] = 0
            way.budget[risers] -= 1
        _reveal_evaders(state, hero, rows)
        state["h_from"][rows, hero] = way.path[rows, way.at[rows]]
        way.at[rows] += 1
        state["h_area"][rows, hero] = way.path[rows, way.at[rows]]
        _enter_areas(scene, hero, state, way, rows)


def _reveal_evaders(state: State, hero: int, rows: IntArray) -> None:
    """Reveal hidden heroes who leave an area with enemies, since evading is an activity (IS-AI.18)."""
    if "h_hidden" in state:
        engaged = ((state["e_area"][rows] == state["h_area"][rows, hero, None]) & (state["e_card"][rows] >= 0)).any(
            axis=1
        )
        unhide(state, hero, rows[engaged])


def _enter_areas(scene: Scene, hero: int, state: State, way: Way, rows: IntArray) -> None:
    """Apply fire and deadly terrain to heroes who have taken a step (IS-FIRE.3, IS-TERR.4).

    It runs only in trials with a step, so that it must make no random requests; what does interrupts the Move, as
    stories do.
    """
    if scene.fires:
        areas = np.full((len(rows), scene.n_allies), scene.board.off_map)
        areas[:, hero] = state["h_area"][rows, hero]
        set_alight(state, "h", rows, areas)
    rows = rows[scene.deadly[state["h_area"][rows, hero]]]
    if len(rows) and scene.party.walker[hero] == HERO:
        wounds = np.minimum(state["h_health"][rows, hero], scene.constants.board.deadly_wounds)
        state["h_health"][rows, hero] -= wounds.astype(np.int16)
        state["wounds"][rows] += (wounds * (hero < scene.n_heroes)).astype(np.int16)
        dead = make_ghosts(scene, state, rows, hero)
        way.is_moving[rows[dead]] = False
