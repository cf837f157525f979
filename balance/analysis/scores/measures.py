"""Measures read off an answer: a mean, a chance, who wins or scores; with the error of that number.

The distribution of a question is exact where possible; otherwise it is the counts of simulated trials. A number is the
mean of a variable that is 0 or 1, or lies between them, or is a difference of columns. If it is simulated it carries a
95 % interval: Wilson's for a variable between 0 and 1 (for one that takes other values than these two it is wider than
need be), else the normal one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import Field, ValidationError, model_validator

from balance.base.arrays import FloatArray
from balance.base.errors import Fault, UsageError, unknown
from balance.base.numbers import show_number, show_probability
from balance.catalogue.toml_model import Frozen
from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.game.game import QuestionKind
from balance.game.open_game import OpenGame
from balance.game.words import Text


class Measure(Frozen):
    """What is read off an answer: exactly one of `mean`, `chance`, `wins` and `score`.

    `mean`: a column: its mean, less that of the column `less` if one is named; for each `per_points` points that the
    first side costs, if they are given. `chance`: a column: the chance that it is `at_least` so much. `wins` and
    `score`: a result such as "a": its chance, or that with half the chance of a draw.
    """

    mean: Text | None = None
    less: Text | None = None
    per_points: Annotated[int, Field(ge=1, le=1000)] | None = None
    chance: Text | None = None
    at_least: int = 1
    wins: Text | None = None
    score: Text | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Measure:
        kinds = [name for name in ("mean", "chance", "wins", "score") if getattr(self, name) is not None]
        if len(kinds) != 1:
            raise ValueError(f"holds {' and '.join(kinds) or 'nothing'}: give one of mean, chance, wins and score")
        if self.less is not None and self.mean is None:
            raise ValueError("says less of what: `less` goes with `mean`")
        if self.per_points is not None and self.mean is None:
            raise ValueError("says how many points of what: `per_points` goes with `mean`")
        return self

    def columns(self, winner: str) -> tuple[str, ...]:
        """Return the columns it needs; `winner` is the one that says who won."""
        names = [self.mean, self.less, self.chance, winner if self.result else None]
        return tuple(dict.fromkeys(name for name in names if name is not None))

    @property
    def result(self) -> str | None:
        """The result whose chance or score it is, such as "a"; None for other measures."""
        return self.wins or self.score

    @property
    def is_share(self) -> bool:
        """Whether it is a chance or a score, between 0 and 1."""
        return self.mean is None

    def show(self, x: float) -> str:
        """Return a number as this measure shows it: percent for a share.

        >>> Measure(wins="a").show(0.25), Measure(mean="damage").show(0.25)
        ('25.0%', '0.250')
        """
        return show_probability(x) if self.is_share else show_number(x)

    def __str__(self) -> str:
        """Return it in words, such as "score of a", for the exported tables."""
        if self.mean is not None:
            less_text = f" less {self.less}" if self.less else ""
            return f"mean {self.mean}{less_text}" + (f" per {self.per_points} points" if self.per_points else "")
        if self.chance is not None:
            return f"chance of {self.chance} >= {self.at_least}"
        return f"wins of {self.wins}" if self.wins else f"score of {self.score}"


@dataclass(frozen=True)
class Answer:
    """A distribution of the columns asked for, and the trials it was counted in; None if it is exact."""

    distribution: Pmf
    n_trials: int | None = None


def share_of_points(measure: Measure, game: OpenGame, entrant: str) -> float:
    """Return the factor of a number read off: 1, or `per_points` over the cost of the first side.

    Raise UsageError where the first side costs nothing.
    """
    if measure.per_points is None:
        return 1.0
    if (cost := game.cost_points(entrant)) <= 0:
        raise UsageError(f"{game.label(entrant)} costs nothing, so there is no {measure}")
    return measure.per_points / cost


def read_off(
    measure: Measure, answer: Answer, winners: Mapping[str, int], winner: str = "", scale: float = 1.0
) -> Estimate:
    """Return the number that a measure takes from an answer, times `scale` (see `share_of_points`).

    `winner` is the column that says who won, and `winners` its code for each result.
    """
    distribution, values = answer.distribution, scale * _values(measure, answer.distribution, winners, winner)
    mean = float(distribution.p @ values)
    if answer.n_trials is None:
        return Estimate.exact(mean)
    n = answer.n_trials
    error = (max(float(distribution.p @ values**2) - mean**2, 0.0) / n) ** 0.5
    return replace(Estimate.of_share(mean, n), error=error) if measure.is_share else Estimate.of_mean(mean, error, n)


def _values(measure: Measure, distribution: Pmf, winners: Mapping[str, int], winner: str) -> FloatArray:
    """Return the variable whose mean is asked for, `float64[m]` over the m outcomes of a distribution."""
    if measure.mean is not None:
        subtrahend = distribution[measure.less] if measure.less is not None else 0
        return np.asarray(distribution[measure.mean] - subtrahend, np.float64)
    if measure.chance is not None:
        return np.asarray(distribution[measure.chance] >= measure.at_least, np.float64)
    codes = distribution[winner]
    wins = np.asarray(codes == winners[str(measure.result)], np.float64)
    if measure.score is None or "draw" not in winners:
        return wins
    return wins + np.asarray(codes == winners["draw"], np.float64) / 2


def measure_faults(measure: Measure, kind: QuestionKind) -> Iterator[Fault]:
    """Yield a fault of the field `measure` for each column or result that a kind of question does not have."""
    for name in measure.columns(kind.winner):
        if name not in kind.columns:  # empty for a result where nobody wins
            yield unknown(name or "winner", kind.columns, f"is no column of {kind.name}", field="measure")
    for column in {measure.mean, measure.less, measure.chance} & set(kind.categories):
        tip = "a result such as wins or score can be shown" if column == kind.winner else "show a column that counts"
        yield Fault("holds codes, which have no mean and no order", "", None, "measure", column, tip=tip)
    if measure.result is not None and kind.winners and measure.result not in kind.winners:
        choices = ", ".join(kind.winners)
        yield Fault(f"is no result of {kind.name}", "", None, "measure", measure.result, choices)


def usual_measure(kind: QuestionKind) -> Measure:
    """Return the default measure: the score of the first side, else the mean of the effect, the duration or a count."""
    if kind.winners:
        return Measure(score=next(iter(kind.winners)))
    counts = (name for name in kind.columns if name not in kind.categories)
    return Measure(mean=kind.column("effect") or kind.column("duration") or next(counts))


def parse_measure(text: str, kind: QuestionKind) -> Measure:
    """Return a measure as typed: `score=a`, or `mean=damage,per_points=10`.

    Raise UsageError where it is none, or the kind of question cannot tell it.
    """
    pairs = [part.partition("=")[::2] for part in text.split(",")]
    values: dict[str, object] = {name.strip(): value.strip() for name, value in pairs}
    for name in ("at_least", "per_points"):
        if (number := str(values.get(name, ""))).lstrip("-").isdecimal():
            values[name] = int(number)
    try:
        if len(values) < len(pairs):
            raise ValueError
        measure = Measure.model_validate(values)
    except (ValidationError, ValueError):
        tip = "such as score=a, mean=COLUMN, mean=COLUMN,less=COLUMN or chance=COLUMN,at_least=2"
        raise UsageError(Fault("is no measure", "§measure", found=text, tip=tip)) from None
    if faults := [replace(fault, path="§measure", field="") for fault in measure_faults(measure, kind)]:
        raise UsageError(faults)
    return measure
