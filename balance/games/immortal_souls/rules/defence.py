"""The defence phase: hits against resistance, armour, magic shields and dice, in the order of IS-DEF.1 to IS-DEF.6.

Lethal hits come first and meet resistance and shields only (IS-LETH.2, IS-LETH.3); then the others meet everything.
Functions work on arrays of any shape, so that the same rule tells what happens in a trial and what to expect of each
set of effects that an attacker may buy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.exact.enumeration import expand, plan_step
from balance.chance.rolls.process import State
from balance.chance.rolls.purchases import Purchase
from balance.chance.rolls.rolls import Policy, Rolls, bound
from balance.chance.rolls.symbols import SymbolDie
from balance.games.immortal_souls.rules.effects import Effect
from balance.games.immortal_souls.rules.results import but_rerolls, costs_of, covers, pool_of, rerolls_of
from balance.games.immortal_souls.rules.spend import Goal, Offer
from balance.games.immortal_souls.ruleset import Switches

BUYER = "defender"


@dataclass(frozen=True)
class Guard:
    """Who defends, as far as one attack depends on it.

    * `armour`: hits it takes off an attack (IS-DEF.2).
    * `change`: what weakness or resistance adds to the hits of this attack (IS-DEF.1).
    * `defence_dice`: most dice that it rolls (IS-DEF.4).
    * `die`: the defence die, by the results that count here; its first symbol is the parried blow.
    * `effects`: what its results may buy: `shield` and one `reroll` of all the dice.
    * `policy`: how its results are spent.
    * `immune`: conditions that it cannot have (IS-COND.14).
    * `health`: wounds that kill it.
    * `start`: condition -> what it is before the attack, where no trial says otherwise.
    * `repeated_wounds`: wounds of a condition that it has already (IS-COND.2).
    """

    armour: int
    change: int
    defence_dice: int
    die: SymbolDie
    effects: tuple[Effect, ...]
    policy: Policy
    immune: frozenset[str]
    health: int
    start: tuple[tuple[str, int], ...]
    repeated_wounds: int = 1

    @cached_property
    def purchasable(self) -> tuple[Effect, ...]:
        """Its effects without the re-roll, which is decided before any is bought."""
        return but_rerolls(self.effects)

    @cached_property
    def purchase(self) -> Purchase:
        """The sets of effects that its dice may buy; the re-roll is none of them."""
        return Purchase(costs_of(self.purchasable, self.kinds))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The results told apart, the parried blow first; all others are not counted."""
        return tuple(symbol for symbol, _ in self.die.symbols)

    @cached_property
    def rerolls(self) -> IntArray:
        """The cost of rolling all dice again, one row for each way to pay it, `int64[ways, kinds]`."""
        return rerolls_of(self.effects, self.kinds)

    @cached_property
    def cancelled_hits(self) -> IntArray:
        """Hits that each set of effects cancels beside the dice, less parried blows that pay for it, `int64[sets + 1]`.

        The last set is empty: what a silenced defender buys (IS-CRIT.8).
        """
        plus = np.array(
            [sum(self.purchasable[place].number or 0 for place in effect_set) for effect_set in self.purchase.sets]
        )
        return np.append(plus - self.purchase.n_taken(0), 0)

    def without(self, *names: str) -> Guard:
        """Return the same guard without effects of these names, or without any effect if no name is given."""
        effects = tuple(effect for effect in self.effects if names and effect.name not in names)
        return replace(self, effects=effects)


