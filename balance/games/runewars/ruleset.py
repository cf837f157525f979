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


class Lengths(Record):
    """Lengths on the table, none of which our source states."""

    tray_mm: Annotated[int, Field(ge=10, le=200, description="Side of a tray."), Header(unit="mm")]
    band_mm: Annotated[int, Field(ge=10, le=500, description="Length of a band of the ruler."), Header(unit="mm")]
    edge_gap_mm: Annotated[int, Field(ge=0, le=999, description="Table's edge to terrain."), Header(unit="mm")]


class Constants(Record):
    """The numbers that the rules state: slots of trays, ranks, an army, and lengths on the table."""

    slots_per_tray: SlotsPerTray
    most_ranks: Annotated[int, Field(ge=1, le=9, description="Most ranks of a unit."), Header(unit="ranks")]
    army_points: Annotated[int, Field(ge=0, le=9999, description="What an army may cost."), Header(unit="points")]
    lengths: Lengths
