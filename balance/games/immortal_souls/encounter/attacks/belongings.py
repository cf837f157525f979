"""What heroes carry and use up, pick up and hand over (IS-ITEM.13, IS-COND.3, IS-ACT.5, IS-ACT.19, IS-ACT.20).

An item is with its bearer, `item_bearer`, or lies in an area, `item_area`, where its bearer died; `item_left` says
whether a use is left; `[n, items]` each. Heroes are thrifty: one uses an item as soon as he has a condition that it
removes or lacks as much health as it heals; he adds hits to an attack that he is about to make; he drinks for shields
when an attack has more hits than his armour and shields stop, by as many as the draught gives. After
his Move, who is not engaged picks up what lies in his area as far as he can carry it, and hands over what only a
companion there needs. What he uses for himself comes before his Move.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.blows import Blow
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import alive, get, most_health, overcomes_blindness, put, unhide
from balance.games.immortal_souls.tables.items import Item

NO_BEARER = -1


def pick_up(scene: Scene, hero: int, state: State, able: BoolArray, rolls: Rolls) -> None:
    """Let a hero who is not engaged pick up what lies in his area, up to his load (IS-ACT.5, IS-ACT.19)."""
    if not scene.party.items:
        return
    area = state["h_area"][:, hero]
    may = able & ~_engaged(hero, state) & _sees(scene, hero, state, rolls, "pick up save", free=True)
    for place in range(len(scene.party.items)):
        bearer = state["item_bearer"]
        room = (bearer == hero).sum(axis=1) < scene.party.carry[hero]
        takes = may & room & (bearer[:, place] == NO_BEARER) & (state["item_area"][:, place] == area)
        unhide(state, hero, takes)
        bearer[takes, place] = hero
        state["item_area"][takes, place] = scene.board.off_map


def use_items(scene: Scene, hero: int, state: State, able: BoolArray, actions: IntArray, rolls: Rolls) -> IntArray:
    """Let a hero use each item that heals him or removes a condition of his (IS-ITEM.13, IS-COND.3).

    Returns the actions left, `int[n]`; items that are no free action take one each.
    """
    able = able & _may_use(state, np.full(rolls.n, hero))
    for place, item in _healing_items(scene):
        free = item.activation == "free"
        uses = able & _has(state, place, hero) & _needs(scene, state, item)[:, hero] & (free | (actions > 0))
        unhide(state, hero, uses)
        works = uses & _sees(scene, hero, state, rolls, "item save", free=free)
        _apply(scene, hero, state, np.flatnonzero(works), place)
        actions = actions - (uses & (not free))
    return actions


def _healing_items(scene: Scene) -> Iterator[tuple[int, Item]]:
    """Yield the items that heal or remove conditions, each with its number in the party."""
    yield from ((place, item) for place, item in enumerate(scene.party.items) if item.heals or item.removes)


def _has(state: State, place: int, hero: int) -> BoolArray:
    """Return where a hero carries an item with a use left, `bool[n]`."""
    return np.asarray((state["item_bearer"][:, place] == hero) & (state["item_left"][:, place] > 0))


def _engaged(hero: int, state: State) -> BoolArray:
    return np.asarray(((state["e_area"] == state["h_area"][:, hero, None]) & alive(state)).any(axis=1))


def _may_use(state: State, hero: IntArray) -> BoolArray:
    """Return whether a hero may use items, `bool[n]`: no critical silences their effects (IS-CRIT.8)."""
    rows = np.arange(len(hero))
    return np.asarray(get(state, "h_silenced", rows, hero) == 0)


def _sees(scene: Scene, hero: IntArray | int, state: State, rolls: Rolls, name: str, *, free: bool) -> BoolArray:
    """Return where blindness stops no activity (IS-COND.6), `bool[n]`; a rule option exempts `free` ones (IS-Q22)."""
    if free and scene.rules.blinded_hero_saves != "every_activity":
        return np.ones(rolls.n, bool)
    return overcomes_blindness(scene, hero, state, rolls, name)


def _needs(scene: Scene, state: State, item: Item) -> BoolArray:
    """Return which heroes have what an item removes, or lack what it heals, `bool[n, heroes]`."""
    hero_columns = np.s_[:, : scene.n_heroes]
    lacks = (most_health(scene, state) - state["h_health"])[hero_columns]
    needs = np.asarray((lacks >= item.heals) & (item.heals > 0))
    for name in item.marks:
        if f"h_{name}" in state:
            needs = needs | (state[f"h_{name}"][hero_columns] > 0)
    return np.asarray(needs & ~state["h_ghost"][hero_columns])


def _apply(scene: Scene, hero: int, state: State, rows: IntArray, place: int) -> None:
    """Heal a hero and remove his conditions; lifting a red critical of health gives back the health that it took."""
    item = scene.party.items[place]
    for name in item.marks:
        if name == "frail":
            more = get(state, "h_frail", rows, hero)
            state["h_health"][rows, hero] += more
        put(state, f"h_{name}", rows, hero, 0)
    lacks = most_health(scene, state)[rows, hero] - state["h_health"][rows, hero]
    state["h_health"][rows, hero] += np.minimum(lacks, item.heals).astype(np.int16)
    _spend_use(scene, state, rows, place)


def _spend_use(scene: Scene, state: State, rows: IntArray, place: int) -> None:
    """Use an item up for this round or quest, or discard it if it works once (IS-ITEM.13)."""
    state["item_left"][rows, place] = 0
    if scene.party.items[place].limit == "once":
        state["item_bearer"][rows, place] = NO_BEARER


def hand_over(scene: Scene, hero: int, state: State, able: BoolArray, actions: IntArray, rolls: Rolls) -> IntArray:
    """Let a hero hand over, as an action, what a companion in his area needs and he does not; return the actions left.

    The first such companion who has room for it gets it; nobody engaged hands over (IS-ACT.5).
    """
    for place, item in _healing_items(scene):
        needs = _needs(scene, state, item)
        room = (state["item_bearer"][:, :, None] == np.arange(scene.n_heroes)).sum(axis=1) < scene.party.carry
        takers = needs & room & (state["h_area"][:, : scene.n_heroes] == state["h_area"][:, hero, None])
        gives = able & (actions > 0) & ~_engaged(hero, state) & _has(state, place, hero) & ~needs[:, hero]
        gives &= takers.any(axis=1)
        unhide(state, hero, gives)
        works = gives & _sees(scene, hero, state, rolls, "exchange save", free=False)
        state["item_bearer"][works, place] = takers.argmax(axis=1)[works]
        actions = actions - gives
    return actions


def use_attack_items(scene: Scene, hero: int, state: State, about_to: BoolArray, rolls: Rolls) -> None:
    """Let a hero who is `about_to` attack, `bool[n]`, use what adds hits to his next attack of this turn (IS-POW.9)."""
    may = about_to & _may_use(state, np.full(rolls.n, hero))
    for place, item in enumerate(scene.party.items):
        if item.hits:
            uses = may & _has(state, place, hero) & (state["h_ready"][:, hero] == 0)
            works = uses & _sees(scene, hero, state, rolls, "item save", free=True)
            state["h_ready"][works, hero] = item.hits
            _spend_use(scene, state, np.flatnonzero(works), place)


def use_shield_items(scene: Scene, state: State, hero: IntArray, blow: Blow, rolls: Rolls) -> None:
    """Let heroes who are attacked outside their own turn use items that give shields (IS-ACT.20), unless stunned.

    `hero` is the victim of each attack of `blow`, `int[m]`.
    """
    rows = blow.plan.rows
    hero_by_trial = np.zeros(rolls.n, np.int64)
    hero_by_trial[rows] = hero
    may = (get(state, "h_stun", rows, hero) == 0) & _may_use(state, hero_by_trial)[rows]
    for place, item in enumerate(scene.party.items):
        if item.activation != "reaction":
            continue
        sees = _sees(scene, hero_by_trial, state, rolls, "reaction save", free=True)[rows]
        shields = get(state, "h_shields", rows, hero)
        carries = (state["item_bearer"][rows, place] == hero) & (state["item_left"][rows, place] > 0)
        uses = may & sees & carries & (blow.hits >= scene.party.armour[hero] + shields + item.shields)
        put(state, "h_shields", rows[uses], hero[uses], shields[uses] + item.shields)
        _spend_use(scene, state, rows[uses], place)


def renew_uses(scene: Scene, state: State) -> None:
    """Make items that work once a round usable again, as each Time Phase does (IS-POW.9)."""
    for place, item in enumerate(scene.party.items):
        if item.limit == "round":
            state["item_left"][:, place] = 1
