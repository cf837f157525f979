"""What a line-up is and reports, apart from how it is played, so that other questions need not load that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from balance.game.game import Column
from balance.game.kit import WINNER, per_side
from balance.game.kit.combat.orders import Meeting
from balance.games.warforged.lineup.roster import Roster, Terms
from balance.games.warforged.setup import DuelStance, Side

COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    **per_side("units", "units side {me} has left"),
    **per_side("health", "health that the units of side {me} have left together"),
}
"""What a line-up reports, and what it means."""
LINE_UP_PLAYED = (
    "Two armies stand in range of each other, 2 cells apart unless set, and take turns until one has nobody left; the "
    "other wins. A turn has as many actions as the larger army has units, unless set, and one unit may take them all; "
    "or each unit has one. Units with a Supershield raise it first; else the side's policy says who attacks whom."
)
CANNOT_SEE = (
    "Range, speed and Jump: nobody moves, so a long reach or fast legs earn nothing.",
    "The map: no cover but what is set, and nobody stands out of sight.",
    "Splash and Overload: who stands near whom is agreed (`neighbours`), not played for.",
    "Play: sides attack as their policies say, and nobody destroys himself on purpose.",
)
"""How a line-up is played and won, and what its answer leaves out."""


@dataclass(frozen=True)
class LineUp:
    """A line-up as it is asked: who may fight on what terms, each side's policy, who meets whom and goes first."""

    roster: Roster
    terms: Terms
    policies: tuple[tuple[str, str], ...]
    meeting: Meeting[Side[DuelStance]]
