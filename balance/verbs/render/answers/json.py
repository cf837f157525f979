"""An answer as the one JSON object that --json prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from balance.chance.trials.estimate import Estimate
from balance.game.question.question import Question

if TYPE_CHECKING:
    from balance.answers.documents import common

SCHEMA: Final = 1


def about(question: Question) -> common.About:
    """Return a question's resolved inputs, its policies with their options, names of codes and what it leaves out."""
    kind = question.kind
    return {
        "inputs": question.inputs,
        "played": kind.played,
        "cannot_see": list(kind.cannot_see),
        "policies": {
            name: {"value": value, "is_default": value == kind.choices[name][0], "allowed": list(kind.choices[name])}
            for name, value in question.choices
        },
        "categories": {
            column: {str(code): name for code, name in names.items()} for column, names in kind.categories.items()
        },
    }


def estimate_json(estimate: Estimate) -> common.KnownNumber:
    """Return a number with its interval, and whether it is exact."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "exact": estimate.is_exact}


def known_json(estimate: Estimate | None) -> common.KnownNumber | None:
    """Return a number as `estimate_json` does; None for None."""
    return None if estimate is None else estimate_json(estimate)
