"""Who attacks whom with what: the parts of one attack that no die changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.pmf import Pmf
from balance.chance.rolls.purchases import Purchase
from balance.chance.rolls.rolls import Policy
from balance.chance.rolls.symbols import SymbolDie
from balance.games.immortal_souls.rules.defence import Guard
from balance.games.immortal_souls.rules.effects import Effect
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS, Deeds, Token
from balance.games.immortal_souls.rules.results import but_rerolls, costs_of, rerolls_of
from balance.games.immortal_souls.rules.spend import Spend
from balance.games.immortal_souls.ruleset import Switches

FIRES = ("fire1", "fire2")
"""Fire tokens (IS-FIRE.1)."""


@dataclass(frozen=True)
class Strike:
    """Who attacks with what, as far as one attack depends on it.

    * `sure`, `red`, `blue`: hits without dice, and dice of either colour.
    * `bonus`: hits that focus, supremacy and the like add (IS-HIT.3).
    * `red_die` and `blue_die`: the dice by the results that count here: hits first, all others last.
    * `effects`: what results may buy, in printed order.
    * `roll`: the results, where they are written down instead of rolled.
    * `policy`: how they are spent.
    """

    sure: int
    red: int
    blue: int
    bonus: int
    red_die: SymbolDie
    blue_die: SymbolDie
    effects: tuple[Effect, ...]
    roll: tuple[str, ...] | None
    policy: Policy

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The results told apart: hits first, all that pay for nothing last."""
        return tuple(symbol for symbol, _ in self.red_die.symbols)

    @cached_property
    def roll_distribution(self) -> Pmf:
        """The exact distribution of all dice together, by number of each kind of result."""
        red, blue = self.red_die.distribution(self.red), self.blue_die.distribution(self.blue)
        outcomes = (red.outcomes[:, None, :] + blue.outcomes[None, :, :]).reshape(-1, len(self.kinds))
        return Pmf.from_rows(self.kinds, outcomes, np.outer(red.weights, blue.weights).ravel())

    @cached_property
    def purchasable(self) -> tuple[Effect, ...]:
        """Its effects without the re-roll, which is decided before any is bought."""
        return but_rerolls(self.effects)

    @cached_property
    def purchase(self) -> Purchase:
        """The sets of effects that the roll may buy; the re-roll is none of them."""
        return Purchase(costs_of(self.purchasable, self.kinds))

    @cached_property
    def deeds(self) -> Deeds:
        """What each set of effects does; enemies activate the dearest effect first."""
        dearest_first = isinstance(self.policy, Spend) and self.policy.goal is None
        order = self.purchase.by_price if dearest_first else range(len(self.purchasable))
        return Deeds.of(self.purchasable, self.purchase, order)

    @cached_property
    def named_sets(self) -> tuple[str, ...]:
        """The sets of effects by name, such as `lethal1+ko`."""
        return tuple(
            "+".join(str(self.purchasable[place]).partition("@")[0] for place in effect_set) or "nothing"
            for effect_set in self.purchase.sets
        )

    @cached_property
    def set_costs(self) -> IntArray:
        """Results that each set takes, `int64[sets + 1, kinds]`; the last set is empty and free."""
        prices = self.purchase.prices if self.purchasable else np.zeros((1, len(self.kinds)), np.int64)
        return np.append(prices, np.zeros((1, len(self.kinds)), np.int64), axis=0)

    @cached_property
    def rerolls(self) -> IntArray:
        """The cost of rolling all dice again, one row for each way to pay it, `int64[ways, kinds]`."""
        return rerolls_of(self.effects if self.roll is None else (), self.kinds)


@dataclass(frozen=True)
class Attack:
    """One attack, ready to be made.

    `guards`: who defends: the target first, then the others that an area effect reaches. `bag`: the kinds of critical
    tokens, each with its number of tokens.
    """

    strike: Strike
    guards: tuple[Guard, ...]
    bag: tuple[Token, ...]
    rules: Switches

    @cached_property
    def draws(self) -> bool:
        """Whether an effect may draw a critical token."""
        return any(effect.name == "critical" for effect in self.strike.purchasable)

    @cached_property
    def inflicts(self) -> tuple[str, ...]:
        """The conditions and red criticals that it may leave on the target, which is not immune to them."""
        bag = self.bag if self.draws else ()
        by_effects = [name for name in CONDITIONS if self.strike.deeds.values[name].any()]
        fields = {name: name for name in CONDITIONS} | REDS
        by_criticals = [name for name, field in fields.items() if any(getattr(token, field) for token in bag)]
        immune = self.guards[0].immune
        return tuple(name for name in fields if name in (*by_effects, *by_criticals) and name not in immune)

    @cached_property
    def burns(self) -> tuple[str, ...]:
        """The fire tokens that it may lay, "fire1" and "fire2"."""
        return tuple(name for name in FIRES if self.strike.deeds.values[name].any())
