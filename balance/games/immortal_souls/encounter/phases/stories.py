"""Events that happen, from the deck or as a story that heroes come upon (IS-EVT.2, IS-EVT.3, IS-SPAWN, IS-ACT.21)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.decks import NO_CARD, ON_MAP, OUT, draw
from balance.games.immortal_souls.encounter.board.events import EventLimits, lay_on_top, open_cards, to_spawn
from balance.games.immortal_souls.encounter.board.shadow_pool import lay_shadows
from balance.games.immortal_souls.encounter.phases.bands import bring_in, room
from balance.games.immortal_souls.encounter.phases.conditions import turn_powers
from balance.games.immortal_souls.encounter.phases.enemy_turn import activate
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import first_of_cards, in_play, on_rows


def tell_story(scene: Scene, state: State, rows: IntArray, story: IntArray, active: int, rolls: Rolls) -> None:
    """Resolve stories, `int[m]`, at once and lay them face up on the Event deck: IS-EVT.3.

    They cover the event that lies open, until they are discarded in the next Event Phase. A story is a number among the
    event cards, ON_MAP in `state["event_deck"]`; random requests are the same whoever comes upon one. New enemies are
    assigned to the hero `active` first.
    """
    state["event_deck"][rows, story] = OUT
    state["stories"] = lay_on_top(open_cards(state), on_rows(rolls.n, rows, 1)).stories.astype(np.int16)
    card = np.full(rolls.n, NO_CARD)
    card[rows] = story
    resolve_event(scene, state, card, scene.events.of_map, active, rolls)


def resolve_event(scene: Scene, state: State, card: IntArray, limits: EventLimits, active: int, rolls: Rolls) -> None:
    """Do what event cards say, `int[n]`, NO_CARD for none: powers turn, fire burns again, enemies and Shadows come.

    `limits` bounds what any card that may come here brings; `active` is the hero whose turn it is.
    """
    turn_powers(scene, state, scene.events.power_turns[card])
    for name, tokens in scene.fires.items():
        state[f"a_{name}"] = np.where(scene.events.rekindles[card][:, None], tokens, state[f"a_{name}"])
    _spawn(scene, state, card, limits.max_spawns, active, rolls)
    if scene.shadows is not None:
        lay_shadows(scene.shadows, state, scene.events.shadows[card], int(scene.events.shadows.max()), rolls)
    activate(scene, state, scene.events.calls, card, active, limits.max_active, rolls)


def _spawn(scene: Scene, state: State, card: IntArray, max_spawns: int, active: int, rolls: Rolls) -> None:
    """Bring in the enemies that an event spawns, if a gate is open: IS-SPAWN.1 to IS-SPAWN.5."""
    if scene.gates is None:
        return
    heroes = in_play(scene, state).sum(axis=1)
    enemies = first_of_cards(scene, state).sum(axis=1)
    events = scene.events
    number = to_spawn(heroes, enemies, events.spawn_few[card], events.spawn_many[card], scene.from_many)
    number = number + events.spawns[card]
    first, last = scene.gate_rounds.T
    now = np.maximum(state["rounds"], 1)[:, None]  # what happens as an encounter begins is of its first round
    is_open = (now >= first) & (now <= last)
    for turn in range(max_spawns):
        due = (number > turn) & room(scene, state) & is_open.any(axis=1)
        gate = scene.gates.pick(is_open & due[:, None], rolls, "spawn gate")
        enemy_card, state["enemy_deck"] = draw(state["enemy_deck"], due, OUT, rolls, "enemy card")
        rows = np.flatnonzero(due & (enemy_card != NO_CARD))
        bring_in(scene, state, rows, enemy_card[rows].astype(np.int64), scene.gate_areas[gate[rows]], active, rolls)


def story_in(scene: Scene, state: State, area: IntArray) -> IntArray:
    """Return the story that still lies in areas, `int[n]` or `int[n, k]`; NO_CARD where none does."""
    card = scene.story_at[area]
    places = np.take_along_axis(state["event_deck"], card.reshape(len(card), -1), axis=1).reshape(card.shape)
    return np.asarray(np.where((card != NO_CARD) & (places == ON_MAP), card, NO_CARD))


def story_ahead(scene: Scene, state: State, path: IntArray, at: IntArray, stop: IntArray) -> IntArray:
    """Return the first place of a path beyond `at` where a story lies, at most `stop`, `int[n]` each.

    `path` are areas, `int[n, k]`.
    """
    lies = (story_in(scene, state, path) != NO_CARD) & (np.arange(path.shape[1]) > at[:, None])
    return np.asarray(np.where(lies.any(axis=1), np.minimum(lies.argmax(axis=1), stop), stop))
