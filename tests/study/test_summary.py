"""Limits of a study: each is held against its own number, and broken only when that is passed."""

from __future__ import annotations

import polars as pl
import pytest

from balance.study.run.summary import _count_off, broken_limits
from balance.study.settings.settings import Limits

SUMMARY = {
    "first_mover_advantage": {"mean": 0.25},
    "strongest": {"score": 0.8125},
    "weakest": {"score": 0.125},
    "off_in_every_setting": {"too dear": 3, "too cheap": 4},
    "ladder": {"cyclic_share": 0.0625},
    "match_ups": {"unfair": 5},
}
FOUND = {
    "max_first_mover_advantage": 0.25,
    "max_score": 0.8125,
    "min_score": 0.125,
    "max_too_dear": 3,
    "max_too_cheap": 4,
    "max_cyclic_share": 0.0625,
    "max_unfair": 5,
}


@pytest.mark.parametrize(("name", "value"), FOUND.items())
def test_a_limit_is_held_against_its_own_number(name: str, value: float) -> None:
    assert set(FOUND) == set(Limits.model_fields)
    step = 1 if isinstance(value, int) else 0.01
    beyond = value + step if name.startswith("min") else value - step
    assert list(broken_limits(Limits.model_validate({name: value}), SUMMARY)) == []
    assert list(broken_limits(Limits.model_validate({name: beyond}), SUMMARY)) == [
        f"{name} is {beyond:g}, found {value:.4g}"
    ]
    assert list(broken_limits(Limits.model_validate({name: beyond}), {})) == []


def test_all_that_are_broken_are_told_in_order() -> None:
    none = Limits.model_validate(dict.fromkeys(FOUND, 0) | {"min_score": 1.0})
    assert [text.split()[0] for text in broken_limits(none, SUMMARY)] == list(FOUND)


def test_older_names_of_limits_are_still_read() -> None:
    older = Limits.model_validate({"max_overpriced": 1, "max_underpriced": 2})
    assert older == Limits.model_validate({"max_too_dear": 1, "max_too_cheap": 2})


def test_a_price_counts_as_off_only_where_every_setting_says_so() -> None:
    words = {"a": ["too dear", "too dear"], "b": ["too dear", "not yet known"], "c": ["too cheap", "too dear"]}
    rows = [(name, verdict) for name, verdicts in words.items() for verdict in verdicts]
    assert _count_off(pl.DataFrame(rows, ["entrant", "verdict"], orient="row")) == {"too dear": 1, "too cheap": 0}
