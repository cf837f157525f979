"""The Time Phase and the Event Phase, and how an encounter begins (IS-SEQ.2, IS-EVT, IS-SPAWN)."""

from __future__ import annotations

import numpy as np

from balance.core.process import BoolArray, State
from balance.core.rolls import Rolls
from balance.games.immortal_souls.encounter.bands import entering
from balance.games.immortal_souls.encounter.conditions import turned
from balance.games.immortal_souls.encounter.decks import NO_CARD, OUT, draw, full_deck
from balance.games.immortal_souls.encounter.events import Events, event_phase, to_spawn
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.souls import Souls, may_return, raised, woken
from balance.games.immortal_souls.encounter.state import (
    copied,
    fallen,
    first_of_cards,
    kinds_of,
    most_health,
    passed_away,
    saved,
    settled,
    starts_at,
)
from balance.games.immortal_souls.encounter.victims import NOBODY
from balance.games.immortal_souls.strike import FIRES
from balance.pmf.arrays import IntArray

__all__ = ["event_phase_of", "start", "time_phase"]

COUNTS = ("winner", "rounds", "wounds", "deaths", "kills", "gained", "hero_attacks", "enemy_attacks", "holder", "level",
          "stories")  # fmt: skip
BODIES = ("card", "area", "from", "health", "shields", "owner", "charges")


def start(scene: Scene, rolls: Rolls, n: int) -> State:
    """Return n encounters as they begin: everybody placed, the Enemy Power cards drawn, the decks shuffled."""
    state = starts_at(scene, {f"h_{name}": scene.party.begins[name] for name in scene.marks["h"]}, n)
    shape = (n, scene.n_bodies)
    for name in (*BODIES, *scene.marks["e"]):
        state[f"e_{name}"] = np.full(shape, scene.nobody.get(f"e_{name}", 0), np.int16)
    state["e_powers"] = np.zeros(shape, np.int32)
    state |= {name: np.zeros(n, np.int16) for name in COUNTS}
    state |= {name: np.full(n, NO_CARD, np.int16) for name in ("face_up", "aside")}
    state |= {"failed": np.zeros(n, bool), "was_ghost": np.zeros((n, scene.n_heroes), bool)}
    state["points"] = np.full(n, scene.souls, np.int16)
    state["enemy_deck"] = np.repeat(scene.deck[None], n, axis=0)
    state["encounter_deck"] = full_deck(n, len(scene.cards.main))
    state["event_deck"] = full_deck(n, len(scene.events.names))
    if scene.n_power_cards:
        state["power_deck"] = full_deck(n, scene.n_power_cards)
        state["power_owner"] = np.full((n, scene.n_power_cards), NO_CARD, np.int8)
    rows = np.arange(n)
    for card, area in scene.placed:
        entering(scene, state, rows, np.full(n, card), np.full(n, area), 0, rolls)
    return state


def time_phase(scene: Scene, state: State, rolls: Rolls) -> State:
    """Play the Time Phase: damage, then shields and powers, then Soul Points."""
    state = copied(state)
    state["rounds"] += 1
    rows = np.arange(rolls.n)
    for side in ("h", "e"):
        _ticked(scene, state, side)
    for body in range(scene.n_bodies):
        fallen(scene, state, rows, body, None)
    for hero in range(scene.n_heroes):
        passed_away(scene, state, rows, hero)
        if "h_poison" in state:
            cured = saved(scene, np.full(rolls.n, hero), rolls, "poison save")
            state["h_poison"][cured, hero] = 0
    own = state["e_powers"]
    there = state["e_card"] >= 0
    shields = scene.bestiary.shields[kinds_of(scene, state)] + scene.powers.shields[own]
    state["e_shields"] = np.where(there, shields, 0).astype(np.int16)
    state["h_shields"] = np.where(state["h_ghost"], 0, scene.party.shields).astype(np.int16)
    _turned(scene, state, np.ones(rolls.n, np.int16))
    _souls_spent(scene, state)
    return settled(scene, state)


def _turned(scene: Scene, state: State, steps: IntArray) -> None:
    """Turn all powers that cool down by so many steps, `int[n]` (IS-POW.5, IS-POW.6)."""
    most = scene.constants.powers.longest_cooldown
    state["cool"] = turned(state["cool"], steps[:, None, None], most).astype(np.int16)
    state["h_mend"] = turned(state["h_mend"], steps[:, None], most).astype(np.int16)


