"""How much of a question's result is luck, and from which dice.

The *result* is one number: what the first side scores (a win 1, a draw 1/2), or where nobody wins the effect, or else
the duration. Its variance comes from who goes first (the *seat*) and from what is rolled, drawn or chosen at random by
name. Each source has two shares:

* what it *settles alone*: the variance of the expected result once all its dice of the whole game are known,
  Var(E[result | dice]), the first-order index of a variance decomposition and what fixing a seed shows (Goodman and
  others, "Seeding for Success", 2025). What no source settles alone, several settle *together*; all of it adds up to 1.
* what it brings *when rolled*: by how much each roll moves the expected result, squared and summed. Such changes are
  uncorrelated, so these shares add up to 1 by themselves.

Luck within a game is measured given the seat: exactly where all courses of the game can be listed, else by nested
simulation.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal

import numpy as np

from balance.analysis.luck.end_totals import Endings, at_end
from balance.analysis.luck.nested import Nested, simulated_sources
from balance.analysis.luck.replays import N_TRIALS, replayed_texture
from balance.analysis.luck.sources import SEAT, LuckSource, as_shares, mean_share, part, together
from balance.analysis.luck.texture import Texture, mean_texture, texture
from balance.base.answers import Count, Doc, Seed
from balance.base.arrays import FloatArray
from balance.base.errors import DistributionError, UsageError
from balance.base.progress import Progress, Stage, tell
from balance.chance.exact.course import Course, Value, run_through
from balance.chance.rolls.process import Process
from balance.chance.swing import swing_of
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.memory import keep_freed_memory
from balance.game.game import USUAL_TRIALS, QuestionKind
from balance.game.question.findings import AboutQuestion
from balance.game.question.question import Question

__all__ = ["SEAT", "Luck", "LuckSource", "luck", "measure_luck", "result_of"]

NO_VARIANCE = 1e-10
"""Variance of a result of about 1 below which rounding is larger than the shares of it."""
FEWEST_TRIALS = 64
"""Games that are followed at least, of a kind of question that is long to play."""
N_GAMES = 32
"""Games of a group that share dice; with as many games in all, more of them tell less of small shares."""
N_GROUPS = 2048
"""Groups of every source."""
SIGN_TRIALS = 4096
"""Trials that are looked at for results on both sides of 0, where not all can be listed."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Luck(AboutQuestion):
    """How much of the result of one question is luck, and from which dice."""

    verb: Literal["luck"]
    result: Annotated[str, Doc('What varies: the "score" of the first side, or a column.')]
    mean: Annotated[Estimate, Doc("Of the result.")]
    sd: Annotated[float, Doc("The standard deviation of the result.")]
    swing: Annotated[float | None, Doc("sd / mean; null where that is not measurable.")]
    sources: Annotated[
        tuple[LuckSource, ...],
        Doc("Who goes first, if both may; then in the order in which the rules ask."),
    ]
    together: Annotated[Estimate, Doc("The share that no source settles alone.")]
    texture: Annotated[Texture | None, Doc("How it goes on its way, where somebody wins.")]
    why_simulated: Annotated[str | None, Doc("Why it is not exact; null where it is.")]
    n_games: Annotated[Count, Doc("Games that were simulated; 0 where all is exact.")]
    seed: Seed

    def __repr__(self) -> str:
        """Return the result with mean, standard deviation and the shares that sources settle alone in one line."""
        shares = ", ".join(f"{source.name} {source.alone.value:.3g}" for source in self.sources)
        return f"<Luck: {self.result} {self.mean.value:.4g}, sd {self.sd:.4g}; {textwrap.shorten(shares, 100)}>"


