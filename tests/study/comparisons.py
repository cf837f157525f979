"""Answers of `compare` written by hand: nothing changes but what is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import polars as pl

from balance.answers.form import Terms
from balance.game.words import Words
from balance.study.compare.answer import (
    Affected,
    CardChange,
    ChangeSummary,
    Comparison,
    DominanceChange,
    EqualPoints,
    FirstMover,
    MatchUpChange,
    Standing,
)
from balance.study.compare.compare import SCHEMA

EFFECTS = {"none": 0, "small": 0, "changed": 0, "not yet known": 0}
NOBODY = DominanceChange({}, {}, 0, 0, {"before": 0, "after": 0}, {"became": {}, "no_longer": {}})
SUMMARY = ChangeSummary(
    *(0,) * 7, EFFECTS, EFFECTS, {}, {}, 0, 0, 0, 0.0, FirstMover(*(None,) * 6), FirstMover(*(None,) * 6), NOBODY,
    (), (), {}, 0.02, 0.95, "", "",
)  # fmt: skip


def terms(words: Words, title: str = "Game") -> Terms:
    """Return the terms of a game with these words."""
    return Terms(title, "game", words.points, words.entrant, words.entrants, "duel", (), False, (), "")


def standing(entrant: str, **more: Any) -> Standing:
    """Return an entrant that stands as it stood, but for `more`."""
    row: dict[str, Any] = {part.name: None for part in fields(Standing)}
    row |= {"entrant": entrant, "n_touched": 1, "cost_before": 5.0, "cost_after": 5.0, "cards": ()}
    row |= {"before": 0.5, "after": 0.5, "difference": 0.0, "dominated_before": False, "dominated_after": False}
    return Standing(**row | more)


def match_up(a: str, b: str, **more: Any) -> MatchUpChange:
    """Return a match-up that the change touches to no effect, but for `more`."""
    row: dict[str, Any] = {part.name: None for part in fields(MatchUpChange)}
    row |= {"situation": "", "a": a, "b": b, "policies": "", "method": "exact", "touched": True, "n_pairs": 0}
    row |= {"before": 0.5, "after": 0.5, "difference": 0.0, "verdict_before": "fair", "verdict_after": "fair"}
    return MatchUpChange(**row | {"effect": "none"} | more)


def comparison(
    cards: Sequence[CardChange] = (),
    rows: Sequence[Standing] = (),
    *,
    everybody: bool = False,
    equal_points: EqualPoints | None = None,
    changes: Sequence[MatchUpChange] = (),
    title: str = "Fix",
    **numbers: Any,
) -> Comparison:
    """Return a comparison with these cards and standings; `numbers` are those of its summary."""
    affected = Affected.of(tuple(cards), everybody, tuple(rows))
    summary = replace(SUMMARY, **numbers)
    known = 1, "compare", title, "game", 0, ("0" * 64, "1" * 64), (), equal_points, summary, affected, tuple(changes)
    return Comparison(*known, pl.DataFrame(schema=SCHEMA), {})  # type: ignore[arg-type]