def _ticked(scene: Scene, state: State, side: str) -> None:
    """Take the wounds of fire and poison: IS-FIRE.2, IS-COND.5, IS-COND.11."""
    rule = scene.constants.conditions
    fire = np.zeros_like(state[f"{side}_health"])
    for name in FIRES:
        fire = fire + state.get(f"{side}_{name}", 0)
    wounds = fire * rule.fire_wounds
    if f"{side}_poison" in state:
        by_level = np.array([0, rule.poison_1_wounds, rule.poison_2_wounds])
        wounds = wounds + by_level[state[f"{side}_poison"]]
    if f"{side}_fire1" in state:
        state[f"{side}_fire1"] = state.get(f"{side}_fire2", np.zeros_like(fire))
    if f"{side}_fire2" in state:
        state[f"{side}_fire2"] = np.zeros_like(fire)
    lost = np.minimum(wounds, state[f"{side}_health"]).astype(np.int16)
    state[f"{side}_health"] = state[f"{side}_health"] - lost
    if side == "h":
        state["wounds"] = (state["wounds"] + lost.sum(axis=1)).astype(np.int16)


def _souls_spent(scene: Scene, state: State) -> None:
    """Spend common Soul Points: on resurrections first, then on ranks (IS-HP.6, IS-ECO.1, IS-SEQ.2)."""
    souls = Souls(state["h_rank"], state["h_ghost"], state["points"])
    at_altar = np.isin(state["h_area"], scene.altars)
    for hero in range(scene.n_heroes):
        may = may_return(souls, at_altar)[:, hero]
        souls = woken(souls, np.where(may, hero, NOBODY))
    back = state["h_ghost"] & ~souls.ghost
    before = most_health(scene, state)
    if scene.rank_up:
        souls = raised(souls, scene.constants.party.rank_costs, scene.rules.ghosts_hold_ranks_back)
    state["h_rank"], state["h_ghost"] = souls.rank.astype(np.int16), souls.ghost
    state["points"] = souls.points.astype(np.int16)
    after = most_health(scene, state)
    grown = state["h_health"] + np.where(souls.ghost, 0, after - before)
    state["h_health"] = np.where(back, after, grown).astype(np.int16)
    state["h_shields"] = np.where(back, scene.party.shields, state["h_shields"]).astype(np.int16)


def event_phase_of(scene: Scene, state: State, rolls: Rolls) -> State:
    """Play the Event Phase: reveal a card and resolve it, or discard the one that lies open."""
    state = copied(state)
    events = Events(state["face_up"], state["stories"], state["aside"])
    revealed = event_phase(events, state["event_deck"], scene.events.set_aside[:-1], rolls)
    state["face_up"], state["stories"], state["aside"] = (values.astype(np.int16) for values in revealed.events)
    state["event_deck"], state["failed"] = revealed.places, revealed.failed
    card = revealed.card
    _turned(scene, state, scene.events.turned[card])
    _spawned(scene, state, card, rolls)
    return _ended(scene, settled(scene, state))


def _ended(scene: Scene, state: State) -> State:
    """Return the state with who has won by the number of rounds: heroes who are to survive, or nobody in time."""
    survived = (scene.goal == "survive") & (state["rounds"] >= scene.n_rounds)
    late = state["rounds"] >= scene.round_limit
    found = np.where(survived, 1, np.where(late, 2, 0))
    state["winner"] = np.where(state["winner"] == 0, found, state["winner"]).astype(np.int16)
    return state


def _spawned(scene: Scene, state: State, card: IntArray, rolls: Rolls) -> None:
    """Bring in the enemies that the card of the Event Phase spawns: IS-SPAWN.1 to IS-SPAWN.4."""
    if scene.gates is None:
        return
    heroes = (~state["h_ghost"]).sum(axis=1)
    enemies = first_of_cards(scene, state).sum(axis=1)
    number = to_spawn(heroes, enemies, scene.events.few[card], scene.events.many[card], scene.from_many)
    for turn in range(scene.most_spawned):
        due = (number > turn) & _room(scene, state)
        gate = scene.gates.pick(np.repeat(due[:, None], len(scene.gate_areas), axis=1), rolls, "spawn gate")
        drawn, state["enemy_deck"] = draw(state["enemy_deck"], due, OUT, rolls, "enemy card")
        rows = np.flatnonzero(due & (drawn != NO_CARD))
        entering(scene, state, rows, drawn[rows].astype(np.int64), scene.gate_areas[gate[rows]], 0, rolls)


def _room(scene: Scene, state: State) -> BoolArray:
    """Return where there is a place for all bodies of any enemy."""
    return np.asarray((state["e_card"] < 0).sum(axis=1) >= scene.bestiary.minis.max())
