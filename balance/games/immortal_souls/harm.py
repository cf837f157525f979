"""What an attack does to a defender beside its hits: armour, conditions, fire, criticals (IS-CRIT, IS-COND, IS-FIRE).

A condition that is there already is discarded and costs one wound at once (IS-COND.2); so is a red critical that is not
greater than the one there (IS-CRIT.7). Everything here is in force before the defence phase (IS-HIT.5, IS-DEF.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.core.spending import Purchase
from balance.games.immortal_souls.effects import Effect
from balance.games.immortal_souls.ruleset import Switches
from balance.pmf.arrays import IntArray

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
    """What each set of effects does, `int64[sets]` each.

    Attributes
    ----------
    values
        By name: `hits` more, `armour` taken off, how often each condition, `fire1`, `fire2`, `push` and `critical` are
        bought, the `poison_level`, `area` (0 or 1).
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
    def of(cls, effects: Sequence[Effect], purchase: Purchase) -> Deeds:
        """Return what the sets of these effects do."""

        def total(name: str, of: str = "") -> IntArray:
            return np.array(
                [sum(_amount(effects[e], of) for e in one if effects[e].name == name) for one in purchase.sets]
            )

        def greatest(name: str) -> IntArray:
            return np.array(
                [
                    max((effects[e].number or 0 for e in one if effects[e].name == name), default=0)
                    for one in purchase.sets
                ]
            )

        fires = {f"fire{n}": _count(effects, purchase, "fire", n) for n in (1, 2)}
        counts = {name: total(name) for name in (*CONDITIONS, "critical", "push")}
        values = {**counts, **fires, "hits": total("hits", "number"), "armour": total("armour", "number")}
        values |= {"poison_level": greatest("poison"), "area": np.minimum(total("area"), 1)}
        lethal = [[_lethal(effects[e]) for e in one if effects[e].name == "lethal"] for one in purchase.sets]
        summed, most = (np.array([pick(one) for one in lethal]) for pick in (sum, lambda one: max(one, default=0)))
        wholly = np.array([int(ALL_HITS in one) for one in lethal])
        return cls(values, np.minimum(summed, ALL_HITS), most, wholly, np.array([len(one) for one in purchase.sets]))

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


def _amount(effect: Effect, of: str) -> int:
    return (effect.number or 0) if of else 1


def _lethal(effect: Effect) -> int:
    return effect.number or ALL_HITS


def _count(effects: Sequence[Effect], purchase: Purchase, name: str, number: int) -> IntArray:
    return np.array(
        [sum(effects[e].name == name and effects[e].number == number for e in one) for one in purchase.sets]
    )


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
        level = (
            np.maximum(deeds["poison_level"] * lands if name == "poison" else deeds[name] * lands, token[name])
            * allowed
        )
        times = (deeds[name] * lands + (token[name] > 0)) * allowed
        if rules.repeated_condition_wounds and (name != "ko" or rules.knocked_out_again == "wound"):
            wounds = wounds + again * np.maximum(times - 1 + (found[name] > 0), 0) * (times > 0)
        after[name] = np.maximum(found[name], level if name == "poison" else np.minimum(level, 1))
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
