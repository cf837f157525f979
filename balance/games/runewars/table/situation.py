"""What may be set of an approach beside its two units, and of each of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import EntryId, Header
from balance.games.runewars.situation import FightSituation, WalkerStance


class ApproachStance(WalkerStance):
    """What may be set of a side of an approach; None means what the cards say."""

    heading_degrees: Annotated[
        int, Field(ge=0, le=359, description="How far it looks past the enemy's edge at first."), Header(unit="degrees")
    ] = 0
    enters_terrain: Annotated[bool, Field(description="Whether it enters terrain that it marches into.")] = True
    aggressive: Annotated[bool, Field(description="Whether a march with a wheel is a charge (RW-MOV.3).")] = False
    wheel_degrees: Annotated[
        int, Field(ge=0, le=180, description="Added to wheels of marches (RW-CARD.3)."), Header(unit="degrees")
    ] = 0
    bonus_shift_bands: Annotated[
        int, Field(ge=0, le=5, description="A shift after each action (RW-CARD.3)."), Header(unit="bands")
    ] = 0
    ignores_sight: Annotated[bool, Field(description="Whether it shoots without line of sight (RW-LOS.6).")] = False
    shoots_engaged: Annotated[bool, Field(description="Whether it may shoot while engaged (RW-LOS.6).")] = False
    overgrowth: Annotated[int, Field(ge=0, le=9, description="Highest Overgrowth of its army (RW-TER.7).")] = 0


class ApproachSituation(FightSituation):
    """What may be set of an approach beside its two units."""

    ground: Annotated[EntryId, Field(description="The table it is played on, of grounds.")] = "open_field"
    gap_bands: Annotated[
        int, Field(ge=0, le=12, description="Between the front edges at first."), Header(unit="bands")
    ] = 6
    offset_mm: Annotated[
        int, Field(ge=-2000, le=2000, description="How far to the right of a is b."), Header(unit="mm")
    ] = 0
    arc_degrees: Annotated[
        int, Field(ge=0, le=89, description="How far arcs of fire open beside the front."), Header(unit="degrees")
    ] = 45
    objective_tokens: Annotated[int, Field(ge=0, le=20, description="Tokens to place (RW-OBJ.1).")] = 0
    morale: Annotated[
        Literal["none", "deck"], Field(description="Whether morale icons have the enemy draw morale cards.")
    ] = "none"
