"""The Hero Turn: a Move, then combat activities, with his powers first (IS-ACT.1, IS-SEQ.3); or that of a ghost.

At heroes who hide nobody aims, though they count for control (IS-AI.18, IS-SUP.5). The token goes off with any activity
but a Move: an attack that he tries, an action, a free action such as evading. Area effects and criticals find him all
the same.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.game.kit.board.battle import copy_state
from balance.games.immortal_souls.encounter.attacks.belongings import hand_over, pick_up, use_attack_items, use_items
from balance.games.immortal_souls.encounter.attacks.candidates import (
    Candidates,
    candidates,
    sight,
    strike_with,
    weapon_strike,
)
from balance.games.immortal_souls.encounter.attacks.enemy_attack import attack_on_entry
from balance.games.immortal_souls.encounter.attacks.hero_attack import hero_attack
from balance.games.immortal_souls.encounter.attacks.masters import draw_threat
from balance.games.immortal_souls.encounter.board.areas import FAR, FLYER
from balance.games.immortal_souls.encounter.heroes.companions import command_companion
from balance.games.immortal_souls.encounter.heroes.healing import heal_ally
from balance.games.immortal_souls.encounter.heroes.moves import move_along, way_of
from balance.games.immortal_souls.encounter.party.gear import awaken_weapons
from balance.games.immortal_souls.encounter.phases.shadows import reveal_shadows, seek_shadow
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    alive,
    has,
    overcomes_blindness,
    settle_winner,
    unhide,
)

SIDE = "heroes"


def hero_turn(scene: Scene, hero: int, state: State, rolls: Rolls) -> State:
    """Play the Hero Turn of one hero, with those of his companions, on a copy of the state."""
    state = copy_state(state)
    companions = scene.party.pack.of(hero)
    tokens = {figure: _tokens(state, figure) for figure in (hero, *companions)}
    tokens_at_start = tokens[hero]
    state["was_ghost"][:, hero] = state["h_ghost"][:, hero]
    _recall_ghost(scene, hero, state)
    able = ~state["h_ghost"][:, hero] & ~tokens_at_start["stun"]
    actions = np.where(able & ~tokens_at_start["slow"], scene.party.actions[hero, state["h_rank"][:, hero]], 0)
    actions = use_items(scene, hero, state, _acts(scene, hero, state, able), actions, rolls)
    able, actions, to_make = _set_out(scene, hero, state, able, tokens_at_start, actions, rolls)
    able = _acts(scene, hero, state, able)
    actions = draw_threat(scene, hero, state, able, actions, rolls)
    actions = heal_ally(scene, hero, state, able, actions, rolls)
    pick_up(scene, hero, state, able, rolls)
    actions = hand_over(scene, hero, state, able, actions, rolls)
    attacks = state["hero_attacks"].copy()
    for companion in companions:
        acts, actions, to_make = command_companion(scene, hero, companion, state, able, actions, to_make, rolls)
        unhide(state, hero, acts)
        no_actions = np.zeros_like(actions)
        _, _, strikes = _set_out(scene, companion, state, acts, tokens[companion], no_actions, rolls)
        _fight(scene, companion, state, strikes, no_actions, rolls)
        able = _still_able(state, hero, able, tokens_at_start)  # a reaction to it may have reached him
        to_make = np.where(able & ~has(state, "ko", hero), to_make, 0)
    _prepare_attack(scene, hero, state, able & (to_make > 0), rolls)
    _fight(scene, hero, state, to_make, actions, rolls)
    hidden(scene, hero, state, able & (actions > 0) & (state["hero_attacks"] == attacks), rolls)
    for figure, start_tokens in tokens.items():
        _end_tokens(scene, figure, state, start_tokens)
    return settle_winner(scene, state)


def _tokens(state: State, hero: int) -> dict[str, BoolArray]:
    """Return who has each of the tokens that his turn may end: stun, slow and blind, `bool[n]` each."""
    return {name: has(state, name, hero) for name in ("stun", "slow", "blind")}


def _set_out(
    scene: Scene,
    hero: int,
    state: State,
    able: BoolArray,
    tokens_at_start: dict[str, BoolArray],
    actions: IntArray,
    rolls: Rolls,
) -> tuple[BoolArray, IntArray, IntArray]:
    """Let a hero or a companion move; return who is still able, and actions and combat activities left, `[n]` each."""
    actions = _move(scene, hero, state, able, tokens_at_start["slow"], actions, rolls)
    able = _still_able(state, hero, able, tokens_at_start)
    return able, actions, _to_make(scene, hero, state, able, tokens_at_start["slow"], actions < 0)


def _still_able(state: State, hero: int, able: BoolArray, tokens_at_start: dict[str, BoolArray]) -> BoolArray:
    """Return who goes on with his turn, `bool[n]`: no reaction has killed or stunned him."""
    able = able & ~state["h_ghost"][:, hero]
    return able & ~(has(state, "stun", hero) & ~tokens_at_start["stun"])


def _fight(scene: Scene, hero: int, state: State, to_make: IntArray, actions: IntArray, rolls: Rolls) -> None:
    """Make the combat activities of a hero or a companion, `int[n]`, then any attacks with the second weapon.

    The first activity may use a focus, if an action is left for it.
    """
    struck_once = np.zeros(rolls.n, bool)
    for number in range(int(scene.party.activities[hero].max())):
        focus = (actions > 0) & (number == 0)
        struck_once |= _attack(scene, hero, state, to_make > number, focus, rolls)
        _look_round(scene, hero, state, rolls)
    for number in range(int(scene.party.extra[hero].max()) if scene.party.off_hand[hero] >= 0 else 0):
        due = struck_once & (scene.party.extra[hero, state["h_rank"][:, hero]] > number)
        _attack(scene, hero, state, due, np.zeros(rolls.n, bool), rolls, off_hand=True)
        _look_round(scene, hero, state, rolls)


def _look_round(scene: Scene, hero: int, state: State, rolls: Rolls) -> None:
    """Turn over the Shadows that heroes see after an attack of a hero; after a companion's they wait (IS-ENE.12)."""
    if hero < scene.n_heroes:
        reveal_shadows(scene, state, hero, rolls)


