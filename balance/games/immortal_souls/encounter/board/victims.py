"""Which rule of its scroll an enemy follows, and whom it aims at: IS-AI.7 to IS-AI.12, IS-AI.18.

An enemy reads its scroll from the top; the first rule that some hero meets is the one, and among the heroes who meet it
the enemy prefers one. Enemies of different kinds act in the same step, so that scrolls are looked up by number.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.immortal_souls.encounter.board.areas import FAR

STYLES = ("dexterity", "faith", "magic", "strength")
VICTIMS = ("most_wounded", "nearest", "richest", *STYLES)
"""Whom an enemy may prefer (IS-AI.8); enemies tell it by its number."""
NO_INDEX = -1
"""Instead of a hero, or of a rule: there is none."""
NO_RULE = 99


class Prey(NamedTuple):
    """What an enemy knows of the heroes when it is activated, `[n, heroes]` each.

    * `distance`: areas from the enemy to each, `int8`; FAR at most.
    * `reaches`: whether there is a legal way.
    * `targets`: who may be a target: no ghosts, no hidden heroes, and nobody who is not in play (IS-AI.18, IS-HP.4).
    * `wounds` and `health`: wounds suffered, and health that is left; 0 to 1023.
    * `crowns`: what their crowns are worth, below 2**20.
    * `style`: the number of their style in STYLES.
    """

    distance: IntArray
    reaches: BoolArray
    sees: BoolArray
    targets: BoolArray
    wounds: IntArray
    health: IntArray
    crowns: IntArray
    style: IntArray


class Aim(NamedTuple):
    """What enemies do, `int8[n]` each: a rule of the scroll, from 0, and the hero it is done to; NO_INDEX for none."""

    rule: IntArray
    victim: IntArray


@dataclass(frozen=True)
class Scrolls:
    """The distances at which rules of scrolls hold.

    `distances` has for each scroll those of each rule from the top, without the last rule, which is always `{+}`.

    >>> gremlin = Scrolls(((frozenset({0}), frozenset({1, 2, 3}), frozenset({4})),))
    >>> gremlin.first_rule(np.array([0]), np.array([[0, 3, 4, 5]])).tolist()
    [[0, 1, 2, 99]]
    """

    distances: tuple[tuple[frozenset[int], ...], ...]

    @classmethod
    def of(cls, scrolls: Sequence[Sequence[Collection[int]]]) -> Scrolls:
        """Return the scrolls whose distances are given as collections of any type."""
        return cls(tuple(tuple(frozenset(rule) for rule in rules) for rules in scrolls))

    def first_rule(self, scroll: IntArray, distance: IntArray) -> IntArray:
        """Return the first rule that holds at each distance, `int8[n, heroes]`; NO_RULE where only `{+}` does.

        `scroll` is the number of the scroll in each trial, `int[n]`.
        """
        return self._first_rule.take(scroll[:, None].astype(np.intp) * (FAR + 1) + distance)

    @cached_property
    def last_rule(self) -> IntArray:
        """The number of the rule `{+}` on each scroll, `int8[scrolls]`."""
        return np.array([len(rules) for rules in self.distances], np.int8)

    @cached_property
    def _first_rule(self) -> IntArray:
        table = np.full((len(self.distances), FAR + 1), NO_RULE, np.int8)
        for scroll, rules in enumerate(self.distances):
            for number in reversed(range(len(rules))):
                table[scroll, list(rules[number])] = number
        return table.ravel()


def aim(
    scrolls: Scrolls,
    scroll: IntArray,
    prefers: IntArray,
    prey: Prey,
    sees_nobody: BoolArray,
    only: IntArray,
    wishes: IntArray | None = None,
) -> Aim:
    """Return the rule that an enemy follows in each trial, and its victim; NO_INDEX where no rule can be followed.

    `scroll` and `prefers`, in VICTIMS, are numbers, `int[n]`. An enemy that sees nobody has only `{+}` left
    (IS-COND.12). `only` is the hero whom a Vindictive Master hunts (IS-MAST.11), else NO_INDEX, `int[n]`. The
    controlling player breaks ties by `wishes`, `int[n, heroes]`: 0 to 15, lower first; of equals there the first hero.
    """
    possible = prey.targets & prey.reaches
    possible &= (only[:, None] == NO_INDEX) | (only[:, None] == np.arange(possible.shape[1]))
    rules = np.where(possible & prey.sees & ~sees_nobody[:, None], scrolls.first_rule(scroll, prey.distance), NO_RULE)
    best = rules.min(axis=1)
    candidates = possible & ((rules == best[:, None]) | (best[:, None] == NO_RULE))
    rule = np.where(best == NO_RULE, scrolls.last_rule.take(scroll), best)
    victim = preferred_victim(prefers, prey, candidates, wishes)
    return Aim(np.where(victim == NO_INDEX, NO_INDEX, rule).astype(np.int8), victim)


def preferred_victim(prefers: IntArray, prey: Prey, candidates: BoolArray, wishes: IntArray | None = None) -> IntArray:
    """Return which candidate, `bool[n, heroes]`, an enemy aims at, `int8[n]`; NO_INDEX for none: IS-AI.8 to IS-AI.10.

    One that its preference names; of several, or if none is named, the one with the most wounds, then with the least
    health left, then the nearest, then as the controlling player wishes.
    """
    kind = prefers[:, None]
    trait = np.where(kind == VICTIMS.index("richest"), prey.crowns, prey.style == kind - VICTIMS.index(STYLES[0]))
    trait = np.where(kind == VICTIMS.index("nearest"), FAR - prey.distance, trait)
    score = np.where(kind == VICTIMS.index("most_wounded"), prey.wounds, trait).astype(np.int64)
    for field, span in ((prey.wounds, 1024), (np.int16(1023) - prey.health, 1024), (FAR - prey.distance, 128)):
        score = score * span + field
    if wishes is not None:
        score = score * 16 + (15 - wishes)
    score = np.where(candidates, score, -1)
    return np.where(candidates.any(axis=1), score.argmax(axis=1), NO_INDEX).astype(np.int8)
