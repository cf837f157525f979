"""What play is worth where entrants come in pairs, such as the forces of adventures.

Each way of playing plays each other, and itself, with either entrant of every pair going first, on luck that is the
same for all ways, so that the effects of entrants and of going first cancel. The rest is as for armies, with a trial of
a pair in the place of a pair of armies (`matrix`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.battles import scores_of
from balance.analysis.play.matrix import PairSetting, PlayWorth
from balance.analysis.play.playing import BLOCK, N_SLOW, TASK, usual_pairs, ways_compared
from balance.base.arrays import BoolArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.together import play_blocks
from balance.engine.query import Query, digest
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

Scores = npt.NDArray[np.int8]


def pair_query(game: LoadedGame, setting: PairSetting, pair: str, ways: tuple[str, str], first: str | None) -> Query:
    """Return the question about a pair, given by its id, whose first and second entrant play in these ways.

    `first` is who goes first; None as the game has it.
    """
    kind = game.definition.kinds[setting.kind]
    play = dict(zip(kind.habits, ways, strict=True))
    sides = game.pair(setting.kind, pair, "")
    choices = tuple({**dict(setting.choices), **play}.items())
    return Query(setting.kind, *sides, setting.changes, first, choices)


def pair_play_worth(
    runner: Runner,
    setting: PairSetting,
    seed: int = 0,
    ways: Sequence[str] = (),
    *,
    n_pairs: int | None = None,
    n_slow: int = N_SLOW,
) -> PlayWorth:
    """Return the worth of ways of playing, at least two, by default all that are quick to play.

    There are `n_pairs` trials of each pair of entrants from either seat, by default as many as are usual, and `n_slow`
    where a way is not quick. Raise UsageError where there are no such ways, or fewer than two.
    """
    kind = runner.game.definition.kinds[setting.kind]
    names = ways_compared(kind, ways)
    n_pairs = usual_pairs(kind) if n_pairs is None else n_pairs
    facts = (setting, seed, names, n_pairs, min(n_slow, n_pairs))
    return runner.once("what play is worth to pairs", facts, partial(_measure, runner, *facts))


def _measure(
    runner: Runner,
    setting: PairSetting,
    seed: int,
    names: tuple[str, ...],
    n_pairs: int,
    n_slow: int,
) -> PlayWorth:
    game, w = runner.game, len(names)
    quick = next(iter(game.definition.kinds[setting.kind].habits.values()))
    shape = w, w, len(setting.pairs) * n_pairs, 2
    results, off = np.full(shape, -1, np.int8), np.zeros(shape, bool)
    for is_quick, n in ((True, n_pairs), (False, n_slow)):
        cells = [
            (i, j) for i, j in product(range(w), repeat=2) if (names[i] in quick and names[j] in quick) is is_quick
        ]
        meetings = list(product(range(len(setting.pairs)), range(2))) if cells else []
        groups = [
            [_query_from_seat(game, setting, at, names[i], names[j], seat) for i, j in cells] for at, seat in meetings
        ]
        rows_of_group = runner.at_once(groups, partial(first_scores, seed, n), TASK)
        for (at, seat), rows in zip(meetings, rows_of_group, strict=True):
            rows_of_pair = slice(at * n_pairs, at * n_pairs + n)
            for (i, j), row in zip(cells, rows, strict=True):
                results[i, j, rows_of_pair, seat], off[i, j, rows_of_pair, seat] = row
    has_stand_offs = bool(_stand_offs(game.definition.kinds[setting.kind])[1])
    return PlayWorth.of_results(names, results, off if has_stand_offs else None, seed, setting)


def _query_from_seat(game: LoadedGame, setting: PairSetting, at: int, row: str, column: str, seat: int) -> Query:
    """Return the question in which the row plays the entrant that goes first: at seat 0 the pair's first."""
    kind, ways = game.definition.kinds[setting.kind], (row, column) if seat == 0 else (column, row)
    first = kind.mirrored_orders[seat] if kind.mirrored_orders else None
    return pair_query(game, setting, setting.pairs[at], ways, first)


def _stand_offs(kind: QuestionKind) -> tuple[str, tuple[int, ...]]:
    """Return the column of the ending and its codes for stand-offs; empty where there is none."""
    ending = kind.column("ending")
    return (ending, kind.columns[ending].stand_offs) if ending is not None else ("", ())


def first_scores(seed: int, n: int, questions: Sequence[Question]) -> list[tuple[Scores, BoolArray]]:
    """Return for each question twice the score of the side that goes first, `int8[n]`, and stand-offs, `bool[n]`.

    The luck depends on the seed and on all that is asked but the ways of playing, so that ways meet the same dice.
    """
    blocks = [(question.setup, rolls) for question in questions for rolls in _rolls(seed, n, question)]
    kind = questions[0].kind
    outcomes = play_blocks(blocks, kind.processes, kind.joint)
    size = len(blocks) // len(questions)
    return [_scores(question, outcomes[at * size : (at + 1) * size]) for at, question in enumerate(questions)]


def _rolls(seed: int, n: int, question: Question) -> list[RandomRolls]:
    ways = set(question.kind.habits)
    choices = [choice for choice in question.choices if choice[0] not in ways]
    facts = [question.kind.name, question.entrants, sorted(question.changes), question.first, choices]
    key = f"analysis/play/{digest(facts)}"
    return [
        RandomRolls(seed, key, number, min(BLOCK, n - start), is_paired=True)
        for number, start in enumerate(range(0, n, BLOCK))
    ]


def _scores(question: Question, outcomes: Sequence[State]) -> tuple[Scores, BoolArray]:
    kind, (ending, codes) = question.kind, _stand_offs(question.kind)
    winner = np.concatenate([outcome[kind.winner] for outcome in outcomes])
    doubled = np.rint(2 * scores_of(winner)).astype(np.int8)
    off = np.zeros(len(winner), bool)
    if ending:
        off = np.isin(np.concatenate([outcome[ending] for outcome in outcomes]), codes)
    goes_second = question.first == kind.sides[1]
    return (2 - doubled if goes_second else doubled).astype(np.int8), off
