"""An answer to a question about two sides as JSON tells it: distributions as chances by value, in plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from balance.base.answers import ASKED_FOR, Chance, Count, Doc
from balance.chance.pmf import Agreement, Pmf
from balance.chance.trials.estimate import Estimate
from balance.game.game import Lane
from balance.game.question.answer import Answer, exchange_of
from balance.game.question.findings import AboutQuestion, FirstMover
from balance.game.question.habits import Habits
from balance.game.question.question import Question, Sample
from balance.game.question.sentence import probabilities
from balance.game.question.spread import spread_of

Chances = Annotated[Mapping[str, Chance], Doc("Result -> its chance; they add up to 1.")]
Ends = Annotated[tuple[float, float], Doc("The two ends of an interval.")]
Spreads = Mapping[str, float | None]


@dataclass(frozen=True)
class Losses:
    """The joint distribution of what the sides lose to each other, as a table."""

    columns: Annotated[tuple[str, str, str], Doc("What the second and the first side lose, and the chance.")]
    rows: tuple[tuple[int, int, Chance], ...]


@dataclass(frozen=True)
class Intervals:
    """The ends of the intervals of what was simulated; null where it is not measurable."""

    level: Annotated[Chance, Doc("The chance with which each interval holds the truth.")]
    mean: Mapping[str, Ends]
    sd: Mapping[str, Ends | None]
    swing: Mapping[str, Ends | None]
    p_win: Mapping[str, Ends] | None = field(metadata=ASKED_FOR)


@dataclass(frozen=True)
class Distribution:
    """What happens, column by column; exact where there are no trials."""

    pmf: Annotated[Mapping[str, Mapping[int, Chance]], Doc("Column -> value -> its chance.")]
    mean: Mapping[str, float]
    sd: Annotated[Spreads, Doc("The standard deviation; null: not measurable.")]
    swing: Annotated[Spreads, Doc("Their ratio sd / mean; null: not measurable.")]
    p_win: Chances | None = field(metadata=ASKED_FOR)
    exchange: Losses | None = field(metadata=ASKED_FOR)
    trials: Count | None = field(default=None, metadata=ASKED_FOR)
    seed: int | None = field(default=None, metadata=ASKED_FOR)
    lane: Annotated[Lane | None, Doc("How trials were played: every roll, or finished results looked up.")] = field(
        default=None, metadata=ASKED_FOR
    )
    interval: Intervals | None = field(default=None, metadata=ASKED_FOR)


@dataclass(frozen=True, kw_only=True)
class AnswerRecord(AboutQuestion):
    """The answer to a question about two sides, such as an attack, a duel or a battle."""

    sentence: Annotated[str, Doc("The answer in one sentence.")]
    exact: Annotated[Distribution | None, Doc("The exact distribution, where it can be had.")] = field(
        metadata=ASKED_FOR
    )
    kill: Annotated[Distribution | None, Doc("How many actions it takes until the defender falls.")] = field(
        metadata=ASKED_FOR
    )
    first_mover: Annotated[Mapping[str, FirstMover] | None, Doc("By side.")] = field(metadata=ASKED_FOR)
    habits: Annotated[Mapping[str, Habits] | None, Doc("By side: how well its ways of playing do.")] = field(
        metadata=ASKED_FOR
    )
    simulated: Annotated[
        Distribution | None, Doc("The simulation, where it was asked for or is all that can be had.")
    ] = field(metadata=ASKED_FOR)
    agreement: Annotated[Agreement | None, Doc("Whether both agree.")] = field(metadata=ASKED_FOR)
    partial: Annotated[Literal[True] | None, Doc("Whether the simulation was stopped before its end.")] = field(
        metadata=ASKED_FOR
    )


def answer_record(answer: Answer) -> AnswerRecord:
    """Return what JSON tells of an answer; what does not apply is None, and left out."""
    question, sample = answer.question, answer.simulated
    return AnswerRecord.of(
        question,
        question.kind.name,
        sentence=answer.sentence,
        notes=answer.notes,
        exact=None if answer.exact is None else _distribution(question, answer.exact),
        kill=None if answer.kill is None else _distribution(answer.kill, *answer.kill.known_distribution()),
        first_mover=answer.first_movers or None,
        habits={habits.side: habits for habits in answer.habits} or None,
        simulated=None if sample is None else _simulated(sample),
        agreement=answer.agreement,
        partial=answer.partial or None,
    )


def _distribution(question: Question, distribution: Pmf, trials: int | None = None, **sampled: Any) -> Distribution:
    spreads = {
        column: spread_of(question.kind, distribution, column, trials is None) for column in distribution.columns
    }
    pmf = {column: probabilities(distribution, column) for column in distribution.columns}
    winners, chances = question.kind.winners, pmf.get(question.kind.winner, {})
    exchange = exchange_of(question.kind, distribution)
    rows = () if exchange is None else tuple((*values, p) for values, p in sorted(exchange.joint.items()))
    return Distribution(
        pmf,
        {column: distribution.mean(column) for column in distribution.columns},
        {column: spread.sd for column, spread in spreads.items()},
        {column: spread.swing for column, spread in spreads.items()},
        {name: chances.get(value, 0.0) for name, value in winners.items()} or None,
        None if exchange is None else Losses((*exchange.columns, "p"), rows),
        trials,
        **sampled,
    )


def _simulated(sample: Sample) -> Distribution:
    columns = sample.distribution.columns
    interval = Intervals(
        sample.level,
        {column: sample.mean_interval(column) for column in columns},
        {column: _ends(sample.sd(column)) for column in columns},
        {column: _ends(sample.swing(column)) for column in columns},
        sample.p_win_interval() if sample.question.kind.winners else None,
    )
    sampled = {"seed": sample.seed, "lane": sample.lane, "interval": interval}
    return _distribution(sample.question, sample.distribution, sample.n_trials, **sampled)


def _ends(estimate: Estimate | None) -> tuple[float, float] | None:
    return None if estimate is None else (estimate.low, estimate.high)
