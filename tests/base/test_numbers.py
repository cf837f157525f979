from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_number,
    show_points,
    show_probability,
    show_probability_change,
    show_signed,
    show_unit,
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


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (show_fixed(1234.567), "1,234.57"),
        (show_fixed(-1234.567, 1), "−1,234.6"),
        (show_fixed(-0.5, 0), "0"),
        (show_fixed(-100, 0), "−100"),
        (show_fixed(2.0, 3), "2.000"),
        (show_fixed(-0.01), "−0.01"),
        (show_number(2.3456, 2), "2.3"),
        (show_number(2.3456, 1), "2"),
        (show_number(0.99951), "1.00"),
        (show_number(1), "1.00"),
        (show_number(9.994), "9.99"),
        (show_number(99.95), "100"),
        (show_number(99.94), "99.9"),
        (show_number(1e-12), "0.000000000001"),
        (show_number(1.25e-11), "0.000000000013"),
        (show_number(1e-20), "0.000000000000"),
        (show_number(1000), "1,000"),
        (show_signed(12.34, 2), "+12"),
        (show_signed(1e-9), "+0.00000000100"),
        (show_signed(-0.0), "0"),
        (show_signed(math.inf), "+∞"),
        (show_signed(math.nan), "–"),
        (show_count(-1234567), "−1,234,567"),
        (show_count(0), "0"),
        (show_many(0, "duel"), "0 duels"),
        (show_many(-1, "duel"), "−1 duels"),
        (show_many(2, "is", "are"), "2 are"),
        (show_many(1, "army", "armies"), "1 army"),
        (show_interval(-1, 2.5), "−1.00 to 2.50"),
        (show_unit("6", "hexes"), "6\u00a0hexes"),
        (show_points(1.04), "1\u00a0point"),
        (show_points(-1), "−1\u00a0points"),
        (show_points(1234.56, "crowns"), "1,234.6\u00a0crowns"),
        (show_points(10), "10\u00a0points"),
        (show_points(0.96, "crowns"), "1\u00a0crown"),
    ],
)
def test_a_number_reads_as_people_write_it(shown: str, text: str) -> None:
    assert shown == text


@pytest.mark.parametrize(
    ("p", "decimals", "text"),
    [
        (0.0, 0, "0%"),
        (1.0, 3, "100%"),
        (1e-12, 1, "<0.1%"),
        (0.00049, 1, "<0.1%"),
        (0.0005, 1, "0.1%"),
        (0.001, 1, "0.1%"),
        (0.0049, 0, "<1%"),
        (0.006, 0, "1%"),
        (0.5, 0, "50%"),
        (0.994, 0, "99%"),
        (0.995, 0, ">99%"),
        (0.99949, 1, "99.9%"),
        (0.9995, 1, ">99.9%"),
        (0.9999, 2, "99.99%"),
        (0.99996, 2, ">99.99%"),
        (0.00003, 2, "<0.01%"),
        (0.12345, 2, "12.35%"),
        (0.12345, 1, "12.3%"),
    ],
)
def test_a_probability_is_told_to_the_decimals_asked_for(p: float, decimals: int, text: str) -> None:
    assert show_probability(p, decimals) == text
    if decimals == 1:
        assert show_probability(p) == text


@pytest.mark.parametrize(
    ("change", "decimals", "text"),
    [
        (0.0, 1, "0.0\u00a0pp"),
        (0.01, 1, "+1.0\u00a0pp"),
        (-0.01, 1, "−1.0\u00a0pp"),
        (0.1, 0, "+10\u00a0pp"),
        (0.004, 0, "0\u00a0pp"),
        (-0.01234, 2, "−1.23\u00a0pp"),
        (math.nan, 1, "–\u00a0pp"),
    ],
)
def test_a_change_of_a_probability_is_told_in_points(change: float, decimals: int, text: str) -> None:
    assert show_probability_change(change, decimals) == text
    if decimals == 1:
        assert show_probability_change(change) == text