def _acts(scene: Scene, hero: int, state: State, able: BoolArray) -> BoolArray:
    """Return who may act, `bool[n]`; by rule option not even free actions while knocked out (IS-Q13)."""
    return able & ~has(state, "ko", hero) if scene.rules.knocked_out_hero_may_not == "all" else able


def _recall_ghost(scene: Scene, hero: int, state: State) -> None:
    """IS-HP.5: a ghost recalls itself to the first altar."""
    if len(scene.altars):
        rows = np.flatnonzero(state["h_ghost"][:, hero])
        state["h_area"][rows, hero] = scene.altars[0]


def _move(scene: Scene, hero: int, state: State, able: BoolArray, slow: BoolArray, actions: IntArray,
               rolls: Rolls) -> IntArray:  # fmt: skip
    """Let a hero choose a goal and go; return the actions left, `int[n]`, -1 for a slowed hero's one activity.

    Standing up from K.O. takes a movement point of the Move (IS-COND.4, IS-Q41).
    """
    down = has(state, "ko", hero)
    rule, base = scene.constants.board, int(scene.party.movement[hero])
    move_points = np.where(able, base - down, -1)
    points = move_points + np.where(able & (actions > 0), rule.sprint_points, 0)
    options = candidates(scene, hero, state, np.where(slow, -1, points))
    focus = np.minimum(actions, 1)
    choice = _choice(scene, hero, state, options, able & ~(slow & down), focus, rolls, "target", moves=True)
    goal, stays = _goal(scene, hero, state, options, choice, able)
    goal, stays = seek_shadow(scene, hero, state, able, goal, stays)
    rises = able & down & (move_points >= 0) & ~(slow & stays)
    if "h_ko" in state:
        state["h_ko"][rises, hero] = 0
    points = np.where(stays | (slow & down), -1, points)
    longest = base + rule.sprint_points
    way = way_of(scene, hero, state, goal, points, longest)
    before = state["h_area"][:, hero].copy()
    move_along(scene, hero, state, way, rolls)
    used_points = way.cost[np.arange(rolls.n), way.at] + (points - way.budget)
    actions = np.where(able & (used_points > move_points) & ~stays, actions - 1, actions)
    actions = _stand_up(state, hero, able, np.where(stays, 0, move_points - used_points), actions)
    attack_on_entry(
        scene, hero, state, np.flatnonzero((before != state["h_area"][:, hero]) & ~state["h_ghost"][:, hero]), rolls
    )
    has_acted = slow & (~stays | down)
    return np.where(has_acted, -1, actions)


def _choice(scene: Scene, hero: int, state: State, options: Candidates, able: BoolArray, focus: IntArray, rolls: Rolls,
            name: str, *, moves: bool) -> IntArray:  # fmt: skip
    """Return the option that a hero chooses, `int[n]`; enemies out of reach and allies without a way are no options."""
    live = alive(state) & able[:, None]
    enemies = live & (options.points < FAR) if moves else live & options.now
    stay = np.ones((len(able), 1), bool)
    ways = scene.board.points(scene.party.walker[hero], state["h_area"][:, hero, None], state["h_area"])
    allies = ~state["h_ghost"] & (ways > 0) & (ways < FAR) & able[:, None] & moves
    legal = np.concatenate((enemies, stay, allies), axis=1)
    return rolls.choose(SIDE, name, legal, sight(scene, hero, state, options, focus))


def _goal(scene: Scene, hero: int, state: State, options: Candidates, choice: IntArray, able: BoolArray,
          ) -> tuple[IntArray, BoolArray]:  # fmt: skip
    """Return the area to go to, `int[n]`, and who stays, `bool[n]`: by choice, or since he can attack from his area."""
    n, n_bodies = options.goal.shape
    rows, body = np.arange(n), np.minimum(choice, n_bodies - 1)
    ally = np.clip(choice - n_bodies - 1, 0, scene.n_allies - 1)
    enemy = choice < n_bodies
    goal = np.where(enemy, options.goal[rows, body], state["h_area"][rows, ally])
    stays = ~able | (choice == n_bodies) | (enemy & options.now[rows, body])
    return np.where(stays, state["h_area"][:, hero], goal), stays


