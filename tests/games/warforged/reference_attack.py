"""One attack of Warforged with the dice of a battle, told a second time; and the readings it depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from balance.games.warforged.cards import Constants, Loadout, WarforgedRules, Weapon

DOWN, UP, GONE = 0, 1, 2
Die = Callable[..., int]
"""What the next die of some faces and a name shows; the j-th of several such where a number comes third."""


@dataclass(frozen=True)
class Readings:
    """Every rule option, named as in the rules' own table, and every number; at first as the ledger recommends."""

    faces: str = "1-10"
    armour: str = "345"
    min_damage: str = "capped"
    slim_vs_splash: bool = False
    cover_stack: str = "one"
    shield_roll: str = "absorbed"
    effects_through_shield: bool = True
    he_hits_primary: bool = False
    friendly_fire: bool = True
    laser_self: bool = False
    burn_stack: str = "add"
    crit_is_hit: bool = True
    overload_chain: str = "hostile"
    emp: str = "next_turn"
    laser_heavy: bool = True
    shield_vs_splash: bool = False
    units_block: bool = False
    jump_exact: bool = False
    limit_score: str = "destroyed_then_health"
    square_radius: str = "chebyshev"
    precision_faces: int = 10
    special_faces: int = 6
    blocking: tuple[int, ...] = (3, 4, 5)
    least: int = 1
    cover_dice: int = 1
    dodges: tuple[int, ...] = (1,)
    keeps: tuple[int, ...] = (5, 6)
    burns: tuple[int, ...] = (1, 2, 3)
    burn_attacks: int = 2
    overload_damage: int = 3
    overload_radius: int = 2
    splash_damage: int = 1
    splash_radius: int = 1
    rapid: int = 2
    emp_turns: int = 1
    max_moves: int = 2

    @classmethod
    def of(cls, rules: WarforgedRules, constants: Constants) -> Readings:
        """Return the readings of a catalogue."""
        options = {name: getattr(rules, name) for name in WarforgedRules.model_fields if name in cls.__annotations__}
        return cls(
            **options,
            precision_faces=constants.dice.precision_faces,
            special_faces=constants.dice.special_faces,
            blocking=constants.armour.blocking_faces,
            least=constants.armour.min_damage,
            cover_dice=constants.cover.extra_dice,
            dodges=constants.slim.miss_faces,
            keeps=constants.supershield.keep_faces,
            burns=constants.laser.burn_faces,
            burn_attacks=constants.laser.duration_attacks,
            overload_damage=constants.overload.damage,
            overload_radius=constants.overload.radius_cells,
            splash_damage=constants.splash.damage,
            splash_radius=constants.splash.radius_cells,
            rapid=constants.rapid_fire.attacks,
            emp_turns=constants.emp.turns,
            max_moves=constants.limits.max_moves,
        )


class Gun(NamedTuple):
    """A weapon as it is used in a battle; `shots` attacks are made with one action."""

    name: str
    reach: int
    precision: int
    damage: int
    shots: int
    piercing: bool
    explosive: bool
    emp: bool
    laser: bool


def gun_of(weapon: Weapon, readings: Readings) -> Gun:
    has = set(weapon.effects)
    return Gun(
        weapon.id,
        weapon.range_cells,
        weapon.precision,
        weapon.damage,
        readings.rapid if "rapid_fire" in has else 1,
        "piercing" in has,
        "high_explosive" in has,
        "emp" in has,
        "laser" in has,
    )


class Piece:
    """One unit with its weapons, and its tokens. `cell` is -1 while it waits, and when it has fallen."""

    def __init__(self, seat: int, place: int, loadout: Loadout, readings: Readings, stance: str = "raise") -> None:
        unit = loadout.unit
        self.seat, self.place, self.loadout = seat, place, loadout
        self.speed, self.armour = unit.speed_cells, unit.armour
        self.slim, self.jumps = "slim" in unit.abilities, "jump" in unit.abilities
        self.shielded, self.overload = "supershield" in unit.abilities, "overload" in unit.abilities
        self.guns = [gun_of(weapon, readings) for weapon in loadout.weapons]
        self.raises = self.shielded and stance == "raise"
        self.cell, self.health, self.emp = -1, unit.health, 0
        self.shield = UP if self.shielded and stance == "up" else DOWN
        self.burns = [0] * readings.burn_attacks
        self.moves, self.done, self.rank = 0, False, -1

    def armour_left(self) -> int:
        return max(0, self.armour - sum(self.burns))


class Outcome(NamedTuple):
    """What an attack does to its target, and what splash it spreads."""

    hit: bool
    critical: bool
    damage: int
    shield_lost: bool
    absorbed: bool
    burn: int
    emp: bool
    splash: int
    blocked: int
    dodged: bool


def roll(die: Die, gun: Gun, target: Piece, cover: int, read: Readings) -> Outcome:
    """Roll one attack with `cover` dice of cover, in the order of the ledger."""
    d10 = die(read.precision_faces, "precision") - (0 if read.faces == "1-10" else 1)
    hit = d10 <= gun.precision
    dodged = hit and target.slim and die(read.special_faces, "slim") in read.dodges
    hit = hit and not dodged
    critical = hit and d10 == gun.precision
    shielded = target.shield == UP
    absorbed = hit and shielded
    lost = False
    if shielded and (hit or read.shield_roll == "every_attack"):
        lost = die(read.special_faces, "shield") not in read.keeps
    effective = hit and (read.crit_is_hit or not critical) and (read.effects_through_shield or not shielded)
    burn = 0
    if effective and gun.laser:
        burn = die(read.special_faces, "burn")
        burn = burn if burn in read.burns else 0
    splash = read.splash_damage if effective and gun.explosive else 0
    damage, blocked = 0, 0
    if hit and not shielded:
        damage, blocked = (gun.damage, 0) if critical else _normal_hit(die, gun, target, cover, burn, read)
    if read.he_hits_primary and not (shielded and read.shield_vs_splash):
        damage += splash
    return Outcome(hit, critical, damage, lost, absorbed, burn, effective and gun.emp, splash, blocked, dodged)


def _normal_hit(die: Die, gun: Gun, target: Piece, cover: int, burn: int, read: Readings) -> tuple[int, int]:
    """Return the damage of a hit that is not critical, and how much the armour dice took off."""
    least = read.least if read.min_damage == "always_one" else min(read.least, gun.damage)
    armour = target.armour_left()
    if read.laser_self:
        armour = max(0, armour - burn)
    dice = 0 if gun.piercing else armour + cover
    shown = [die(read.special_faces, "armour", j) for j in range(dice)]
    blocked = sum(face <= armour if read.armour == "le" else face in read.blocking for face in shown)
    return max(least, gun.damage - blocked), blocked


def after_attack(target: Piece, outcome: Outcome, read: Readings) -> None:
    """Leave on the target what an attack leaves: its shield gone, its burns one attack older, new tokens."""
    if outcome.shield_lost:
        target.shield = GONE
    if read.burn_attacks:
        staying = target.burns[1:]
        new = outcome.burn
        if read.burn_stack == "cap":
            new = min(new, max(0, target.armour - sum(staying)))
        target.burns = _no_more_than(target.armour, [*staying, new])
    if outcome.emp:
        tokens = target.emp + read.emp_turns if read.emp == "cumulative" else max(target.emp, read.emp_turns)
        target.emp = min(9, tokens)


def _no_more_than(armour: int, burns: list[int]) -> list[int]:
    """Return burns as far as there is armour for them; those that last longest are counted first."""
    kept: list[int] = []
    for burn in reversed(burns):
        kept.append(min(burn, armour - sum(kept)))
    return kept[::-1]
