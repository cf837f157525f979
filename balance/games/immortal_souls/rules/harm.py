"""What an attack does to a defender beside its hits: armour, conditions, fire, criticals (IS-CRIT, IS-COND, IS-FIRE).

A condition that is there already is discarded and costs one wound at once (IS-COND.2); so is a red critical that is not
greater than the one there (IS-CRIT.7). Everything here is in force before the defence phase (IS-HIT.5, IS-DEF.7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.spending import Purchase
from balance.games.immortal_souls.rules.effects import Effect
from balance.games.immortal_souls.ruleset import Switches

__all__ = ["CONDITIONS", "NOTHING", "REDS", "Deeds", "Harm", "Token", "harm_of", "tokens_table"]

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
NOTHING = Token(0)
"""No critical."""


def tokens_table(bag: Sequence[Token]) -> dict[str, IntArray]:
    """Return the fields of no critical and of every kind of token, `int64[kinds + 1]` each."""
    return {name: np.array([getattr(token, name) for token in (NOTHING, *bag)]) for name in TOKEN_FIELDS}


@dataclass(frozen=True, eq=False)
class Deeds:
    """What each set of effects does, `int64[sets + 1]` each; the last is nothing at all, for who is silenced.

    Attributes
    ----------
    values
        By name: `hits` more, `armour` taken off, how often each condition, `fire1`, `fire2`, `push` and `critical` are
        bought, the `poison_level` and that of the `poison_first` bought, `area` (0 or 1).
    summed, greatest
        Hits that become lethal where numbers add up, and where the greatest counts (IS-Q5).
    wholly
        Whether all hits are lethal.
    n_effects, n_conditions
        How many effects, and how many conditions.
    """

    values: Mapping[str, IntArray]
    summed: IntArray
    greatest: IntArray
    wholly: IntArray
    n_effects: IntArray

    @classmethod
    def of(cls, effects: Sequence[Effect], purchase: Purchase, order: Sequence[int]) -> Deeds:
        """Return what the sets of these effects do, which are activated in this order (IS-HIT.5)."""
        sets = [[effects[place] for place in order if place in one] for one in (*purchase.sets, ())]

        def each(number_of: Callable[[list[Effect]], int]) -> IntArray:
            return np.array([number_of(one) for one in sets])

        def times(name: str, number: int | None = None) -> IntArray:
            return each(lambda one: sum(e.name == name and number in (None, e.number) for e in one))

        def numbers(name: str, read: Callable[[list[int]], int]) -> IntArray:
            return each(lambda one: read([e.number or 0 for e in one if e.name == name]))

        lethal = [[e.number or ALL_HITS for e in one if e.name == "lethal"] for one in sets]
        values = {name: times(name) for name in (*CONDITIONS, "critical", "push")}
        values |= {f"fire{n}": times("fire", n) for n in (1, 2)}
        values |= {name: numbers(name, sum) for name in ("hits", "armour")}
        values |= {"poison_level": numbers("poison", lambda one: max(one, default=0))}
        values |= {"poison_first": numbers("poison", lambda one: one[0] if one else 0)}
        values |= {"area": np.minimum(times("area"), 1)}
        return cls(
            values,
            summed=np.array([min(sum(one), ALL_HITS) for one in lethal]),
            greatest=np.array([max(one, default=0) for one in lethal]),
            wholly=np.array([int(ALL_HITS in one) for one in lethal]),
            n_effects=each(len),
        )

    @property
    def n_conditions(self) -> IntArray:
        """How many conditions each set lays on the defender."""
        return np.asarray(sum(self.values[name] for name in CONDITIONS))

    def lethal(self, rules: Switches) -> IntArray:
        """Return how many hits each set makes lethal, at most."""
        return self.summed if rules.lethal_effects == "add" else self.greatest

    def at(self, sets: IntArray | slice) -> dict[str, IntArray]:
        """Return what the set of each trial does, `int64[n]` each; `slice(None)` stands for every set."""
        return {name: values[sets] for name, values in self.values.items()}


@dataclass(frozen=True, eq=False)
class Harm:
    """What befalls a defender before the defence phase.

    Attributes
    ----------
    wounds
        Wounds at once, of criticals and of repeated conditions.
    armour
        Armour in force against this attack.
    after
        Conditions and red criticals afterwards, by name.
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
    found: Mapping[str, IntArray],
    hits: IntArray,
) -> Harm:
    """Return what befalls a defender: first the critical, then what was bought.

    Parameters
    ----------
    armour
        What is printed.
    immune, again
        Conditions that it cannot have (IS-COND.14), and wounds of one that it has already.
    deeds, token, found, hits
        What the effects do, what the critical does, how the defender is before, and hits of the attack; of one shape.
    """
    lands = np.asarray(hits > 0) if rules.effects_need_a_hit else np.ones_like(hits, bool)
    wounds, after = np.asarray(token["wounds"]), {}
    for name in CONDITIONS:
        if not np.any(deeds[name]) and not np.any(token[name]):  # so that nothing is worked out for nothing
            after[name] = found[name]
            continue
        allowed = int(name not in immune)
        there = np.maximum(found[name], token[name] * allowed)
        bought = deeds[name] * lands * allowed
        wounds = wounds + again * _repeats(rules, name, found[name], token[name] * allowed, bought, deeds)
        level = deeds["poison_level"] if name == "poison" else 1
        after[name] = np.maximum(there, level * (bought > 0))
    for name, field in REDS.items():
        more, there = token[field], found[name]
        if not np.any(more):
            after[name] = there
            continue
        lesser = (more <= there) if rules.lesser_critical == "wound" else (more == there)
        wounds = wounds + again * ((more > 0) & lesser)
        after[name] = np.maximum(there, more)
    in_force = np.maximum(armour - after["weakened"] + deeds["armour"], 0) * (after["ko"] == 0)
    return Harm(wounds, in_force, after)


def _repeats(
    rules: Switches, name: str, found: IntArray, drawn: IntArray, bought: IntArray, deeds: Mapping[str, IntArray]
) -> IntArray:
    """Return how many times a condition meets itself: one drawn with a critical, then those that are bought.

    What buying such a condition costs is open (IS-Q39); that Poison II on Poison I wounds is not (IS-COND.5).
    """
    if name == "ko" and rules.knocked_out_again == "nothing":
        return np.zeros_like(bought)
    by_token = (drawn > 0) & (found > 0)
    there = np.maximum(found, drawn)
    if rules.repeated_condition_wounds:
        return np.asarray(by_token + np.maximum(bought - 1 + (there > 0), 0) * (bought > 0))
    rises = (there == 1) | ((there == 0) & (deeds["poison_first"] == 1))
    return np.asarray(by_token + (rises & (deeds["poison_level"] == 2) & (bought > 0) if name == "poison" else 0))
