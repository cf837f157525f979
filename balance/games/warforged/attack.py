"""One attack of Warforged: dice in, outcome out (ledger section "Reference order of one attack").

The rule is written once, in `roll_attack`. Random dice simulate it, all dice at once give its exact distribution, and
the dice of a rulebook example replay it. The order is: D10 against precision (WF-ATT.1), Slim (WF-ABIL.3), Supershield
(WF-ABIL.4), then full damage on a critical (WF-ATT.2) or damage less the armour dice that block, never below 1
(WF-ARM.1, WF-ARM.2), then the weapon's effects. What an attack leaves on its target (shield, burn) is the target's
condition; `absorb` updates it.

Columns are `[n]`, one entry per trial. `hit` includes criticals, since the rulebook calls them "critical hits".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.game import Column
from balance.game.kit import once

Resolver: TypeAlias = Callable[..., State]
"""`roll_attack` (the literal lane) or `draw_wounds` (the compiled lane)."""

DOWN, UP, BURNT_OUT = 0, 1, 2
"""States of a Supershield: not active (and ready), active, gone for good."""

COLUMNS: Mapping[str, Column] = {
    "hit": Column("attacks that hit, criticals included", says="hits"),
    "critical": Column("attacks that were critical hits"),
    "damage": Column("health the target would lose, before looking at how much it has", "effect", per="action"),
    "shield_lost": Column("1 if the target's Supershield burnt out"),
    "burn": Column("Burned tokens placed (points of armour lost for the next 2 attacks)"),
    "emp": Column("1 if the target received an EMP token"),
    "splash": Column("damage dealt to each unit next to the target"),
}
"""What an attack reports, and what it means."""
CONDITION = ("damage", "shield_lost", "burn")
"""What changes the condition of a target that has a Supershield or can be burnt."""
PLAY_TEXT = (
    "One Attack action with one weapon at a target in reach: one attack, or two with Rapid Fire. It ends with the "
    "damage; nobody wins."
)
CANNOT_SEE = (
    "Health: damage counts even beyond what the target has left.",
    "Range and movement: the target is in reach, and stays where it is.",
    "Neighbours: how many stand next to the target, where High Explosive hurts them too.",
)
"""How an attack is played, and what its answer leaves out."""


@dataclass(frozen=True)
class RuleOptions:
    """The rules' constants and the chosen reading of each ambiguity that an attack depends on.

    * `lowest_d10`: the lowest face of the D10: 1, or 0 for faces 0-9 (WF-Q1).
    * `blocking_faces`: d6 faces that block one damage; None reads "a die no higher than the armour blocks" (WF-Q2).
    * `floor_above_zero`: whether even a weapon of damage 0 deals 1 (WF-Q3).
    * `shield_rolls_always`: whether the shield rolls for burning out on misses too (WF-Q6).
    * `effects_through_shield`, `crits_have_effects`, `splash_hits_primary`, `burn_helps_itself`, `burn_capped`: WF-Q7,
      WF-Q11, WF-Q8, WF-Q9, WF-Q10.
    """

    dodge_faces: tuple[int, ...]
    keep_faces: tuple[int, ...]
    burn_faces: tuple[int, ...]
    burn_attacks: int
    smallest_damage: int
    splash_damage: int
    blocking_faces: tuple[int, ...] | None
    precision_faces: int = 10
    special_faces: int = 6
    rapid_attacks: int = 2
    lowest_d10: int = 1
    floor_above_zero: bool = False
    shield_rolls_always: bool = False
    effects_through_shield: bool = True
    crits_have_effects: bool = True
    splash_hits_primary: bool = False
    shield_stops_splash: bool = False
    burn_helps_itself: bool = False
    burn_capped: bool = False

    def that_matter(self, effects: Collection[str], damage: int, n_armour_dice: int, *, shielded: bool) -> RuleOptions:
        """Return these readings with every one that cannot matter to such a shot as by default.

        Two shots that differ only in what cannot matter are then equal, and their distribution is worked out once.
        """
        laser, splash = "laser" in effects, "high_explosive" in effects
        has_effect = laser or splash or "emp" in effects
        return replace(
            self,
            blocking_faces=self.blocking_faces if n_armour_dice and "piercing" not in effects else (),
            floor_above_zero=self.floor_above_zero and damage == 0,
            shield_rolls_always=self.shield_rolls_always and shielded,
            effects_through_shield=self.effects_through_shield or not (shielded and has_effect),
            crits_have_effects=self.crits_have_effects or not has_effect,
            splash_hits_primary=self.splash_hits_primary and splash,
            shield_stops_splash=self.shield_stops_splash and splash and shielded and self.splash_hits_primary,
            burn_helps_itself=self.burn_helps_itself and laser and n_armour_dice > 0,
            burn_capped=self.burn_capped and laser,
        )


@dataclass(frozen=True)
class Shot:
    """One weapon against one target: all that an attack depends on, except the target's condition.

    `precision` and `damage`: of the weapon: 1 to 10, and 0 or more. `armour` and `cover_dice`: armour points of the
    target, and extra dice from light cover that applies to this weapon. `slim`, `shielded`, `burnable`: whether the
    target is Slim, has a Supershield at all, and can have its armour burnt away.
    """

    precision: int
    damage: int
    armour: int
    cover_dice: int
    slim: bool
    shielded: bool
    burnable: bool
    effects: frozenset[str]
    readings: RuleOptions

    @property
    def burns(self) -> bool:
        """Whether the weapon can burn armour away (WF-EFF.5)."""
        return "laser" in self.effects

    @property
    def pierces(self) -> bool:
        """Whether no armour is rolled against it (WF-EFF.1)."""
        return "piercing" in self.effects

    @property
    def splashes(self) -> bool:
        """Whether a hit hurts those around the target (WF-EFF.2)."""
        return "high_explosive" in self.effects

    @property
    def disables(self) -> bool:
        """Whether a hit costs the target its next turn (WF-EFF.4)."""
        return "emp" in self.effects

    @property
    def n_attacks(self) -> int:
        """Attacks made with one Attack action (WF-EFF.3)."""
        return self.readings.rapid_attacks if "rapid_fire" in self.effects else 1

    @property
    def form(self) -> Hashable:
        """What two shots have in common where the same things happen to their targets, with other chances."""
        target = (self.shielded, self.burnable and self.armour)
        effects = (self.burns, self.disables, self.n_attacks)
        return target, effects, self.readings.burn_attacks, self.readings.burn_capped


@dataclass(frozen=True, eq=False)
class Shots:
    """Shots that differ by trial, `[n]` each, under the same rules; the fields mean what they mean of a `Shot`."""

    precision: IntArray
    damage: IntArray
    armour: IntArray
    cover_dice: IntArray
    slim: BoolArray
    shielded: BoolArray
    burns: BoolArray
    pierces: BoolArray
    splashes: BoolArray
    disables: BoolArray
    readings: RuleOptions


def roll_attack(
    shot: Shot | Shots,
    shield_up: BoolArray | bool,
    armour: IntArray | int,
    rolls: Rolls,
    side: str = "",
    needed_columns: Collection[str] = COLUMNS,
) -> State:
    """Roll one attack for each trial and return its outcome columns, as in `COLUMNS`, `int[n]` each.

    `shield_up` and `armour`, the points left after burns, are `[n]` or one for all. `side` is a prefix of the dice's
    names, so that the two sides of a duel roll dice of their own; dice that only columns not needed depend on are not
    rolled.
    """
    read = shot.readings
    d10 = rolls.d(read.precision_faces, 1, f"{side}precision")[:, 0] - (1 - read.lowest_d10)
    hit = d10 <= shot.precision
    if np.any(shot.slim):
        dodges = rolls.count(read.special_faces, 1, read.dodge_faces, f"{side}slim") > 0
        hit &= ~(dodges & shot.slim)
    critical = hit & (d10 == shot.precision)
    shielded = hit & shield_up
    has_effects = (hit if read.crits_have_effects else hit & ~critical) & (read.effects_through_shield | ~shielded)
    outcome: State = {"hit": hit.astype(np.int16), "critical": critical.astype(np.int16)}
    if "burn" in needed_columns or ("damage" in needed_columns and read.burn_helps_itself):
        outcome["burn"] = _burn(shot, has_effects, rolls, side)
    if "damage" in needed_columns:
        soft = np.maximum(armour - outcome["burn"], 0) if read.burn_helps_itself else armour
        damage = np.where(hit & ~shielded, _normal_damage(shot, critical, soft, rolls, side), 0)
        if read.splash_hits_primary:
            damage = damage + _splash(shot, has_effects) * ~(shielded & read.shield_stops_splash)
        outcome["damage"] = damage.astype(np.int16)
    if "shield_lost" in needed_columns:
        outcome["shield_lost"] = _shield_lost(shot, hit, shield_up, rolls, side)
    if "emp" in needed_columns:
        outcome["emp"] = (has_effects & shot.disables).astype(np.int16)
    if "splash" in needed_columns:
        outcome["splash"] = _splash(shot, has_effects).astype(np.int16)
    return {name: outcome[name] for name in COLUMNS if name in outcome}


def _splash(shot: Shot | Shots, has_effects: BoolArray) -> IntArray:
    return np.asarray((has_effects & shot.splashes) * shot.readings.splash_damage)


def draw_wounds(shot: Shot, shield_up: BoolArray | bool, armour: IntArray | int, rolls: Rolls, side: str = "") -> State:
    """Draw one attack for each trial from its exact distribution, with only the columns that matter in a duel.

    `shield_up` and `armour`, the dice left, are `[n]` or one for all; `side` names the draw.
    """
    return rolls.draw(wound_distributions(shot), _distribution_place(shot, shield_up, armour), draw_name(side))


def draw_name(side: str) -> str:
    """Return the name of the draw of a whole attack."""
    return f"{side}attack"


def _distribution_place(shot: Shot, shield_up: BoolArray | bool, armour: IntArray | int) -> IntArray | int:
    """Return the index in `attack_distributions` of the distribution for this condition of the target."""
    if not shot.shielded:
        return np.asarray(armour, np.int32) if shot.burnable else 0
    n_armours = np.int32(shot.armour + 1 if shot.burnable else 1)
    down = np.asarray(armour, np.int32) if shot.burnable else np.int32(0)
    return np.asarray(down + np.asarray(shield_up, np.int32) * n_armours)


@lru_cache(maxsize=4096)
def attack_distributions(shot: Shot) -> DistributionStack:
    """Return the exact distributions of one attack, by shield (down, up) and by armour left, where these can vary."""
    return DistributionStack(tuple(attack_distribution(shot, up, armour) for up, armour in _conditions(shot)))


def _conditions(shot: Shot) -> list[tuple[bool, int]]:
    """Return all (shield up, armour left) that the target can come to, in the order of `attack_distributions`."""
    shields = (False, True) if shot.shielded else (False,)
    armours = range(shot.armour + 1) if shot.burnable else (shot.armour,)
    return [(up, armour) for up in shields for armour in armours]


@lru_cache(maxsize=4096)
def wound_distributions(shot: Shot) -> DistributionStack:
    """Return `attack_distributions` without the columns that change nothing in a duel with this weapon and target."""
    return DistributionStack(tuple(wound_distribution(shot, up, armour) for up, armour in _conditions(shot)))


@lru_cache(maxsize=4096)
def wound_law(shot: Shot) -> Hashable:
    """Return what only shots with equal `wound_distributions` share."""
    laws = wound_distributions(shot).distributions
    return tuple((law.outcomes.tobytes(), *law.weights.tolist()) for law in laws)


@lru_cache(maxsize=4096)
def attack_distribution(shot: Shot, shield_up: bool, armour: int) -> Pmf:
    """Return the exact distribution of one attack's columns, by listing every way the dice can fall."""
    return _law(shot, shield_up, armour, tuple(COLUMNS))


