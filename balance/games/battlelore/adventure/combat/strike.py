"""One unit strikes another: dice, what hits, and what that takes away (BL-DICE, BL-HIT, BL-CRE-03, BL-CRE-10).

In a Lore adventure Lore faces bring Lore, work powers, poison and webs (BL-DIE-03, BL-CRE).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.lore_cards import after_roll, before_roll, dice_under_cards
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.retreat import flee
from balance.games.battlelore.adventure.combat.throws import FLAG, LORE, SWORD, helmets, throw
from balance.games.battlelore.adventure.lore.hands import take_tokens
from balance.games.battlelore.adventure.lore.windows import is_on
from balance.games.battlelore.adventure.terms.choices import places_of
from balance.games.battlelore.rules.powers import affordable, shared_out

CHALICE, STORE, WEB, POISON = range(4)
"""What an owner may do with the Lore faces of a creature."""


@dataclass(frozen=True, eq=False)
class Result:
    """What a strike led to in each trial.

    Attributes
    ----------
    ignored, travelled
        Flags that the target ignored, and hexes that it retreated, `int64[m]`.
    """

    ignored: IntArray
    travelled: IntArray

    def part(self, at: IntArray) -> Result:
        """Return it in some of the trials, given by their indices, 0 to m - 1."""
        return Result(self.ignored[at], self.travelled[at])


def strike(clash: Clash, melee: bool | IntArray = True) -> Result:
    """Have one unit strike another in each trial, to the end of the retreat; writes into the state.

    `melee` is whether they are adjacent, `bool[m]` or one for all.
    """
    near = np.broadcast_to(np.asarray(melee), clash.rows.shape).astype(np.int64)
    whom = {"unit": clash.unit, "target": clash.target, "kind": clash.kind, "melee": near}
    clash.turn.report("battle", clash.by, clash.rows, **whom)
    has_cards = clash.turn.battle.lore and clash.kind != "back"
    fewer = before_roll(clash, near) if has_cards else near
    faces = throw(clash.turn, clash.rows, clash.by, "battle", dice_of(clash, near))
    result = Result(np.zeros_like(near), np.zeros_like(near))
    if has_cards:
        faces = after_roll(clash, faces, near, fewer)
        at = np.flatnonzero(clash.is_open)
        _resolve(clash.part(at), faces[at], near[at], result, at)
    else:
        _resolve(clash, faces, near, result, np.arange(len(near)))
    return result


def _resolve(clash: Clash, faces: IntArray, melee: IntArray, result: Result, at: IntArray) -> None:
    """Take away what the dice hit, then resolve the flags; writes into `result` at the places `at`."""
    flags = _wound(clash, faces, melee)
    flees = np.flatnonzero((flags > 0) & (clash.target_figures > 0) & clash.is_open)
    if len(flees):
        places = at[flees]
        result.ignored[places], result.travelled[places] = flee(clash.part(flees), flags[flees])


def dice_of(clash: Clash, melee: IntArray) -> IntArray:
    """Return how many dice each unit rolls, `int64[m]` (BL-DICE-02): colour, weapon, caps, then cards."""
    battle, state, rows = clash.turn.battle, clash.turn.state, clash.rows
    ground, target_ground = (battle.ground_at(state, rows, cells) for cells in (clash.cells, clash.target_cells))
    caps = battle.field.caps[ground, target_ground].astype(np.int64)
    if clash.kind == "back":
        still = battle.muster.dice[clash.members, 0].astype(np.int64)
        return np.asarray(still if battle.terms.rules.battle_back_caps == "none" else np.minimum(still, caps))
    has_moved = state["moved"][rows, clash.unit].astype(np.int64)
    extra = state["bonus"][rows, clash.unit] + state["melee_bonus"][rows, clash.unit] * melee
    dice = np.asarray(np.maximum(np.minimum(battle.muster.dice[clash.members, has_moved], caps) + extra, 0))
    return dice_under_cards(clash, dice) if battle.lore else dice


def _wound(clash: Clash, faces: IntArray, melee: IntArray) -> IntArray:
    """Take away what the dice hit, use Lore faces, and return the flags that are still to be resolved, `int64[m]`."""
    battle, state = clash.turn.battle, clash.turn.state
    flags = faces[:, FLAG]
    hits: IntArray = helmets(faces, clash.colours) + clash.swords(faces[:, SWORD], melee)
    if battle.lore:
        hits, flags = use_lore(clash, hits, flags, faces[:, LORE])
    losses = np.minimum(hits, clash.target_figures)
    creature = battle.muster.creature.take(clash.target_members)
    checked = np.flatnonzero(creature & (hits > 0))
    if len(checked):
        faces_again = throw(clash.turn, clash.rows[checked], clash.by, "critical", hits[checked])
        is_critical = helmets(faces_again, clash.colours[checked]) > 0
        losses[checked] = state["figures"][clash.rows[checked], clash.on, clash.target[checked]] * is_critical
    lose(clash.turn, clash.rows, clash.on, clash.target, losses, "dice")
    return flags


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