def _stand_up(state: State, hero: int, able: BoolArray, remaining_points: IntArray, actions: IntArray) -> IntArray:
    """Stand up a hero whom a reaction knocked out, by a point or Sprint (IS-ACT.12); return the actions left."""
    if "h_ko" not in state:
        return actions
    down = able & (state["h_ko"][:, hero] > 0) & ~state["h_ghost"][:, hero]
    by_point = down & (remaining_points > 0)
    by_sprint = down & ~by_point & (actions > 0) & (remaining_points >= 0)
    state["h_ko"][by_point | by_sprint, hero] = 0
    return np.where(by_sprint, actions - 1, actions)


def _to_make(scene: Scene, hero: int, state: State, able: BoolArray, slow: BoolArray, has_acted: BoolArray) -> IntArray:
    """Return how many combat activities a hero has this turn, `int[n]` (IS-COND.4, IS-COND.7)."""
    max_activities = scene.party.activities[hero, state["h_rank"][:, hero]]
    slow_activities = np.minimum(max_activities, scene.constants.conditions.slowed_activities)
    return np.where(able & ~has_acted & ~has(state, "ko", hero), np.where(slow, slow_activities, max_activities), 0)


def _prepare_attack(scene: Scene, hero: int, state: State, able: BoolArray, rolls: Rolls) -> None:
    """Let a hero who has an enemy to attack pay for his soul weapon, and use items that add hits.

    He does not pay while another hero is a ghost, who might need the Soul Points to return.
    """
    kit = scene.party.kits[hero]
    if not scene.party.most_ready and not (kit and kit.souls):
        return
    about_to = able & candidates(scene, hero, state, np.full(rolls.n, -1)).now.any(axis=1)
    if kit is not None:
        awaken_weapons(kit, hero, state, about_to & ~state["h_ghost"][:, : scene.n_heroes].any(axis=1))
    use_attack_items(scene, hero, state, about_to, rolls)


def _attack(
    scene: Scene, hero: int, state: State, makes: BoolArray, focus: BoolArray, rolls: Rolls, *, off_hand: bool = False
) -> BoolArray:
    """Make a combat activity (IS-HIT.10): the first power that is ready and reaches, else the weapon.

    Or one more attack, `off_hand`. Returns in which trials he attacked with a weapon, `bool[n]`.
    """
    makes = makes & ~state["h_ghost"][:, hero]
    if off_hand:
        makes &= weapon_strike(scene, hero, state, off_hand=True) >= 0
    options = candidates(scene, hero, state, np.full(rolls.n, -1), off_hand=off_hand)
    choice = _choice(scene, hero, state, options, makes, focus.astype(np.int16), rolls, "attack", moves=False)
    tries, after = acting(state, SIDE, makes & (choice < options.goal.shape[1]))
    state |= after
    unhide(state, hero, tries)
    succeeds = tries & overcomes_blindness(scene, hero, state, rolls, "attack save")
    target = np.minimum(choice, options.goal.shape[1] - 1)
    target_area = np.take_along_axis(state["e_area"], target[:, None], axis=1)
    distance = scene.board.points(FLYER, state["h_area"][:, hero, None], target_area)
    strike, power = (values[:, 0] for values in strike_with(scene, hero, state, distance))
    if off_hand:
        second = np.maximum(weapon_strike(scene, hero, state, off_hand=True), 0)
        strike, power = np.broadcast_to(second, rolls.n), np.full(rolls.n, -1)
    cooling = np.flatnonzero((tries if scene.rules.failed_save_turns_power else succeeds) & (power >= 0))
    state["cool"][cooling, hero, power[cooling]] = scene.party.cooldown[strike[cooling]]
    rows = np.flatnonzero(succeeds)
    hero_attack(scene, hero, state, rows, target[rows], strike[rows], focus[rows], rolls)
    return np.asarray(succeeds & (power < 0))


def _end_tokens(scene: Scene, hero: int, state: State, tokens_at_start: dict[str, BoolArray]) -> None:
    """Take away the tokens that end with this turn, and a curse (IS-COND.6 to IS-COND.8, IS-Q19)."""
    for name, flags in tokens_at_start.items():
        if f"h_{name}" in state:
            off = flags if scene.rules.own_turn_token_ends == "next_turn" else np.ones_like(flags)
            state[f"h_{name}"][off, hero] = 0
    for name in ("h_curse", "h_ready"):
        if name in state:
            state[name][:, hero] = 0


def hidden(scene: Scene, hero: int, state: State, may: BoolArray, rolls: Rolls) -> None:
    """Let a hero with an artefact for it hide at the end of his turn, where he has an action and made no attack."""
    if not scene.party.hides[hero]:
        return
    hides = may & ~state["h_ghost"][:, hero] & overcomes_blindness(scene, hero, state, rolls, "hide save")
    state["h_hidden"][hides, hero] = 1
