"""What a creature does with the Lore faces it rolls: BL-CRE-10 to BL-CRE-15.

On seeing its roll the owner puts each Lore face into the chalice, stores it beside the creature, or spends it at once
(with what is stored) on one power. Only faces of the creature's own rolls can be used so (BL-CRE-13).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State

Policy = Literal["chalice", "store", "web", "poison", "poison_or_web", "web_or_poison"]
"""What an owner does with Lore faces; `policies.POWERS` says it in words."""


@dataclass(frozen=True)
class Powers:
    """The powers of a unit and its owner's policy; a unit without powers has the default.

    Attributes
    ----------
    policy
        What its owner does.
    web, poison
        What they cost; 0 for a creature that does not have the power.
    most_stored
        Lore it may store (BL-CRE-12).
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
    """Spend Lore faces on powers, store them or put them into the chalice.

    Parameters
    ----------
    hits, fresh
        Hits of the roll and Lore faces free to use, `int[n]`.
    condition
        `stored` (of the creature), `webbed` and `poisoned` (of its target), `int[n]`; 0 where left out.
    worthwhile
        Whether the target will survive its hits; a power is not wasted on the dead.
    stands_firm
        Whether the target is Bold and may ignore every flag of the roll, so that it would stay and battle back.

    Returns
    -------
    State
        `gained` to the chalice, and `stored`, `webbed`, `poisoned` afterwards.

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

    Parameters
    ----------
    lore
        Lore faces and what is stored, `int[n]`.
    hits
        Hits of the roll: Poison needs one.
    conditions
        `webbed` and `poisoned` of the target, `[n]`.
    costs
        What Poison and Web cost; 0 for a creature that does not have the power.
    worthwhile
        Whether the target will survive its hits.
    """
    poison, web = costs
    may_poison = (lore >= poison) & (hits > 0) & (conditions["poisoned"] == 0) & worthwhile & (poison > 0)
    may_web = (lore >= web) & (conditions["webbed"] == 0) & worthwhile & (web > 0)
    return may_poison, may_web


def shared_out(lore: IntArray, most_stored: IntArray | np.int16) -> tuple[IntArray, IntArray]:
    """Return what of some Lore goes to the chalice and what stays beside the creature, `int[n]` each (BL-CRE-12).

    Parameters
    ----------
    lore
        Lore that is left after powers, what is stored included.
    most_stored
        What may be stored.
    """
    kept = np.minimum(lore, most_stored)
    return lore - kept, kept


def _spent_on(
    policy: Policy, may_poison: BoolArray, may_web: BoolArray, stands_firm: BoolArray | bool
) -> tuple[BoolArray, BoolArray]:
    """Return in which trials an owner buys Poison and Web: one of them at most."""
    nothing = np.zeros_like(may_web)
    if policy == "web_or_poison":
        webs = may_web & stands_firm
        return may_poison & ~webs, webs
    poisons = may_poison if policy in ("poison", "poison_or_web") else nothing
    return poisons, may_web & ~poisons if policy in ("web", "poison_or_web") else nothing
