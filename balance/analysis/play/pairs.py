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
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import branches
from balance.chance.trials.lockstep import simulate
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
        places = list(product(cells, range(len(setting.pairs)), range(2)))
        queries = [_query_from_seat(game, setting, at, names[i], names[j], seat) for (i, j), at, seat in places]
        rows = runner(queries, partial(first_scores, seed, n), TASK, share=False) if queries else []
        for ((i, j), at, seat), row in zip(places, rows, strict=True):
            if row is not None:
                rows_of_pair = slice(at * n_pairs, at * n_pairs + n)
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


def first_scores(seed: int, n: int, question: Question) -> tuple[Scores, BoolArray]:
    """Return twice the score of the side that goes first, `int8[n]`, and marks of stand-offs, `bool[n]`.

    The luck depends on the seed and on all that is asked but the ways of playing, so that ways meet the same dice.
    """
    kind, (ending, codes) = question.kind, _stand_offs(question.kind)
    ways = set(kind.habits)
    choices = [choice for choice in question.choices if choice[0] not in ways]
    facts = [kind.name, question.entrants, sorted(question.changes), question.first, choices]
    key, parts = f"analysis/play/{digest(facts)}", list[dict[str, npt.NDArray[np.int64]]]()
    processes = kind.processes(question.setup, "literal")
    for number, start in enumerate(range(0, n, BLOCK)):
        rolls = RandomRolls(seed, key, number, min(BLOCK, n - start), is_paired=True)
        columns = {name: np.zeros(rolls.n, np.int64) for name in (kind.winner, ending) if name}
        for process, (branch_rolls, places) in zip(processes, branches(len(processes), rolls), strict=True):
            outcome = simulate(process, branch_rolls, in_order=True)
            for name, values in columns.items():
                values[places] = outcome[name]
        parts.append(columns)
    outcomes = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    doubled = np.rint(2 * scores_of(outcomes[kind.winner])).astype(np.int8)
    goes_second = question.first == kind.sides[1]
    off = np.isin(outcomes[ending], codes) if ending else np.zeros(n, bool)
    return (2 - doubled if goes_second else doubled).astype(np.int8), off