@lru_cache(maxsize=4096)
def wound_distribution(shot: Shot, shield_up: bool, armour: int) -> Pmf:
    """Return the exact distribution of the columns that matter in a duel with this weapon and target."""
    able = {"damage": True, "shield_lost": shot.shielded, "burn": shot.burns}
    able |= {"emp": shot.disables, "splash": shot.splashes}
    return _law(shot, shield_up, armour, tuple(name for name, matters in able.items() if matters))


@lru_cache(maxsize=4096)
def best_damage(shot: Shot) -> float:
    """Return the mean damage of one action with this weapon against a fresh target whose shield is down."""
    return wound_distribution(shot, False, shot.armour).mean("damage") * shot.n_attacks


def _law(shot: Shot, shield_up: bool, armour: int, columns: tuple[str, ...]) -> Pmf:
    def step(state: State, rolls: Rolls) -> State:
        return roll_attack(shot, shield_up, armour, rolls, needed_columns=columns)

    return exact_distribution(once(dict.fromkeys(columns, 0), [step], columns))


def _normal_damage(
    shot: Shot | Shots, critical: BoolArray, armour: IntArray | int, rolls: Rolls, side: str
) -> IntArray:
    """Return the damage of a hit: in full if critical or Piercing, else less what the armour dice block."""
    read = shot.readings
    min_damage: IntArray | int = read.smallest_damage
    is_one_shot = isinstance(shot, Shot)
    if not read.floor_above_zero:
        min_damage = min(min_damage, shot.damage) if is_one_shot else np.minimum(min_damage, shot.damage)
    rolls_armour: IntArray | bool = not shot.pierces if is_one_shot else np.logical_not(shot.pierces)
    max_dice = (shot.armour + shot.cover_dice) * rolls_armour
    k = max_dice if isinstance(max_dice, int) else int(np.max(max_dice, initial=0))
    if k == 0:
        return np.where(critical, shot.damage, np.maximum(min_damage, shot.damage)).astype(np.int16)
    n_dice = (armour + shot.cover_dice) * rolls_armour
    if read.blocking_faces is None:
        blocking_faces = np.arange(1, read.special_faces + 1) <= np.broadcast_to(armour, len(critical))[:, None]
        n_blocks = rolls.count(read.special_faces, k, blocking_faces, f"{side}armour", n_dice)
    else:
        n_blocks = rolls.count(read.special_faces, k, read.blocking_faces, f"{side}armour", n_dice)
    return np.asarray(np.where(critical, shot.damage, np.maximum(min_damage, shot.damage - n_blocks)))


