"""The Hero Turn: a Move, then combat activities, with his powers first (IS-ACT.1, IS-SEQ.3); or that of a ghost."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.games.immortal_souls.encounter.attacks.belongings import handed_over, items_used, picked_up, quickened
from balance.games.immortal_souls.encounter.attacks.candidates import Candidates, candidates, held, sight, strike_with
from balance.games.immortal_souls.encounter.attacks.enemy_attack import entered
from balance.games.immortal_souls.encounter.attacks.hero_attack import hero_attack
from balance.games.immortal_souls.encounter.attacks.masters import drawn_off
from balance.games.immortal_souls.encounter.board.areas import FAR, FLYER
from balance.games.immortal_souls.encounter.heroes.companions import bidden
from balance.games.immortal_souls.encounter.heroes.healing import healed
from balance.games.immortal_souls.encounter.heroes.hiding import hidden
from balance.games.immortal_souls.encounter.heroes.moves import moved, way_of
from balance.games.immortal_souls.encounter.party.gear import awakened
from balance.games.immortal_souls.encounter.phases.shadows import revealed, sought
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import alive, carried_out, copied, has, settled, shown

__all__ = ["hero_turn"]

SIDE = "heroes"


def hero_turn(scene: Scene, hero: int, state: State, rolls: Rolls) -> State:
    """Play the Hero Turn of one hero."""
    state = copied(state)
    companions = scene.party.pack.of(hero)
    tokens = {who: _tokens(state, who) for who in (hero, *companions)}
    began = tokens[hero]
    state["was_ghost"][:, hero] = state["h_ghost"][:, hero]
    _haunted(scene, hero, state)
    able = ~state["h_ghost"][:, hero] & ~began["stun"]
    actions = np.where(able & ~began["slow"], scene.party.actions[hero, state["h_rank"][:, hero]], 0)
    actions = items_used(scene, hero, state, _acts(scene, hero, state, able), actions, rolls)
    able, actions, to_make = _set_out(scene, hero, state, able, began, actions, rolls)
    able = _acts(scene, hero, state, able)
    actions = drawn_off(scene, hero, state, able, actions, rolls)
    actions = healed(scene, hero, state, able, actions, rolls)
    picked_up(scene, hero, state, able, rolls)
    actions = handed_over(scene, hero, state, able, actions, rolls)
    attacks = state["hero_attacks"].copy()
    for companion in companions:
        acts, actions, to_make = bidden(scene, hero, companion, state, able, actions, to_make, rolls)
        shown(state, hero, acts)
        none = np.zeros_like(actions)
        _, _, strikes = _set_out(scene, companion, state, acts, tokens[companion], none, rolls)
        _fought(scene, companion, state, strikes, none, rolls)
        able = _still_able(state, hero, able, began)  # a reaction to it may have reached him
        to_make = np.where(able & ~has(state, "ko", hero), to_make, 0)
    _prepared(scene, hero, state, able & (to_make > 0), rolls)
    _fought(scene, hero, state, to_make, actions, rolls)
    hidden(scene, hero, state, able & (actions > 0) & (state["hero_attacks"] == attacks), rolls)
    for who, there in tokens.items():
        _ended(scene, who, state, there)
    return settled(scene, state)


def _tokens(state: State, hero: int) -> dict[str, BoolArray]:
    """Return who has the tokens that his turn ends."""
    return {name: has(state, name, hero) for name in ("stun", "slow", "blind")}


def _set_out(
    scene: Scene, hero: int, state: State, able: BoolArray, began: dict[str, BoolArray], actions: IntArray, rolls: Rolls
) -> tuple[BoolArray, IntArray, IntArray]:
    """Let a hero or a companion move; return who is still able, and the actions and combat activities that are left."""
    actions = _made_move(scene, hero, state, able, began["slow"], actions, rolls)
    able = _still_able(state, hero, able, began)
    return able, actions, _to_make(scene, hero, state, able, began["slow"], actions < 0)


def _still_able(state: State, hero: int, able: BoolArray, began: dict[str, BoolArray]) -> BoolArray:
    """Return who goes on with his turn: whom no reaction has killed or stunned."""
    able = able & ~state["h_ghost"][:, hero]
    return able & ~(has(state, "stun", hero) & ~began["stun"])


def _fought(scene: Scene, hero: int, state: State, to_make: IntArray, actions: IntArray, rolls: Rolls) -> None:
    """Make the combat activities of a hero or a companion, and the attacks that follow one with the weapon."""
    struck_once = np.zeros(rolls.n, bool)
    for number in range(int(scene.party.activities[hero].max())):
        focus = (actions > 0) & (number == 0)
        struck_once |= _attacked(scene, hero, state, to_make > number, focus, rolls)
        _looked_round(scene, hero, state, rolls)
    for number in range(int(scene.party.extra[hero].max()) if scene.party.off_hand[hero] >= 0 else 0):
        due = struck_once & (scene.party.extra[hero, state["h_rank"][:, hero]] > number)
        _attacked(scene, hero, state, due, np.zeros(rolls.n, bool), rolls, off_hand=True)
        _looked_round(scene, hero, state, rolls)


def _looked_round(scene: Scene, hero: int, state: State, rolls: Rolls) -> None:
    """Turn over what heroes see where enemies have fallen; who watches a companion fight does so later (IS-ENE.12)."""
    if hero < scene.n_heroes:
        revealed(scene, state, hero, rolls)


def _acts(scene: Scene, hero: int, state: State, able: BoolArray) -> BoolArray:
    """Return who may do more than stand up: where K.O. forbids every activity, only who is on his feet (IS-Q13)."""
    return able & ~has(state, "ko", hero) if scene.rules.knocked_out_hero_may_not == "all" else able


def _haunted(scene: Scene, hero: int, state: State) -> None:
    """IS-HP.5: a ghost recalls itself to the first altar."""
    if len(scene.altars):
        rows = np.flatnonzero(state["h_ghost"][:, hero])
        state["h_area"][rows, hero] = scene.altars[0]


def _made_move(scene: Scene, hero: int, state: State, able: BoolArray, slow: BoolArray, actions: IntArray,
               rolls: Rolls) -> IntArray:  # fmt: skip
    """Let a hero choose and go; return the actions that he has left, -1 for a slowed hero who has done his one thing.

    Standing up from K.O. takes a movement point of the Move (IS-COND.4, IS-Q41).
    """
    down = has(state, "ko", hero)
    rule, base = scene.constants.board, int(scene.party.movement[hero])
    own = np.where(able, base - down, -1)
    points = own + np.where(able & (actions > 0), rule.sprint_points, 0)
    found = candidates(scene, hero, state, np.where(slow, -1, points))
    focus = np.minimum(actions, 1)
    chosen = _choice(scene, hero, state, found, able & ~(slow & down), focus, rolls, "target", moves=True)
    goal, stays = _goal(scene, hero, state, found, chosen, able)
    goal, stays = sought(scene, hero, state, able, goal, stays)
    rises = able & down & (own >= 0) & ~(slow & stays)
    if "h_ko" in state:
        state["h_ko"][rises, hero] = 0
    points = np.where(stays | (slow & down), -1, points)
    longest = base + rule.sprint_points
    way = way_of(scene, hero, state, goal, points, longest)
    before = state["h_area"][:, hero].copy()
    moved(scene, hero, state, way, rolls)
    spent = way.cost[np.arange(rolls.n), way.at] + (points - way.budget)
    actions = np.where(able & (spent > own) & ~stays, actions - 1, actions)
    actions = _risen(state, hero, able, np.where(stays, 0, own - spent), actions)
    entered(
        scene, hero, state, np.flatnonzero((before != state["h_area"][:, hero]) & ~state["h_ghost"][:, hero]), rolls
    )
    done = slow & (~stays | down)
    return np.where(done, -1, actions)


def _choice(scene: Scene, hero: int, state: State, found: Candidates, able: BoolArray, focus: IntArray, rolls: Rolls,
            name: str, *, moves: bool) -> IntArray:  # fmt: skip
    """Return the option that a hero chooses, `int[n]`; whom he cannot attack or reach is not offered."""
    there = alive(state) & able[:, None]
    enemies = there & (found.points < FAR) if moves else there & found.now
    nobody = np.ones((len(able), 1), bool)
    ways = scene.board.points(scene.party.walker[hero], state["h_area"][:, hero, None], state["h_area"])
    others = ~state["h_ghost"] & (ways > 0) & (ways < FAR) & able[:, None] & moves
    legal = np.concatenate((enemies, nobody, others), axis=1)
    return rolls.choose(SIDE, name, legal, sight(scene, hero, state, found, focus))


def _goal(scene: Scene, hero: int, state: State, found: Candidates, chosen: IntArray, able: BoolArray,
          ) -> tuple[IntArray, BoolArray]:  # fmt: skip
    """Return where to go, and who stays where he is: because he can attack from there, or as he chose."""
    n, n_bodies = found.goal.shape
    rows, body = np.arange(n), np.minimum(chosen, n_bodies - 1)
    other = np.clip(chosen - n_bodies - 1, 0, scene.n_allies - 1)
    enemy = chosen < n_bodies
    goal = np.where(enemy, found.goal[rows, body], state["h_area"][rows, other])
    stays = ~able | (chosen == n_bodies) | (enemy & found.now[rows, body])
    return np.where(stays, state["h_area"][:, hero], goal), stays


def _risen(state: State, hero: int, able: BoolArray, left: IntArray, actions: IntArray) -> IntArray:
    """Stand up whom a reaction knocked out, with a point left or with Sprint (IS-ACT.12); return actions left."""
    if "h_ko" not in state:
        return actions
    down = able & (state["h_ko"][:, hero] > 0) & ~state["h_ghost"][:, hero]
    by_point = down & (left > 0)
    by_sprint = down & ~by_point & (actions > 0) & (left >= 0)
    state["h_ko"][by_point | by_sprint, hero] = 0
    return np.where(by_sprint, actions - 1, actions)


def _to_make(scene: Scene, hero: int, state: State, able: BoolArray, slow: BoolArray, done: BoolArray) -> IntArray:
    """Return how many combat activities he has (IS-COND.4, IS-COND.7)."""
    most = scene.party.activities[hero, state["h_rank"][:, hero]]
    slowed = np.minimum(most, scene.constants.conditions.slowed_activities)
    return np.where(able & ~done & ~has(state, "ko", hero), np.where(slow, slowed, most), 0)


def _prepared(scene: Scene, hero: int, state: State, able: BoolArray, rolls: Rolls) -> None:
    """Let a hero who has somebody to attack pay for his soul weapon, and use what adds hits.

    He does not pay while another is a ghost, who might need the Soul Points to return.
    """
    own = scene.party.kits[hero]
    if not scene.party.most_ready and not (own and own.souls):
        return
    about_to = able & candidates(scene, hero, state, np.full(rolls.n, -1)).now.any(axis=1)
    if own is not None:
        awakened(own, hero, state, about_to & ~state["h_ghost"][:, : scene.n_heroes].any(axis=1))
    quickened(scene, hero, state, about_to, rolls)


def _attacked(
    scene: Scene, hero: int, state: State, makes: BoolArray, focus: BoolArray, rolls: Rolls, *, off_hand: bool = False
) -> BoolArray:
    """IS-HIT.10: one combat activity, with the first power that is ready and reaches, else with the weapon.

    Or one more attack with the second weapon. Returns in which trials he attacked with a weapon.
    """
    makes = makes & ~state["h_ghost"][:, hero]
    if off_hand:
        makes &= held(scene, hero, state, off_hand=True) >= 0
    found = candidates(scene, hero, state, np.full(rolls.n, -1), off_hand=off_hand)
    chosen = _choice(scene, hero, state, found, makes, focus.astype(np.int16), rolls, "attack", moves=False)
    tries, after = acting(state, SIDE, makes & (chosen < found.goal.shape[1]))
    state |= after
    shown(state, hero, tries)
    carried = tries & carried_out(scene, hero, state, rolls, "attack save")
    target = np.minimum(chosen, found.goal.shape[1] - 1)
    there = np.take_along_axis(state["e_area"], target[:, None], axis=1)
    distance = scene.board.points(FLYER, state["h_area"][:, hero, None], there)
    strike, power = (values[:, 0] for values in strike_with(scene, hero, state, distance))
    if off_hand:
        second = np.maximum(held(scene, hero, state, off_hand=True), 0)
        strike, power = np.broadcast_to(second, rolls.n), np.full(rolls.n, -1)
    turned = np.flatnonzero((tries if scene.rules.failed_save_turns_power else carried) & (power >= 0))
    state["cool"][turned, hero, power[turned]] = scene.party.cooldown[strike[turned]]
    rows = np.flatnonzero(carried)
    hero_attack(scene, hero, state, rows, target[rows], strike[rows], focus[rows], rolls)
    return np.asarray(carried & (power < 0))


def _ended(scene: Scene, hero: int, state: State, began: dict[str, BoolArray]) -> None:
    """Take away the tokens that end with this turn, and a curse (IS-COND.6 to IS-COND.8, IS-Q19)."""
    for name, there in began.items():
        if f"h_{name}" in state:
            off = there if scene.rules.own_turn_token_ends == "next_turn" else np.ones_like(there)
            state[f"h_{name}"][off, hero] = 0
    for name in ("h_curse", "h_ready"):
        if name in state:
            state[name][:, hero] = 0
