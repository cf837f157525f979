"""The rule options and the constants of the Warforged rules, as records; their values live in `rules.toml`.

A rule option is one open question of the rulebook (the ledger's WF-Q ids); a constant is a number the rulebook states.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from balance.catalogue import Header, Record, Rules, SortedSet


class WarforgedRules(Rules):
    """The readings in force of every rule the rulebook leaves open; `rules.toml` explains each."""

    faces: Literal["1-10", "0-9"]
    armour: Literal["345", "le"]
    min_damage: Literal["capped", "always_one"]
    slim_vs_splash: bool
    cover_stack: Literal["one", "each"]
    shield_roll: Literal["absorbed", "every_attack"]
    effects_through_shield: bool
    he_hits_primary: bool
    friendly_fire: bool
    laser_self: bool
    burn_stack: Literal["add", "cap"]
    crit_is_hit: bool
    overload_chain: Literal["hostile", "none", "any"]
    emp: Literal["next_turn", "cumulative"]
    laser_heavy: bool
    shield_vs_splash: bool
    units_block: bool
    jump_exact: bool
    limit_score: Literal["destroyed_then_health", "destroyed"]
    square_radius: Literal["chebyshev", "manhattan"]


Small = Annotated[int, Field(ge=0, le=99)]
D6Faces = tuple[Annotated[int, Field(ge=1, le=6)], ...]


class Dice(Record):
    """How many faces the dice have."""

    precision_faces: Annotated[int, Field(ge=2, le=100, description="The die rolled against precision.")]
    special_faces: Annotated[int, Field(ge=2, le=100, description="The die of armour, Slim, shields and burns.")]


class ArmourRule(Record):
    """WF-ARM.1 and WF-ARM.2: dice that block damage of a normal hit, down to a minimum."""

    blocking_faces: Annotated[D6Faces, SortedSet, Field(description="Faces that each lower the damage by 1.")]
    min_damage: Annotated[Small, Field(description="Damage of a normal hit never falls below this.")]


class CoverRule(Record):
    """WF-COV.1: light cover."""

    extra_dice: Annotated[Small, Field(description="Armour dice that light cover adds.")]


class SlimRule(Record):
    """WF-ABIL.3: a die that may turn a hit on a Slim unit into a miss."""

    miss_faces: Annotated[D6Faces, SortedSet, Field(description="Faces on which the attack misses.")]


class SupershieldRule(Record):
    """WF-ABIL.4: a die that decides whether a shield burns out once it has absorbed a hit."""

    keep_faces: Annotated[D6Faces, SortedSet, Field(description="Faces on which the shield stays.")]


class LaserRule(Record):
    """WF-EFF.5: a die that decides whether a hit burns armour away, for some attacks."""

    burn_faces: Annotated[
        D6Faces, SortedSet, Field(description="Faces that lower the armour, by as much as they show.")
    ]
    duration_attacks: Annotated[Small, Field(description="How many attacks a burn lasts.")]


class BlastRule(Record):
    """An area effect: WF-ABIL.5 and WF-EFF.2."""

    damage: Annotated[Small, Field(description="Damage to every unit in reach, without armour."), Header(unit="health")]
    radius_cells: Annotated[Small, Field(description="How far it reaches."), Header(unit="cells")]


class RapidFireRule(Record):
    """WF-EFF.3: several attacks with one action."""

    attacks: Annotated[int, Field(ge=1, le=9, description="Attacks made with one action.")]


class EmpRule(Record):
    """WF-EFF.4: a hit disables its target."""

    turns: Annotated[int, Field(ge=0, le=9, description="Own turns the target loses.")]


class Limits(Record):
    """WF-UNIT.3 and WF-ACT.3: weapons of one unit, and its moves in a turn."""

    max_weapons: Annotated[int, Field(ge=1, le=9, description="Weapons one unit may carry.")]
    max_main_weapons: Annotated[int, Field(ge=1, le=9, description="Main weapons a unit without Heavy may carry.")]
    max_moves: Annotated[int, Field(ge=0, le=9, description="Moves of one unit in one turn.")]


class Grid(Record):
    """WF-MAP.1: units attack along straight lines, in so many directions."""

    hex_directions: Annotated[Small, Field(description="Directions of attack on hexes.")]
    square_directions: Annotated[Small, Field(description="Directions of attack on squares.")]


class Span(Record):
    """A range that the rulebook recommends."""

    low: Annotated[Small, Field(description="The least.")]
    high: Annotated[Small, Field(description="The most.")]

    @model_validator(mode="after")
    def _check_order(self) -> Span:
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


class UnitLimits(Record):
    """WF-BUILD.1: units per player."""

    tactical: Span
    medium: Span
    large: Span


class ByPlayers(Record):
    """War points each player starts with, by the number of players."""

    players_2: Annotated[int, Field(ge=0, le=9999, description="With 2 players."), Header(unit="war points")]
    players_3_4: Annotated[int, Field(ge=0, le=9999, description="With 3 or 4 players."), Header(unit="war points")]
    players_5_6: Annotated[int, Field(ge=0, le=9999, description="With 5 or 6 players."), Header(unit="war points")]


class WarPoints(Record):
    """WF-BUILD.2: war points by scale of the conflict and number of players."""

    tactical: ByPlayers
    medium: ByPlayers
    large: ByPlayers


class Constants(Record):
    """The numbers the rulebook states."""

    dice: Dice
    armour: ArmourRule
    cover: CoverRule
    slim: SlimRule
    supershield: SupershieldRule
    laser: LaserRule
    overload: BlastRule
    splash: BlastRule
    rapid_fire: RapidFireRule
    emp: EmpRule
    limits: Limits
    grid: Grid
    rounds: Span
    unit_limits: UnitLimits
    war_points: WarPoints
