"""What a battle on a board is and reports, apart from how it is played, so that other questions need not load that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from balance.catalogue import Header, Record
from balance.game.game import Column, PolicyKind
from balance.game.kit import WINNER, each_side, per_side

if TYPE_CHECKING:
    from balance.games.warforged.battle.armies.purchase import Market, MemberNumbers, Purse
    from balance.games.warforged.battle.turns.terms import Battle

ENDS = {1: "annihilation", 2: "objective", 3: "round limit"}
"""How a battle may end (WF-WIN.1)."""
COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    "ended": Column("how it ended: 1 annihilation, 2 objective, 3 round limit", "ending", names=ENDS, stand_offs=(3,)),
    **per_side("units", "units side {me} has left"),
    **per_side("health", "health that the units of side {me} have left together"),
    **per_side("points", "war points of the units that side {me} has left"),
    "lead_changes": Column("how often the lead in war points went from one side to the other, seen after each turn"),
    "comeback": Column("the most war points by which the winner was behind after some turn"),
    **per_side("attacks", "attacks that side {me} made, each shot of Rapid Fire one"),
    **per_side("cost", "war points of the army of side {me} at the start"),
}
"""What a battle reports, and what it means."""
PLAY_TEXT = (
    "Two armies deploy on the bases of a map, in an order drawn by luck, and take turns. A turn has as many actions as "
    "the unit limit says, and one unit may take them all: moves, attacks, abilities. It ends when one side has nobody "
    "left, when a side has held the objective long enough where that is asked for, or after the agreed rounds: then "
    "whoever destroyed more units wins, and if as many, whoever has more health left."
)
CANNOT_SEE = (
    "Players who plan: sides play as their policies say. Compare several before you believe a number.",
    "Choosing where to deploy: the units stand on their base as luck has it.",
    "Shopping with a plan: an army that is drawn is bought card by card as luck has it, one weapon for each unit.",
    "Heights and the D20, for which the rulebook has no rules.",
)
"""How a battle is played and won, and what its answer leaves out."""


MAP_WORDS = "Name of the map, or random:SEED for one that luck makes (WF-MAP.2)."
"""Description of the field that names the map."""


class BattleSituation(Record):
    """What a battle depends on beside the cards."""

    map: Annotated[str, Field(max_length=80, description=MAP_WORDS)] = "ledger"
    scale: Annotated[
        Literal["free", "tactical", "medium", "large"],
        Field(description="Scale of the conflict: sets the unit limit and the war points (WF-BUILD.1, WF-BUILD.2)."),
    ] = "free"
    unit_limit: Annotated[
        int, Field(ge=0, le=64, description="Actions a turn, and units of an army; 0: as scale or larger army say.")
    ] = 0
    rounds: Annotated[int, Field(ge=1, le=99, description="Rounds to play (WF-TURN.2).")] = 10
    objective: Annotated[
        Literal["none", "hold"],
        Field(description="What wins beside the enemy's end: to hold the objective (WF-WIN.1)."),
    ] = "none"
    objective_rounds: Annotated[int, Field(ge=1, le=99, description="Rounds in a row that it must be held alone.")] = 3
    budget_points: Annotated[
        int,
        Field(ge=0, le=9999, description="What an army may cost (WF-BUILD.2), 0 for no limit but the scale's."),
        Header(("budget",), unit="war points"),
    ] = 0
    legal: Annotated[
        bool, Field(description="Whether armies keep to the unit limit and to the copies there are (WF-BUILD).")
    ] = False


POLICIES = each_side(
    "policy",
    PolicyKind(
        "How a side plays its turns.",
        {
            "greedy": "makes the attack that takes most health; else moves to where it can attack; else approaches",
            "focus": "the same, but attacks what loses the largest share of its worth",
            "kite": "like focus, but attacks from where fewest enemies can answer, and steps back from the others",
            "hold": "attacks what comes within a move and a shot, and else stays where it is",
            "kite_hold": "holds, keeps out of the enemy's reach, and attacks from where fewest can answer",
            "random": "anything the rules allow, every action as likely as any other",
            "lookahead": "tries scripts on copies of the battle for a turn of each side, with fresh luck, and plays "
            "the one that stands best by the rules' own score",
            "rollout": "the same, with copies played to the end",
        },
        quick=("greedy", "focus", "kite", "hold", "kite_hold"),
    ),
    name="{of}_{side}",
)
"""What each side decides."""


@dataclass(frozen=True)
class AskedBattle:
    """A battle as it is asked for: where and of whom, who meets, who begins, and who plays.

    `armies`: numbers of the members of each side, in the order of their ids; or what an army is drawn with.
    `limit`: actions a turn. `market`: what armies that are drawn are bought from; None where none is. `lost_actions`:
    actions that each side loses at the start. `aims`, `order`: of more than two, whom each attacks, who acts when.
    """

    battle: Battle
    armies: tuple[MemberNumbers | Purse, ...]
    limit: int
    first: str
    policies: tuple[str, ...]
    market: Market | None = None
    lost_actions: tuple[int, ...] = ()
    aims: tuple[str, ...] = ()
    order: str = ""
