"""The texture of a duel: lead changes, comebacks, when it is decided, how large one turn can be.

All of it follows from one number: what side a is to score from here on, its chance to win with half of that of a draw,
known after every round. A side *leads* when that is beyond the band from 45 to 55 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from balance.analysis.luck.end_totals import EndTotals
from balance.base.answers import Chance, Count, Doc
from balance.base.arrays import FloatArray, IntArray
from balance.chance.exact.course import Course
from balance.chance.trials.estimate import Estimate

LEAD = 0.55
"""Chance from which a side leads."""
BEHIND = 0.25
"""Chance at or below which a side that wins in the end has come back."""
DECISION = 0.90
"""Chance of the later winner from which on it is decided, if it never falls below again."""
NUMBERS = ("lead_changes", "comebacks", "one_sided", "decided", "length", "largest")
"""What is told of how trials go, by attribute of `Texture`."""
SWING_BINS = 40
"""Steps in which the largest change is measured: 2.5 percentage points each."""


@dataclass(frozen=True)
class Texture:
    """How it goes on its way.

    Shares are of all trials, those of comebacks and one-sided ones of trials that somebody wins.
    """

    lead_changes: Annotated[float, Doc("How often, on average, the lead goes to the other side.")]
    comebacks: Annotated[Chance, Doc("Share in which the winner had been down to 25 % or less after some round.")]
    one_sided: Annotated[Chance, Doc("Share in which the winner never stood below 45 % after any round.")]
    decided: Annotated[float, Doc("Mean time from which on the winner's chance stays at 90 % or more.")]
    length: Annotated[float, Doc("Mean time that a trial takes, in rounds or what the kind of question counts.")]
    largest: Annotated[Chance, Doc("Mean of the largest change that one step of a trial makes to the chance.")]
    settled: Annotated[Mapping[int, float], Doc("Round -> share of the variance that is settled by its end.")]
    errors: Annotated[Mapping[str, float], Doc("Standard errors by name; empty where all is exact.")] = field(
        default_factory=dict
    )
    n_trials: Annotated[Count, Doc("Games that it rests on; 0 where all is exact.")] = 0
    largest_of: Annotated[
        Literal["turn", "round"], Doc("Of what the largest change is: of a round where no more is known.")
    ] = "turn"
    at_end: Annotated[tuple[EndTotals, ...], Doc("What is counted when it is over.")] = ()

    @property
    def half_settled(self) -> int | None:
        """The round by whose end half of the variance is settled; None where no round reaches it."""
        return next((number for number, share in self.settled.items() if share >= 0.5), None)

    def estimate(self, name: str) -> Estimate:
        """Return one of these numbers, by the name of its attribute, with its error."""
        value = float(getattr(self, name))
        return Estimate.of_mean(value, self.errors[name], self.n_trials) if self.n_trials else Estimate.exact(value)


def mean_texture(textures: Sequence[Texture]) -> Texture:
    """Return the mean of textures of processes that are equally likely."""
    if len(textures) == 1:
        return textures[0]
    by_round = [item.settled for item in textures]
    rounds = sorted(set().union(*by_round))
    shares = [[_latest(series, at) for at in rounds] for series in by_round]
    settled = dict(zip(rounds, np.mean(shares, axis=0).tolist(), strict=True))
    means = {name: float(np.mean([getattr(item, name) for item in textures])) for name in NUMBERS}
    errors = {
        name: float(np.linalg.norm([item.errors[name] for item in textures])) / len(textures)
        for name in textures[0].errors
    }
    n_trials, largest_of = sum(item.n_trials for item in textures), textures[0].largest_of
    return Texture(
        **means,
        settled=settled,
        errors=errors,
        n_trials=n_trials,
        largest_of=largest_of,
        at_end=_ends(textures),
    )


def _ends(textures: Sequence[Texture]) -> tuple[EndTotals, ...]:
    """Return the totals at the end averaged over textures."""
    means = []
    for totals in zip(*(item.at_end for item in textures), strict=True):
        losers = [total.loser for total in totals if total.loser is not None]
        winner = Estimate.mean_of([total.winner for total in totals])
        means.append(EndTotals(totals[0].name, winner, Estimate.mean_of(losers) if losers else None))
    return tuple(means)


def _latest(shares: Mapping[int, float], at: int) -> float:
    return shares[max((number for number in shares if number <= at), default=min(shares))]


def texture(course: Course, clock: Callable[[Course, int], float]) -> Texture:
    """Return the exact texture of a course whose value is what side a scores: 1, 1/2 or 0.

    `clock` gives the time after so many steps of the course.
    """
    paths, times = _paths(course), [clock(course, steps) for steps in range(course.n_steps + 1)]
    return Texture(
        lead_changes=_lead_changes(course),
        comebacks=paths[0],
        one_sided=paths[1],
        decided=_decision_time(course, times),
        length=sum(float(course.ending(t).sum()) * times[t] for t in range(1, course.n_steps + 1)),
        largest=_largest(course),
        settled=_settled_shares(course, times),
    )


Relabel = Callable[[IntArray, FloatArray, FloatArray], IntArray]
"""(labels `int[l]`, values before `float64[m, 1]`, after) -> the label that each has after the step, `int[m, l]`."""


@dataclass(frozen=True)
class _Walk:
    """Propagates the probabilities of (state, label) through a course, where labels record what has happened so far."""

    course: Course
    n_labels: int
    first: IntArray
    relabel: Relabel
    every_step: bool

    def ends(self) -> list[tuple[FloatArray, FloatArray]]:
        """Return for each step the probabilities of trials that end then, `float64[states, labels]`, and values."""
        course, endings = self.course, []
        mass = np.zeros((len(course.values[0]), self.n_labels))
        start = course.opening.forward(np.ones(1))
        mass[np.arange(len(start)), self.first] = start
        labels = np.arange(self.n_labels)
        for steps in range(course.n_steps):
            mass = self._step(np.where(course.is_over(steps)[:, None], 0.0, mass), steps, labels)
            ending = course.is_over(steps + 1)
            endings.append((np.where(ending[:, None], mass, 0.0), course.values[steps + 1]))
        return endings

    def _step(self, mass: FloatArray, steps: int, labels: IntArray) -> FloatArray:
        course = self.course
        origin, target, p = course.moves[course.phase(steps)].merged_moves
        after = course.values[steps + 1]
        new = np.broadcast_to(labels, (len(p), self.n_labels))
        ending = course.is_over(steps + 1)[target]
        mask = np.ones(len(p), bool) if self.every_step or course.phase(steps + 1) == 0 else ending
        new_labels = self.relabel(labels, course.values[steps][origin][:, None], after[target][:, None])
        new = np.where(mask[:, None], new_labels, new)
        flat = (target[:, None] * self.n_labels + new).ravel()
        moved_mass = np.bincount(flat, (p[:, None] * mass[origin]).ravel(), len(after) * self.n_labels)
        return np.asarray(moved_mass.reshape(len(after), self.n_labels))


def _leader(values: FloatArray) -> IntArray:
    """Return 1 where side a leads, 2 where side b does, else 0."""
    return np.asarray(np.where(values >= LEAD, 1, np.where(values <= 1 - LEAD, 2, 0)))


MOST_CHANGES = 12
"""Lead changes that are told apart; further ones hardly happen."""


def _lead_changes(course: Course) -> float:
    """Return the mean number of lead changes; a label is (changes so far, who led last)."""

    def relabel(labels: IntArray, _: FloatArray, after: FloatArray) -> IntArray:
        changes, last = np.divmod(labels, 3)
        now = _leader(after)
        is_change = (now > 0) & (last > 0) & (now != last)
        return np.asarray(np.minimum(changes + is_change, MOST_CHANGES) * 3 + np.where(now > 0, now, last))

    n_labels = 3 * (MOST_CHANGES + 1)
    walk = _Walk(course, n_labels, _leader(course.values[0]), relabel, False)
    changes = np.arange(n_labels) // 3
    return float(sum((mass.sum(axis=0) @ changes) for mass, _ in walk.ends()))


def _paths(course: Course) -> tuple[float, float]:
    """Return the shares of comebacks and of one-sided trials; a label says how low each side's chance has been."""
    limits = (BEHIND, 1 - LEAD)

    def low(values: FloatArray) -> IntArray:
        chances = (values, 1 - values)
        flags = [chance <= limit + 1e-12 for chance in chances for limit in limits]
        return np.asarray(sum(flag.astype(np.int64) << place for place, flag in enumerate(flags)))

    def relabel(labels: IntArray, _: FloatArray, after: FloatArray) -> IntArray:
        return np.asarray(np.where((after > 0) & (after < 1), labels | low(after), labels))

    walk = _Walk(course, 16, low(course.values[0]), relabel, False)
    labels = np.arange(16)
    win_mass = comebacks = one_sided = 0.0
    for mass, values in walk.ends():
        for is_won, place in ((values == 1, 0), (values == 0, 2)):
            chance = mass[is_won].sum(axis=0)
            win_mass += float(chance.sum())
            comebacks += float(chance @ (labels >> place & 1))
            one_sided += float(chance @ (1 - (labels >> (place + 1) & 1)))
    return (comebacks / win_mass, one_sided / win_mass) if win_mass > 0 else (0.0, 0.0)


