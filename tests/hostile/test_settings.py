"""Values that are set: an answer or an error of ours, within the bounds of time and memory."""

from __future__ import annotations

import sys

import pytest

from tests.hostile.commands import endings
from tests.hostile.settings import case, is_sound

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processor time is read from /proc")
FEWEST_VALID = 0.5


@pytest.mark.parametrize("n", [8, pytest.param(2_000, marks=pytest.mark.slow)])
def test_values_that_are_set_end_in_an_answer_or_an_error_of_ours(n: int) -> None:
    told = [*endings(map(case, range(n)))]
    assert [(each.case.words, each.fault) for each in told if each.fault] == []
    assert sum(each.is_valid for each in told) >= FEWEST_VALID * n


def test_most_values_are_such_as_a_game_accepts() -> None:
    assert sum(map(is_sound, range(60))) >= FEWEST_VALID * 60
