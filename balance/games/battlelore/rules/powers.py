"""What a creature does with the Lore faces it rolls: BL-CRE-10 to BL-CRE-15.

On seeing its roll the owner puts each Lore face into the chalice, stores it beside the creature, or spends it at once
(with what is stored) on one power. Only faces of the creature's own rolls can be used so (BL-CRE-13).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State

Policy = Literal["chalice", "store", "web", "poison", "poison_or_web", "web_or_poison"]
"""What an owner does with Lore faces; `policies.POWERS` says it in words."""


@dataclass(frozen=True)
class Powers:
    """The powers of a unit and its owner's policy; a unit without powers has the default.

    `web` and `poison`: price in Lore; 0 for a creature that does not have the power. `most_stored`: lore it may store
    (BL-CRE-12).
    """

    policy: Policy = "chalice"
    web: int = 0
    poison: int = 0
    most_stored: int = 0


def use_powers(
    powers: Powers,
    hits: IntArray,
    fresh: IntArray,
    condition: State,
    worthwhile: BoolArray | bool = True,
    stands_firm: BoolArray | bool = False,
) -> State:
    """Spend Lore faces on powers, store them or put them into the chalice, by the policy.

    `hits` and `fresh` are hits and free Lore faces of the roll, `int[n]`; `condition` has `stored` (of the creature),
    `webbed` and `poisoned` (of its target), `int[n]`, 0 if left out. A power is bought only if `worthwhile`, that is
    the target will survive; `stands_firm` if it is Bold and may ignore every flag, so that it would stay and battle
    back. Returns `gained` to the chalice, and `stored`, `webbed`, `poisoned` afterwards.

    >>> spider = Powers("poison_or_web", web=1, poison=2, most_stored=2)
    >>> after = use_powers(spider, np.array([1, 0]), np.array([1, 1]), {"stored": np.array([1, 0])})
    >>> after["poisoned"].tolist(), after["webbed"].tolist()
    ([1, 0], [0, 1])
    """
    stored_lore, webbed, poisoned = (
        condition.get(name, np.zeros_like(fresh)) for name in ("stored", "webbed", "poisoned")
    )
    if powers.policy == "chalice" or powers.most_stored == 0:
        return {"gained": fresh, "stored": stored_lore, "webbed": webbed, "poisoned": poisoned}
    lore = stored_lore + fresh
    conditions = {"webbed": webbed, "poisoned": poisoned}
    may_poison, may_web = affordable(lore, hits, conditions, (powers.poison, powers.web), worthwhile)
    poisons, webs = _spent_on(powers.policy, may_poison, may_web, stands_firm)
    rest_lore = lore - poisons * np.int16(powers.poison) - webs * np.int16(powers.web)
    gained, lore_after = shared_out(rest_lore, np.int16(powers.most_stored))
    return {
        "gained": gained,
        "stored": lore_after,
        "webbed": (webbed | webs).astype(np.int16),
        "poisoned": (poisoned | poisons).astype(np.int16),
    }


def affordable(
    lore: IntArray,
    hits: IntArray,
    conditions: State,
    costs: tuple[IntArray | int, IntArray | int],
    worthwhile: BoolArray | bool,
) -> tuple[BoolArray, BoolArray]:
    """Return whether Poison and Web can be bought, `bool[n]` each (BL-CRE-14, BL-CRE-15).

    `lore` are Lore faces and what is stored, `int[n]`; Poison needs a hit. `conditions` has `webbed` and `poisoned` of
    the target, `[n]`; `costs` are those of Poison and Web, 0 without the power; `worthwhile` if the target will
    survive.
    """
    poison, web = costs
    may_poison = (lore >= poison) & (hits > 0) & (conditions["poisoned"] == 0) & worthwhile & (poison > 0)
    may_web = (lore >= web) & (conditions["webbed"] == 0) & worthwhile & (web > 0)
    return may_poison, may_web


def shared_out(lore: IntArray, most_stored: IntArray | np.int16) -> tuple[IntArray, IntArray]:
    """Return what of the Lore left, stored included, goes to the chalice and what stays, `int[n]` each (BL-CRE-12)."""
    kept = np.minimum(lore, most_stored)
    return lore - kept, kept


def _spent_on(
    policy: Policy, may_poison: BoolArray, may_web: BoolArray, stands_firm: BoolArray | bool
) -> tuple[BoolArray, BoolArray]:
    """Return in which trials an owner buys Poison and Web by its policy, never both."""
    nothing = np.zeros_like(may_web)
    if policy == "web_or_poison":
        webs = may_web & stands_firm
        return may_poison & ~webs, webs
    poisons = may_poison if policy in ("poison", "poison_or_web") else nothing
    return poisons, may_web & ~poisons if policy in ("web", "poison_or_web") else nothing
