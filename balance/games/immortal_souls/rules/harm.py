"""What an attack does to a defender beside its hits: armour, conditions, fire, criticals (IS-CRIT, IS-COND, IS-FIRE).

A condition that is there already is discarded and costs one wound at once (IS-COND.2); so is a red critical that is not
greater than the one there (IS-CRIT.7). Everything here is in force before the defence phase (IS-HIT.5, IS-DEF.7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.purchases import Purchase
from balance.games.immortal_souls.rules.effects import Effect
from balance.games.immortal_souls.ruleset import Switches

CONDITIONS = ("ko", "stun", "slow", "blind", "poison")
"""Physical conditions; `poison` is 1 or 2, the others 0 or 1 (IS-COND.1)."""
REDS = {"weakened": "armour", "dulled": "hits", "frail": "max_health", "silenced": "silences"}
"""What a red critical leaves behind -> the field of the token; it stays (IS-CRIT.6, IS-CRIT.8)."""
ALL_HITS = 999


@dataclass(frozen=True)
class Token:
    """A kind of critical token; losses are told as numbers above 0, and `tokens` is how many the bag holds."""

    tokens: int
    wounds: int = 0
    ko: int = 0
    stun: int = 0
    slow: int = 0
    blind: int = 0
    poison: int = 0
    armour: int = 0
    hits: int = 0
    max_health: int = 0
    silences: int = 0


TOKEN_FIELDS = ("wounds", *CONDITIONS, *REDS.values())
NO_TOKEN = Token(0)
"""No critical."""


@lru_cache(maxsize=64)
def tokens_table(bag: tuple[Token, ...]) -> Mapping[str, IntArray]:
    """Return each field of the tokens by kind, `int64[kinds + 1]`; kind 0 is no critical."""
    return {name: np.array([getattr(token, name) for token in (NO_TOKEN, *bag)]) for name in TOKEN_FIELDS}


@dataclass(frozen=True, eq=False)
class Deeds:
    """What each set of effects does, `int64[sets + 1]` each; the last is nothing at all, for who is silenced.

    `values`: by name: `hits` more, `armour` taken off, how often each condition, `fire1`, `fire2`, `push` and
    `critical` are bought, the `poison_level` and that of the `poison_first` bought, `area` (0 or 1). `lethal_sum` and
    `greatest`: hits that become lethal where numbers add up, and where the greatest counts (IS-Q5). `wholly`: whether
    all hits are lethal. `n_effects`: how many effects.
    """

    values: Mapping[str, IntArray]
    lethal_sum: IntArray
    greatest: IntArray
    wholly: IntArray
    n_effects: IntArray

    @classmethod
    def of(cls, effects: Sequence[Effect], purchase: Purchase, order: Sequence[int]) -> Deeds:
        """Return what the sets of these effects do; `order` numbers the effects as they are activated (IS-HIT.5)."""
        sets = [[effects[place] for place in order if place in places] for places in (*purchase.sets, ())]

        def by_set(number_of: Callable[[list[Effect]], int]) -> IntArray:
            return np.array([number_of(effect_set) for effect_set in sets])

        def times(name: str, number: int | None = None) -> IntArray:
            return by_set(lambda effect_set: sum(e.name == name and number in (None, e.number) for e in effect_set))

        def numbers(name: str, read: Callable[[list[int]], int]) -> IntArray:
            return by_set(lambda effect_set: read([e.number or 0 for e in effect_set if e.name == name]))

        lethal = [[e.number or ALL_HITS for e in effect_set if e.name == "lethal"] for effect_set in sets]
        values = {name: times(name) for name in (*CONDITIONS, "critical", "push")}
        values |= {f"fire{n}": times("fire", n) for n in (1, 2)}
        values |= {name: numbers(name, sum) for name in ("hits", "armour")}
        values |= {"poison_level": numbers("poison", lambda levels: max(levels, default=0))}
        values |= {"poison_first": numbers("poison", lambda levels: levels[0] if levels else 0)}
        values |= {"area": np.minimum(times("area"), 1)}
        return cls(
            values,
            lethal_sum=np.array([min(sum(hits), ALL_HITS) for hits in lethal]),
            greatest=np.array([max(hits, default=0) for hits in lethal]),
            wholly=np.array([int(ALL_HITS in hits) for hits in lethal]),
            n_effects=by_set(len),
        )

    @property
    def n_conditions(self) -> IntArray:
        """How many conditions each set lays on the defender, `int64[sets + 1]`."""
        return np.asarray(sum(self.values[name] for name in CONDITIONS))

    def lethal(self, rules: Switches) -> IntArray:
        """Return how many hits each set makes lethal at most, by rule option their sum or the greatest (IS-Q5)."""
        return self.lethal_sum if rules.lethal_effects == "add" else self.greatest

    def at(self, sets: IntArray | slice) -> dict[str, IntArray]:
        """Return what the set of each trial does, `int64[n]` each; `slice(None)` stands for every set."""
        return {name: values[sets] for name, values in self.values.items()}


@dataclass(frozen=True, eq=False)
class Harm:
    """What befalls a defender before the defence phase.

    `wounds`: wounds at once, of criticals and of repeated conditions. `armour`: armour in force against this attack.
    `after`: conditions and red criticals afterwards, by name.
    """

    wounds: IntArray
    armour: IntArray
    after: Mapping[str, IntArray]


def harm_of(
    rules: Switches,
    armour: int,
    immune: frozenset[str],
    again: int,
    deeds: Mapping[str, IntArray],
    token: Mapping[str, IntArray],
    marks: Mapping[str, IntArray],
    hits: IntArray,
) -> Harm:
    """Return what befalls a defender: first the critical, then what was bought.

    `armour` is as printed, `again` the wounds of a condition it has already (IS-COND.2), and those `immune` never occur
    (IS-COND.14). What effects do, the critical, the defender's marks before, and hits are arrays of one shape.
    """
    lands = np.asarray(hits > 0) if rules.effects_need_a_hit else np.ones_like(hits, bool)
    wounds, after = np.asarray(token["wounds"]), {}
    for name in CONDITIONS:
        if not deeds[name].any() and not token[name].any():  # so that nothing is worked out for nothing
            after[name] = marks[name]
            continue
        is_possible = int(name not in immune)
        present = np.maximum(marks[name], token[name] * is_possible)
        purchases = deeds[name] * lands * is_possible
        wounds = wounds + again * _repeats(rules, name, marks[name], token[name] * is_possible, purchases, deeds)
        level = deeds["poison_level"] if name == "poison" else 1
        after[name] = np.maximum(present, level * (purchases > 0))
    for name, field in REDS.items():
        more, present = token[field], marks[name]
        if not more.any():
            after[name] = present
            continue
        lesser = (more <= present) if rules.lesser_critical == "wound" else (more == present)
        wounds = wounds + again * ((more > 0) & lesser)
        after[name] = np.maximum(present, more)
    in_force = np.maximum(armour - after["weakened"] + deeds["armour"], 0) * (after["ko"] == 0)
    return Harm(wounds, in_force, after)


def _repeats(
    rules: Switches,
    name: str,
    marks: IntArray,
    token_level: IntArray,
    purchases: IntArray,
    deeds: Mapping[str, IntArray],
) -> IntArray:
    """Return how often a condition is received while already there: from a critical, then from those bought.

    What buying such a condition costs is open (IS-Q39); that Poison II on Poison I wounds is not (IS-COND.5).
    """
    if name == "ko" and rules.knocked_out_again == "nothing":
        return np.zeros_like(purchases)
    by_token = (token_level > 0) & (marks > 0)
    present = np.maximum(marks, token_level)
    if rules.repeated_condition_wounds:
        return np.asarray(by_token + np.maximum(purchases - 1 + (present > 0), 0) * (purchases > 0))
    rises = (present == 1) | ((present == 0) & (deeds["poison_first"] == 1))
    return np.asarray(by_token + (rises & (deeds["poison_level"] == 2) & (purchases > 0) if name == "poison" else 0))
