"""The Enemy Turn: an encounter card, and the enemies it activates one after the other, by their scrolls (IS-AI)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.game.kit.board.battle import copy_state
from balance.games.immortal_souls.encounter.attacks.enemy_attack import has_power, use_charge
from balance.games.immortal_souls.encounter.attacks.masters import write_threat
from balance.games.immortal_souls.encounter.attacks.threat import Threat, pass_threat
from balance.games.immortal_souls.encounter.board.activation import Band, Cards, activation_order, draw_card
from balance.games.immortal_souls.encounter.board.areas import FLYER
from balance.games.immortal_souls.encounter.board.control import engaged
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX, Aim, Prey, aim
from balance.games.immortal_souls.encounter.phases.bands import draw_enemy_power
from balance.games.immortal_souls.encounter.phases.behaviour import follow_rule
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    first_of_cards,
    get,
    heroes_of,
    kinds_of,
    most_health,
    put,
    settle_winner,
    targets,
)


def enemy_turn(scene: Scene, hero: int, state: State, rolls: Rolls) -> State:
    """Play the Enemy Turn after one hero's turn, on a copy of the state."""
    state = copy_state(state)
    happens = _happens(scene, hero, state)
    card, places = draw_card(scene.cards, state["encounter_deck"], happens, rolls)
    state["encounter_deck"] = places
    activate(scene, state, scene.cards, card, hero, scene.n_bodies, rolls)
    return settle_winner(scene, state)


def activate(
    scene: Scene, state: State, cards: Cards, card: IntArray, active: int, max_enemies: int, rolls: Rolls
) -> None:
    """Activate the enemies that cards call, by number `int[n]`, one after the other: IS-AI.2 to IS-AI.5.

    `active` is the hero whose turn it is; no trial activates more than `max_enemies`.
    """
    if not max_enemies:
        return
    order = activation_order(cards, card, _band(scene, state), np.full(rolls.n, active), scene.n_heroes)
    for turn in range(min(max_enemies, scene.n_bodies)):
        rows = np.flatnonzero(order[:, turn] != NO_INDEX)
        _activation(scene, state, rows, order[rows, turn].astype(np.int64), rolls)


def _happens(scene: Scene, hero: int, state: State) -> BoolArray:
    """Return where there is an Enemy Turn and an enemy in play, `bool[n]`: IS-AI.1, IS-SEQ.4, IS-Q24."""
    has_enemies = np.asarray((state["e_card"] >= 0).any(axis=1))
    if scene.enemy_turns == "once":
        return has_enemies & (hero == scene.n_heroes - 1)
    if scene.rules.enemy_turn_after_death:
        return np.asarray(has_enemies & ~state["was_ghost"][:, hero])
    return np.asarray(has_enemies & ~state["h_ghost"][:, hero])


def _band(scene: Scene, state: State) -> Band:
    """Return the enemies as encounter cards see them; a horde is one, wounded if a body is wounded or gone."""
    kind, beasts = kinds_of(scene, state), scene.bestiary
    first = first_of_cards(scene, state)
    no_flags = np.zeros(first.shape, bool)
    full = beasts.health[kind] - state.get("e_frail", 0)
    has_wounds = (state["e_health"] < full) & (state["e_card"] >= 0)
    if scene.has_hordes:  # a horde is wounded if one of its bodies is, or gone
        same_card = state["e_card"][:, :, None] == state["e_card"][:, None, :]
        has_wounds = (same_card & has_wounds[:, None, :]).any(axis=2) | (same_card.sum(axis=2) < beasts.minis[kind])
    stunned = state["e_stun"] > 0 if "e_stun" in state else no_flags
    near = engaged(state["e_area"], heroes_of(state))
    return Band(first, beasts.rank[kind], beasts.style[kind], near, has_wounds, stunned, state["e_owner"])