def _decision_time(course: Course, times: Sequence[float]) -> float:
    """Return the mean time from which on the later winner's chance stays at 90 % or more; a draw at its end."""
    last = course.n_steps
    stays = [_win_mask(course, last, side) for side in (1.0, 0.0)]
    decided_mass = [0.0] * (last + 1)
    for steps in range(last, -1, -1):
        if steps < last:
            stays = [_stay(course, steps, side, after) for side, after in zip((1.0, 0.0), stays, strict=True)]
        decided_mass[steps] = float(course.masses[steps] @ (stays[0] + stays[1]))
    ended_mass, total, before = 0.0, 0.0, 0.0
    for steps in range(last + 1):
        ending = course.ending(steps)
        by_now = ended_mass + decided_mass[steps] + float(ending @ ~np.isin(course.values[steps], (0.0, 1.0)))
        total += max(0.0, by_now - before) * times[steps]
        before = max(before, by_now)
        ended_mass += float(ending.sum())
    return total + max(0.0, 1.0 - before) * times[last]


def _win_mask(course: Course, steps: int, side: float) -> FloatArray:
    return np.asarray((course.values[steps] == side).astype(np.float64))


def _stay(course: Course, steps: int, side: float, after: FloatArray) -> FloatArray:
    """Return how likely a side wins from each state without its chance falling below 90 % from there on."""
    values = course.values[steps] if side else 1 - course.values[steps]
    expected = course.moves[course.phase(steps)].expected(after)
    inside = values >= DECISION if course.phase(steps) == 0 else np.ones(len(values), bool)
    return np.where(course.is_over(steps), _win_mask(course, steps, side), np.where(inside, expected, 0.0))


def _largest(course: Course) -> float:
    """Return the mean of the largest change that one step makes; a label is that change so far, in bins."""

    def relabel(labels: IntArray, before: FloatArray, after: FloatArray) -> IntArray:
        change = np.rint(np.abs(after - before) * SWING_BINS).astype(np.int64)
        return np.asarray(np.maximum(labels, change))

    walk = _Walk(course, SWING_BINS + 1, np.zeros(len(course.values[0]), np.int64), relabel, True)
    return float(sum(mass.sum(axis=0) @ np.arange(SWING_BINS + 1) for mass, _ in walk.ends()) / SWING_BINS)


def _settled_shares(course: Course, times: Sequence[float]) -> dict[int, float]:
    """Return round -> share of the variance settled by its end: that of the expected value given the state."""
    shares: dict[int, float] = {}
    ended_variance = 0.0
    for steps in range(course.n_steps + 1):
        values = course.values[steps]
        now = ended_variance + float(course.masses[steps] @ (values - course.mean) ** 2)
        ended_variance += float(course.ending(steps) @ (values - course.mean) ** 2)
        shares[round(times[steps])] = now / course.variance if course.variance > 0 else 0.0
    return dict(sorted(shares.items()))
