"""From cards to a process: which weapon against which armour, under which readings and in which situation.

A side's overrides may name fields of its cards, as `loadouts.override_loadout` reads them, and of the side's own
*stance*: what the cards do not print, such as whether a Supershield is active.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from pydantic import Field

from balance.base.errors import RulesError, UsageError
from balance.catalogue import Header, Record, apply
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import LostActions
from balance.game.kit import once
from balance.game.setup import Asked, AskedSide, Setup
from balance.games.warforged.attack import (
    COLUMNS,
    CONDITION,
    DOWN,
    UP,
    RuleOptions,
    Shot,
    absorb,
    armour_left,
    best_damage,
    placed_burn,
    roll_attack,
)
from balance.games.warforged.cards import Loadout, Unit, Weapon, constants_of, parse_loadout, such_as
from balance.games.warforged.fighters import Duel, Fighter
from balance.games.warforged.loadouts import override_loadout
from balance.games.warforged.ruleset import Constants, WarforgedRules

S = TypeVar("S", bound=Record)


class AttackSituation(Record):
    """What one attack depends on beside the cards."""

    light_cover: Annotated[bool, Field(description="Light cover in between, nearer to the defender (WF-COV.1).")] = (
        False
    )
    n_covers: Annotated[int, Field(ge=1, le=9, description="How many, where each one counts (WF-Q5).")] = 1


class DuelSituation(Record):
    """What a duel depends on beside the cards."""

    light_cover: Annotated[bool, Field(description="Light cover halfway: it protects whoever is attacked.")] = False
    a_in_light_cover: Annotated[bool, Field(description="Light cover protects side a (WF-COV.1).")] = False
    b_in_light_cover: Annotated[bool, Field(description="Light cover protects side b (WF-COV.1).")] = False
    n_covers: Annotated[int, Field(ge=1, le=9, description="How many, where each one counts (WF-Q5).")] = 1
    distance_cells: Annotated[
        int, Field(ge=1, le=40, description="Cells between the two at the start."), Header(("distance",), unit="cells")
    ] = 2
    actions: Annotated[int, Field(ge=1, le=12, description="Actions a turn (WF-ACT.1).")] = 1
    round_limit: Annotated[
        int, Field(ge=0, le=10_000, description="Rounds to play, 0 for no limit (WF-WIN.1)."), Header(("rounds",))
    ] = 0


class Stance(Record):
    """What a side brings to an attack that its cards do not print."""

    shield_active: Annotated[bool, Field(description="Whether its Supershield, if it has one, is active.")] = True
    burn_tokens: Annotated[int, Field(ge=0, le=20, description="Burned tokens, fresh, on the target.")] = 0


class DuelStance(Record):
    """How a side plays a duel, where it has a choice."""

    shield: Annotated[
        Literal["raise", "up", "never"],
        Field(description="Its Supershield: raised with its first action, up from the start, or never used."),
    ] = "raise"


class DuellistStance(DuelStance, LostActions):
    """What a side brings to a duel."""


@dataclass(frozen=True)
class Side(Generic[S]):
    """A loadout and a stance after overrides."""

    loadout: Loadout
    stance: S

    def inputs(self) -> dict[str, Any]:
        """Return cards and stance, with overrides made, as plain values, as reports and `--json` state them."""
        return {
            "id": self.loadout.id,
            "name": self.loadout.name,
            "cost_points": self.loadout.cost_points,
            "unit": self.loadout.unit.model_dump(mode="json"),
            "weapons": [weapon.model_dump(mode="json") for weapon in self.loadout.weapons],
            **self.stance.model_dump(mode="json"),
        }


AskedAttack: TypeAlias = Asked[WarforgedRules, AttackSituation, Side[Stance]]
AskedDuel: TypeAlias = Asked[WarforgedRules, DuelSituation, Side[DuellistStance]]


def read_side(side: AskedSide[WarforgedRules, S]) -> Side[S]:
    """Read a loadout, change what is to be changed on its cards and in its stance, and hold it to the rules again."""
    stance_fields, cards = side.split()
    loadout = parse_loadout(side.catalogue, side.text, side.root)
    if cards:
        loadout = override_loadout(side.catalogue, loadout, cards, side.place, side.stance_fields)
    return Side(loadout, apply(side.stance, stance_fields, side.place))


@dataclass(frozen=True)
class AttackSetup:
    """One Attack action: the shot, and the condition its target is in.

    `inputs` is what was asked, resolved, for people and for JSON.
    """

    shot: Shot
    shield_active: bool
    burn_tokens: int
    inputs: Mapping[str, Any]

    def condition(self) -> dict[str, int]:
        """Return the initial columns of the target's condition; only those that can change."""
        columns: dict[str, int] = {}
        if self.shot.shielded:
            columns["shield"] = UP if self.shield_active else DOWN
        if self.shot.burnable:
            n_left = range(1, self.shot.readings.burn_attacks + 1)
            columns |= {f"burn_{n}": self.burn_tokens if n == n_left[-1] else 0 for n in n_left}
        return columns


