"""Shadow tokens: what each of them is, the areas where they lie, and how they are laid (IS-ENE.13, IS-ENE.14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.catalogue import Catalogue
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.decks import NO_CARD, OUT, draw, full_deck
from balance.games.immortal_souls.tables.board import Encounter, Shadow
from balance.games.immortal_souls.tables.ground import parse_shadow

ENEMIES = {"enemy": 1, "champion": 1, "two_enemies": 2, "quest_enemy": 1}
"""Enemies that a token brings; the others bring none."""


@dataclass(frozen=True, eq=False)
class ShadowPool:
    """The Shadow tokens of an encounter; the last of each list but `areas` and `quest_cards` stands for no token.

    * `areas`: where Shadows lie, `int[spots]`.
    * `enemies`: enemies that each token brings, `int[tokens + 1]`.
    * `champion`, `quest_enemy`, `moment`: whether the enemy has one power more, is the quest's, or the token is a
      moment of the quest, `bool[tokens + 1]`.
    * `quest_cards`: which cards of enemies are the quest enemy's, `bool[cards]`.
    * `story`: the event card that is the moment; NO_CARD for none.
    """

    names: tuple[str, ...]
    areas: IntArray
    enemies: IntArray
    champion: BoolArray
    quest_enemy: BoolArray
    moment: BoolArray
    quest_cards: BoolArray
    story: int

    @property
    def n_tokens(self) -> int:
        """The number of tokens, without the one that stands for none."""
        return len(self.names)


def pool_of(
    catalogue: Catalogue, encounter: Encounter, names: Sequence[str], n_heroes: int, cards: Sequence[str]
) -> ShadowPool | None:
    """Return the tokens of an encounter with the areas for so many heroes, None where it has no Shadows.

    Those of a quest enemy and of a quest moment are left out where the encounter names none. `names` are the ids of its
    areas, and `cards` the enemy on each card.
    """
    asks = {"quest_enemy": encounter.quest_enemy, "quest_moment": encounter.quest_moment}
    tokens = [token for token in catalogue.entries(Shadow).values() if asks.get(token.what, "any")
              for _ in range(token.copies)]  # fmt: skip
    spots = [names.index(area) for area, heroes in map(parse_shadow, encounter.shadows) if heroes <= n_heroes]
    if not spots or not tokens:
        return None
    kinds = np.array([*(token.what for token in tokens), ""])
    return ShadowPool(
        names=tuple(token.name for token in tokens),
        areas=np.array(spots),
        enemies=np.array([ENEMIES.get(str(kind), 0) for kind in kinds]),
        champion=kinds == "champion",
        quest_enemy=kinds == "quest_enemy",
        moment=kinds == "quest_moment",
        quest_cards=np.array([name == encounter.quest_enemy for name in cards]),
        story=len(encounter.events) + len(encounter.stories) if encounter.quest_moment else NO_CARD,
    )


def starting_shadows(pool: ShadowPool, rolls: Rolls, n: int) -> State:
    """Return the Shadows of `n` trials at the start: a token in each area, as long as there are any (IS-ENE.14)."""
    state: State = {
        "shadow": np.full((n, len(pool.areas)), NO_CARD, np.int8),
        "shadow_pool": full_deck(n, pool.n_tokens),
    }
    lay_shadows(pool, state, np.full(n, len(pool.areas)), len(pool.areas), rolls)
    return state


def lay_shadows(pool: ShadowPool, state: State, number: IntArray, max_tokens: int, rolls: Rolls) -> None:
    """Lay so many Shadows, `int[n]`, at most `max_tokens`, on areas without one, in their order.

    Tokens of the pool are drawn unseen, and those discarded come back when it is empty (IS-ENE.14).
    """
    for turn in range(max_tokens):
        free = state["shadow"] == NO_CARD
        due = (number > turn) & free.any(axis=1)
        token, state["shadow_pool"] = draw(state["shadow_pool"], due, OUT, rolls, "shadow")
        rows = np.flatnonzero(due)
        state["shadow"][rows, free[rows].argmax(axis=1)] = token[rows]
