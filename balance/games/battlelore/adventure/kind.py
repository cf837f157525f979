"""The kind of question that is an adventure on the board; how one is played is loaded when one is asked about."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.together import Joint
from balance.game.game import Lane, QuestionKind, Step
from balance.game.setup import Pairs, Setup
from balance.games.battlelore.adventure.question.columns import (
    CANNOT_SEE,
    COLUMNS,
    PLAY_TEXT,
    POLICIES,
    TURN_ORDERS,
    AdventureSituation,
    ForceStance,
)
from balance.games.battlelore.adventure.question.forces import FORCE, adventure_ids, pair_of

if TYPE_CHECKING:
    from balance.base.readings import FileReading
    from balance.catalogue import Catalogue
    from balance.game.question.narration import Narration
    from balance.game.question.question import Question
    from balance.games.battlelore.adventure.question.columns import AskedAdventure
    from balance.games.battlelore.adventure.question.setup import AskedSides


def _setup(question: AskedSides) -> Setup[AskedAdventure]:
    from balance.games.battlelore.adventure.question.setup import battle_setup

    return battle_setup(question)


def _processes(setup: Setup[AskedAdventure], lane: Lane) -> tuple[Process, ...]:
    from balance.games.battlelore.adventure.question.setup import battle_processes

    return battle_processes(setup, lane)


def _joint_key(setup: Setup[AskedAdventure]) -> Hashable | None:
    from balance.games.battlelore.adventure.question.setup import joint_key

    return joint_key(setup)


def _joint_process(setups: Sequence[Setup[AskedAdventure]], sizes: Sequence[int]) -> Process:
    from balance.games.battlelore.adventure.question.setup import joint_process

    return joint_process(setups, sizes)


def _steps(question: Question, ahead: str) -> Iterator[Step]:
    from balance.games.battlelore.adventure.question.steps import steps

    return steps(question, ahead)


def _single_changes(question: Question) -> Iterator[Step]:
    from balance.games.battlelore.adventure.question.steps import single_changes

    return single_changes(question)


def _tell(setup: Setup[AskedAdventure], rolls: RandomRolls, trial: int) -> Narration:
    from balance.games.battlelore.adventure.story.battle import tell

    return tell(setup, rolls, trial)


def read_drawing(path: Path, catalogue: Catalogue) -> FileReading:
    """Return how the file of an adventure was read, piece by piece; the reader is imported only when needed."""
    from balance.games.battlelore.adventure.map.explaining import adventure_reading

    return adventure_reading(path, catalogue)


BATTLE = QuestionKind(
    "battle",
    ("a", "b"),
    (FORCE, FORCE),
    _processes,
    COLUMNS,
    _setup,
    asks="which side of an adventure wins, and by how many banners",
    turn_orders=TURN_ORDERS,
    policies=POLICIES,
    has_distribution=False,
    played=PLAY_TEXT,
    cannot_see=CANNOT_SEE,
    situation=AdventureSituation,
    stances=(ForceStance, ForceStance),
    block_trials=2**13,
    slow_block_trials=2**9,
    tell=_tell,
    usual_trials=2**13,
    reads=("command_cards", "lore_cards"),
    steps=_steps,
    single_changes=_single_changes,
    pairs=Pairs("adventure", adventure_ids, pair_of),
    joint=Joint(_joint_key, _joint_process),
)
"""An adventure on the board."""
