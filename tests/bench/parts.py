"""The bench as parts, measured one after another: what each is called, and what measures its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench import adventure_rows, battle_rows, commands, explore_rows, page_rows, question_rows, scaling
from tests.bench.contest import Budget, Row, run_contest
from tests.bench.tasks import contests


@dataclass(frozen=True)
class Setting:
    """How long everything may take.

    Attributes
    ----------
    budget
        What a contest may take.
    battle_part
        Blocks of battles are such a part of those of a study.
    battle_blocks
        How many blocks are played to see that memory does not grow.
    attacks
        Attacks drawn in one process; and a thousandth as many line-ups.
    study_blocks
        Blocks of each match-up in a study on workers.
    starts
        How often each command is started.
    moves
        How often a slider is moved.
    dearest
        Seconds of processor time that a question is to take at most, for it to be asked; and nothing is installed
        where that is below a minute.
    """

    budget: Budget
    battle_part: int
    battle_blocks: int
    attacks: int
    study_blocks: int
    starts: int
    moves: int
    dearest: float


FULL = Setting(Budget(7.0, 15), 1, 6, 10**9, 64, 7, 60, 60.0)
"""At most twenty minutes on two quiet cores."""
QUICK = Setting(Budget(2.0, 5), 8, 4, 10**8, 16, 3, 15, 2.5)
"""At most three."""


@dataclass(frozen=True)
class Part:
    """What is measured together, and its rows, which may come one by one; the first is of the first task."""

    tasks: tuple[str, ...]
    rows: Callable[[], Iterable[Row]]


def parts(setting: Setting, folder: Path, pool: Executor) -> list[Part]:
    """Return every part; C is built in `folder`, and `pool` has two processes."""
    return [
        *(Part((one.task,), partial(run_contest, one, setting.budget)) for one in contests(folder)),
        *(
            Part((one.task, battle_rows.in_decisions(one.task)), partial(battle_rows.battle_rows, one, setting.budget))
            for one in battle_rows.battle_contests(folder, pool, setting.battle_part)
        ),
        Part(
            (battle_rows.MEMORY,), lambda: [battle_rows.battle_memory_row(setting.battle_blocks, setting.battle_part)]
        ),
        *(
            Part((one.task,), partial(run_contest, one, setting.budget))
            for one in adventure_rows.adventure_contests(pool, setting.battle_part)
        ),
        Part(
            (adventure_rows.MEMORY,),
            lambda: [adventure_rows.adventure_memory_row(setting.battle_blocks, setting.battle_part)],
        ),
        Part((scaling.HANDED_OUT, scaling.TWO_WORKERS), partial(scaling.scaling_rows, setting.study_blocks)),
        *(
            _memory(what, n)
            for what, n in zip(commands.MEMORY, (setting.attacks, setting.attacks // 1000), strict=True)
        ),
        Part((explore_rows.TASK,), partial(explore_rows.explore_rows, setting.moves)),
        Part((page_rows.DICE, page_rows.WHAT_IF), partial(page_rows.page_rows, setting.starts, setting.moves)),
        Part(tuple(commands.STARTS), partial(commands.start_rows, setting.starts)),
        *(
            Part((one.task, question_rows.TASK), partial(question_rows.question_rows, one, folder))
            for one in question_rows.QUESTIONS
            if one.seconds <= setting.dearest
        ),
        *[Part((question_rows.INSTALLING,), partial(question_rows.install_rows, folder))] * (setting.dearest >= 60),
    ]


def _memory(what: str, n_trials: int) -> Part:
    return Part((commands.memory_task(what, n_trials),), lambda: [commands.memory_row(what, n_trials)])


def chosen(among: Sequence[Part], name: str) -> list[Part]:
    """Return the parts with a task whose name has this in it, in capitals or not."""
    return [part for part in among if any(name.casefold() in task.casefold() for task in part.tasks)]
