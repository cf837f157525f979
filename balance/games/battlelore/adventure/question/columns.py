"""What an adventure is asked for and reports, apart from how it is played, so that others need not load that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from balance.catalogue import Header, Name, Record
from balance.game.game import Column, PolicyKind
from balance.game.kit import WINNER, each_side, per_side

if TYPE_CHECKING:
    from balance.games.battlelore.adventure.terms.battle import Battle

TURN_ORDERS = ("adventure", "a", "b")
"""Who may begin: whom the adventure names, or either side."""
ENDS = {1: "banners", 2: "turn limit"}
"""How an adventure may end (BL-WIN-04)."""
COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "turns": Column("turns that were taken, of either side one by one", "duration"),
    "ended": Column("how it ended: 1 banners, 2 turn limit", "ending", names=ENDS, stand_offs=(2,)),
    **per_side("banners", "victory banners that side {me} has won"),
    **per_side("units", "units side {me} has left"),
    **per_side("figures", "figures that the units of side {me} have left together"),
    "lead_changes": Column("how often the lead in banners went from one side to the other, seen after each turn"),
    "comeback": Column("the most banners by which the winner was behind after some turn"),
}
"""What an adventure reports, and what it means."""
PLAY_TEXT = (
    "The forces of an adventure stand where its file has them, each side has a hand of command cards, and the sides "
    "take turns: play a card, order units, move them all, battle with each, draw. Whoever has the banners it needs "
    "wins at once, in anybody's turn; after the agreed turns nobody has won."
)
CANNOT_SEE = (
    "Players who plan: sides play as their policies say. Compare several before you believe a number.",
    "Where woods and units stand in an adventure whose map is not published: its note says what is assumed.",
    "How many of each command card the deck has: the table of command cards is a guess that you may change.",
    "Lairs (BL-CRE-17), Lore cards of the orders phase (BL-LORE-09) and cards that halve (BL-LORE-18): none is known.",
)
"""How an adventure is played and won, and what its answer leaves out."""


class AdventureSituation(Record):
    """What an adventure depends on beside its file and the cards."""

    turn_limit: Annotated[
        int, Field(ge=1, le=999, description="Turns, of either side one by one, after which nobody has won.")
    ] = 120
    hexes: Annotated[
        tuple[Name, ...],
        Field(
            description="Terrain of hexes in place of what the file draws there, such as forest@E5 or countryside@F6."
        ),
    ] = ()


Level = Annotated[int | None, Field(ge=0, le=3)]


class ForceStance(Record):
    """What a force brings that differs from the file of its adventure; None as in the file."""

    banners: Annotated[int | None, Field(ge=1, le=99, description="Victory banners it needs (BL-WIN-01).")] = None
    cards: Annotated[
        int | None,
        Field(ge=1, le=20, description="Command cards in its hand (BL-CMD-13)."),
        Header(unit="cards"),
    ] = None
    more: Annotated[
        tuple[Name, ...], Field(description="Units that it has beside, each written UNIT@HEX such as blue_foot@C4.")
    ] = ()
    without: Annotated[tuple[Name, ...], Field(description="Hexes whose units it does not have, such as C4.")] = ()
    commander: Annotated[Level, Field(description="Level of its Commander (BL-WC-02); with Lore alone.")] = None
    wizard: Annotated[Level, Field(description="Level of its Wizard (BL-WC-03); with Lore alone.")] = None
    rogue: Annotated[Level, Field(description="Level of its Rogue; with Lore alone.")] = None
    cleric: Annotated[Level, Field(description="Level of its Cleric; with Lore alone.")] = None
    warrior: Annotated[Level, Field(description="Level of its Warrior; with Lore alone.")] = None
    tokens: Annotated[
        int | None, Field(ge=0, le=99, description="Lore tokens it begins with (BL-WC-04)."), Header(unit="Lore")
    ] = None


POLICIES = each_side(
    "policy",
    PolicyKind(
        "How a side plays its cards and units.",
        {
            "greedy": "plays the card that lets it battle best; advances and attacks where most banners are to be won",
            "rush": "the same, but goes for the enemy at once, whether its units support each other or not",
            "hold": "the same, but stays where it is and lets the enemy come",
            "flank": "the same, but prefers cards for the section where it is strongest",
            "focus": "the same, but attacks what is nearest to its end",
            "careful": "the same, but keeps its units together and out of the enemy's reach",
            "random": "anything the rules allow, every option as likely as any other",
            "lookahead": "tries cards on copies of the battle with the hidden hand dealt anew, and plays the one that "
            "stands best after some turns",
        },
        quick=("greedy", "rush", "hold", "flank", "focus", "careful"),
    ),
    name="{of}_{side}",
)
"""What each side decides."""


@dataclass(frozen=True)
class AskedAdventure:
    """An adventure as it is asked for.

    `battle`: what is fought: side a of the question is its side 0, whose own edge is at row A. `first`: the side that
    begins, 0 or 1. `policies`: how side a and side b play.
    """

    battle: Battle
    first: int
    policies: tuple[str, str]
