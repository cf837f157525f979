"""Conclusions that a report holds against assumed values: what `report.toml` asks for, and the tables that come back.

[[robustness]]
id = "red_bandit"
title = "Who is ahead, whatever the dice show"
rung = "duel"
one = "ecarus"
other = "red_bandit"
over = ["faces"]

The run keeps one table `robustness`, a row for each: its `id`, the question, what is read off and concluded, how many
values could be moved, and the fewest moves found that flip the conclusion. Beside it stand, for each,
`robustness_ID_values` (between which ends each value moves the number, the widest first), `robustness_ID_moves` (those
fewest moves) and `robustness_ID_region` (the number for every step of two turns of faces; see
`balance.analysis.claims.region`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import polars as pl
from pydantic import Field, model_validator

from balance.analysis.claims.conclusion import Claim, in_words
from balance.analysis.claims.region import Region
from balance.analysis.claims.robustness import MOST_MOVES, Robustness, Span, robustness
from balance.analysis.scores.measures import Measure
from balance.base.errors import BalanceError, Fault
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.game.question.question import SIMULATED_TRIALS, Question
from balance.game.words import Text
from balance.study.settings.tables import ReportQuestion, leave_out

PARTS = ("values", "moves", "region")
Schema = Mapping[str, pl.DataType | type[pl.DataType]]
SCHEMA: Schema = {
    **dict.fromkeys(("id", "one", "other"), pl.String),
    "changes": pl.List(pl.String),
    "measure": pl.String,
    "is_share": pl.Boolean,
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    "says": pl.String,
    "limit": pl.Float64,
    **dict.fromkeys(("n_trials", "n_values", "n_alone", "n_unseen", "n_fixed", "n_moves", "most"), pl.Int64),
    "flips": pl.Boolean,
    **dict.fromkeys(("then", "then_low", "then_high"), pl.Float64),
    "then_says": pl.String,
    "stands": pl.Float64,
    **dict.fromkeys(("across", "down"), pl.String),
}
PART_SCHEMAS: Mapping[str, Schema] = {
    "values": {
        **dict.fromkeys(("path", "is", "lowest_at", "highest_at"), pl.String),
        **dict.fromkeys(("lowest", "highest"), pl.Float64),
        "flips": pl.Boolean,
    },
    "moves": dict.fromkeys(("path", "is", "to"), pl.String),
    "region": {
        **dict.fromkeys(("across", "down"), pl.Int64),
        **dict.fromkeys(("value",), pl.Float64),
        "flips": pl.Boolean,
    },
}


class ReportRobustness(ReportQuestion):
    """One conclusion to be held against assumed values.

    * `over`: tables whose values move; all without it.
    * `measure`: what is read off; what `balance tornado` reads off without it.
    * `at_least` and `at_most`: what is concluded; on which side of one half a chance lies without either.
    * `moves`: how many values move at once, at most.
    * `finding`: a sentence for the first page, with `{value}`, `{says}` and `{flip}` in it; or empty.
    """

    over: list[Text] = Field(default=[])
    measure: Measure | None = None
    at_least: float | None = None
    at_most: float | None = None
    moves: Annotated[int, Field(ge=1, le=20)] = MOST_MOVES
    trials: Annotated[int, Field(ge=1, le=2**24)] = SIMULATED_TRIALS
    finding: Annotated[str, Field(max_length=600)] = ""

    @model_validator(mode="after")
    def _one_conclusion(self) -> ReportRobustness:
        if self.at_least is not None and self.at_most is not None:
            raise ValueError("holds at_least and at_most: ask for one after the other")
        return self

    @property
    def claim(self) -> Claim | None:
        """The conclusion as a threshold; None if none is set, so that the side of one half is concluded."""
        if self.at_least is not None:
            return Claim("at_least", self.at_least)
        return Claim("at_most", self.at_most) if self.at_most is not None else None


def part_name(robustness_id: str, part: str) -> str:
    """Return the name under which a run keeps one of the tables of a conclusion.

    >>> part_name("red_bandit", "moves")
    'robustness_red_bandit_moves'
    """
    return f"robustness_{robustness_id}_{part}"


def robustness_frames(
    runner: Runner,
    questions: Sequence[ReportRobustness],
    seed: int = 0,
    changes: Callable[[str], tuple[str, ...]] = lambda kind: (),
    gaps: list[Fault] | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables of conclusions held against assumed values; none for no question.

    `seed` is for what has to be simulated, `changes` gives a study's assignments for a kind of question. What cannot be
    asked, as with a catalogue that states every value, is added to `gaps`; without it `StudyError` is raised.
    """
    queries = [question.ask(question.rung, changes(question.rung)) for question in questions]
    rows, frames = list[dict[str, Any]](), dict[str, pl.DataFrame]()
    for question, query in zip(questions, queries, strict=True):
        shake = Shake(
            query, tuple(question.over), question.measure, question.claim, question.moves, question.trials, seed
        )
        (result,) = runner([query], shake, "conclusions", share=False)
        if not isinstance(result, dict):
            leave_out(result or (), f"robustness {question.id}", gaps)
            continue
        rows.append(
            {"id": question.id, "one": query.side_a, "other": query.side_b, "changes": list(query.changes)}
            | result["row"]
        )
        frames |= {
            part_name(question.id, part): pl.DataFrame(result[part], PART_SCHEMAS[part], orient="row") for part in PARTS
        }
    if not rows:
        return {}
    return {"robustness": pl.DataFrame(rows, SCHEMA)} | frames