def _shield_lost(shot: Shot | Shots, hit: BoolArray, shield_up: BoolArray | bool, rolls: Rolls, side: str) -> IntArray:
    if not np.any(shot.shielded):
        return np.zeros(len(hit), np.int16)
    read = shot.readings
    fails = rolls.count(read.special_faces, 1, read.keep_faces, f"{side}shield") == 0
    tests_shield = np.ones_like(hit) if read.shield_rolls_always else hit
    return np.asarray(tests_shield & shield_up & fails, np.int16)


def _burn(shot: Shot | Shots, has_effects: BoolArray, rolls: Rolls, side: str) -> IntArray:
    if not np.any(shot.burns):
        return np.zeros(len(has_effects), np.int16)
    face = rolls.d(shot.readings.special_faces, 1, f"{side}burn")[:, 0]
    return np.where(has_effects & shot.burns & np.isin(face, shot.readings.burn_faces), face, 0).astype(np.int16)


def armour_left(armour: IntArray | int, state: State, side: str = "") -> IntArray | int:
    """Return what a side's Burned tokens leave of so much armour, not below 0, `int[n]` if it differs by trial."""
    names = [name for name in state if name.startswith(f"{side}burn_")]
    return np.maximum(armour - sum(state[name] for name in names), 0) if names else armour


