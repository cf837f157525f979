"""What play is worth where entrants come in pairs, such as the forces of adventures, and what holds by every good way.

Each way of playing plays each other, and itself, with either entrant of every pair going first, on luck that is the
same for all ways, so that the effects of entrants and of going first cancel. The rest is as for armies, with a trial of
a pair in the place of a pair of armies (`matrix`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from typing_extensions import Doc

from balance.analysis.armies.battles import scores_of
from balance.analysis.changes.handicaps.match_up_score import simulated_score
from balance.analysis.play.ladder import Ladder
from balance.analysis.play.matrix import NEAR_POINTS, PairSetting, PlayWorth
from balance.analysis.play.playing import BLOCK, N_SLOW, TASK, usual_pairs, ways_compared
from balance.base.answers import Chance, Changes, Count, Digest, Form, GameName, RulesVersion, Seed
from balance.base.arrays import BoolArray
from balance.base.numbers import EVEN_BAND
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import branches
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.lockstep import simulate
from balance.engine.query import Query, digest, override
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

Scores = npt.NDArray[np.int8]
HELD_TRIALS = 4096
"""Trials of each pair in each setting, at most."""
EVEN, UNSURE = "even", "unsure"


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
    near_points: float = NEAR_POINTS,
) -> PlayWorth:
    """Return the worth of ways of playing, at least two, by default all that are quick to play.

    There are `n_pairs` trials of each pair of entrants from either seat, by default as many as are usual, and `n_slow`
    where a way is not quick; `near_points` behind the best count as near the top. Raise UsageError where there are no
    such ways, or fewer than two.
    """
    kind = runner.game.definition.kinds[setting.kind]
    names = ways_compared(kind, ways)
    n_pairs = usual_pairs(kind) if n_pairs is None else n_pairs
    facts = (setting, seed, names, n_pairs, min(n_slow, n_pairs), near_points)
    return runner.once("what play is worth to pairs", facts, partial(_measure, runner, *facts))


def _measure(
    runner: Runner,
    setting: PairSetting,
    seed: int,
    names: tuple[str, ...],
    n_pairs: int,
    n_slow: int,
    near_points: float,
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
    return PlayWorth.of_results(names, results, off if has_stand_offs else None, near_points, seed, setting)


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


# -- what holds -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PairScore:
    """What the first side of a pair scores in one setting."""

    pair: str
    play: Annotated[str, Doc("How both sides play.")]
    changes: Changes
    score: Chance
    low: Annotated[Chance, Doc("The lower end of its 95 % interval.")]
    high: Annotated[Chance, Doc("Its upper end.")]
    verdict: Annotated[str, Doc('The side that is favoured; "even" within the band, "unsure" across an end of it.')]


@dataclass(frozen=True)
class PairSettings:
    """How pairs were asked."""

    kind: Annotated[str, Doc("The kind of question that was asked.")]
    band: Annotated[tuple[Chance, Chance], Doc("Scores from 0 to 1 that count as even.")]
    seed: Seed
    trials: Annotated[Count, Doc("Trials of each pair in each setting.")]


@dataclass(frozen=True, repr=False)
class PairStability:
    """Which pairs of sides are favoured alike by every good way of playing."""

    schema: Form
    game: GameName
    verb: Literal["stability"]
    verdicts: Annotated[Mapping[str, str], Doc("By pair: what every row says of it; empty where rows differ.")]
    rows: Annotated[tuple[PairScore, ...], Doc("Every pair in every setting.")]
    ladder: Annotated[Ladder | None, Doc("The ladder of ways of playing, if it was played for.")]
    settings: PairSettings
    rules_version: RulesVersion
    catalogue_sha256: Digest
    names: Annotated[Mapping[str, Mapping[str, str]], Doc("By pair: what people call its sides, the first one first.")]

    def __repr__(self) -> str:
        """Return how many pairs have one verdict everywhere in one line."""
        n_sure = sum(verdict != "" for verdict in self.verdicts.values())
        return f"<PairStability: {n_sure} of {len(self.verdicts)} pairs with one verdict everywhere>"


def pair_stability(
    runner: Runner,
    setting: PairSetting,
    ways: Sequence[str],
    ranges: Mapping[str, Sequence[str]],
    seed: int = 0,
    *,
    n_trials: int = HELD_TRIALS,
    band: tuple[float, float] = EVEN_BAND,
    ladder: PlayWorth | None = None,
) -> PairStability:
    """Return which side of each pair is favoured where both play one way, for each way and each setting.

    `ranges` is path -> values, every combination of which is a setting; `n_trials` are those of each, `band` holds the
    scores that are even, and `ladder` is that which says which ways to look at, if one was played.
    """
    game, sides = runner.game, runner.game.definition.kinds[setting.kind].sides
    rows = tuple(
        _pair_scores(runner, setting, ways, ranges, partial(simulated_score, trials=n_trials, seed=seed), band)
    )
    verdicts = {pair: {row.verdict for row in rows if row.pair == pair} for pair in setting.pairs}
    entrants = {pair: map(game.label, game.pair(setting.kind, pair, "")) for pair in setting.pairs}
    return PairStability(
        1,
        game.definition.name,
        "stability",
        {pair: next(iter(words)) if len(words) == 1 else "" for pair, words in verdicts.items()},
        rows,
        None if ladder is None else Ladder.of(ladder),
        PairSettings(setting.kind, band, seed, n_trials),
        game.catalogue.rules_version,
        game.catalogue.sha256,
        {pair: dict(zip(sides, labels, strict=True)) for pair, labels in entrants.items()},
    )


def _pair_scores(
    runner: Runner,
    setting: PairSetting,
    ways: Sequence[str],
    ranges: Mapping[str, Sequence[str]],
    measure: Callable[[Question], Estimate | None],
    band: tuple[float, float],
) -> Iterator[PairScore]:
    """Yield what `measure` says of each pair, way of playing and setting."""
    game = runner.game
    combinations = product(*([f"{path}={value}" for value in values] for path, values in ranges.items()))
    places = list(product(setting.pairs, ways, combinations))
    queries = [
        pair_query(game, replace(setting, changes=override(setting.changes, changes)), pair, (way, way), None)
        for pair, way, changes in places
    ]
    sides = game.definition.kinds[setting.kind].sides
    for place, score in zip(places, runner(queries, measure, "settings", share=False), strict=True):
        if score is not None:
            yield PairScore(*place, score.value, score.low, score.high, _verdict(score, band, sides))


def _verdict(score: Estimate, band: tuple[float, float], sides: tuple[str, str]) -> str:
    if score.is_within(band):
        return EVEN
    return sides[0] if score.low > band[1] else sides[1] if score.high < band[0] else UNSURE