@dataclass(frozen=True)
class KillSetup(AttackSetup):
    """Attack actions until the target falls: the shot, and the condition and the health of its target."""

    health: int


def readings(rules: WarforgedRules, constants: Constants) -> RuleOptions:
    """Return what an attack needs to know of the rule options and constants."""
    return RuleOptions(
        dodge_faces=constants.slim.miss_faces,
        keep_faces=constants.supershield.keep_faces,
        burn_faces=constants.laser.burn_faces,
        burn_attacks=constants.laser.duration_attacks,
        smallest_damage=constants.armour.min_damage,
        splash_damage=constants.splash.damage,
        blocking_faces=constants.armour.blocking_faces if rules.armour == "345" else None,
        precision_faces=constants.dice.precision_faces,
        special_faces=constants.dice.special_faces,
        rapid_attacks=constants.rapid_fire.attacks,
        lowest_d10=0 if rules.faces == "0-9" else 1,
        floor_above_zero=rules.min_damage == "always_one",
        shield_rolls_always=rules.shield_roll == "every_attack",
        effects_through_shield=rules.effects_through_shield,
        crits_have_effects=rules.crit_is_hit,
        splash_hits_primary=rules.he_hits_primary,
        shield_stops_splash=rules.shield_vs_splash,
        burn_helps_itself=rules.laser_self,
        burn_capped=rules.burn_stack == "cap",
    )


def attack_setup(question: AskedAttack) -> AttackSetup:
    """Prepare one Attack action of a unit's one weapon; an attacker with none or several raises `UsageError`."""
    rules, situation, constants = question.rules, question.situation, constants_of(question.catalogue)
    attacker, defender = question.sides.values()
    if len(attacker.loadout.weapons) != 1:
        n_weapons, tip = len(attacker.loadout.weapons), such_as(attacker.loadout.unit, question.catalogue)
        raise UsageError(f"attacker: an attack uses one weapon, found {n_weapons} in {question.entrants[0]!r}", tip)
    (weapon,), stance = attacker.loadout.weapons, defender.stance
    cover = cover_dice_of(situation.light_cover, situation.n_covers, rules, constants)
    burnable = stance.burn_tokens > 0 or "laser" in weapon.effects
    shot = shot_at(weapon, defender.loadout.unit, cover, readings(rules, constants), burnable=burnable)
    return AttackSetup(shot, shot.shielded and stance.shield_active, stance.burn_tokens, question.inputs())


def cover_dice_of(in_cover: bool, n_covers: int, rules: WarforgedRules, constants: Constants) -> int:
    """Return the armour dice that light cover adds: 0 without cover, else for one or for each cover (WF-Q5)."""
    if not in_cover:
        return 0
    return constants.cover.extra_dice * (n_covers if rules.cover_stack == "each" else 1)


def shot_at(weapon: Weapon, target: Unit, cover: int, read: RuleOptions, *, burnable: bool) -> Shot:
    """Return a weapon against a unit behind so many dice of cover, which Lasers ignore (WF-COV.1).

    `burnable` says whether somebody may burn its armour away.
    """
    shielded = "supershield" in target.abilities
    cover_dice = 0 if "laser" in weapon.effects else cover
    n_dice = target.armour + cover_dice
    return Shot(
        precision=weapon.precision,
        damage=weapon.damage,
        armour=target.armour,
        cover_dice=cover_dice,
        slim="slim" in target.abilities,
        shielded=shielded,
        burnable=burnable and target.armour > 0,
        effects=frozenset(weapon.effects),
        readings=read.that_matter(weapon.effects, weapon.damage, n_dice, shielded=shielded),
    )


def attack_processes(
    setup: AttackSetup, lane: str = "literal", columns: tuple[str, ...] = tuple(COLUMNS)
) -> tuple[Process, ...]:
    """Return one Attack action as a process: one attack, or two with Rapid Fire; columns as `attack.COLUMNS`.

    Every die is rolled in any lane.
    """
    shot, start = setup.shot, {**dict.fromkeys(columns, 0), **setup.condition()}
    return (once(start, (partial(_attack_step, shot, columns),) * shot.n_attacks, columns),)


