"""How a way of playing does: its score, and an interval that stays within what a score can be."""

from __future__ import annotations

import pytest

from balance.pmf import Pmf
from balance.protocol.habits import _habit

WINNERS = {"a": 1, "b": 2, "draw": 0}


@pytest.mark.parametrize(("side", "score"), [("a", 0.5 + 0.1), ("b", 0.3 + 0.1)])
def test_a_draw_is_half_a_win_for_either(side: str, score: float) -> None:
    distribution = Pmf.of({1: 50, 2: 30, 0: 20}, ("winner",))
    found = _habit("bold", WINNERS, distribution, side, 100).score
    variance = (0.5 if side == "a" else 0.3) + 0.2 / 4 - score**2
    half = 1.959964 * (variance / 100) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx((score, score - half, score + half), abs=1e-6)


@pytest.mark.parametrize(("winner", "value"), [(1, 1.0), (2, 0.0)])
def test_a_streak_of_one_result_is_no_certainty_and_no_score_is_beyond_the_ends(winner: int, value: float) -> None:
    found = _habit("bold", WINNERS, Pmf.of({winner: 64}, ("winner",)), "a", 64).score
    assert found.value == value
    assert (found.low, found.high) == pytest.approx(
        (max(0.0, value - 1.96 / 64), min(1.0, value + 1.96 / 64)), abs=1e-4
    )


def test_where_nobody_can_draw_only_wins_count() -> None:
    distribution = Pmf.of({1: 60, 2: 40}, ("winner",))
    assert _habit("bold", {"a": 1, "b": 2}, distribution, "a", 100).score.value == pytest.approx(0.6)
