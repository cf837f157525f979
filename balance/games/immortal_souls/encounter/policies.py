"""How heroes choose whom to attack: what they see, and the policies that decide by it.

Options are numbered: the bodies of enemies, then nobody (stay), then the heroes and their companions, to go where one
of them is. Companions choose as heroes do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Policy, Rolls
from balance.game.game import PolicyKind

OUT_OF_REACH = 1_000.0
"""What an enemy out of reach counts more than any in reach."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What a hero sees when he chooses, `[n, bodies]` unless said.

    * `in_reach`: whom he could attack this turn, before or after his Move.
    * `points`: movement points to where he would attack it from; 0 from where he stands.
    * `health`: health that it has left.
    * `ally_wounds` and `ways`: wounds that each ally has suffered, -1 for ghosts and himself, and points of the way to
      him, `[n, allies]`.
    * `own_health`: health that the hero has left, `[n]`.
    * `wounds` and `expected_harm`: expected wounds of his attack, and of all enemies who could then reach him; computed
      when they are called.
    """

    in_reach: BoolArray
    points: IntArray
    health: IntArray
    ally_wounds: IntArray
    ways: IntArray
    own_health: IntArray
    wounds: Callable[[], FloatArray]
    expected_harm: Callable[[], FloatArray]

    @property
    def stay(self) -> int:
        """The number of the option to attack nobody, after those of all bodies."""
        return int(self.points.shape[1])


def _lowest_score(sight: Sight, legal: BoolArray, score: FloatArray | IntArray) -> IntArray:
    """Return the enemy in reach with the lowest score, else the nearest, else the option to stay, `int[n]`."""
    enemies = legal[:, : sight.stay]
    key = np.where(sight.in_reach, score, OUT_OF_REACH + sight.points)
    key = np.where(enemies, key, np.inf)
    return np.where(enemies.any(axis=1), key.argmin(axis=1), sight.stay)


@dataclass(frozen=True)
class Focus:
    """Attacks the enemy in reach with the least health left."""

    def choose(self, name: str, legal: Legal, view: Sight, rolls: Rolls) -> IntArray:
        """Return the number of the enemy's body, `int[n]`, or `view.stay` for nobody."""
        return _lowest_score(view, np.asarray(legal), view.health)


@dataclass(frozen=True)
class Nearest:
    """Attacks the enemy with the shortest way to it."""

    def choose(self, name: str, legal: Legal, view: Sight, rolls: Rolls) -> IntArray:
        """Return the number of the enemy's body, `int[n]`, or `view.stay` for nobody."""
        return _lowest_score(view, np.asarray(legal), view.points)


@dataclass(frozen=True)
class Random:
    """Attacks an enemy in reach at random, else goes to a random one."""

    def choose(self, name: str, legal: Legal, view: Sight, rolls: Rolls) -> IntArray:
        """Return the number of the enemy's body, `int[n]`, or `view.stay` for nobody."""
        enemies = np.asarray(legal)[:, : view.stay]
        near = enemies & view.in_reach
        among = np.where(near.any(axis=1, keepdims=True), near, enemies)
        among = np.concatenate((among, ~among.any(axis=1, keepdims=True)), axis=1)
        return rolls.pick(among, name)


@dataclass(frozen=True)
class Guard:
    """Stays with the most wounded ally, and attacks the enemy with the least health left from there."""

    def choose(self, name: str, legal: Legal, view: Sight, rolls: Rolls) -> IntArray:
        """Return the number of the enemy's body, `int[n]`, `view.stay` for nobody, or more for the ally to go to."""
        can = np.asarray(legal)
        wounds = np.where(can[:, view.stay + 1 :] | (view.ways == 0), view.ally_wounds, -1)
        ward = wounds.argmax(axis=1)
        alone = wounds.max(axis=1, initial=-1) < 0
        way = np.take_along_axis(view.ways, ward[:, None], axis=1)[:, 0]
        options = can.copy()
        options[:, : view.stay] &= (view.points == 0) | alone[:, None]
        stays = _lowest_score(view, options, view.health)
        return np.where(alone | (way == 0) | (name != "target"), stays, view.stay + 1 + ward)


@dataclass(frozen=True)
class Kill:
    """Attacks the enemy with the highest expected wounds per health left; heroes then buy what kills."""

    def choose(self, name: str, legal: Legal, view: Sight, rolls: Rolls) -> IntArray:
        """Return the number of the enemy's body, `int[n]`, or `view.stay` for nobody."""
        return _lowest_score(view, np.asarray(legal), -view.wounds() / np.maximum(view.health, 1))


@dataclass(frozen=True)
class LookAhead:
    """Minimizes expected wounds suffered as a share of own health, less those dealt as a share of the target's."""

    def choose(self, name: str, legal: Legal, view: Sight, rolls: Rolls) -> IntArray:
        """Return the number of the enemy's body, `int[n]`, or `view.stay` for nobody."""
        wounds_dealt = np.minimum(view.wounds() / np.maximum(view.health, 1), 1.0)
        return _lowest_score(
            view, np.asarray(legal), view.expected_harm() / np.maximum(view.own_health, 1)[:, None] - wounds_dealt
        )


PLAYERS: dict[str, Policy] = {
    "focus": Focus(),
    "nearest": Nearest(),
    "random": Random(),
    "guard": Guard(),
    "spend_for_kill": Kill(),
    "look_ahead": LookAhead(),
}
"""By option of `PARTY_POLICIES`."""
PARTY_POLICIES = {
    "policy": PolicyKind(
        "Whom the heroes attack.",
        {
            "focus": "of the enemies in reach the one with the least health left",
            "nearest": "the enemy with the shortest way to it",
            "random": "anybody in reach",
            "guard": "stays with the most wounded hero, and attacks whoever is in reach from there",
            "spend_for_kill": "the enemy in reach whom it most nearly kills, and buys what kills most likely",
            "look_ahead": "weighs expected wounds dealt against those to be expected afterwards",
        },
        side="heroes",
        quick=("focus", "nearest", "random", "guard", "spend_for_kill", "look_ahead"),
        plays=PLAYERS,
    )
}
