"""The draws of every kind of player are those that were published."""

from __future__ import annotations

import json

import pytest

from tests.games.edadh.golden import CASES, FILE, drawn

GOLDEN = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_duels_are_drawn_as_before(case: str) -> None:
    assert drawn(case, "literal") == GOLDEN[case]
    assert drawn(case, "compiled") == GOLDEN[case]


def test_the_file_holds_the_cases() -> None:
    assert list(GOLDEN) == list(CASES)
