"""What a question depends on beside the two sides."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from balance.catalogue import Header, Record
from balance.games.immortal_souls.rules.effects import Result


class AttackSituation(Record):
    """What may be set of one attack beside its two sides."""

    roll: Annotated[
        tuple[Result, ...],
        Field(max_length=40, description="The results of the attack dice, such as HIT,ABI; rolled if nothing is said."),
    ] = ()
    distance: Annotated[
        int,
        Field(ge=0, le=5, description="Areas between the two: 0 in the same area, at most 5 (IS-LOS.3)."),
        Header(("distanza",), unit="areas"),
    ] = 0
    supremacy: Annotated[
        bool, Field(description="Whether the attacker's side dominates the target's area (IS-SUP.7): one hit more.")
    ] = False
    focus: Annotated[bool, Field(description="Whether a hero spent an action on Focus (IS-ACT.14): one hit more.")] = (
        False
    )


class DuelSituation(Record):
    """What may be set of a duel beside its two sides."""

    round_limit: Annotated[
        int,
        Field(ge=0, le=5000, description="Rounds to play, 0 for no limit; then it is a draw."),
        Header(unit="rounds"),
    ] = 0
    activation_chance: Annotated[
        float, Field(ge=0, le=1, description="Chance that the Encounter card of an Enemy Turn lets the enemy act.")
    ] = 1.0
    activation_deck: Annotated[
        tuple[Annotated[int, Field(ge=0, le=1)], ...],
        Field(max_length=60, description="Or the deck itself: for each card 1 if it lets the enemy act, else 0."),
    ] = ()
    enemy_turns: Annotated[
        int, Field(ge=1, le=5, description="Enemy Turns in a round: one for each hero of the party (IS-SEQ.3).")
    ] = 1
