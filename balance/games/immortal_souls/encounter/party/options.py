"""What may be asked of an encounter beside who fights: what heroes bring, and the situation."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from balance.catalogue import Header, Record
from balance.game.armies.lost_actions import LostActions
from balance.games.immortal_souls.rules.effects import Result
from balance.games.immortal_souls.stances import AttackStance, DefenceStance

CARDS = "; the cards' if nothing is said."


class EncounterStance(LostActions):
    """What may be set of the side of the enemies: activations that they lose at the start."""


class PartyStance(AttackStance, DefenceStance, LostActions):
    """What may be set of a hero in an encounter; None means what the cards say, and attack fields are of his weapon."""

    combat_activities: Annotated[int | None, Field(ge=0, le=9, description=f"Attacks of a turn{CARDS}")] = None
    actions: Annotated[int | None, Field(ge=0, le=9, description=f"Actions of a turn{CARDS}")] = None
    movement: Annotated[int | None, Field(ge=0, le=9, description=f"Movement points{CARDS}"), Header(unit="areas")] = (
        None
    )
    save: Annotated[Result | None, Field(description="The result that makes his save (IS-SAVE.1).")] = None
    flying: Annotated[
        bool | None,
        Field(description="Whether he flies: ignores barriers, difficult and deadly areas, and K.O. (IS-ACT.10)."),
    ] = None


SoulPoints: TypeAlias = Annotated[
    int, Field(ge=0, le=999, description="Common Soul Points at the start."), Header(unit="Soul Points")
]
SpawnShift: TypeAlias = Annotated[
    int,
    Field(ge=-9, le=9, description="Added to every spawn number of an event card (IS-SPAWN.1)."),
    Header(unit="enemies"),
]
EnemyTurns: TypeAlias = Annotated[
    Literal["each_hero", "once"],
    Field(description="Enemy Turns in a round: one after each hero (IS-SEQ.3), or one after the last."),
]


class EncounterSituation(Record):
    """What may be set of an encounter beside its two sides."""

    round_limit: Annotated[
        int, Field(ge=1, le=99, description="Rounds after which the quest has failed."), Header(unit="rounds")
    ] = 20
    soul_points: SoulPoints = 0
    spawn_shift: SpawnShift = 0
    rank_up: Annotated[
        bool, Field(description="Whether Soul Points that resurrections leave are spent on ranks (IS-ECO.1).")
    ] = False
    enemy_turns: EnemyTurns = "each_hero"
