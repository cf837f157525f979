"""One attack in an encounter: dice, purchase, critical and defence, for all trials in which somebody attacks.

Only trials `rows` make the attack, m of them; every request is made for all trials, so that a trial meets the same
requests whatever the others do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.areas import FLYER
from balance.games.immortal_souls.encounter.party.arms import DEEDS, Arms
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import get, on_rows, put
from balance.games.immortal_souls.rules.defence import hits_through
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS, harm_of, tokens_table
from balance.games.immortal_souls.rules.strike import FIRES


class AttackPlan(NamedTuple):
    """Who attacks whom: the trials, the attack, hits that are added, and the damage type, `int[m]` each."""

    rows: IntArray
    strike: IntArray
    bonus: IntArray
    damage_type: IntArray


class Blow(NamedTuple):
    """An attack after its dice: hits, what the effects bought do, numbers of roll and purchase, `int[m]` each."""

    plan: AttackPlan
    hits: IntArray
    deeds: Mapping[str, IntArray]
    roll: IntArray
    purchase: IntArray

    def among(self, mask: BoolArray) -> Blow:
        """Return the blow restricted to some of its trials, `bool[m]`."""
        plan = AttackPlan(*(values[mask] for values in self.plan))
        deeds = {name: values[mask] if values.ndim else values for name, values in self.deeds.items()}
        return Blow(plan, self.hits[mask], deeds, self.roll[mask], self.purchase[mask])

    def with_more(self, more: IntArray) -> Blow:
        """Return the blow with `more` hits, at least 0, for a bystander whose area differs in supremacy (IS-Q9)."""
        return self._replace(hits=np.maximum(self.hits + more, 0))


def roll_blow(
    scene: Scene,
    arms: Arms,
    plan: AttackPlan,
    foe: IntArray,
    circumstances: Mapping[str, IntArray],
    rolls: Rolls,
    name: str,
) -> Blow:
    """Roll the dice of attacks and spend what they show: IS-HIT.2 to IS-HIT.8.

    `foe` is the kind of defender, by its number in `arms`, and `circumstances` what the purchase depends on by name,
    `int[m]` each.
    """
    dice_index = on_rows(rolls.n, plan.rows, plan.strike)
    roll = rolls.draw(arms.rolls, dice_index, f"{name} roll")["roll"][plan.rows]
    if not len(plan.rows):
        return _no_blow(arms, plan, dice_index, rolls, name)
    case = arms.case(plan.strike, foe, circumstances)
    purchase, again = arms.purchase(plan.strike, foe, case, roll)
    if arms.may_reroll:
        fresh = rolls.draw(arms.rolls, dice_index, f"{name} roll again")["roll"][plan.rows]
        roll = np.where(again, fresh, roll)
        purchase, _ = arms.purchase(plan.strike, foe, case, roll)
    rolled_hits = arms.hits_with(plan.strike, roll, purchase)
    counts = 1 if scene.rules.bonus_hits_are_hits else rolled_hits > 0
    hits = (np.maximum(rolled_hits + plan.bonus, 0) * counts).astype(np.int64)
    place = arms.first_set[plan.strike] + purchase
    nothing = np.zeros((), np.int16)
    deeds = {name: arms.deeds[name].take(place) if name in arms.lively else nothing for name in DEEDS}
    return Blow(plan, hits, deeds, roll, purchase)


def _no_blow(arms: Arms, plan: AttackPlan, dice_index: IntArray, rolls: Rolls, name: str) -> Blow:
    """Return an empty blow, after the same requests as in trials with one, so that random streams stay aligned."""
    if arms.may_reroll:
        rolls.draw(arms.rolls, dice_index, f"{name} roll again")
    nothing = np.zeros(0, np.int16)
    return Blow(plan, nothing.astype(np.int64), dict.fromkeys(DEEDS, nothing), nothing, nothing)


class Defender(NamedTuple):
    """What a defender brings, `[m]` each: armour, hits that resistance adds, number of its defence, and immunities.

    Immunity to K.O. and to Stun is `bool[m]`, or None where nobody has any.
    """

    armour: IntArray
    change: IntArray
    defence: IntArray
    no_ko: BoolArray | None
    no_stun: BoolArray | None


def resolve_blow(
    scene: Scene, arms: Arms, state: State, side: str, target: IntArray | int, blow: Blow, rolls: Rolls, name: str,
    *, primary: bool = True,
) -> IntArray:  # fmt: skip
    """Resolve an attack on defenders of a side, "h" or "e", write what it leaves, and return wounds dealt, `int[m]`.

    Wounds are those of the defence phase and at once, at most the health left. `target` is the number of each defender,
    `int[m]` or one for all; it is not `primary` if an area effect reaches it.
    """
    rows = blow.plan.rows
    if not len(rows):
        return _no_wounds(scene, arms, blow, rolls, name, primary=primary)
    defender = _defender(scene, state, side, target, blow)
    deeds, token = _without_immune(blow.deeds, defender), _token(scene, arms, blow, rolls, name, primary)
    token = _without_immune(token, defender)
    marks = {name: get(state, f"{side}_{name}", rows, target) for name in (*CONDITIONS, *REDS)}
    again = scene.constants.conditions.repeated_wounds
    harm = harm_of(scene.rules, defender.armour, frozenset(), again, deeds, token, marks, blow.hits)  # type: ignore[arg-type]
    lethal = np.minimum(blow.hits, deeds["lethal"])
    shields = get(state, f"{side}_shields", rows, target)
    direct_wounds, normal, shields = hits_through(
        defender.change, scene.rules, blow.hits, lethal, deeds["wholly"] * (blow.hits > 0), harm.armour, shields
    )
    defence_index = on_rows(
        rolls.n, rows, defender.defence * (scene.most_hits + 1) + np.minimum(normal, scene.most_hits)
    )
    wounds = direct_wounds + harm.wounds + rolls.draw(scene.defences, defence_index, f"{name} defence")["left"][rows]
    wounds = wounds + harm.after["frail"] - marks["frail"]
    health = get(state, f"{side}_health", rows, target)
    wounds_dealt = np.minimum(wounds, health)
    put(state, f"{side}_health", rows, target, health - wounds_dealt)
    put(state, f"{side}_shields", rows, target, shields)
    for name, values in harm.after.items():
        put(state, f"{side}_{name}", rows, target, values)
    lands = np.ones(len(rows), bool) if not scene.rules.effects_need_a_hit else blow.hits > 0
    for name in FIRES:
        if deeds[name].ndim:
            put(state, f"{side}_{name}", rows, target, get(state, f"{side}_{name}", rows, target) + deeds[name] * lands)
    return np.asarray(wounds_dealt)


def _no_wounds(scene: Scene, arms: Arms, blow: Blow, rolls: Rolls, name: str, *, primary: bool) -> IntArray:
    """Return no wounds, after the same requests as in trials with a defender, so that random streams stay aligned."""
    _token(scene, arms, blow, rolls, name, primary)
    rolls.draw(scene.defences, on_rows(rolls.n, blow.plan.rows, 0), f"{name} defence")
    return np.zeros(0, np.int64)


def _token(scene: Scene, arms: Arms, blow: Blow, rolls: Rolls, name: str, primary: bool) -> Mapping[str, IntArray]:
    """Draw a critical for the defender (IS-CRIT.2), from a whole bag each time; return its fields, `int[m]`."""
    table = tokens_table(scene.bag)
    if not arms.draws or not (primary or scene.rules.critical_tokens == "each_defender"):
        return {field: np.zeros((), np.int16) for field in table}
    bag = np.repeat(np.arange(1, len(scene.bag) + 1), [token.tokens for token in scene.bag])
    token = bag.take(rolls.uniform(len(bag), f"{name} critical"))[blow.plan.rows]
    token = np.where((blow.hits > 0) & (blow.deeds["critical"] > 0), token, 0)
    return {field: values.take(token) for field, values in table.items()}


def _defender(scene: Scene, state: State, side: str, target: IntArray | int, blow: Blow) -> Defender:
    rows, kind_of_damage = blow.plan.rows, blow.plan.damage_type
    if side == "h":
        party = scene.party
        hero = np.broadcast_to(np.asarray(target), rows.shape)
        flies = party.walker[hero] == FLYER if (party.walker == FLYER).any() else None
        no_immunity = None if flies is None else np.zeros_like(flies)
        return Defender(party.armour[hero], party.change[hero, kind_of_damage], party.defence[hero], flies, no_immunity)
    beasts, powers = scene.bestiary, scene.powers
    kind, power_bits = scene.kind_of[get(state, "e_card", rows, target)], get(state, "e_powers", rows, target)
    more = np.clip(powers.dice[power_bits], 0, 3)
    immune = bool(beasts.no_ko.any() or beasts.no_stun.any())
    return Defender(
        np.maximum(beasts.armour[kind] + powers.armour[power_bits], 0),
        beasts.change[kind, kind_of_damage] + powers.change[power_bits, kind_of_damage],
        beasts.defence[kind, more],
        beasts.no_ko[kind] if immune else None,
        beasts.no_stun[kind] if immune else None,
    )


def _without_immune(does: Mapping[str, IntArray], defender: Defender) -> dict[str, IntArray]:
    """Return what effects or a critical do, by name, with 0 for conditions the defender is immune to (IS-COND.14)."""
    effects = dict(does)
    if defender.no_ko is not None and defender.no_stun is not None:
        effects |= {"ko": does["ko"] * ~defender.no_ko, "stun": does["stun"] * ~defender.no_stun}
    return effects


def circumstances_of(scene: Scene, state: State, side: str, rows: IntArray, target: IntArray | int, attacker_side: str,
           attacker: IntArray | int, bonus: IntArray) -> dict[str, IntArray]:  # fmt: skip
    """Return what a purchase may depend on, `int[m]` by name: shields, marks and health of the target, bonus, silence.

    Sides are "h" or "e"; `target` and `attacker` are numbers within them, `int[m]` or one for all.
    """
    circumstances = {name: get(state, f"{side}_{name}", rows, target) for name in ("shields", *CONDITIONS, *REDS)}
    circumstances["left"] = get(state, f"{side}_health", rows, target)
    return {**circumstances, "bonus": bonus, "cannot_buy": get(state, f"{attacker_side}_silenced", rows, attacker)}