def hits_through(
    change: IntArray | int,
    rules: Switches,
    hits: IntArray,
    lethal: IntArray,
    whole: IntArray,
    armour: IntArray,
    shields: IntArray,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return lethal hits and normal hits that come through to the dice, and magic shields left, of one shape.

    `change` is what weakness or resistance adds to the hits (IS-DEF.1); where the `whole` attack is lethal, a hit added
    is lethal, too (IS-Q6). Armour, 0 or more, stops normal hits; shields stop lethal ones first.
    """
    normal: IntArray = hits - lethal
    if np.any(np.asarray(change) > 0):
        more = np.maximum(change, 0) * np.asarray((hits > 0) | rules.weakness_without_hits, np.int64)
        lethal, normal = lethal + more * whole, normal + more * (1 - whole)
    if np.any(np.asarray(change) < 0):  # an attacker who may choose keeps the lethal hits, which nothing else stops
        reduction = np.maximum(-np.asarray(change), 0)
        if rules.resistance_takes == "lethal_first":
            lethal, normal = _resist(lethal, normal, reduction)
        else:
            normal, lethal = _resist(normal, lethal, reduction)
    first_spent = np.minimum(lethal, shields)
    shields = shields - first_spent
    normal = np.maximum(normal - armour, 0)
    spent_shields = np.minimum(normal, shields)
    return lethal - first_spent, normal - spent_shields, shields - spent_shields


def _resist(first: IntArray, second: IntArray, change: IntArray) -> tuple[IntArray, IntArray]:
    """Return two kinds of hits less a resistance, which takes hits of the first kind before those of the second."""
    reduction = np.minimum(first, change)
    return first - reduction, np.asarray(np.maximum(second - change + reduction, 0))


def hits_after_dice(
    guard: Guard, normal: IntArray, rolls: Rolls, name: str, silenced: IntArray | None = None
) -> IntArray:
    """Return how many of the normal hits are left after the dice, `int[n]`: IS-DEF.4 to IS-DEF.6.

    Where `silenced`, `int[n]`, is above 0 nothing is bought; None silences nobody.
    """
    mute = np.zeros(len(normal), bool) if silenced is None else np.asarray(silenced > 0)
    own_rolls = bound(rolls, {BUYER: guard.policy})
    results = _roll_dice(guard, normal, own_rolls, name)
    if len(guard.rerolls) and guard.defence_dice:
        results = _reroll(guard, normal, results, mute, own_rolls, name)
    purchases: IntArray = np.zeros(len(normal), np.int64)
    if guard.purchasable:
        offer = Offer(guard.purchase, results, partial(_worth, guard, normal, results))
        purchases = own_rolls.choose(BUYER, f"{name} effects", guard.purchase.affordable(results), offer)
    purchases = np.where(mute, len(guard.purchase.sets), purchases)
    return np.asarray(np.maximum(normal - results[:, 0] - guard.cancelled_hits[purchases], 0))


def _roll_dice(guard: Guard, normal: IntArray, rolls: Rolls, name: str, is_rolled: IntArray | int = 1) -> IntArray:
    """Return the results of a die for each hit, up to `defence_dice`, `int[n, kinds]`; zeros where `is_rolled` is 0."""
    if not guard.defence_dice:
        return np.zeros((len(normal), len(guard.kinds)), np.int16)
    n_dice = np.asarray(np.minimum(normal, guard.defence_dice) * is_rolled, np.int64)
    return pool_of(rolls.pool(guard.die, guard.defence_dice, name, n_dice))


def _reroll(guard: Guard, normal: IntArray, results: IntArray, mute: BoolArray, rolls: Rolls, name: str) -> IntArray:
    """Return the results, `int[n, kinds]`, with all dice rolled again where the defender wants it and can pay."""
    pays = covers(results, guard.rerolls) & (normal > 0) & ~mute
    keep_worth = partial(_worth, guard, normal, results)
    offer = Offer(guard.purchase, results, keep_worth, lambda goal: -expected_left(guard.without("reroll"), normal))
    again = rolls.choose(BUYER, f"{name} reroll", np.stack([np.ones_like(pays), pays], axis=1), offer, ("keep", "roll"))
    fresh = _roll_dice(guard, normal, rolls, f"{name} again", again)
    return np.where(again[:, None] > 0, fresh, results)


def _worth(guard: Guard, normal: IntArray, results: IntArray, goal: Goal) -> FloatArray:
    """Return minus the hits left with each set, `float64[n, sets]`; the goal makes no difference to a defender."""
    remaining_hits = normal[:, None] - results[:, :1] - guard.cancelled_hits[:-1]
    return np.asarray(-np.maximum(remaining_hits, 0), np.float64)


@lru_cache(maxsize=1024)
def left_distribution(guard: Guard, max_hits: int) -> FloatArray:
    """Return the chance that so many of m normal hits are left, `float64[max_hits + 1, max_hits + 1]`.

    Rows are m, columns the hits left; each row sums to 1.
    """

    def defend(state: State, rolls: Rolls) -> State:
        return {"left": hits_after_dice(guard, state["left"], rolls, "dice")}

    state = {"left": np.arange(max_hits + 1)}
    origin, after, weights, denominator = expand(defend, state, plan_step(defend, state))
    table = np.zeros((max_hits + 1, max_hits + 1))
    np.add.at(table, (origin, after["left"]), np.asarray(weights / denominator, np.float64))
    return table


def expected_left(guard: Guard, normal: IntArray, silenced: IntArray | int = 0) -> FloatArray:
    """Return the mean number of normal hits left, of the shape of `normal`, without effects where `silenced`."""
    max_hits = max(int(normal.max(initial=0)), 8)

    def mean(defender: Guard) -> FloatArray:
        return np.asarray((left_distribution(defender, max_hits) @ np.arange(max_hits + 1.0)).take(normal))

    return as_silenced(guard, silenced, mean)


def as_silenced(guard: Guard, silenced: IntArray | int, value: Callable[[Guard], FloatArray]) -> FloatArray:
    """Return `value` of the guard, or where `silenced` is above 0 that of the guard without effects."""
    if not guard.effects or not np.any(silenced):
        return value(guard)
    return np.where(np.asarray(silenced) > 0, value(guard.without()), value(guard))
