"""What Lore faces of an attack do in a Lore adventure: chalice, powers, poison and webs (BL-DIE-03, BL-CRE)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.lore.hands import take_tokens
from balance.games.battlelore.adventure.lore.windows import is_on
from balance.games.battlelore.adventure.terms.choices import places_of
from balance.games.battlelore.rules.powers import affordable, shared_out

CHALICE, STORE, WEB, POISON = range(4)
"""What an owner may do with the Lore faces of a creature."""


def use_lore(clash: Clash, hits: IntArray, flags: IntArray, lore: IntArray) -> tuple[IntArray, IntArray]:
    """Use the Lore faces of a roll, and return hits and the flags that are still to be resolved, `int64[m]` each.

    Faces that wound a poisoned unit are consumed, unless a reading says otherwise; flags against a webbed unit are hits
    (BL-CRE-14, BL-CRE-15). What is left a creature's owner uses at once, and anybody else's goes to the chalice.
    """
    state, rules, at = clash.turn.state, clash.turn.battle.terms.rules, (clash.rows, clash.on, clash.target)
    webbed, poisoned = state["webbed"][at], state["poisoned"][at]
    cries = is_on(clash.turn.battle, state, clash.by, clash.rows, "cry", clash.unit) & (clash.kind != "back")
    hits = hits + lore * (poisoned | cries)
    fresh = (lore if rules.poison_lore == "collected" else lore * ~poisoned) * ~cries
    caught = flags
    if rules.webbed_flags == "taken_hit":
        caught = flags - np.minimum(flags, clash.target_bold())
    has_power = clash.turn.battle.muster.most_stored.take(clash.members) > 0
    take_tokens(clash.turn, clash.rows[~has_power], clash.by, fresh[~has_power], "faces")
    if len(powers := np.flatnonzero(has_power)):
        _use_power(clash.part(powers), (hits + caught * webbed)[powers], fresh[powers])
        webbed = state["webbed"][at]
    return hits + caught * webbed, flags * ~webbed


def _use_power(clash: Clash, hits: IntArray, fresh: IntArray) -> None:
    """Have owners of creatures choose: chalice, store, Web or Poison for their Lore faces; writes into the state."""
    turn, muster, state = clash.turn, clash.turn.battle.muster, clash.turn.state
    stored = state["stored"][clash.rows, clash.by, clash.unit].astype(np.int64)
    most, web, poison = (
        t.take(clash.members).astype(np.int64) for t in (muster.most_stored, muster.web, muster.poison)
    )
    may_poison, may_web = _may_buy(clash, stored + fresh, hits, web, poison)
    may_store = (fresh > 0) & (stored < most)
    row, power = places_of(np.stack([np.ones_like(may_web), may_store, may_web, may_poison], axis=1))
    power_used = power[turn.choose("power", clash.by, clash.rows, row, power, unit=clash.unit[row], power=power)]
    price = web * (power_used == WEB) + poison * (power_used == POISON)
    gained, rest = shared_out(stored + fresh - price, most)
    gained, rest = np.where(power_used == CHALICE, fresh, gained), np.where(power_used == CHALICE, stored, rest)
    _store(clash, stored, rest)
    for name, number in (("webbed", WEB), ("poisoned", POISON)):
        state[name][clash.rows, clash.on, clash.target] |= power_used == number
    turn.report("power", clash.by, clash.rows, unit=clash.unit, target=clash.target, power=power_used, price=price)
    take_tokens(turn, clash.rows, clash.by, gained, "faces")


def _may_buy(
    clash: Clash, lore: IntArray, hits: IntArray, web: IntArray, poison: IntArray
) -> tuple[BoolArray, BoolArray]:
    """Return whether Poison and Web can be paid and would not be wasted, `bool[m]` each."""
    state, at = clash.turn.state, (clash.rows, clash.on, clash.target)
    creature = clash.turn.battle.muster.creature.take(clash.target_members)
    survives = creature | (clash.target_figures > hits)
    conditions = {"webbed": state["webbed"][at], "poisoned": state["poisoned"][at]}
    return affordable(lore, hits, conditions, (poison, web), survives)


def _store(clash: Clash, before: IntArray, after: IntArray) -> None:
    """Set the tokens beside creatures; those added are taken from the pool while it has any (BL-CRE-11, BL-LORE-03)."""
    state = clash.turn.state
    added = np.minimum(after - before, state["pool"][clash.rows])
    state["stored"][clash.rows, clash.by, clash.unit] = before + added
    state["pool"][clash.rows] -= added.astype(np.int16)
