"""How much of a question's result is luck, and from which dice.

The *result* is one number: what the first side scores (a win 1, a draw 1/2), or where nobody wins the effect, or else
the duration. Its variance comes from who goes first (the *seat*) and from what is rolled, drawn or chosen at random by
name. Two shares are told of each source:

* what it *settles alone*: the variance of what is to be expected once all its dice of the whole game are known,
  Var(E[result | dice]), the first-order index of a variance decomposition and what fixing a seed shows (Goodman and
  others, "Seeding for Success", 2025). What no source settles alone, several settle *together*; all of it adds up to 1.
* what it brings *when rolled*: by how much each roll moves what is to be expected, squared and summed. Such changes are
  uncorrelated, so these shares add up to 1 by themselves.

Luck within a game is told given the seat. Exact where all courses of the game can be listed, else by nested simulation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.core.chain import FloatArray
from balance.core.course import Course, Value, run_through
from balance.core.estimate import Estimate
from balance.core.lockstep import simulate
from balance.core.nested import Groups, play_groups
from balance.core.process import Process
from balance.core.rolls import ProxyRolls, RandomRolls
from balance.errors import DistributionError, UsageError
from balance.luck.texture import Texture, texture
from balance.protocol.game import QuestionKind
from balance.protocol.question import Question

__all__ = ["SEAT", "Luck", "LuckSource", "luck", "result_of"]

SEAT = "seat"
"""The source that is who goes first."""
N_GAMES = 32
"""Games of a group that share dice; with as many games in all, more of them tell less of small shares."""
N_GROUPS = 4096
"""Groups for each source."""
BLOCK_GAMES = 2**15
NOTED_TRIALS = 256
"""Trials that are looked at for the names of what is asked for, where not all can be listed."""


@dataclass(frozen=True)
class LuckSource:
    """One source of luck.

    Attributes
    ----------
    name
        Of the dice, cards or choices as the rules ask for them, or `SEAT`.
    alone
        The share of the variance that it settles by itself.
    when_rolled
        The share that its rolls bring when they are made; None where it is not known.
    """

    name: str
    alone: Estimate
    when_rolled: float | None


@dataclass(frozen=True)
class Luck:
    """Where the variance of a result comes from.

    Attributes
    ----------
    question
        What was asked.
    result
        What varies: "score" of the first side, or a column.
    mean, sd
        Of the result.
    sources
        The seat first, if both may go first; then in the order in which the rules ask.
    together
        The share that no source settles alone.
    texture
        How it goes on its way, where somebody wins and all courses can be listed.
    seed, n_games
        Of the simulation; 0 games where all is exact.
    why_simulated
        Why it is not exact; empty where it is.
    """

    question: Question
    result: str
    mean: Estimate
    sd: float
    sources: tuple[LuckSource, ...]
    together: Estimate
    texture: Texture | None
    seed: int
    n_games: int
    why_simulated: str

    @property
    def swing(self) -> float | None:
        """The standard deviation over the mean; None where the mean is 0."""
        return self.sd / abs(self.mean.value) if self.mean.value else None


def result_of(kind: QuestionKind) -> tuple[str, Value]:
    """Return what the result of a kind of question is called, and how it is read off its outcome columns.

    Raises
    ------
    UsageError
        It has no winner, no effect and no duration.
    """
    if kind.winner:
        codes, (one, other) = kind.winners, kind.sides
        first, second = codes[one], codes[other]

        def score(outcome: object) -> FloatArray:
            won = np.asarray(outcome[kind.winner])  # type: ignore[index]
            return np.where(won == first, 1.0, np.where(won == second, 0.0, 0.5))

        return "score", score
    column = kind.column("effect") or kind.column("duration")
    if column is None:
        raise UsageError(f"{kind.name} has no winner, no effect and no duration, so that nothing says what luck is")
    return column, lambda outcome: np.asarray(outcome[column], np.float64)


def luck(question: Question, *, seed: int = 0, n_groups: int = N_GROUPS, n_games: int = N_GAMES) -> Luck:
    """Return where the variance of a question's result comes from.

    Parameters
    ----------
    n_groups, n_games
        Groups of games that share dice, and games in each, for what has to be simulated.

    Raises
    ------
    UsageError
        Nothing says what the result is, or there are fewer than two groups or games.

    Examples
    --------
    >>> from balance.protocol.loaded import load
    >>> shot = luck(load("warforged").attack("nexus+assault_rifle", "trooper"))
    >>> [(source.name, round(source.alone.value, 3), round(source.when_rolled, 3)) for source in shot.sources]
    [('precision', 0.904, 0.904), ('armour', 0.058, 0.096)]
    >>> round(shot.together.value, 3), round(shot.swing, 3)
    (0.038, 0.491)
    """
    name, value = result_of(question.kind)
    processes = question.kind.processes(question.setup, "literal")
    nested = _Nested(value, seed, n_groups, n_games, question.task_id)
    why = question.why_no_distribution
    if not why:
        try:
            return _exact(question, name, [run_through(process, value) for process in processes], nested)
        except DistributionError as error:
            why = error.faults[0].message
    return _simulated(question, name, processes, nested, why)


@dataclass(frozen=True)
class _Nested:
    """How what cannot be listed is simulated."""

    value: Value
    seed: int
    n_groups: int
    n_games: int
    key: str

    def groups(self, process: Process, place: int, name: str | None) -> Groups:
        """Play groups of games of a process that share the dice of a name (None: no dice)."""
        each = min(self.n_groups, max(2, BLOCK_GAMES // self.n_games))
        sizes = [each] * (self.n_groups // each) + ([self.n_groups % each] if self.n_groups % each >= 2 else [])
        parts = [
            play_groups(
                process,
                self.value,
                lambda asked: asked == name,
                RandomRolls(self.seed, f"luck/{self.key}/{place}/{name or ''}", block, size),
                self.n_games,
            )
            for block, size in enumerate(sizes)
        ]
        return Groups(
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.variance for part in parts]),
            self.n_games,
        )


def _exact(question: Question, name: str, courses: Sequence[Course], nested: _Nested) -> Luck:
    means = np.array([course.mean for course in courses])
    within = float(np.mean([course.variance for course in courses]))
    variance = float(means.var()) + within
    names = tuple(dict.fromkeys(asked for course in courses for asked in course.names))
    rolled = [course.when_rolled() for course in courses]
    simulated = 0
    found = (
        []
        if len(courses) == 1
        else [LuckSource(SEAT, Estimate.exact(_part(means.var(), variance)), _part(means.var(), variance))]
    )
    for asked in names:
        parts = [_alone(course, place, asked, nested) for place, course in enumerate(courses)]
        simulated += sum(part.n_trials for part in parts)
        alone = _mean(parts, variance)
        brought = float(np.mean([one.get(asked, 0.0) for one in rolled]))
        found.append(LuckSource(asked, alone, _part(brought, variance)))
    goes = None
    if question.kind.winner and variance > 0:
        goes = _textures(question.kind, courses)
    why = "" if not simulated else "some dice are shared by too many pairs of states to be followed"
    return Luck(
        question,
        name,
        Estimate.exact(float(means.mean())),
        math.sqrt(variance),
        tuple(found),
        _together(found),
        goes,
        nested.seed,
        simulated,
        why,
    )


def _alone(course: Course, place: int, name: str, nested: _Nested) -> Estimate:
    """Return the variance that the dice of a name settle alone in one process."""
    if name not in course.names:
        return Estimate.exact(0.0)
    try:
        return Estimate.exact(course.shared_by(name))
    except DistributionError:
        groups = nested.groups(course.process, place, name)
        error = groups.error * course.variance
        return Estimate.of_mean(groups.share * course.variance, error, len(groups.mean) * groups.n_games)


def _mean(parts: Sequence[Estimate], variance: float) -> Estimate:
    """Return the mean of parts of a variance, as a share of the whole."""
    value = _part(float(np.mean([part.value for part in parts])), variance)
    if all(part.is_exact for part in parts):
        return Estimate.exact(value)
    error = _part(math.sqrt(sum((part.error or 0.0) ** 2 for part in parts)) / len(parts), variance)
    return Estimate.of_mean(value, error, sum(part.n_trials for part in parts))


def _part(part: float, variance: float) -> float:
    return float(part / variance) if variance > 0 else 0.0


def _together(found: Sequence[LuckSource]) -> Estimate:
    if not found or all(source.alone.value == 0 for source in found):
        return Estimate.exact(0.0)
    rest = Estimate.exact(1.0)
    for source in found:
        rest = rest - source.alone
    return rest


def _textures(kind: QuestionKind, courses: Sequence[Course]) -> Texture:
    """Return how trials go, the mean over who goes first."""
    found = [texture(course, _clock(kind)) for course in courses]
    if len(found) == 1:
        return found[0]
    by_round = [dict(one.settled) for one in found]
    rounds = sorted(set().union(*by_round))
    filled = [[_latest(one, at) for at in rounds] for one in by_round]
    settled = tuple(zip(rounds, np.mean(filled, axis=0).tolist(), strict=True))
    names = ("lead_changes", "comebacks", "one_sided", "decided", "length", "largest")
    means = {name: float(np.mean([getattr(one, name) for one in found])) for name in names}
    return replace(found[0], settled=settled, **means)


def _latest(settled: dict[int, float], at: int) -> float:
    return settled[max((known for known in settled if known <= at), default=min(settled))]


def _clock(kind: QuestionKind) -> Callable[[Course, int], float]:
    column = kind.column("duration")

    def time(course: Course, steps: int) -> float:
        if steps == 0:
            return 0.0
        if column is None:
            return steps / len(course.layers)
        mass = course.masses[steps]
        told = np.broadcast_to(course.outcome(steps)[column], len(mass))
        return float(mass @ told / mass.sum())

    return time


# -- simulated --------------------------------------------------------------------------------------------------------


def _simulated(question: Question, name: str, processes: Sequence[Process], nested: _Nested, why: str) -> Luck:
    names = tuple(dict.fromkeys(asked for process in processes for asked in _names(process)))
    plain = [nested.groups(process, place, None) for place, process in enumerate(processes)]
    means = np.array([groups.mean.mean() for groups in plain])
    variances = np.array([groups.variance.mean() for groups in plain])
    n = len(plain[0].mean) * nested.n_games
    seat = Estimate.exact(0.0)
    variance = float(variances.mean())
    if len(processes) > 1:
        between = float(means.var(ddof=0) - np.mean(variances / n) * (1 - 1 / len(means)))
        variance += max(between, 0.0)
        error = 2 * math.sqrt(max(between, 0.0)) * math.sqrt(float(np.mean(variances / n)) / len(means))
        seat = Estimate.of_mean(_part(between, variance), _part(error, variance), n * len(processes))
    found = [LuckSource(SEAT, seat, None)] if len(processes) > 1 else []
    for asked in names:
        parts = []
        for place, process in enumerate(processes):
            groups = nested.groups(process, place, asked)
            total = float(variances[place])
            parts.append(Estimate.of_mean(groups.share * total, groups.error * total, n))
        found.append(LuckSource(asked, _mean(parts, variance), None))
    mean = Estimate.of_mean(
        float(means.mean()), math.sqrt(float(np.mean(variances)) / (n * len(means))), n * len(means)
    )
    return Luck(
        question,
        name,
        mean,
        math.sqrt(variance),
        tuple(found),
        _together(found),
        None,
        nested.seed,
        n * len(processes) * (1 + len(names)),
        why,
    )


def _names(process: Process) -> list[str]:
    """Return the names of all that some trials of a process ask for, in their order."""
    noted = dict[str, None]()

    def around(behind: object, request: object) -> object:
        noted[request.name] = None  # type: ignore[attr-defined]
        return behind.answer(request)  # type: ignore[attr-defined]

    simulate(process, ProxyRolls(RandomRolls(0, "luck/names", 0, NOTED_TRIALS), around))
    return list(noted)
