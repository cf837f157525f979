"""The attacks of a side as flat tables, so that trials in which others attack others are resolved together.

An attack is drawn in two parts: what its dice show, from the exact distribution of each attack, and how many normal
hits are left after the dice of a defender, from that of each defence. In between nothing is left to chance but the
critical. What a roll is spent on is looked up: it was worked out once for every roll and everything that it may depend
on, by the same functions that resolve a single attack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import product
from math import prod

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.game.kit import once
from balance.games.immortal_souls.rules.defence import Guard, hits_after_dice
from balance.games.immortal_souls.rules.results import covers
from balance.games.immortal_souls.rules.spend import Offer, Spend
from balance.games.immortal_souls.rules.strike import Attack, Strike
from balance.games.immortal_souls.rules.worth import expected_again, worth_of

DEEDS = (
    "ko", "stun", "slow", "blind", "poison", "poison_level", "poison_first", "fire1", "fire2", "armour", "critical",
    "push", "area", "radius", "lethal", "wholly",
)  # fmt: skip
"""What a set of effects does, by field: as `harm.Deeds` says, and how far its area reaches."""


@dataclass(frozen=True)
class Pair:
    """An attack on a foe; `varies` has what the purchase depends on: name, number of values and the least of them."""

    attack: Attack
    varies: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, eq=False)
class Arms:
    """The attacks of a side, S of them, against K foes, as flat tables; `first_...` is where those of one begin.

    * `rolls`: distribution of each attack's dice, over numbers of distinct rolls.
    * `n_rolls` and `n_sets`: distinct rolls, and sets of effects that may be bought, of each attack, `int[S]`.
    * `names` and `minima`: what a purchase may depend on, and the least value of each.
    * `first_hits` and `hits`: hits by roll and set before anything else adds to them.
    * `first_set` and `deeds`: what each set does, `int16` by field of DEEDS.
    * `first_choice`, `choice`, `again`: the set that is bought, and whether all dice are rolled again first, by case
      and roll; `first_choice` is `int[S, K]`.
    * `first_worth` and `worth`: expected wounds by case.
    * `strides` and `counts`: mixed-radix digits of a case number: what a step in each thing adds, and its values,
      `int[S, K, names]`.
    """

    strikes: tuple[Strike, ...]
    rolls: DistributionStack
    n_rolls: IntArray
    n_sets: IntArray
    names: tuple[str, ...]
    minima: IntArray
    first_hits: IntArray
    hits: IntArray
    first_set: IntArray
    deeds: Mapping[str, IntArray]
    first_choice: IntArray
    choice: IntArray
    again: BoolArray
    first_worth: IntArray
    worth: FloatArray
    strides: IntArray
    counts: IntArray

    @cached_property
    def may_reroll(self) -> bool:
        """Whether any attack may roll its dice again."""
        return any(len(strike.rerolls) for strike in self.strikes)

    @cached_property
    def draws(self) -> bool:
        """Whether any attack may draw a critical token."""
        return bool(self.deeds["critical"].any())

    @cached_property
    def reaches(self) -> bool:
        """Whether any attack may hit others than its target, by an area effect."""
        return bool(self.deeds["area"].any())

    @cached_property
    def lively(self) -> frozenset[str]:
        """The fields of DEEDS that are not 0 for every set of every attack."""
        return frozenset(name for name, values in self.deeds.items() if values.any())

    @cached_property
    def radius(self) -> IntArray:
        """The largest radius in areas of an area effect of each attack, -1 for none, `int[S]`."""
        far = np.where(self.deeds["area"] > 0, self.deeds["radius"], -1)
        return np.maximum.reduceat(far, self.first_set)

    @cached_property
    def pushes(self) -> bool:
        """Whether any attack may push its target back an area."""
        return bool(self.deeds["push"].any())

    def case(self, strike: IntArray, foe: IntArray, circumstances: Mapping[str, IntArray]) -> IntArray:
        """Return the number of the case of each attack, of the shape of `strike`, from circumstances by name.

        Values beyond those that were tabulated count as the nearest one that was.
        """
        total = np.zeros(np.shape(strike), np.int64)
        for place, name in enumerate(self.names):
            stride, max_offset = self.strides[strike, foe, place], self.counts[strike, foe, place] - 1
            total += np.clip(circumstances[name] - self.minima[place], 0, max_offset) * stride
        return total

    def purchase(self, strike: IntArray, foe: IntArray, case: IntArray, roll: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the set that is bought with a roll in a case, and whether the dice are rolled again first."""
        place = self.first_choice[strike, foe] + case * self.n_rolls[strike] + roll
        return self.choice[place], self.again[place]

    def hits_with(self, strike: IntArray, roll: IntArray, purchase: IntArray) -> IntArray:
        """Return the hits of a roll with the set that was bought, all by number; bonus hits are not in it."""
        return self.hits[self.first_hits[strike] + roll * self.n_sets[strike] + purchase]

    def expected(self, strike: IntArray, foe: IntArray, circumstances: Mapping[str, IntArray]) -> FloatArray:
        """Return the expected wounds of attacks on foes, `float64` of the shape of `strike`, in these circumstances."""
        return np.asarray(self.worth[self.first_worth[strike, foe] + self.case(strike, foe, circumstances)])


