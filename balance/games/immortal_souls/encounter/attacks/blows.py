"""One attack in an encounter: dice, purchase, critical and defence, for all trials in which somebody attacks.

Only trials `rows` make the attack, m of them; every request is made for all trials, so that a trial meets the same
requests whatever the others do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.areas import FLYER
from balance.games.immortal_souls.encounter.party.arms import DEEDS, Arms
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import get, on_rows, put
from balance.games.immortal_souls.rules.defence import landed
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS, harm_of, tokens_table
from balance.games.immortal_souls.rules.strike import FIRES

__all__ = ["Blow", "Plan", "struck", "swung"]


class Plan(NamedTuple):
    """Who attacks whom: the trials, the attack, hits that are added, and the damage type, `int[m]` each."""

    rows: IntArray
    strike: IntArray
    bonus: IntArray
    damage_type: IntArray


class Blow(NamedTuple):
    """An attack after the recap: its hits, what the effects bought do, what was rolled and bought, `int[m]` each."""

    plan: Plan
    hits: IntArray
    deeds: Mapping[str, IntArray]
    roll: IntArray
    chosen: IntArray

    def among(self, chosen: BoolArray) -> Blow:
        """Return the attacks of some of its trials, `bool[m]`."""
        plan = Plan(*(values[chosen] for values in self.plan))
        deeds = {name: values[chosen] if values.ndim else values for name, values in self.deeds.items()}
        return Blow(plan, self.hits[chosen], deeds, self.roll[chosen], self.chosen[chosen])

    def with_more(self, more: IntArray) -> Blow:
        """Return the attack with other hits for a defender who is dominated otherwise (IS-Q9)."""
        return self._replace(hits=np.maximum(self.hits + more, 0))


def swung(
    scene: Scene, arms: Arms, plan: Plan, foe: IntArray, met: Mapping[str, IntArray], rolls: Rolls, name: str
) -> Blow:
    """Roll the dice of attacks and spend what they show: IS-HIT.2 to IS-HIT.8.

    Parameters
    ----------
    foe
        Against whom effects are bought, by number of `arms`, `int[m]`.
    met
        What the purchase depends on, `int[m]` by name.
    """
    which = on_rows(rolls.n, plan.rows, plan.strike)
    roll = rolls.draw(arms.rolls, which, f"{name} roll")["roll"][plan.rows]
    case = arms.case(plan.strike, foe, met)
    chosen, again = arms.bought(plan.strike, foe, case, roll)
    if arms.may_reroll:
        fresh = rolls.draw(arms.rolls, which, f"{name} roll again")["roll"][plan.rows]
        roll = np.where(again, fresh, roll)
        chosen, _ = arms.bought(plan.strike, foe, case, roll)
    own = arms.hits_with(plan.strike, roll, chosen)
    counts = 1 if scene.rules.bonus_hits_are_hits else own > 0
    hits = (np.maximum(own + plan.bonus, 0) * counts).astype(np.int64)
    place = arms.first_set[plan.strike] + chosen
    deeds = {
        name: values.take(place) if values.any() else np.zeros((), np.int16) for name, values in arms.deeds.items()
    }
    return Blow(plan, hits, {name: deeds[name] for name in DEEDS}, roll, chosen)


class Guarded(NamedTuple):
    """What a defender brings, `[m]` each: armour, what resistance adds, the defence, and what it cannot have."""

    armour: IntArray
    change: IntArray
    defence: IntArray
    no_ko: BoolArray | None
    no_stun: BoolArray | None


def struck(
    scene: Scene, arms: Arms, state: State, side: str, target: IntArray | int, blow: Blow, rolls: Rolls, name: str,
    *, primary: bool = True,
) -> IntArray:  # fmt: skip
    """Resolve an attack on defenders of a side, "h" or "e", write what it leaves, and return wounds dealt, `int[m]`.

    Wounds are those of the defence phase and at once, at most the health that is left.
    """
    rows = blow.plan.rows
    guarded = _guarded(scene, state, side, target, blow)
    deeds, token = _spared(blow.deeds, guarded), _token(scene, arms, blow, rolls, name, primary)
    token = _spared(token, guarded)
    found = {name: get(state, f"{side}_{name}", rows, target) for name in (*CONDITIONS, *REDS)}
    again = scene.constants.conditions.repeated_wounds
    harm = harm_of(scene.rules, guarded.armour, frozenset(), again, deeds, token, found, blow.hits)  # type: ignore[arg-type]
    lethal = np.minimum(blow.hits, deeds["lethal"])
    shields = get(state, f"{side}_shields", rows, target)
    came, normal, shields = landed(
        guarded.change, scene.rules, blow.hits, lethal, deeds["wholly"] * (blow.hits > 0), harm.armour, shields
    )
    which = on_rows(rolls.n, rows, guarded.defence * (scene.most_hits + 1) + np.minimum(normal, scene.most_hits))
    wounds = came + harm.wounds + rolls.draw(scene.defences, which, f"{name} defence")["left"][rows]
    wounds = wounds + harm.after["frail"] - found["frail"]
    health = get(state, f"{side}_health", rows, target)
    lost = np.minimum(wounds, health)
    put(state, f"{side}_health", rows, target, health - lost)
    put(state, f"{side}_shields", rows, target, shields)
    for name, values in harm.after.items():
        put(state, f"{side}_{name}", rows, target, values)
    lands = np.ones(len(rows), bool) if not scene.rules.effects_need_a_hit else blow.hits > 0
    for name in FIRES:
        if deeds[name].ndim:
            put(state, f"{side}_{name}", rows, target, get(state, f"{side}_{name}", rows, target) + deeds[name] * lands)
    return np.asarray(lost)


def _token(scene: Scene, arms: Arms, blow: Blow, rolls: Rolls, name: str, primary: bool) -> Mapping[str, IntArray]:
    """Draw a critical for the defender (IS-CRIT.2), from a whole bag each time; return its fields, `int[m]`."""
    table = tokens_table(scene.bag)
    if not arms.draws or not (primary or scene.rules.critical_tokens == "each_defender"):
        return {field: np.zeros((), np.int16) for field in table}
    bag = np.repeat(np.arange(1, len(scene.bag) + 1), [token.tokens for token in scene.bag])
    drawn = bag.take(rolls.uniform(len(bag), f"{name} critical"))[blow.plan.rows]
    drawn = np.where((blow.hits > 0) & (blow.deeds["critical"] > 0), drawn, 0)
    return {field: values.take(drawn) for field, values in table.items()}


def _guarded(scene: Scene, state: State, side: str, target: IntArray | int, blow: Blow) -> Guarded:
    rows, kind_of_damage = blow.plan.rows, blow.plan.damage_type
    if side == "h":
        party = scene.party
        hero = np.broadcast_to(np.asarray(target), rows.shape)
        flies = party.walker[hero] == FLYER if (party.walker == FLYER).any() else None
        none = None if flies is None else np.zeros_like(flies)
        return Guarded(party.armour[hero], party.change[hero, kind_of_damage], party.defence[hero], flies, none)
    beasts, powers = scene.bestiary, scene.powers
    kind, own = scene.kind_of[get(state, "e_card", rows, target)], get(state, "e_powers", rows, target)
    more = np.clip(powers.dice[own], 0, 3)
    immune = bool(beasts.no_ko.any() or beasts.no_stun.any())
    return Guarded(
        np.maximum(beasts.armour[kind] + powers.armour[own], 0),
        beasts.change[kind, kind_of_damage] + powers.change[own, kind_of_damage],
        beasts.defence[kind, more],
        beasts.no_ko[kind] if immune else None,
        beasts.no_stun[kind] if immune else None,
    )


def _spared(does: Mapping[str, IntArray], guarded: Guarded) -> dict[str, IntArray]:
    """Return what effects or a critical do, but for conditions that the defender cannot have (IS-COND.14)."""
    spared = dict(does)
    if guarded.no_ko is not None and guarded.no_stun is not None:
        spared |= {"ko": does["ko"] * ~guarded.no_ko, "stun": does["stun"] * ~guarded.no_stun}
    return spared


def met_of(scene: Scene, state: State, side: str, rows: IntArray, target: IntArray | int, own: str,
           attacker: IntArray | int, bonus: IntArray) -> dict[str, IntArray]:  # fmt: skip
    """Return what a purchase may depend on, `int[m]` by name: of the attacker, of side `own`, and of the defender."""
    found = {name: get(state, f"{side}_{name}", rows, target) for name in ("shields", *CONDITIONS, *REDS)}
    found["left"] = get(state, f"{side}_health", rows, target)
    return {**found, "bonus": bonus, "cannot_buy": get(state, f"{own}_silenced", rows, attacker)}
