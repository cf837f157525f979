"""The state of an encounter: arrays with a row for each trial, and how they are read and written within a step.

Columns of heroes and after them of companions, `h_...`, are `[n, allies]`, those of bodies of enemies, `e_...`,
`[n, bodies]`. A body is a miniature: a horde has several of one card. `e_card` is -1 where no body is; everything else
of it is 0 then, and its area nowhere. Of conditions, fire tokens and red criticals there are columns only for those
that may occur.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.control import Faction
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, OUT
from balance.games.immortal_souls.encounter.party.gear import gear_at_start
from balance.games.immortal_souls.encounter.scene import Scene

Values: TypeAlias = IntArray | int
SIDES = {"h": "h_health", "e": "e_health"}
STANDING_COLUMNS = ("h_area", "h_ghost", "h_ko", "e_area", "e_card", "e_ko")


def place(state: State, side: str, rows: IntArray, index: Values) -> IntArray:
    """Return the index of characters of a side, "h" or "e", in a flattened column, `int[m]`.

    `index` is the number of each character, `int[m]` or one for all.
    """
    return np.asarray(rows * state[SIDES[side]].shape[1] + index)


def get(state: State, name: str, rows: IntArray, index: Values) -> IntArray:
    """Return a column's values of characters, `int16[m]`; 0 if there is no such column, since it cannot occur.

    `index` is the number of each character, `int[m]` or one for all.
    """
    values = state.get(name)
    if values is None:
        return np.zeros(len(rows), np.int16)
    return np.asarray(values.take(rows * values.shape[1] + index))


def put(state: State, name: str, rows: IntArray, index: Values, values: IntArray | BoolArray | int) -> None:
    """Write values of characters into a column; do nothing if there is no such column, since it cannot occur.

    `index` is the number of each character, `int[m]` or one for all.
    """
    if name in state:
        state[name].reshape(-1)[place(state, name[0], rows, index)] = values


def on_rows(n: int, rows: IntArray, values: Values) -> IntArray:
    """Return values of some trials, `[m]` or one for all, as a column of all n, 0 elsewhere, `int32[n]`.

    >>> on_rows(3, np.array([2]), 5).tolist()
    [0, 0, 5]
    """
    column = np.zeros(n, np.int32)
    column[rows] = values
    return column


def alive(state: State) -> BoolArray:
    """Return which bodies are in play, `bool[n, bodies]`."""
    return np.asarray(state["e_card"] >= 0)


def targets(state: State) -> BoolArray:
    """Return which heroes may be targets, `bool[n, heroes]`: no ghosts, and nobody who is hidden (IS-AI.18)."""
    return np.asarray(~state["h_ghost"] & (state["h_hidden"] == 0) if "h_hidden" in state else ~state["h_ghost"])


def unhide(state: State, hero: int, trials: BoolArray | IntArray) -> None:
    """Reveal a hidden hero in `trials`, `bool[n]` or their numbers."""
    if "h_hidden" in state:
        state["h_hidden"][trials, hero] = 0


def kinds_of(scene: Scene, state: State) -> IntArray:
    """Return the kind of each body, `int[n, bodies]`; the number after the last for none."""
    return scene.kind_of.take(state["e_card"])


def standing_columns(state: State, rows: IntArray) -> State:
    """Return the columns of some trials that tell where everybody is and who is knocked out, a ghost or dead."""
    return {name: state[name][rows] for name in STANDING_COLUMNS if name in state}


def heroes_of(state: State) -> Faction:
    """Return the heroes as a faction: companions count, ghosts do not (IS-SUP.5)."""
    present = ~state["h_ghost"]
    up = present & (state["h_ko"] == 0) if "h_ko" in state else present
    return Faction(state["h_area"], present.astype(np.int8), up.astype(np.int8))


def in_play(scene: Scene, state: State) -> BoolArray:
    """Return which heroes are in play, `bool[n, heroes]`: neither ghosts nor companions count (IS-SPAWN.2)."""
    return np.asarray(~state["h_ghost"][:, : scene.n_heroes])


def enemies_of(state: State) -> Faction:
    """Return the enemies as a faction; each body counts as one miniature."""
    present = alive(state)
    up = present & (state["e_ko"] == 0) if "e_ko" in state else present
    return Faction(state["e_area"], present.astype(np.int8), up.astype(np.int8))


def first_of_cards(scene: Scene, state: State) -> BoolArray:
    """Return which bodies represent their card, `bool[n, bodies]`: the first of a horde (IS-ENE.7)."""
    present = alive(state)
    if not scene.has_hordes:
        return present
    same_card = (state["e_card"][:, :, None] == state["e_card"][:, None, :]) & present[:, None, :]
    return np.asarray(present & (same_card.argmax(axis=2) == np.arange(same_card.shape[1])))


def most_health(scene: Scene, state: State) -> IntArray:
    """Return the wounds that kill each hero at his present rank, and each companion, `int[n, allies]`.

    Red criticals of health are subtracted.
    """
    return scene.party.health[np.arange(scene.n_allies), state["h_rank"]] - state.get("h_frail", 0)


def save_succeeds(scene: Scene, hero: IntArray, rolls: Rolls, name: str) -> BoolArray:
    """Return whether the save of a hero, `int[n]`, succeeds (IS-SAVE.1): of several dice the best counts."""
    return np.asarray(rolls.uniform(scene.party.save_total[hero], name) < scene.party.save_good[hero])


def has(state: State, name: str, hero: int) -> BoolArray:
    """Return in which trials a hero has a condition or token, `bool[n]`; nowhere if there is no such column."""
    column = f"h_{name}"
    return np.asarray(state[column][:, hero] > 0) if column in state else np.zeros(len(state["rounds"]), bool)


def overcomes_blindness(scene: Scene, hero: Values, state: State, rolls: Rolls, name: str) -> BoolArray:
    """Return where blindness does not waste an activity of a hero, `bool[n]`: he sees, or saves (IS-COND.6)."""
    if "h_blind" not in state:
        return np.ones(rolls.n, bool)
    sees = get(state, "h_blind", np.arange(rolls.n), hero) == 0
    return np.asarray(save_succeeds(scene, np.broadcast_to(hero, rolls.n), rolls, name) | sees)


def settle_winner(scene: Scene, state: State) -> State:
    """Write who has won, 1 for the heroes, 2 if all are ghosts (IS-HP.7) or no event is left, unless it is decided."""
    is_lost = ~in_play(scene, state).any(axis=1) | state["failed"]
    present = alive(state)
    if scene.goal == "survive":  # which an Event Phase ends
        is_won = np.zeros(len(is_lost), bool)
    elif scene.goal == "kill_masters":
        is_won = np.asarray(~(present & scene.bestiary.is_master[kinds_of(scene, state)]).any(axis=1))
    else:
        is_won = np.asarray(~present.any(axis=1))
        if "shadow" in state:
            is_won &= (state["shadow"] < 0).all(axis=1)
    open_ = state["winner"] == 0
    state["winner"] = np.where(open_, np.where(is_lost, 2, is_won.astype(np.int16)), state["winner"]).astype(np.int16)
    return state


def remove_fallen(scene: Scene, state: State, rows: IntArray, body: Values, killer: int | None) -> None:
    """Remove enemies without health, and score the cards of which no body is left: IS-HP.12, IS-ENE.7.

    A Master who has little left may be turned over instead (IS-MAST.1). Crowns go to the hero `killer`, if any.
    """
    if scene.bestiary.flips_at.any():
        _turn_over(scene, state, rows, body)
    dead = np.asarray((get(state, "e_health", rows, body) <= 0) & (get(state, "e_card", rows, body) >= 0))
    rows, body = rows[dead], body[dead] if isinstance(body, np.ndarray) else body
    if not len(rows):
        return
    card = get(state, "e_card", rows, body)
    kind = scene.kind_of[card]
    for name in state:
        if name.startswith("e_"):
            put(state, name, rows, body, scene.empty_body.get(name, 0))
    last = ~(state["e_card"][rows] == card[:, None]).any(axis=1)
    rows, card, kind = rows[last], card[last], kind[last]
    state["kills"][rows] += 1
    for name in ("points", "gained"):
        state[name][rows] += scene.bestiary.soul_points[kind]
    if killer is not None:
        state["h_crowns"][rows, killer] += scene.bestiary.crowns[kind]
    state["enemy_deck"][rows, card] = np.where(scene.returns[card], DISCARD_PILE, OUT)
    if scene.n_power_cards:
        is_held = state["power_owner"][rows] == card[:, None]
        state["power_deck"][rows] = np.where(is_held, np.int8(DISCARD_PILE), state["power_deck"][rows])
        state["power_owner"][rows] = np.where(is_held, np.int8(-1), state["power_owner"][rows])


def _turn_over(scene: Scene, state: State, rows: IntArray, body: Values) -> None:
    """Turn over the cards of Masters whose health left is at most what their card says: IS-MAST.1.

    Wounds, conditions, shields of this round and Enemy Power cards stay, and at least 1 health is left; the charges are
    those of the other side.
    """
    health, beasts = get(state, "e_health", rows, body), scene.bestiary
    turns = (health > 0) & (health <= beasts.flips_at[scene.kind_of[get(state, "e_card", rows, body)]])
    rows, body, health = rows[turns], body[turns] if isinstance(body, np.ndarray) else body, health[turns]
    card = get(state, "e_card", rows, body)
    other_card = scene.other_side[card]
    kind, new = scene.kind_of[card], scene.kind_of[other_card]
    power_bits = get(state, "e_powers", rows, body)
    put(state, "e_card", rows, body, other_card)
    put(state, "e_health", rows, body, np.maximum(health + beasts.health[new] - beasts.health[kind], 1))
    put(state, "e_powers", rows, body, power_bits & ~beasts.powers[kind] | beasts.powers[new])
    put(state, "e_charges", rows, body, beasts.charges[new])
    if scene.n_power_cards:
        is_held = state["power_owner"][rows] == card[:, None]
        state["power_owner"][rows] = np.where(is_held, other_card[:, None], state["power_owner"][rows])


def make_ghosts(scene: Scene, state: State, rows: IntArray, hero: Values) -> BoolArray:
    """Turn heroes who have no health left into ghosts, a rank lower: IS-HP.3; return who died, `bool[m]`.

    A companion is gone instead, and only now its power begins to cool down (IS-POW.12).
    """
    dead = np.asarray((get(state, "h_health", rows, hero) <= 0) & (get(state, "h_ghost", rows, hero) == 0))
    trials, heroes = rows[dead], hero[dead] if isinstance(hero, np.ndarray) else hero
    if len(trials):
        for name in ("h_shields", "h_curse", *(f"h_{mark}" for mark in scene.marks["h"])):
            put(state, name, trials, heroes, 0)
        put(state, "h_ghost", trials, heroes, True)
        if "h_call" in state:
            trials, heroes = _remove_companions(scene, state, trials, np.broadcast_to(heroes, trials.shape))
        put(state, "h_rank", trials, heroes, np.maximum(get(state, "h_rank", trials, heroes) - scene.ranks_lost, 1))
        put(state, "h_died", trials, heroes, 1)
        state["deaths"][trials] += 1
        if "item_bearer" in state:  # what he carried lies where he died
            carried_items = state["item_bearer"][trials] == np.reshape(heroes, (-1, 1))
            area = get(state, "h_area", trials, heroes)[:, None]
            state["item_area"][trials] = np.where(carried_items, area, state["item_area"][trials])
            state["item_bearer"][trials] = np.where(carried_items, np.int16(-1), state["item_bearer"][trials])
    return dead


def _remove_companions(scene: Scene, state: State, rows: IntArray, figures: IntArray) -> tuple[IntArray, IntArray]:
    """Remove companions among the dead, whose power begins to cool down; return trials and numbers of dead heroes."""
    hero, pack = figures < scene.n_heroes, scene.party.pack
    trials, companion = rows[~hero], figures[~hero]
    for name in ("h_area", "h_from"):
        put(state, name, trials, companion, scene.board.off_map)
    put(state, "h_call", trials, pack.owner[companion], pack.cooldown[companion])
    return rows[hero], figures[hero]


def starts_at(scene: Scene, marks: Mapping[str, IntArray], n: int) -> State:
    """Return the heroes' columns at the start, with full health and shields (IS-HP.2).

    `marks` are the values of further columns, `int[allies]` by name.
    """
    party, shape, allies = scene.party, (n, scene.n_allies), np.arange(scene.n_allies)
    rank, hero = np.broadcast_to(party.rank, shape).astype(np.int16), allies < scene.n_heroes
    whole = np.where(hero, party.health[allies, party.rank], 0)
    state: State = {
        "h_area": np.broadcast_to(np.where(hero, scene.start_area, scene.board.off_map), shape).astype(np.int16),
        "h_from": np.full(shape, scene.board.off_map, np.int16),
        "h_health": np.broadcast_to(whole, shape).astype(np.int16),
        "h_rank": rank,
        "h_shields": np.broadcast_to(np.where(hero, party.shields, 0), shape).astype(np.int16),
        "h_ghost": np.repeat(~hero[None], n, axis=0),
        "h_crowns": np.zeros(shape, np.int16),
        "h_curse": np.zeros(shape, np.int16),
        "h_mend": np.zeros(shape, np.int16),
        "cool": np.zeros((*shape, party.n_powers), np.int16),
    }
    state |= {"h_call": np.zeros(shape, np.int16)} if not hero.all() else {}
    state |= gear_at_start(party.kits, n)
    if party.most_ready:
        state["h_ready"] = np.zeros(shape, np.int16)
    if party.items:
        state["item_bearer"] = np.repeat(party.bearers[None].astype(np.int16), n, axis=0)
        state["item_area"] = np.full_like(state["item_bearer"], scene.board.off_map)
        state["item_left"] = np.ones_like(state["item_bearer"])
    return state | {f"h_{name[2:]}": np.broadcast_to(values, shape).astype(np.int16) for name, values in marks.items()}
