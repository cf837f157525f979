"""Whom a side would rather attack: policies of a line-up, as scores of every attack by its mean effect.

What an attack does is reckoned for a target in the open to the weapon at hand, whose shield is down and whose armour is
whole, with the health that it has now. Of equal attacks that on the enemy written first is made, and of those that of
the unit written first. Scores are whole numbers, so that what is equal is equal on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.game.game import PolicyKind
from balance.game.kit import each_side
from balance.games.warforged.attack import Shot, attack_distribution

DOUBLING = 4096
"""Steps of a score for what is twice as good."""
MOST_SCORE = 2**17
"""The highest score, and below 0 the lowest."""
MOST_RANK = 2**21
"""The highest score where scores are ranks; more ranks are told apart no more."""
LEAST_THREAT = 1e-3
"""Damage per action that even the harmless are reckoned to deal, so that they fall last, but do."""


@dataclass(frozen=True, eq=False)
class Reckoning:
    """What one action of each weapon does to each body at each health, `float64[w, u, h + 1]`; NaN beyond its health.

    `actions`: actions it takes on average until the body falls; infinite if never. `damage`: health that one action
    takes on average, of what is left. `share`: share of its health that the body has left.
    """

    actions: FloatArray
    damage: FloatArray
    share: FloatArray

    @classmethod
    def of(cls, shots: Sequence[Sequence[Shot]], healths: IntArray) -> Reckoning:
        """Reckon w weapons, each with a shot at each of u bodies ([w][u]) of such health at the start, `int[u]`."""
        max_health = int(healths.max(initial=0))
        actions, damage, share = (np.full((len(shots), len(healths), max_health + 1), np.nan) for _ in range(3))
        for w, row in enumerate(shots):
            for u, (shot, health) in enumerate(zip(row, healths.tolist(), strict=True)):
                actions[w, u, 1 : health + 1], damage[w, u, 1 : health + 1] = _reckon(shot, health)
                share[w, u, 1 : health + 1] = np.arange(1, health + 1) / health
        return cls(actions, damage, share)


@lru_cache(maxsize=4096)
def _reckon(shot: Shot, health: int) -> tuple[FloatArray, FloatArray]:
    """Return mean actions to destroy and mean health taken, at health 1, 2 and so on, `float64[health]` each."""
    p = action_damage(shot)
    actions = np.zeros(health + 1)
    for remaining in range(1, health + 1):
        after = sum(p[n_wounds] * actions[remaining - n_wounds] for n_wounds in range(1, min(remaining, len(p))))
        actions[remaining] = (1 + after) / (1 - p[0]) if p[0] < 1 else np.inf
    damage, healths = np.arange(len(p)), np.arange(1, health + 1)
    return actions[1:], np.minimum(damage, healths[:, None]) @ np.array(p)


@lru_cache(maxsize=4096)
def action_damage(shot: Shot) -> tuple[float, ...]:
    """Return the probability of each damage, from 0, of one action against a fresh target whose shield is down."""
    damage = attack_distribution(shot, False, shot.armour).marginal("damage")
    chances = np.zeros(int(damage["damage"].max()) + 1)
    chances[damage["damage"]] = damage.p
    action = np.ones(1)
    for _ in range(shot.n_attacks):
        action = np.convolve(action, chances)
    return tuple(action.tolist())


def _log(values: FloatArray) -> FloatArray:
    """Return binary logarithms in steps of 1 / 4,096, rounded and clipped to `MOST_SCORE`."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.clip(np.round(np.log2(values) * DOUBLING), -MOST_SCORE, MOST_SCORE))


def _spread(reckoning: Reckoning) -> FloatArray:
    """Return ranks by the share of health left, the most first, and for the same share by mean actions to destroy."""
    is_body = ~np.isnan(reckoning.share)
    shares, actions = np.round(reckoning.share[is_body], 9), _log(reckoning.actions[is_body])
    ranked_scores = np.full(is_body.shape, np.nan)
    (_, share), (ranks, rank) = (np.unique(part, return_inverse=True) for part in (-shares, actions))
    scores = share.ravel() * len(ranks) + rank.ravel()
    ranked_scores[is_body] = scores // (scores.max(initial=0) // MOST_RANK + 1)
    return ranked_scores


PREFERENCES: Mapping[str, Callable[[Reckoning], FloatArray]] = {
    "focus": lambda reckoning: _log(reckoning.actions),
    "least_overkill": lambda reckoning: -_log(reckoning.damage),
    "spread": _spread,
}
"""Policy -> the score of each attack, the lowest the best, NaN where there is nobody to attack."""
WEIGHS_THREATS = frozenset({"focus"})
"""Policies that shoot first at what threatens most: their scores are lowered by that of the target's threat."""


def threat_score(damage: FloatArray) -> IntArray:
    """Return the bonus of a target that deals such damage per action, in the steps of scores: 4,096 for twice as much.

    >>> (threat_score(np.array([2.0])) - threat_score(np.array([1.0]))).tolist()
    [4096]
    """
    return _log(np.maximum(damage, LEAST_THREAT)).astype(np.int32)


POLICIES = each_side(
    "policy",
    PolicyKind(
        "Whom a side attacks, and with which unit.",
        {
            "focus": "makes the attack that takes most threat off the table per action: what the target deals with one "
            "action to the side's units as they took the field, by the actions it takes on average until it falls",
            "least_overkill": "makes the attack that takes most health on average, of what the target has left",
            "spread": "attacks the enemy that has lost the least share of its health, with the attack that needs the "
            "fewest actions on average until it falls",
        },
        quick=("focus", "least_overkill", "spread"),
    ),
    name="{of}_{side}",
)
"""What each side decides. Units whose stance is to raise a Supershield do so first, whatever the policy."""
