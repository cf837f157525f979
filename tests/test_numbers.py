from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_number,
    show_points,
    show_probability,
    show_probability_change,
    show_signed,
)


@pytest.mark.parametrize(
    ("x", "text"),
    [(9.999, "10.0"), (0.9996, "1.00"), (1e-7, "0.000000100"), (123456.7, "123,457"), (-0.0, "0"), (-1234.5, "−1,234")],
)
def test_numbers(x: float, text: str) -> None:
    assert show_number(x) == text


@pytest.mark.parametrize(("x", "text"), [(math.nan, "–"), (math.inf, "∞"), (-math.inf, "−∞")])
def test_what_is_no_number(x: float, text: str) -> None:
    assert show_number(x) == show_fixed(x) == text


def test_no_negative_zero() -> None:
    assert show_fixed(-0.0004, 2) == "0.00"
    assert show_probability_change(-0.0001) == "0.0\u00a0pp"
    assert show_probability_change(0.0001) == "0.0\u00a0pp"


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_only_a_certain_thing_prints_as_certain(p: float) -> None:
    assert show_probability(p) not in {"0%", "100%", "0.0%", "100.0%"}


def test_certain_things() -> None:
    assert (show_probability(0), show_probability(1)) == ("0%", "100%")
    assert show_probability(math.nan) == "–"


@given(st.floats(-1e6, 1e6))
def test_a_hyphen_is_never_a_minus(x: float) -> None:
    texts = [
        show_number(x),
        show_signed(x),
        show_fixed(x),
        show_points(x),
        show_probability_change(x),
        show_interval(x, x),
    ]
    assert not any("-" in text for text in [*texts, show_count(int(x))])


@given(st.floats(1e-6, 1e9))
def test_three_figures_are_right(x: float) -> None:
    assert float(show_number(x).replace(",", "")) == pytest.approx(x, rel=0.0051)


def test_points_in_a_games_own_words() -> None:
    assert show_points(1, "war points") == "1\u00a0war point"
    assert show_points(0) == "0\u00a0points"
