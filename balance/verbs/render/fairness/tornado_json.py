"""`balance tornado` as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from balance.base.records import record_json

if TYPE_CHECKING:
    from balance.analysis.claims.conclusion import Outcome
    from balance.analysis.claims.region import Region, Turn
    from balance.analysis.claims.robustness import Flip, Robustness, Span
    from balance.answers.documents import common, sources
    from balance.chance.trials.estimate import Estimate
    from balance.game.question.question import Question

SCHEMA: Final = 1


def as_json(question: Question, robustness: Robustness, region: Region | None, max_moves: int) -> sources.Tornado:
    """Return the object that --json prints, the same bytes for the same question.

    `region` is None where no faces of dice can be turned; `max_moves` values moved at once, at most.
    """
    bench, catalogue = robustness.bench, question.game.catalogue
    return {
        "schema": SCHEMA,
        "game": question.game.definition.name,
        "verb": "tornado",
        "kind": question.kind.name,
        "entrants": list(question.entrants),
        "first": question.first or None,
        "changes": list(question.changes),
        "choices": dict(question.choices),
        "measure": str(bench.measure),
        "claim": record_json(bench.claim) if bench.claim is not None else None,
        **_outcome(bench.base),
        "n_trials": bench.base.value.n_trials or None,
        "values": [_span(span) for span in robustness.spans],
        "fewest": _flip(robustness.smallest_flip, max_moves) if robustness.smallest_flip is not None else None,
        "region": _region(region) if region is not None else None,
        "not_measurable_here": [place.path for place in robustness.without_effect],
        "refused": [place.path for place in robustness.fixed],
        "seed": bench.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _number(estimate: Estimate) -> common.Interval:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _outcome(outcome: Outcome) -> sources.Outcome:
    return {**_number(outcome.value), "verdict": outcome.verdict or None}


def _span(span: Span) -> sources.Span:
    low, high = span.ends
    return {
        "path": span.place.path,
        "is": span.place.old,
        "lowest": {"to": None if span.low is None else span.low.new, **_number(low)},
        "highest": {"to": None if span.high is None else span.high.new, **_number(high)},
        "width": span.width,
        "flips": [move.new for move in span.flips],
    }


def _flip(flip: Flip, max_moves: int) -> sources.Flip:
    moves: list[sources.Move] = [
        {"path": move.place.path, "from": move.place.old, "to": move.new} for move in flip.moves
    ]
    return {"found": flip.does_flip, "most": max_moves, "moves": moves, **_outcome(flip.outcome)}


def _region(region: Region) -> sources.Region:
    cells = [[None if cell is None else _outcome(cell) for cell in row] for row in region.cells]
    return {"across": _turn(region.across), "down": _turn(region.down), "cells": cells, "stands": region.stands}


def _turn(turn: Turn) -> sources.Turn:
    return {"of": list(turn.of), "from": turn.old, "to": turn.new, "steps": list(turn.steps)}
