"""What may be set: what a side brings that its cards do not print, or print otherwise, and what a fight depends on."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field

from balance.catalogue import EntryId, Header, Record
from balance.catalogue.tables.cells import BadCell
from balance.game.armies.lost_actions import LostActions
from balance.games.runewars.cells import AmountText, DefenceText, SurgesText
from balance.games.runewars.rules.formation import Edge, Touch
from balance.games.runewars.tables import Morale

CARDS = "; the cards' if nothing is said."
Dice = Annotated[int | None, Field(ge=0, le=9)]
Count = Annotated[int | None, Field(ge=0, le=99)]
W = TypeVar("W")


def _a_few(words: tuple[W, ...]) -> tuple[W, ...]:
    if not 1 <= len(words) <= 4:
        raise BadCell("names more than four" if words else "names nothing")
    return words


Edges = Annotated[tuple[Edge, ...], AfterValidator(_a_few)]
Touches = Annotated[tuple[Touch, ...], AfterValidator(_a_few)]
EDGES = "touched by the enemy, such as side,rear: front, side or rear; the best counts (RW-THR.4)."
TOUCHES = "trays in the partial rank are touched: none, some (beside others) or only; one for all edges, or one each."


class Stance(Record):
    """What may be set of a side; None means what the cards say."""

    red: Annotated[Dice, Field(description=f"Red dice{CARDS}"), Header(unit="dice")] = None
    blue: Annotated[Dice, Field(description=f"Blue dice{CARDS}"), Header(unit="dice")] = None
    white: Annotated[Dice, Field(description=f"White dice{CARDS}"), Header(unit="dice")] = None
    columns: Annotated[
        int | None, Field(ge=1, le=9, description="Trays in the front rank; the formation's."), Header(unit="trays")
    ] = None
    ranks: Annotated[
        int | None, Field(ge=1, description="Full ranks, the front included; the formation's."), Header(unit="ranks")
    ] = None
    partial: Annotated[
        int, Field(ge=0, description="Trays in a partial rank behind the full ones."), Header(unit="trays")
    ] = 0
    figures_per_tray: Annotated[int | None, Field(ge=1, le=9, description="Slots of a tray; the type's.")] = None
    defence: Annotated[DefenceText | None, Field(description=f"Damage that makes a wound{CARDS}")] = None
    wound_threshold: Annotated[
        int | None, Field(ge=1, le=20, description=f"Wounds that remove a figure{CARDS}"), Header(unit="wounds")
    ] = None
    wounds_suffered: Annotated[
        int, Field(ge=0, le=9999, description="Wounds suffered before, figures first to last."), Header(unit="wounds")
    ] = 0
    brutal: Annotated[AmountText | None, Field(description=f"Added to threat in attack{CARDS}")] = None
    lethal: Annotated[Count, Field(description=f"Added to the damage pool in attack (RW-DMG.4){CARDS}")] = None
    precise: Annotated[
        int | None, Field(ge=0, le=9, description=f"Full ranks it counts more, for re-rolls only{CARDS}")
    ] = None
    protected: Annotated[Count, Field(description=f"Taken from the damage pool in defence (RW-DMG.5){CARDS}")] = None
    mortal_ward: Annotated[Count, Field(description=f"Mortal strikes taken off in defence{CARDS}")] = None
    guard_rerolls: Annotated[
        AmountText | None, Field(description=f"Dice of the attacker rolled again in defence{CARDS}")
    ] = None
    regenerate: Annotated[
        AmountText | None, Field(description=f"Figures put back into empty slots each round{CARDS}")
    ] = None
    trays_added: Annotated[int, Field(ge=0, le=9, description="Trays added to it each round (RW-TRAY.1).")] = 0
    add_hits: Annotated[int, Field(ge=0, le=20, description="Hits that join every roll."), Header(unit="icons")] = 0
    add_mortal_strikes: Annotated[
        int, Field(ge=0, le=20, description="Mortal strikes that join every roll."), Header(unit="icons")
    ] = 0
    surge_abilities: Annotated[
        SurgesText | None, Field(description=f"What surges buy, such as hits@2,mortal_strikes@2u,damage2@1+{CARDS}")
    ] = None
    upgrade_defence: Annotated[
        int | None, Field(ge=1, le=20, description="Damage that wounds its figure upgrade; the upgrade's, or 1.")
    ] = None
    upgrade_health: Annotated[
        int | None, Field(ge=0, le=99, description="Wounds of its figure upgrade, 0 for none; the upgrade's.")
    ] = None
    upgrade_place: Annotated[
        Literal["end", "centre"], Field(description="Where the figure upgrade stands in the front rank (RW-FIG.3).")
    ] = "end"
    conditions: Annotated[
        tuple[EntryId, ...], Field(description="Conditions that it has at the start, such as blight (RW-COND.1).")
    ] = ()
    steadfast: Annotated[
        tuple[Morale, ...] | None, Field(description=f"Types of morale card that need an icon more{CARDS}")
    ] = None


class DuellistStance(Stance, LostActions):
    """What may be set of a side of a duel; None means what the cards say."""


class WalkerStance(DuellistStance):
    """What may be set of a side that walks; None means what the cards say."""

    initiative: Annotated[int, Field(ge=-9, le=9, description="Added to each initiative of its dial.")] = 0
    speed_bands: Annotated[int, Field(ge=-9, le=9, description="Added to each march."), Header(unit="bands")] = 0
    range_bands: Annotated[
        int | None, Field(ge=0, le=5, description="Farthest band it shoots at; the card's."), Header(unit="bands")
    ] = None


class AttackSituation(Record):
    """What may be set of one attack beside its two sides."""

    edges: Annotated[Edges, Field(description=f"Edges of the attacker {EDGES}")] = ("front",)
    touches_partial: Annotated[Touches, Field(description=f"Which {TOUCHES}")] = ("none",)
    attack: Annotated[Literal["melee", "ranged"], Field(description="Whether it is made in contact or shot.")] = "melee"


RoundLimit = Annotated[
    int, Field(ge=1, le=50, description="Rounds; if nobody is destroyed by then, nobody wins."), Header(unit="rounds")
]


class FightSituation(Record):
    """What may be set of a fight of many attacks beside its two sides."""

    round_limit: RoundLimit = 8


class DuelSituation(FightSituation):
    """What may be set of a duel beside its two sides."""

    a_edges: Annotated[Edges, Field(description=f"Edges of a {EDGES}")] = ("front",)
    b_edges: Annotated[Edges, Field(description=f"Edges of b {EDGES}")] = ("front",)
    a_touches_partial: Annotated[Touches, Field(description=f"How, on the edges of a, {TOUCHES}")] = ("none",)
    b_touches_partial: Annotated[Touches, Field(description=f"How, on the edges of b, {TOUCHES}")] = ("none",)
    simultaneous: Annotated[
        bool, Field(description="Whether both strike with what they had when the round began (RW-Q17).")
    ] = False
    volleys: Annotated[
        int, Field(ge=0, le=8, description="Rounds before contact, in which only ranged attacks are made.")
    ] = 0
    morale: Annotated[
        Literal["none", "deck"], Field(description="Whether morale icons have the enemy draw morale cards.")
    ] = "none"


class LineUpSituation(FightSituation):
    """What may be set of a line-up beside its two armies."""

    budget_points: Annotated[
        int | None,
        Field(ge=0, le=9999, description="What an army may cost, 0 for no limit; army_points of the rules if not set."),
        Header(unit="points"),
    ] = None


class AdvanceSituation(LineUpSituation):
    """What may be set of a line-up that walks, beside its two armies."""

    gap_bands: Annotated[
        int, Field(ge=0, le=9, description="Bands between the fronts of both lines at the start."), Header(unit="bands")
    ] = 6
    round_limit: RoundLimit = 12
