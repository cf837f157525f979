"""What every single change of a match-up is worth: in score, and in steps of a number that a designer can set.

A change may be a unit less, a hex cleared, another who begins: what the kind of question lists (`single_changes`), or
else each number of either side one step up and one down. Each is played beside the match-up as it stands, with the
same dice where it is simulated, so that its effect, the score of the first side less what it was, has its own interval.

Banners to win, or any other number, make effects comparable: the number's own values are played likewise, outwards from
what it is, and the effect of a change is read off the line through them. A change is worth -1.4 banners where it does
as much as -1.4 banners would. By definition one more of the number itself is worth 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from balance.analysis.changes.handicaps.answer import MatchUpSource, SingleChange, match_up_source
from balance.analysis.changes.handicaps.match_up_score import first_score
from balance.analysis.changes.handicaps.moves import field_step, is_legal, with_step
from balance.analysis.changes.handicaps.settable import Place, numbers_of, value_of, with_number
from balance.base.answers import Count, Doc, formula
from balance.base.arrays import FloatArray
from balance.base.errors import Fault, UsageError, unknown
from balance.chance.trials.collect import collect, process_task
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.evening import INVISIBLE, MOST_STEPS, ROUNDING
from balance.chance.trials.stopping import FixedTrials
from balance.chance.trials.tally import keep_rows
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.game import Step, which_has
from balance.game.question.question import Question

SHARE = 8
"""One in so many of the usual trials of a question is played of each change."""
DICE = "worth"
"""Names the dice of all changes, which are the same."""


@dataclass(frozen=True)
class ChangeWorth(SingleChange):
    """What a single change is worth."""

    name: Annotated[str, Doc("What people call it; the assignment where there is nothing else.")]
    score: Annotated[Estimate, Doc("What the first side scores with it.")]
    effect: Annotated[Estimate, Doc("By how much that is more than without it.")]
    worth: Annotated[
        Estimate | None, Doc("How much of the number does as much; null if not measurable, or beyond what it can do.")
    ]
    beyond: Annotated[
        float | None, Doc("The largest change of the number that was played, where the effect is larger than of that.")
    ]

    @formula
    def measurable(self) -> Annotated[bool, Doc("Whether the interval of its effect leaves out 0.")]:
        """Return whether it is known to do anything."""
        return has_effect(self.effect)


@dataclass(frozen=True)
class NumberEffect:
    """What the number does when it moves."""

    change: Annotated[float, Doc("How much more of it there is.")]
    effect: Annotated[Estimate, Doc("What that adds to the score.")]


@dataclass(frozen=True, repr=False)
class Worths(MatchUpSource):
    """What every single change of a match-up is worth in a number of one side."""

    side: Annotated[str, Doc("Whose number they are measured by.")]
    field: Annotated[str, Doc("Which number.")]
    score: Annotated[Estimate, Doc("What the first side scores as it is.")]
    curve: Annotated[tuple[NumberEffect, ...], Doc("What the number itself does, from less to more of it.")]
    worths: Annotated[
        tuple[ChangeWorth, ...], Doc("Every change, the largest effect first; what is not measurable is last.")
    ]

    @formula
    def measurable(self) -> Annotated[bool, Doc("Whether the number does anything, so that it can measure.")]:
        """Return whether any change of the number is known to have an effect."""
        return any(has_effect(point.effect) for point in self.curve)

    @formula
    def trials(self) -> Annotated[Count, Doc("Of each change; 0 where it is exact.")]:
        """Return on how many trials each score rests."""
        return self.score.n_trials

    def __repr__(self) -> str:
        """Return the number of changes and the number that measures them in one line."""
        return f"<Worths of {len(self.worths)} changes in {self.side}.{self.field}>"


def has_effect(effect: Estimate) -> bool:
    """Return whether the interval of a difference of two scores excludes 0."""
    return effect.low > ROUNDING or effect.high < -ROUNDING


def worth_faults(question: Question, name: str) -> Iterator[Fault]:
    """Yield why changes cannot be measured by a number, named with its side such as `b.health`."""
    if not question.kind.winner:
        tip = which_has(question.game.definition, "winner")
        yield Fault(f"nobody wins in {question.kind.name}, so no change is worth anything", "§worth", tip=tip)
        return
    places = {place.name: place for place in numbers_of(question)}
    if name not in places:
        own_names = [known for known in places if known.partition(".")[2] == name]
        yield unknown(name, own_names or sorted(places), "is no number of one side", "§worth")
    elif value_of(question, places[name]) is None:
        yield Fault("is not one number here, so it cannot be moved", "§worth", found=name)


def worths(runner: Runner, query: Query, number: str, seed: int = 0) -> Worths:
    """Return what every single change of a match-up is worth in a number, named with its side such as `b.health`.

    Raise UsageError where nobody wins, or there is no such number.
    """
    question = query.to(runner.game)
    if faults := list(worth_faults(question, number)):
        raise UsageError(faults)
    place = next(place for place in numbers_of(question) if place.name == number)
    return _WorthSearch(runner, query, question, place, seed).run()


def single_changes(question: Question) -> Iterator[Step]:
    """Yield the single changes of a match-up: those that its kind lists, or else each number a step up and down."""
    if question.kind.single_changes is not None:
        yield from question.kind.single_changes(question)
        return
    for place in numbers_of(question):
        value = value_of(question, place)
        if value is not None and not any(word in place.field for word in INVISIBLE):
            for way in (1, -1):
                new = value + way * field_step(place, value)
                yield Step(place.side, place.field, f"{value:.10g}", f"{new:.10g}")


@dataclass(frozen=True)
class _Played:
    """What the first side scores: on the whole, and in each trial, `float64[n]`, empty where the score is exact."""

    score: Estimate
    trials: FloatArray

    def less(self, base: _Played) -> Estimate:
        """Return the difference from another; of simulations on the same dice with the error of paired trials."""
        if not len(self.trials) or not len(base.trials):
            return self.score - base.score
        gains, n_trials = self.trials - base.trials, len(self.trials)
        variance = max(float(gains.var()), 1 / n_trials if gains.any() else 0.0)
        return Estimate.of_mean(float(gains.mean()), sqrt(variance / n_trials), n_trials)


def _play(seed: int, question: Question) -> _Played:
    """Return what the first side scores: exactly where it can be, else with the dice that all changes share."""
    kind = question.kind
    if not question.why_no_distribution:
        return _Played(Estimate.exact(first_score(question, question.marginal(kind.winner))), np.empty(0))
    n_trials = kind.usual_trials // SHARE
    task = process_task(DICE, kind.processes(question.setup, "literal"), question.block_trials, keep_rows)
    rows = collect(task, FixedTrials(n_trials), seed=seed).result
    winner = _column(rows, kind.winner)
    points = (winner == kind.winners[kind.sides[0]]) + (winner == kind.winners.get("draw", -1)) * question.fair_share
    return _Played(Estimate.of_share(float(points.mean()), n_trials), points)


def _column(rows: Any, name: str) -> npt.NDArray[np.int64]:
    return np.asarray(rows.values[:, rows.columns.index(name)])


@dataclass(frozen=True)
class _WorthSearch:
    """Plays the changes of one match-up, and those of the number that measures them."""

    runner: Runner
    query: Query
    question: Question
    place: Place
    seed: int

    def run(self) -> Worths:
        steps = [
            step for step in single_changes(self.question) if is_legal(with_step(self.query, step), self.runner.game)
        ]
        base, *played = self.play([self.query, *(with_step(self.query, step) for step in steps)])
        effects = [one.less(base) for one in played]
        curve = self.curve(base, [effect.value for effect in effects if has_effect(effect)])
        read_off, rows = _Ruler.of(curve), list[ChangeWorth]()
        for step, play, effect in zip(steps, played, effects, strict=True):
            change = SingleChange(step.side, step.field, step.old, step.new)
            facts = (step.label or change.change, play.score, effect, *read_off(effect))
            rows.append(ChangeWorth(step.side, step.field, step.old, step.new, *facts))
        rows.sort(key=lambda change: (not change.measurable, -abs(change.effect.value), change.change))
        return Worths(
            **match_up_source(self.runner.game, [self.query], False, self.seed),
            side=self.place.side,
            field=self.place.field,
            score=base.score,
            curve=tuple(NumberEffect(change, effect) for change, effect in curve.items()),
            worths=tuple(rows),
        )

    def play(self, queries: Sequence[Query]) -> list[_Played]:
        rows = self.runner(queries, partial(_play, self.seed), "changes", share=False)
        return [row for row in rows if row is not None]

    def curve(self, base: _Played, effects: Sequence[float]) -> dict[float, Estimate]:
        """Return change of the number -> effect, in either direction until one is as large as any of `effects`."""
        value = value_of(self.question, self.place) or 0.0
        unit = field_step(self.place, value)
        curve = {0.0: base.less(base)}
        for way in (1, -1):
            for steps in range(1, MOST_STEPS + 1):
                new = with_number(self.query, self.place, value + way * steps * unit)
                if not is_legal(new, self.runner.game):
                    break
                (played,) = self.play([new])
                effect = curve[way * steps * unit] = played.less(base)
                largest = max([abs(other) for other in effects if other * effect.value > 0], default=0.0)
                if abs(effect.value) >= largest and (has_effect(effect) or steps > 1):
                    break
        return dict(sorted(curve.items()))


@dataclass(frozen=True)
class _Ruler:
    """Monotone line through changes of a number and their effects, `float64[k]` each, effects rising."""

    changes: FloatArray
    effects: FloatArray
    is_flat: bool

    @classmethod
    def of(cls, curve: Mapping[float, Estimate]) -> _Ruler:
        changes = np.array(list(curve))
        effects = np.array([effect.value for effect in curve.values()])
        if effects[-1] < effects[0]:
            changes, effects = changes[::-1], effects[::-1]
        zero = int(np.flatnonzero(changes == 0)[0])
        up = np.maximum.accumulate(effects[zero:])
        down = np.minimum.accumulate(effects[zero::-1])[::-1]
        is_flat = not any(has_effect(effect) for effect in curve.values())
        return cls(changes, np.append(down[:-1], up), is_flat)

    def __call__(self, effect: Estimate) -> tuple[Estimate | None, float | None]:
        """Return the change of the number with this effect, or None; and the last change where that has less."""
        if self.is_flat or not has_effect(effect):
            return None, None
        if not self.effects[0] - ROUNDING <= effect.value <= self.effects[-1] + ROUNDING:
            return None, float(self.changes[-1 if effect.value > 0 else 0])
        value, *ends = np.interp([effect.value, effect.low, effect.high], self.effects, self.changes).tolist()
        return replace(effect, value=value, low=min(ends), high=max(ends), error=None), None