def result_of(kind: QuestionKind, fair_share: float = 0.5) -> tuple[str, Value]:
    """Return the name of a kind's result and the function that reads it off outcome columns; a draw is a fair share.

    Raise UsageError where it has no winner, no effect and no duration.
    """
    if kind.winner:
        codes, (side_a, side_b) = kind.winners, kind.sides
        first, second = codes[side_a], codes[side_b]

        def score(outcome: object) -> FloatArray:
            winners = np.asarray(outcome[kind.winner])  # type: ignore[index]
            return np.where(winners == first, 1.0, np.where(winners == second, 0.0, fair_share))

        return "score", score
    column = kind.column("effect") or kind.column("duration")
    if column is None:
        raise UsageError(f"{kind.name} has no winner, no effect and no duration, so that nothing says what luck is")
    return column, lambda outcome: np.asarray(outcome[column], np.float64)


def luck(
    question: Question,
    *,
    seed: int = 0,
    n_groups: int = N_GROUPS,
    n_games: int = N_GAMES,
    progress: Progress | None = None,
) -> Luck:
    """Return where the variance of a question's result comes from.

    `n_groups` and `n_games`: groups of games that share dice, and games in each, for what has to be simulated.
    `progress`: is told how far the games have come that have to be played. `UsageError`: nothing says what the result
    is, or there are fewer than two groups or games.
    """
    name, value = result_of(question.kind, question.fair_share)
    processes = question.kind.processes(question.setup, "literal")
    game_progress = _GameProgress(progress, 2 * len(processes) * n_groups * n_games, len(processes))
    nested = Nested(value, seed, question.task_id, n_groups, n_games, game_progress.shared)
    reason = question.why_no_distribution
    if not reason:
        try:
            quicker = question.kind.processes(question.setup, "compiled") if question.kind.unbounded else processes
            courses = [run_through(process, value, quick) for process, quick in zip(processes, quicker, strict=True)]
            return _exact(question, name, courses, nested)
        except DistributionError as error:
            reason = error.faults[0].message
    return _simulate_luck(question, name, processes, nested, reason, game_progress)


def measure_luck(seed: int, n_groups: int, question: Question) -> dict[str, Any]:
    """Return the luck of a question as values that can be cached: what `Luck` tells beyond what was asked, by name."""
    result, asked = luck(question, seed=seed, n_groups=n_groups, progress=tell), AboutQuestion.__dataclass_fields__
    return {field.name: getattr(result, field.name) for field in fields(Luck) if field.name not in asked}


@dataclass
class _GameProgress:
    """Reports games played to `progress`, if there is one."""

    progress: Progress | None
    total: int
    n_orders: int
    n_finished: int = 0

    def shared(self, n_games: int) -> None:
        self.n_finished += n_games
        self._tell(Stage("games on shared dice", self.n_finished, self.total))

    def played_on(self, place: int) -> Callable[[int, int], None]:
        order_text = f", turn order {place + 1}" if self.n_orders > 1 else ""
        return lambda n_rounds, total: self._tell(Stage(f"rounds played on{order_text}", n_rounds, total))

    def _tell(self, stage: Stage) -> None:
        if self.progress is not None:
            self.progress(stage)