def absorb(shot: Shot, state: State, outcome: State, side: str = "", is_attack: BoolArray | None = None) -> State:
    """Return the target's condition after an attack: shield lost, old burns aged, new burn placed.

    Burns are kept only as far as there is armour left for them to take away: what lies beyond cannot matter before it
    has gone, and states that cannot differ in the future are one state. The columns are `shield` if the target can have
    one, and `burn_1`... if it can be burnt, with the prefix `side`; `is_attack`, `bool[n]`, says where it was attacked.
    """
    after = condition_after(state, outcome, shot.armour, side, caps_burn=shot.readings.burn_capped)
    if is_attack is not None:
        after = {name: np.where(is_attack, values, state[name]).astype(np.int16) for name, values in after.items()}
    return after


def condition_after(
    state: State, outcome: State, armour: IntArray | int, side: str = "", *, caps_burn: bool = False
) -> State:
    """Return the condition after an attack of a target with so much armour, `int[n]` if that differs by trial.

    `caps_burn` limits new Burned tokens to the armour that is left (WF-Q10).
    """
    after: State = {}
    if f"{side}shield" in state and "shield_lost" in outcome:
        shield = state[f"{side}shield"]
        after[f"{side}shield"] = np.where(outcome["shield_lost"] > 0, BURNT_OUT, shield).astype(np.int16)
    names = [name for name in state if name.startswith(f"{side}burn_")]
    if names:
        new_tokens = outcome["burn"] if "burn" in outcome else np.zeros_like(outcome["damage"])
        old_tokens = [state[name] for name in names[1:]]
        burns = [*old_tokens, _capped_burn(new_tokens, old_tokens, armour) if caps_burn else new_tokens]
        after |= dict(zip(names, _within(burns, armour), strict=True))
    return after


def _within(burns: list[IntArray], armour: IntArray | int) -> list[IntArray]:
    """Return burns cut to the armour they can take away, those that last longest first."""
    kept_burns: list[IntArray] = []
    for burn in reversed(burns):
        kept_burns.insert(0, np.minimum(burn, armour - sum(kept_burns)).astype(np.int16))
    return kept_burns


def placed_burn(shot: Shot, state: State, outcome: State) -> IntArray:
    """Return the Burned tokens an attack leaves where (WF-Q10) they are no more than the armour left, `int16[n]`."""
    old_tokens = [state[name] for name in state if name.startswith("burn_")][1:]
    return _capped_burn(outcome["burn"], old_tokens, shot.armour)


def _capped_burn(new_tokens: IntArray, old_tokens: list[IntArray], armour: IntArray | int) -> IntArray:
    return np.minimum(new_tokens, np.maximum(armour - sum(old_tokens), 0)).astype(np.int16)