def _attack_step(shot: Shot, columns: tuple[str, ...], state: State, rolls: Rolls) -> State:
    shield_up = state["shield"] == UP if shot.shielded else False
    needed_columns = {*columns, *CONDITION} if shot.shielded or shot.burnable else columns
    outcome = roll_attack(shot, shield_up, armour_left(shot.armour, state), rolls, needed_columns=needed_columns)
    after = absorb(shot, state, outcome) if needed_columns is not columns else {}
    if "burn" in columns and shot.readings.burn_capped:
        outcome["burn"] = placed_burn(shot, state, outcome)
    sums = {name: state[name] + outcome[name] for name in columns}
    if "emp" in columns:
        sums["emp"] = np.maximum(state["emp"], outcome["emp"])
    return {**state, **sums, **after}


def duel_setup(question: AskedDuel) -> Setup[Duel]:
    """Prepare a duel of two armed units; a unit without a weapon raises `UsageError`."""
    for name, side in question.sides.items():
        if not side.loadout.weapons:
            unit = side.loadout.unit
            tip = such_as(unit, question.catalogue)
            raise UsageError(f"{name}: {unit.id!r} has no weapon to fight with", tip)
    rules, situation, constants = question.rules, question.situation, constants_of(question.catalogue)
    a, b = question.sides.values()
    covers = [
        cover_dice_of(in_cover, situation.n_covers, rules, constants)
        for in_cover in (
            situation.light_cover or situation.a_in_light_cover,
            situation.light_cover or situation.b_in_light_cover,
        )
    ]
    duel = _duel(
        question,
        a=_fighter(a, b, covers[1], rules, constants),
        b=_fighter(b, a, covers[0], rules, constants),
        first=question.first,
        actions=situation.actions,
        round_limit=situation.round_limit,
        distance=situation.distance_cells,
        own_splash_hurts=rules.friendly_fire,
    )
    return Setup(duel, question.inputs())


def _duel(question: AskedDuel, **fields: Any) -> Duel:
    """Return a duel under the rules in force; `fields` are those that the rules do not settle."""
    rules, constants = question.rules, constants_of(question.catalogue)
    duel = Duel(
        **fields,
        dodge_faces=constants.slim.miss_faces,
        keep_faces=constants.supershield.keep_faces,
        special_faces=constants.dice.special_faces,
        emp_turns=constants.emp.turns,
        emp_adds_up=rules.emp == "cumulative",
        overload_radius=constants.overload.radius_cells,
        splash_radius=constants.splash.radius_cells,
        max_moves=constants.limits.max_moves,
        jump_exact=rules.jump_exact,
        own_splash_triggers=rules.overload_chain == "any",
        blast_stopped_by_shield=rules.shield_vs_splash,
        health_decides=rules.limit_score == "destroyed_then_health",
    )
    return duel.with_readings_that_matter()


def _fighter(
    side: Side[DuellistStance], foe: Side[DuellistStance], foe_cover: int, rules: WarforgedRules, constants: Constants
) -> Fighter:
    unit, weapons = side.loadout.unit, side.loadout.weapons
    shielded = "supershield" in unit.abilities
    burns, read = any("laser" in weapon.effects for weapon in weapons), readings(rules, constants)
    return Fighter(
        shots=tuple(shot_at(weapon, foe.loadout.unit, foe_cover, read, burnable=burns) for weapon in weapons),
        ranges=tuple(weapon.range_cells for weapon in weapons),
        health=unit.health,
        speed=unit.speed_cells,
        shield=side.stance.shield if shielded else "none",
        overload=constants.overload.damage if "overload" in unit.abilities else 0,
        slim="slim" in unit.abilities and rules.slim_vs_splash,
        jump="jump" in unit.abilities,
        lost_actions=side.stance.lost_actions,
    )


def kill_setup(question: AskedAttack) -> KillSetup:
    """Prepare one unit's attacks on another that does nothing, until it falls.

    An attack that deals no damage raises `RulesError`, since the target would never fall.
    """
    setup = attack_setup(question)
    if best_damage(setup.shot) <= 0:
        raise RulesError(
            f"{question.entrants[0]} deals no damage to {question.entrants[1]}, which therefore never falls"
        )
    _, defender = question.sides.values()
    return KillSetup(setup.shot, setup.shield_active, setup.burn_tokens, setup.inputs, defender.loadout.unit.health)