def _simulate_luck(
    question: Question,
    name: str,
    processes: Sequence[Process],
    nested: Nested,
    reason: str,
    game_progress: _GameProgress,
) -> Luck:
    keep_freed_memory()
    nested_result = simulated_sources(processes, nested)
    goes, n_trials = None, max(FEWEST_TRIALS, N_TRIALS * question.kind.usual_trials // USUAL_TRIALS)
    if question.kind.winner and nested_result.sd > 0:
        goes = mean_texture(
            [
                replayed_texture(
                    question.kind,
                    process,
                    nested.value,
                    nested.rolls(f"{place}/texture", 0, min(n_trials, N_TRIALS)),
                    report=game_progress.played_on(place),
                )
                for place, process in enumerate(processes)
            ]
        )
    mean, sources = nested_result.mean, as_shares(nested_result.sources)
    return _luck(question, name, mean, nested_result.sd, sources, goes, reason, nested.seed, nested_result.n_games)


def _luck(
    question: Question,
    name: str,
    mean: Estimate,
    sd: float,
    sources: tuple[LuckSource, ...],
    goes: Texture | None,
    reason: str,
    seed: int,
    n_games: int,
) -> Luck:
    results = np.zeros(1) if name == "score" else question.known_distribution(trials=SIGN_TRIALS)[0][name]
    return Luck.of(
        question,
        "luck",
        result=name,
        mean=mean,
        sd=sd,
        swing=swing_of(mean.value, sd, bool(results.min() < 0 < results.max())),
        sources=sources,
        together=together(sources),
        texture=goes,
        why_simulated=reason or None,
        n_games=n_games,
        seed=seed,
    )


def _exact(question: Question, name: str, courses: Sequence[Course], nested: Nested) -> Luck:
    means = np.array([course.mean for course in courses])
    variance = float(means.var()) + float(np.mean([course.variance for course in courses]))
    if variance <= NO_VARIANCE * max(1.0, float(means.mean()) ** 2):
        variance = 0.0
    alone = [_alone(course, place, nested) for place, course in enumerate(courses)]
    when_rolled = [course.when_rolled() for course in courses]
    sources = list[LuckSource]()
    if len(courses) > 1:
        seat = part(means.var(), variance)
        sources.append(LuckSource(SEAT, Estimate.exact(seat), seat))
    for source_name in dict.fromkeys(source_name for course in courses for source_name in course.varied_names):
        alone_share = mean_share([shares.get(source_name, Estimate.exact(0.0)) for shares in alone], variance)
        rolled_share = float(np.mean([shares.get(source_name, 0.0) for shares in when_rolled]))
        sources.append(LuckSource(source_name, alone_share, part(rolled_share, variance)))
    is_simulated = [any(not share.is_exact for share in shares.values()) for shares in alone]
    reason = "some dice are shared by too many states to be followed" if any(is_simulated) else ""
    mean, sd = Estimate.exact(float(means.mean())), math.sqrt(variance)
    goes = _texture(question.kind, courses) if question.kind.winner and variance > 0 else None
    n_games = sum(is_simulated) * nested.n_played
    return _luck(question, name, mean, sd, as_shares(sources), goes, reason, nested.seed, n_games)


def _alone(course: Course, place: int, nested: Nested) -> dict[str, Estimate]:
    """Return name -> variance that its dice settle alone in one process; simulated where too many states meet."""
    variances, too_many = dict[str, Estimate](), list[str]()
    for name in course.names:
        try:
            variances[name] = Estimate.exact(course.shared_by(name))
        except DistributionError:
            too_many.append(name)
    if too_many:
        for name, groups in nested.groups(course.process, place, too_many).items():
            share, error = groups.share * course.variance, groups.error * course.variance
            variances[name] = Estimate.of_mean(share, error, nested.n_played)
    return variances


def _texture(kind: QuestionKind, courses: Sequence[Course]) -> Texture:
    """Return the exact texture, averaged over who goes first."""
    return mean_texture(
        [replace(texture(course, _clock(kind)), at_end=at_end(kind, _endings(course))) for course in courses]
    )


def _endings(course: Course) -> Iterator[Endings]:
    """Yield the endings of a course by step: their probabilities, values and outcome columns."""
    for steps in range(course.n_steps + 1):
        ending = course.ending(steps)
        if ending.any():
            yield ending, course.values[steps], course.outcome(steps)


def _clock(kind: QuestionKind) -> Callable[[Course, int], float]:
    column = kind.column("duration")

    def time(course: Course, steps: int) -> float:
        if steps == 0:
            return 0.0
        if column is None:
            return steps / len(course.layers)
        mass = course.masses[steps]
        durations = np.broadcast_to(course.outcome(steps)[column], len(mass))
        return float(mass @ durations / mass.sum())

    return time
