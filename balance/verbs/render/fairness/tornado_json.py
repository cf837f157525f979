"""`balance tornado` as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.analysis.claims.conclusion import Outcome
    from balance.analysis.claims.region import Region, Turn
    from balance.analysis.claims.robustness import Flip, Robustness, Span
    from balance.chance.trials.estimate import Estimate
    from balance.game.question.question import Question

__all__ = ["as_json"]

SCHEMA = 1


def as_json(question: Question, found: Robustness, drawn: Region | None, most: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    bench, catalogue = found.bench, question.loaded.catalogue
    return {
        "schema": SCHEMA,
        "game": question.loaded.game.name,
        "verb": "tornado",
        "kind": question.kind.name,
        "entrants": list(question.entrants),
        "first": question.first or None,
        "changes": list(question.changes),
        "choices": dict(question.choices),
        "measure": str(bench.measure),
        "claim": asdict(bench.claim) if bench.claim is not None else None,
        **_outcome(bench.base),
        "n_trials": bench.base.value.n_trials or None,
        "values": [_span(span) for span in found.spans],
        "fewest": _flip(found.fewest, most) if found.fewest is not None else None,
        "region": _region(drawn) if drawn is not None else None,
        "not_measurable_here": [place.path for place in found.unseen],
        "refused": [place.path for place in found.fixed],
        "seed": bench.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _number(found: Estimate) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high}


def _outcome(found: Outcome) -> dict[str, Any]:
    return {**_number(found.value), "verdict": found.verdict or None}


def _span(span: Span) -> dict[str, Any]:
    low, high = span.ends
    moves = (None if move is None else move.new for move in (span.low, span.high))
    ends = zip(("lowest", "highest"), (low, high), moves, strict=True)
    return {
        "path": span.place.path,
        "is": span.place.old,
        **{name: {"to": new, **_number(end)} for name, end, new in ends},
        "width": span.width,
        "flips": [move.new for move in span.flips],
    }


def _flip(flip: Flip, most: int) -> dict[str, Any]:
    moves = [{"path": move.place.path, "from": move.place.old, "to": move.new} for move in flip.moves]
    return {"found": flip.found, "most": most, "moves": moves, **_outcome(flip.outcome)}


def _region(drawn: Region) -> dict[str, Any]:
    cells = [[None if cell is None else _outcome(cell) for cell in row] for row in drawn.cells]
    return {"across": _turn(drawn.across), "down": _turn(drawn.down), "cells": cells, "stands": drawn.stands}


def _turn(turn: Turn) -> dict[str, Any]:
    return {"of": list(turn.of), "from": turn.one, "to": turn.other, "steps": list(turn.steps)}
