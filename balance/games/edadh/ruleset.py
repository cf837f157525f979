"""The rule options and the constants of the rules of War for Edadh, as records; their values live in `rules.toml`.

A rule option is one open question of the rulebook (the ledger's WE-Q ids); a constant is a number the rulebook states.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Record, Rules


class EdadhRules(Rules):
    """The readings in force of every rule the rulebook leaves open; `rules.toml` explains each."""

    dd_from: Literal["attacker", "defender"]
    protection_list: Literal["placed", "alternative"]
    star_vs_star: Literal["hit", "protected"]
    tie_protect: Literal["per_strike", "ends_turn", "never"]
    mp_zero_check: Literal["eop", "immediate"]
    instant_on: Literal["turn_total", "each_move"]
    refill: Literal["eop", "at_once"]
    both_defeated: Literal["draw", "smaller_excess"]
    eop1_pooled: bool
    recheck_after_retire: bool
    retire_at_30: Literal["each_below", "until_above"]
    eop3_order: Literal["simultaneous", "a_first", "b_first"]
    discard_choice: Literal["any", "lowest_dv"]
    combine_on_tie: bool
    combine_late: bool
    noatt_protect: bool
    terrain_on: Literal["base", "total"]
    star_vs_terrain: Literal["hit", "protected"]
    swap_last_charge: bool
    champion_tie_damage: bool
    champion_in_pile: bool
    failed_tactics: Literal["tactics_only", "both_sides"]
    stratagem_budget: Literal["all", "new_only"]
    stratagem_stay: Literal["until_removed", "one_period"]
    mixed_units: bool


class Score(Record):
    """WE-SETUP.3: the score track."""

    mp_start: Annotated[int, Field(ge=1, le=999, description="Mastery points at the start.")]
    mp_cap: Annotated[int, Field(ge=1, le=999, description="Mastery points never exceed this.")]


class Unit(Record):
    """WE-SETUP.1: how many cards make a Unit."""

    max_columns: Annotated[int, Field(ge=1, le=3, description="Columns of a Unit, at most.")]
    max_ranks: Annotated[int, Field(ge=1, le=4, description="Ranks of a Unit, at most.")]


class Retirement(Record):
    """WE-RETIRE.1: when troops may be retired."""

    below_mp: Annotated[int, Field(ge=0, le=999, description="Troops may be retired while MP are below this.")]


class NoAttack(Record):
    """WE-NOATT.1: the number of a printed *(5), which stands instead of att."""

    mp_loss: Annotated[int, Field(ge=0, le=99, description="MP lost to an Attacker who has no att.")]


class Movement(Record):
    """WE-LEVEL.1: standard movement."""

    ballistic_periods: Annotated[int, Field(ge=0, le=99, description="Periods at Ballistic level.")]
    charge_periods: Annotated[int, Field(ge=0, le=99, description="Periods at Charge level, before Melee.")]
    swap_ranks: Annotated[int, Field(ge=1, le=9, description="How many ranks away a card may be swapped (WE-SWAP.1).")]


class Length(Record):
    """WE-Q19: the rulebook sets no limit, so a duel that goes on for so long is a draw."""

    max_periods: Annotated[int, Field(ge=1, le=1000, description="Periods after which a duel is a draw.")]


class Constants(Record):
    """The numbers the rulebook states, and the one limit it lacks."""

    score: Score
    unit: Unit
    retirement: Retirement
    no_attack: NoAttack
    movement: Movement
    length: Length
