"""What surges buy: abilities in the order they are listed, ordinary, unique, and unique with any number of surges.

A *plan* says how many times each ability is paid for. Plans are listed with the first abilities first, so that buying
in the order listed, each as often as can be (RW-Q13), is the first plan that the surges pay for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.cells import EFFECTS, SurgeAbility

ICON_OF = {"hits": "hit", "accuracy": "accuracy", "mortal_strikes": "mortal_strike", "morale": "morale"}
"""Effect of a surge ability -> the icon that it adds."""


def each_once(abilities: tuple[SurgeAbility, ...], each_card: bool) -> tuple[SurgeAbility, ...]:
    """Return the abilities of several cards without repetitions that add nothing.

    The same unique one counts once for each card, or once in all (RW-Q6).

    >>> from balance.games.runewars.cells import parse_surges
    >>> twice = parse_surges("hits@2,hits@2,damage@1u,damage@1u")
    >>> [str(one) for one in each_once(twice, each_card=True)], len(each_once(twice, each_card=False))
    (['hits@2', 'damage@1u', 'damage@1u'], 2)
    """
    numbers = enumerate(abilities)
    return tuple(
        ability for place, ability in numbers if (each_card and ability.unique) or ability not in abilities[:place]
    )


@dataclass(frozen=True)
class Purchase:
    """What a unit may buy with its surges.

    `abilities`: in the order listed, costs as they are paid. `max_surges`: the most surges there can be.
    """

    abilities: tuple[SurgeAbility, ...]
    max_surges: int

    @cached_property
    def plans(self) -> IntArray:
        """How often each ability is paid for, `int64[plans, abilities]`; the last plan buys nothing."""
        limits = [
            min(self.max_surges // ability.cost, 99 if ability.plus or not ability.unique else 1)
            for ability in self.abilities
        ]
        plans = [times for times in product(*(range(n, -1, -1) for n in limits)) if self._is_plan(times)]
        return np.array(plans, np.int64).reshape(len(plans), len(self.abilities))

    def _is_plan(self, times: tuple[int, ...]) -> bool:
        """Return whether `max_surges` can pay for it, and no condition is received twice (RW-COND.2)."""
        effects = [ability.effect for n, ability in zip(times, self.abilities, strict=True) for _ in range(n)]
        conditions = [effect for effect in effects if effect not in EFFECTS]
        return self._cost(times) <= self.max_surges and len(conditions) == len(set(conditions))

    def _cost(self, times: tuple[int, ...]) -> int:
        return sum(n * ability.cost for n, ability in zip(times, self.abilities, strict=True))

    @cached_property
    def costs(self) -> IntArray:
        """Surges that each plan takes, `int64[plans]`."""
        return np.asarray(self.plans @ np.array([ability.cost for ability in self.abilities], np.int64))

    @cached_property
    def gains(self) -> Mapping[str, IntArray]:
        """Effect or condition -> how much of it each plan brings, `int64[plans]`."""
        effects = dict.fromkeys(ability.effect for ability in self.abilities)
        numbers = {
            effect: np.array([ability.number * (ability.effect == effect) for ability in self.abilities])
            for effect in effects
        }
        return {effect: np.asarray(self.plans @ counts) for effect, counts in numbers.items()}

    @cached_property
    def conditions(self) -> Mapping[str, tuple[BoolArray, BoolArray]]:
        """Condition -> which plans require it of the defender before, and which inflict it, `bool[plans]` each.

        Abilities are resolved in the order listed: one that asks for a condition may follow one that brings it.
        """
        names = {ability.condition for ability in self.abilities if ability.condition}
        names |= {ability.effect for ability in self.abilities if ability.effect not in EFFECTS}
        plans_of = {}
        for name in sorted(names):
            needs, receives = np.zeros((2, len(self.plans)), bool)
            for ability, times in zip(self.abilities, self.plans.T, strict=True):
                needs |= (times > 0) & (ability.condition == name) & ~receives
                receives |= (times > 0) & (ability.effect == name)
            plans_of[name] = needs, receives
        return plans_of

    def gain_of(self, effect: str, plan: IntArray) -> IntArray | int:
        """Return how much of one of `EFFECTS`, or of a condition, plans bring, `int64[n]`; a plain 0 if none does."""
        return self.gains[effect].take(plan) if effect in self.gains else 0

    def affordable(self, surges: IntArray, context: Mapping[str, IntArray]) -> BoolArray:
        """Return which plans may be bought, `bool[n, plans]`, with surges, `int[n]`, and conditions of the defender.

        Conditions are `int[n]` by name in the context; no plan has a unit receive one that it has (RW-COND.2).
        """
        able: BoolArray = self.costs <= surges[:, None]
        for name, (needs, receives) in self.conditions.items():
            able &= ~np.where(context[name][:, None] > 0, receives, needs)
        return able


@dataclass(frozen=True)
class Spends:
    """Buys in the order `listed` (RW-Q13), what is `best` for the wounds of this attack, or `none`."""

    policy: Literal["listed", "best", "none"]

    def choose(self, name: str, legal: Legal, view: Callable[[], IntArray], rolls: Rolls) -> IntArray:
        """Return the number of the plan to buy, `int64[n]`, among those that `legal`, `bool[n, plans]`, allows.

        The view is called by `best` only, for the wounds that each plan brings, `int64[n, plans]`.
        """
        return self.plan(np.asarray(legal, bool), view)

    def plan(self, able: BoolArray, wounds: Callable[[], IntArray]) -> IntArray:
        """Return one of the plans that may be bought, `bool[n, plans]`, by number.

        Only `best` calls `wounds`, for those that each plan brings, `int64[n, plans]`.
        """
        if self.policy == "none":
            return np.full(len(able), able.shape[1] - 1)
        if self.policy == "listed":
            return np.asarray(able.argmax(axis=1))
        return np.asarray(np.where(able, wounds(), -1).argmax(axis=1))
