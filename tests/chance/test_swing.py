"""Swing is one number with one definition: closed forms, what it does not depend on, and where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from balance.chance.dice import odds
from balance.chance.pmf import Pmf, die, pool
from balance.chance.swing import about_swing, show_swing, swing_of, why_no_swing


def counted(n: int, faces: int, hits: int) -> Pmf:
    """Return how many of n dice show one of so many faces."""
    return pool(Pmf.of([1] * hits + [0] * (faces - hits), "hits"), n)


@pytest.mark.parametrize("n, faces, hits", [(1, 6, 1), (1, 2, 1), (3, 6, 2), (5, 10, 4), (12, 6, 5), (40, 20, 1)])
def test_of_a_binomial_it_is_known_in_closed_form(n: int, faces: int, hits: int) -> None:
    p = hits / faces
    found = counted(n, faces, hits)
    assert found.sd("hits") == pytest.approx(math.sqrt(n * p * (1 - p)), rel=1e-14)
    assert found.swing("hits") == pytest.approx(math.sqrt((1 - p) / (n * p)), rel=1e-14)


@pytest.mark.parametrize("faces", [2, 6, 20])
def test_of_one_die_it_is_that_of_the_uniform_distribution(faces: int) -> None:
    expected = math.sqrt((faces**2 - 1) / 12) / ((faces + 1) / 2)
    assert die(faces).swing("value") == pytest.approx(expected, rel=1e-14)
    assert odds(f"1d{faces}").swing() == pytest.approx(expected, rel=1e-14)


def test_of_n_alike_it_falls_with_the_square_root() -> None:
    one = odds("1d6").swing() or 0.0
    assert [odds(f"{n}d6").swing() for n in (4, 9, 100)] == pytest.approx([one / 2, one / 3, one / 10], rel=1e-12)


@pytest.mark.parametrize("text", ["3d6 keep 2", "5d10 count >=7", "2d6 - 13", "4dF", "2d6 - 7", "0 * 1d6", "1d1"])
def test_dice_and_distributions_tell_the_same(text: str) -> None:
    found = odds(text)
    assert found.pmf.sd("total") == pytest.approx(found.sd(), abs=1e-15)
    assert found.pmf.swing("total") == (None if found.swing() is None else pytest.approx(found.swing(), rel=1e-14))


def test_it_depends_on_neither_names_order_duplicates_nor_the_unit() -> None:
    rng = np.random.default_rng(1)
    rows, weights = rng.integers(0, 9, (40, 2)), rng.integers(1, 50, 40)
    found = Pmf.from_rows(("x", "y"), rows, weights)
    order = rng.permutation(40)
    again = Pmf.from_rows(("b", "a"), np.tile(7 * rows[order][:, ::-1], (3, 1)), np.tile(11 * weights[order], 3))
    floats = Pmf.from_rows(("x", "y"), rows, weights / 7)
    for one, other in (("x", "a"), ("y", "b")):
        assert again.swing(other) == pytest.approx(found.swing(one), rel=1e-14)
        assert again.sd(other) == pytest.approx(7 * found.sd(one), rel=1e-14)
        assert floats.swing(one) == pytest.approx(found.swing(one), rel=1e-12)


def test_it_has_no_sign() -> None:
    assert die(6).map(lambda value: {"lost": -value}).swing("lost") == die(6).swing("value")


@pytest.mark.parametrize("values", [[0, 0], [-1, 1], [-1, 2], [-1, 0, 5]])
@pytest.mark.parametrize("weight", [1, 0.25])
def test_there_is_none_where_the_mean_is_0_or_signs_differ(values: list[int], weight: float) -> None:
    found = Pmf.from_rows(("margin",), [[value] for value in values], [weight] * len(values))
    assert found.swing("margin") is None
    assert found.sd("margin") == pytest.approx(float(np.std(values)))


@pytest.mark.parametrize("weights", [[3, 5, 9], [0.1, 0.2, 0.3]])
def test_what_never_varies_has_a_swing_of_exactly_0(weights: list[float]) -> None:
    """Also in floating point, where chances do not quite add up to 1."""
    found = Pmf.from_rows(("still", "other"), [[3, 1], [3, 2], [3, 7]], weights)
    assert (found.sd("still"), found.swing("still")) == (0.0, 0.0)


def test_it_is_shown_with_three_places_and_never_at_great_length() -> None:
    assert [show_swing(x) for x in (0.0, 1.23456, 999.9994, 1e300, None)] == [
        "0.000", "1.235", "999.999", ">1,000", "–"
    ]  # fmt: skip
    assert show_swing(2.0, 0.25) == "2.000 ± 0.250"
    assert show_swing(None, None) == "–"


def test_the_sentence_below_a_table_says_what_a_dash_is_where_there_is_one() -> None:
    assert about_swing() == "Swing is the standard deviation over the mean."
    assert about_swing(why_no_swing()) == (
        "Swing is the standard deviation over the mean; – is not measurable here, as the mean is 0 or values lie on "
        "both sides of 0."
    )
    assert why_no_swing(is_simulated=True) == (
        "not measurable here, as the mean is 0, values lie on both sides of 0 or all trials are alike"
    )


def test_only_a_mean_of_exactly_0_has_none() -> None:
    assert (swing_of(0.0, 0.0), swing_of(-0.0, 1.0)) == (None, None)
    assert swing_of(1e-9, 1e-3) == pytest.approx(1e6)
