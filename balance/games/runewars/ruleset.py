"""The rule options and the constants of the Runewars rules, as records; their values live in `rules.toml`.

A rule option is an open question of the FAQ (the ledger's RW-Q ids), or what the FAQ changed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Header, Record, Rules

Slots = Annotated[int, Field(ge=1, le=9, description="Figures on a whole tray."), Header(unit="figures")]


class Switches(Rules):
    """How each rule that the FAQ leaves open is read; `rules.toml` explains each."""

    lethal_without_damage: Literal["always", "needs_damage"]
    unique_surges: Literal["each_card", "once"]
    unique_conditions: Literal["both", "one"]
    partial_rank_threat: Literal["amended", "original"]


class SlotsPerTray(Record):
    """RW-TRAY.1, RW-FIG.2: how many figures stand on a tray, by type of unit."""

    infantry: Slots
    cavalry: Slots
    siege: Slots
    hero: Slots


class Constants(Record):
    """The numbers that the rules state: slots of trays, ranks, and what an army may cost."""

    slots_per_tray: SlotsPerTray
    most_ranks: Annotated[int, Field(ge=1, le=9, description="Most ranks of a unit."), Header(unit="ranks")]
    army_points: Annotated[int, Field(ge=0, le=9999, description="What an army may cost."), Header(unit="points")]