@dataclass(frozen=True)
class Shake:
    """A measure for `Runner`: question -> the parts of `robustness_frames` as plain rows, or why there are none."""

    query: Query
    over: tuple[str, ...]
    measure: Measure | None
    claim: Claim | None
    most: int
    trials: int
    seed: int

    def __call__(self, question: Question) -> dict[str, Any] | tuple[Fault, ...]:
        """Return the parts as plain rows, from moving every assumed value; the faults if that cannot be asked."""
        try:
            result = robustness(
                Runner(load(question.game.definition, question.game.catalogue)),
                self.query,
                self.measure,
                self.claim,
                self.over,
                self.most,
                self.trials,
                self.seed,
            )
        except BalanceError as error:
            return error.faults
        flip, turning_region = result.smallest_flip, result.region
        return {
            "row": _row(question, result, turning_region, self.most),
            "values": [_values(span) for span in result.spans],
            "moves": [(move.path, move.old, move.new) for move in (flip.moves if flip else ())],
            "region": [] if turning_region is None else list(_cells(result, turning_region)),
        }


def _row(question: Question, result: Robustness, turning_region: Region | None, max_changes: int) -> dict[str, Any]:
    bench, base, flip = result.bench, result.bench.base, result.smallest_flip

    def says(verdict: Any) -> str:
        return in_words(bench.claim, bench.measure, verdict, question.kind.winners)

    then = None if flip is None else flip.outcome
    return {
        "measure": str(bench.measure),
        "is_share": bench.measure.is_share,
        "value": base.value.value,
        "low": base.value.low,
        "high": base.value.high,
        "says": says(base.verdict),
        "limit": None if bench.claim is None else bench.claim.limit,
        "n_trials": base.value.n_trials,
        "n_values": len(result.spans) + len(result.without_effect),
        "n_alone": sum(bool(span.flips) for span in result.spans),
        "n_unseen": len(result.without_effect),
        "n_fixed": len(result.fixed),
        "n_moves": 0 if flip is None else len(flip.moves),
        "most": max_changes,
        "flips": flip is not None and flip.does_flip,
        "then": None if then is None else then.value.value,
        "then_low": None if then is None else then.value.low,
        "then_high": None if then is None else then.value.high,
        "then_says": "" if then is None else says(then.verdict),
        "stands": None if turning_region is None else turning_region.stands,
        "across": "" if turning_region is None else str(turning_region.across),
        "down": "" if turning_region is None else str(turning_region.down),
    }


def _values(span: Span) -> tuple[Any, ...]:
    low, high = span.ends
    ends = ("" if move is None else move.new for move in (span.low, span.high))
    return span.place.path, span.place.old, *ends, low.value, high.value, bool(span.flips)


def _cells(result: Robustness, turning_region: Region) -> list[tuple[int, int, float | None, bool]]:
    """Return (across, down, value, flips) for every step of both turns; value None where the faces are refused."""
    return [
        (x, y, None if cell is None else cell.value.value, cell is not None and result.bench.flips(cell))
        for y, row in zip(turning_region.down.steps, turning_region.cells, strict=True)
        for x, cell in zip(turning_region.across.steps, row, strict=True)
    ]