def _activation(scene: Scene, state: State, rows: IntArray, body: IntArray, rolls: Rolls) -> None:
    """Activate one enemy in each of the trials: tokens, healing, then the rule of its scroll (ledger 2.3)."""
    stunned, slow, blind = _remove_tokens(scene, state, rows, body)
    awake = get(state, "e_card", rows, body) >= 0
    _heal(scene, state, rows[awake & ~stunned], body[awake & ~stunned])
    if scene.has_masters:
        _pass_threat(scene, state)
    orders = _aim(scene, state, rows, body, blind)
    acts = _acts(state, rows, awake & ~stunned & (orders.rule != NO_INDEX))
    part = rows[acts], body[acts], Aim(*(values[acts] for values in orders))
    kills = follow_rule(scene, state, *part, slow[acts], blind[acts], rolls)
    if scene.n_power_cards:
        draw_enemy_power(scene, state, part[0][kills], part[1][kills], rolls, "card for a kill", for_kill=True)


def _acts(state: State, rows: IntArray, due: BoolArray) -> BoolArray:
    """Return which of the enemies that are due act, `bool[m]`; activations lost at the start are used up in `state`."""
    due_by_trial = np.zeros(len(state["winner"]), bool)
    due_by_trial[rows] = due
    acts, after = acting(state, "encounter", due_by_trial)
    state |= after
    return np.asarray(acts[rows])


def _remove_tokens(
    scene: Scene, state: State, rows: IntArray, body: IntArray
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Take tokens off as an activation begins: IS-COND.9, IS-COND.10, IS-COND.12, IS-COND.13.

    Returns who was stunned, slowed and blinded, `bool[m]` each.
    """
    stun, slow, blind = (get(state, f"e_{name}", rows, body) > 0 for name in ("stun", "slow", "blind"))
    up = np.ones_like(stun) if scene.rules.stunned_knocked_out_stands_up else ~stun
    for name, off in (("e_ko", up), ("e_stun", stun), ("e_slow", ~stun), ("e_blind", ~stun)):
        if name == "e_ko" and scene.has_hordes and name in state:  # every body of a horde stands up with it
            card = get(state, "e_card", rows, body)
            same_card = (state["e_card"][rows] == card[:, None]) & off[:, None]
            state[name][rows] = np.where(same_card, 0, state[name][rows])
        else:
            put(state, name, rows[off], body[off], 0)
    return stun, slow, blind


def _heal(scene: Scene, state: State, rows: IntArray, body: IntArray) -> None:
    """Let wounded enemies with a healing power use it as their activation begins."""
    for power, heals in scene.powers.healing:
        kind = scene.kind_of[get(state, "e_card", rows, body)]
        full = scene.bestiary.health[kind] - get(state, "e_frail", rows, body)
        health = get(state, "e_health", rows, body)
        uses = has_power(scene, state, rows, body, power) & (health < full)
        put(state, "e_health", rows[uses], body[uses], np.minimum(health + heals, full)[uses])
        use_charge(scene, state, rows[uses], body[uses], power)


def _pass_threat(scene: Scene, state: State) -> None:
    """Pass the threat token on where its holder cannot be a target (IS-MAST.10)."""
    heroes = targets(state)[:, : scene.n_heroes]
    write_threat(state, pass_threat(Threat(state["holder"], state["level"]), heroes))


def _aim(scene: Scene, state: State, rows: IntArray, body: IntArray, blind: BoolArray) -> Aim:
    """Return the rule that enemies follow, and whom they aim at, `int8[m]` each (IS-AI.7 to IS-AI.10, IS-Q23)."""
    beasts, board = scene.bestiary, scene.board
    kind, area = scene.kind_of[get(state, "e_card", rows, body)], get(state, "e_area", rows, body)
    hero_areas, walker = state["h_area"][rows], beasts.walker[kind]
    distance = way = board.points(walker[:, None], area[:, None], hero_areas)
    if scene.rules.scroll_distances == "attack":
        shot = board.points(FLYER, area[:, None], hero_areas)
        distance = np.where(scene.shoots[beasts.scroll[kind][:, None], shot], shot, way)
    health = state["h_health"][rows]
    wounds = np.maximum(most_health(scene, state)[rows] - health, 0)
    prey = Prey(
        distance, way < 99, board.sees(area[:, None], hero_areas), targets(state)[rows], wounds, health,
        state["h_crowns"][rows], scene.party.style[None],
    )  # fmt: skip
    only = np.where(beasts.vindictive[kind], state["holder"][rows], NO_INDEX)
    return aim(scene.scrolls, beasts.scroll[kind], beasts.victim[kind], prey, blind, only)
