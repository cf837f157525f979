"""Shadows that heroes see: each is turned over at once, and what it is comes into play (IS-ENE.12, IS-ENE.13).

They are looked for as an encounter begins, after each area of a hero's Move, after each of his attacks, and as every
other phase or turn ends; terrain counts first. Companions and ghosts see none. Who has no enemy in play goes where the
nearest Shadow lies, and not before the last is turned over all enemies are killed.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.areas import FAR, HERO
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, NO_CARD, OUT, draw, draw_named, lay_card
from balance.games.immortal_souls.encounter.board.shadow_pool import ShadowPool
from balance.games.immortal_souls.encounter.phases.bands import bring_in, draw_enemy_power, room
from balance.games.immortal_souls.encounter.phases.stories import tell_story
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import alive, in_play


def reveal_shadows(scene: Scene, state: State, active: int, rolls: Rolls) -> None:
    """Turn over all Shadows that heroes see, in the order of their areas; a moment of the quest comes last.

    New enemies are assigned to the hero `active` first.
    """
    pool = scene.shadows
    if pool is None:
        return
    token = np.where(_visible_shadows(scene, pool, state), state["shadow"], NO_CARD)
    for spot in range(len(pool.areas)):
        state["shadow"][token[:, spot] != NO_CARD, spot] = NO_CARD
        state["shadow_pool"] = lay_card(state["shadow_pool"], token[:, spot], DISCARD_PILE)
        _turn_over(scene, pool, state, token[:, spot].astype(np.int64), int(pool.areas[spot]), active, rolls)
    if pool.story != NO_CARD:
        rows = np.flatnonzero(pool.moment[token].any(axis=1))
        tell_story(scene, state, rows, np.full(len(rows), pool.story), active, rolls)


def _visible_shadows(scene: Scene, pool: ShadowPool, state: State) -> BoolArray:
    """Return which Shadows some hero sees, `bool[n, spots]`, as he would an enemy there (IS-LOS.1, IS-LOS.3)."""
    hero_areas, enemy_bits = state["h_area"][:, : scene.n_heroes, None], scene.board.bits(state["e_area"])
    sees = scene.board.hero_sees(hero_areas, pool.areas[None, None], enemy_bits[:, None, None])
    return np.asarray((sees & in_play(scene, state)[:, :, None]).any(axis=1))


def _turn_over(
    scene: Scene, pool: ShadowPool, state: State, token: IntArray, area: int, active: int, rolls: Rolls
) -> None:
    """Bring in the enemies of tokens, `int[n]`, while cards and places for them are left (IS-ENE.16)."""
    for number in range(int(pool.enemies.max())):
        due = (pool.enemies[token] > number) & room(scene, state)
        plain = due & ~pool.quest_enemy[token]
        card, state["enemy_deck"] = draw(state["enemy_deck"], plain, OUT, rolls, "shadow enemy")
        card = card.astype(np.int64)
        if number == 0 and pool.quest_enemy.any():
            quest_card, state["enemy_deck"] = draw_named(
                state["enemy_deck"], due & pool.quest_enemy[token], pool.quest_cards, rolls, "quest enemy"
            )
            card = np.where(quest_card == NO_CARD, card, quest_card)
        rows = np.flatnonzero(card != NO_CARD)
        bring_in(scene, state, rows, card[rows], np.full(len(rows), area), active, rolls)
        if number == 0 and pool.champion.any():
            rows = rows[pool.champion[token[rows]]]
            body = (state["e_card"][rows] == card[rows, None]).argmax(axis=1)
            draw_enemy_power(scene, state, rows, body, rolls, "champion power", for_kill=False)


def seek_shadow(
    scene: Scene, hero: int, state: State, able: BoolArray, goal: IntArray, stays: BoolArray
) -> tuple[IntArray, BoolArray]:
    """Send a hero to the nearest Shadow where no enemy is in play; else return `goal` and `stays`, `[n]` each."""
    pool = scene.shadows
    if pool is None or hero >= scene.n_heroes:
        return goal, stays
    ways = scene.board.points(HERO, state["h_area"][:, hero, None], pool.areas[None]).astype(np.int16)
    ways = np.where(state["shadow"] != NO_CARD, ways, FAR)
    seeks = able & ~alive(state).any(axis=1) & (ways.min(axis=1) < FAR)
    return np.where(seeks, pool.areas[ways.argmin(axis=1)], goal), stays & ~seeks