def arms_of(pairs: Sequence[Sequence[Pair]]) -> Arms:
    """Return the tables of attacks; rows of `pairs` are attacks, columns foes."""
    strikes = [row[0].attack.strike for row in pairs]
    rules = pairs[0][0].attack.rules
    distributions = [strike.roll_distribution for strike in strikes]
    names = tuple(dict.fromkeys(name for row in pairs for pair in row for name, _, _ in pair.varies))
    minima = {name: min(low for row in pairs for pair in row for key, _, low in pair.varies if key == name)
              for name in names}  # fmt: skip
    purchases = [_purchases(pair) for row in pairs for pair in row]
    hits = [_hits(strike, results.outcomes).ravel() for strike, results in zip(strikes, distributions, strict=True)]
    n_sets = [len(strike.purchase.sets) + 1 for strike in strikes]  # the last is nothing, for who is silenced
    deeds = [_deeds(strike, rules) for strike in strikes]
    shape = len(pairs), len(pairs[0])
    return Arms(
        strikes=tuple(strikes),
        rolls=DistributionStack(tuple(Pmf.from_rows(["roll"], np.arange(len(results.weights))[:, None], results.weights)
                                      for results in distributions)),
        n_rolls=np.array([len(results.weights) for results in distributions]),
        n_sets=np.array(n_sets), names=names, minima=np.array([minima[name] for name in names], np.int64),
        first_hits=_firsts([len(table) for table in hits]), hits=np.concatenate(hits),
        first_set=_firsts(n_sets),
        deeds={name: np.concatenate([table[name] for table in deeds]).astype(np.int16) for name in DEEDS},
        first_choice=_firsts([len(choice) for choice, _, _ in purchases]).reshape(shape),
        choice=np.concatenate([choice for choice, _, _ in purchases]).astype(np.int16),
        again=np.concatenate([again for _, again, _ in purchases]),
        first_worth=_firsts([len(worth) for _, _, worth in purchases]).reshape(shape),
        worth=np.concatenate([worth for _, _, worth in purchases]),
        strides=np.array([[_strides(pair, names) for pair in row] for row in pairs]).reshape(*shape, len(names)),
        counts=np.array([[[{key: n for key, n, _ in pair.varies}.get(name, 1) for name in names]
                          for pair in row] for row in pairs]).reshape(*shape, len(names)),
    )  # fmt: skip


def _firsts(sizes: Sequence[int]) -> IntArray:
    return np.cumsum([0, *sizes])[:-1]


def _hits(strike: Strike, results: IntArray) -> IntArray:
    """Return the hits by roll and set, `int16[rolls, sets]`, not cut off at 0 since more hits are added later."""
    set_hits = strike.deeds.values["hits"] - strike.set_costs[:, 0]
    return np.asarray(strike.sure + strike.bonus + results[:, :1] + set_hits, np.int16)


def _deeds(strike: Strike, rules: object) -> dict[str, IntArray]:
    effects = strike.purchasable
    radius = [max((effects[place].number or 0 for place in effect_set if effects[place].name == "area"), default=0)
              for effect_set in (*strike.purchase.sets, ())]  # fmt: skip
    values = {**strike.deeds.values, "radius": np.array(radius)}
    return {**values, "lethal": strike.deeds.lethal(rules), "wholly": strike.deeds.wholly}  # type: ignore[arg-type]


def _strides(pair: Pair, names: Sequence[str]) -> list[int]:
    """Return how far apart case numbers are that differ by one in each of `names`; 0 for what does not vary."""
    sizes = [n for _, n, _ in pair.varies]
    strides = {name: prod(sizes[place + 1 :]) for place, (name, _, _) in enumerate(pair.varies)}
    return [strides.get(name, 0) for name in names]


