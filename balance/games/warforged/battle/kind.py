"""The kind of question that is a battle on a board; how one is played is loaded when one is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.catalogue import Catalogue
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.game.armies.armies import Arena, ArmyKind, AskedArena
from balance.game.game import Lane, QuestionKind, Short
from balance.game.kit import TURN_ORDERS
from balance.game.setup import EntrantKind, Setup
from balance.games.warforged.battle import seats
from balance.games.warforged.battle.armies.drawing import battle_army
from balance.games.warforged.battle.columns import CANNOT_SEE, COLUMNS, PLAY_TEXT, POLICIES, BattleSituation
from balance.games.warforged.battle.seats import others_of
from balance.games.warforged.lineup.setup import scales_of
from balance.games.warforged.setup import DuellistStance

if TYPE_CHECKING:
    from balance.game.question.narration import Narration
    from balance.games.warforged.battle.columns import AskedBattle
    from balance.games.warforged.battle.setup import AskedSides


def battle_kind(loadout: EntrantKind, drawn_fields: tuple[str, ...]) -> QuestionKind:
    """Return the kind of question that sets armies of loadouts against each other on a map.

    `drawn_fields` are the fields of the situation that armies drawn by a budget and a unit limit bring along.
    """
    army = battle_army(loadout)
    return QuestionKind(
        "battle",
        ("a", "b"),
        (army, army),
        _processes,
        COLUMNS,
        _setup,
        asks="who wins a battle on a board",
        turn_orders=TURN_ORDERS,
        policies=POLICIES,
        has_distribution=False,
        played=PLAY_TEXT,
        cannot_see=CANNOT_SEE,
        situation=BattleSituation,
        shorts={"map": Short("map", "NAME", _maps)},
        stances=(DuellistStance, DuellistStance),
        block_trials=2**14,
        tell=_tell,
        armies=ArmyKind(
            loadout, _arena, scales_of, ("handling", "copies", "abilities: heavy"), drawn_fields, is_legal=True
        ),
    )


def seats_kind(battle: QuestionKind) -> QuestionKind:
    """Return the kind of question that sets an army of `battle` against two or three others on one map."""
    return replace(
        battle,
        name="seats",
        sides=("a", "others"),
        takes=(battle.takes[0], others_of(battle.takes[0])),
        columns=seats.COLUMNS,
        asks="who wins a battle of three or four players",
        turn_orders=seats.FIRST,
        policies=seats.SEAT_POLICIES,
        played=seats.PLAY_TEXT,
        cannot_see=seats.SEATS_CANNOT_SEE,
        situation=seats.SeatsSituation,
        block_trials=2**14,
        usual_trials=2**14,
        armies=None,
    )


def _maps(catalogue: Catalogue) -> Mapping[str, Path]:
    from balance.games.warforged.battle.map.maps import map_files

    return map_files(catalogue)


def _setup(question: AskedSides) -> Setup[AskedBattle]:
    from balance.games.warforged.battle.setup import battle_setup

    return battle_setup(question)


def _processes(setup: Setup[AskedBattle], lane: Lane) -> tuple[Process, ...]:
    from balance.games.warforged.battle.setup import battle_processes

    return battle_processes(setup, lane)


def _arena(question: AskedArena[Any, Any, Any]) -> Arena:
    from balance.games.warforged.battle.setup import battle_arena

    return battle_arena(question)


def _tell(setup: Setup[AskedBattle], rolls: RandomRolls, trial: int) -> Narration:
    from balance.games.warforged.battle.story.battle import tell

    return tell(setup, rolls, trial)
