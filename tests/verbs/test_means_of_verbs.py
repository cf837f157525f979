"""No number of a verb depends on where its work is done, or on what earlier calls left in the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import balance
from balance.verbs.result import Result

NEXUS, TROOPER = "nexus+shotgun", "trooper+sidearm"
CALLS: dict[str, Callable[..., Result]] = {
    "luck": lambda **means: balance.luck("battlelore", "duel", "blue_foot", "red_foot", **means),
    "luck of a field": lambda **means: balance.luck("warforged", "duel", among=[NEXUS, TROOPER], **means),
}
"""What is asked -> the call, which takes the options that say how its work is done."""


@pytest.mark.parametrize("asked", list(CALLS))
def test_the_answer_is_the_same_wherever_it_is_worked_out(asked: str) -> None:
    alone = CALLS[asked](jobs=1, cache=False)
    assert CALLS[asked](jobs=2, executor="processes", cache=False).to_dict() == alone.to_dict()


@pytest.mark.parametrize("asked", list(CALLS))
def test_the_answer_is_the_same_out_of_the_cache(asked: str, tmp_path: Path) -> None:
    first, second = (CALLS[asked](jobs=1, cache=tmp_path) for _ in range(2))
    assert list(tmp_path.glob("answers/*/*.json"))
    assert second.to_dict() == first.to_dict() == CALLS[asked](jobs=1, cache=False).to_dict()
    assert str(second) == str(first)


@pytest.mark.parametrize("asked", list(CALLS))
def test_every_form_of_a_result_is_short_where_it_should_be(asked: str) -> None:
    result = CALLS[asked](jobs=1)
    assert len(repr(result)) < 200
    assert len(repr(result.value)) < 200
    assert all(len(frame.columns) > 0 for frame in result.tables.values())
    assert result.plot().axes
    assert result.sentence in str(result).replace("\n  ", " ")
    assert "<table>" in result._repr_html_()