@lru_cache(maxsize=4096)
def _purchases(pair: Pair) -> tuple[IntArray, BoolArray, FloatArray]:
    """Return the set bought and whether to roll again, by case and roll, and the expected wounds by case.

    The first thing that varies may be `left`, the health that the foe has left, or `others`, how many more of its kind
    an area effect would reach.
    """
    if pair.varies and pair.varies[0][0] in ("left", "others"):
        (name, n, minimum), *rest = pair.varies
        meets = _with_health if name == "left" else _with_others
        more = [Pair(meets(pair.attack, minimum + k, minimum + n - 1), tuple(rest)) for k in range(n)]
        choice, again, means = (np.concatenate(parts) for parts in zip(*map(_purchases, more), strict=True))
        return choice, again, means
    attack, strike = pair.attack, pair.attack.strike
    distribution = strike.roll_distribution
    cases = np.array(list(product(*(range(low, low + n) for _, n, low in pair.varies))), np.int64)
    n_cases, n_rolls = len(cases), len(distribution.weights)
    results = np.tile(distribution.outcomes, (n_cases, 1))
    state: State = {"bonus": np.zeros(len(results), np.int16)}
    state |= {name: np.repeat(cases[:, place], n_rolls) for place, (name, _, _) in enumerate(pair.varies)}
    can = strike.purchase.affordable(results)
    offer, no_rolls = (
        Offer(strike.purchase, results, partial(worth_of, attack, state, results)),
        RandomRolls(0, "", 0, 1),
    )
    purchases = strike.policy.choose("attack effects", can, offer, no_rolls)
    worth = worth_of(attack, state, results, "wounds")[np.arange(len(purchases)), purchases]
    again = np.zeros(len(purchases), bool)
    silenced = state.get("cannot_buy", np.zeros(len(results))) > 0
    if len(strike.rerolls):
        pays = covers(results, strike.rerolls) & ~silenced
        reroll_offer = replace(offer, again=partial(expected_again, attack, state))
        again = strike.policy.choose("attack reroll", np.stack([pays | True, pays], axis=1), reroll_offer, no_rolls) > 0
    chances = np.array(distribution.weights, np.float64) / float(distribution.total)
    means = worth.reshape(n_cases, n_rolls) @ chances
    means += (chances * again.reshape(n_cases, n_rolls) * (means[:, None] - worth.reshape(n_cases, n_rolls))).sum(
        axis=1
    )
    return np.where(silenced, len(strike.purchase.sets), purchases), again, means


def _with_others(attack: Attack, n_others: int, max_others: int) -> Attack:
    return replace(attack, guards=attack.guards * (n_others + 1))


def _with_health(attack: Attack, health: int, max_health: int) -> Attack:
    """Return the attack on a foe with so much health left; below `max_health` it spends for a kill, else as before."""
    guard, strike = replace(attack.guards[0], health=health), attack.strike
    return replace(attack, guards=(guard,), strike=replace(strike, policy=KILLS) if health < max_health else strike)


@dataclass(frozen=True)
class KillFirst:
    """Buys what kills with the highest chance, and of equal chances what has the most expected wounds."""

    def choose(self, name: str, legal: Legal, view: Offer, rolls: Rolls) -> IntArray:
        """Return the number of the set to buy, `int[n]`, or whether to roll again, for which expected wounds decide."""
        if view.again is not None:
            return Spend("wounds").choose(name, legal, view, rolls)
        return view.purchase.best(np.asarray(legal), view.worth("kill") + WOUND * view.worth("wounds"))


KILLS = KillFirst()
WOUND = 1e-6
"""What a wound counts beside the chance to kill."""


def defences_of(guards: Sequence[Guard], max_hits: int) -> DistributionStack:
    """Return the distributions of normal hits left after a defence's dice, for 0 to `max_hits` hits of each in turn.

    The entry of defence d and h hits is number `d * (max_hits + 1) + h`.
    """
    return DistributionStack(tuple(pmf for guard in guards for pmf in _hits_after_defence(guard, max_hits)))


@lru_cache(maxsize=256)
def _hits_after_defence(guard: Guard, max_hits: int) -> tuple[Pmf, ...]:
    def meet(state: State, rolls: Rolls) -> State:
        incoming_hits = np.asarray(rolls.uniform(max_hits + 1, "hits"), np.int16)
        return {"came": incoming_hits, "left": incoming_hits}

    def defend(state: State, rolls: Rolls) -> State:
        return {**state, "left": hits_after_dice(guard, state["came"], rolls, "defence").astype(np.int16)}

    process = once({"came": 0, "left": 0}, (meet, defend), ("came", "left"))
    whole = exact_distribution(process)
    incoming_hits = whole.outcomes[:, 0]
    return tuple(
        Pmf.from_rows(["left"], whole.outcomes[incoming_hits == hits, 1:], whole.weights[incoming_hits == hits])
        for hits in range(max_hits + 1)
    )
