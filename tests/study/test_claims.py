"""What may be claimed: which of two numbers is more, and how much of a table goes with its rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.chance.trials.estimate import LEVEL
from balance.chance.trials.stopping import normal_width
from balance.study.frames.claims import Field, apart, fields_of, rank, variance_shares


def cell(value: float | None, half: float | None = None, beyond: int | None = None) -> dict[str, Any]:
    ends = {"low": None, "high": None} if half is None or value is None else {"low": value - half, "high": value + half}
    return {"value": value, "beyond": beyond} | ends


def test_fields_are_read_with_their_brackets() -> None:
    found = list(fields_of("a {cell[x y][z]} b{shares}{odd[[x]]}{{not}}"))
    assert found == [
        ("a ", Field("cell", ("x y", "z"))),
        (" b", Field("shares")),
        ("", Field("odd[[x]]")),
        ("{", None),
        ("not}", None),
    ]
    assert str(found[0][1]) == "cell[x y][z]"


@pytest.mark.parametrize(
    ("field", "of_all"),
    [
        (Field("most"), True),
        (Field("least_row"), True),
        (Field("largest_range"), True),
        (Field("shares"), True),
        (Field("most", ("x",)), False),
        (Field("cell"), False),
        (Field("row_range"), False),
        (Field("than"), False),
    ],
)
def test_some_fields_hold_all_columns_against_each_other(field: Field, of_all: bool) -> None:
    assert field.of_all == of_all


def test_a_worth_beyond_its_steps_sorts_by_the_last_of_them() -> None:
    assert [rank(one) for one in (cell(0.5), cell(None, beyond=3), cell(None), cell(0.0, beyond=9))] == [
        0.5,
        3,
        None,
        0,
    ]


@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [
        (cell(0.6), cell(0.5), 1),
        (cell(0.5), cell(0.6), -1),
        (cell(0.5), cell(0.5 + 9e-10), 0),
        (cell(0.5), cell(0.5 + 2e-9), -1),
        (cell(0.5 + 2e-9), cell(0.5), 1),
        (cell(0.6, 0.03), cell(0.5, 0.04), 1),  # 3, 4, 5: apart by more than 0.05
        (cell(0.551, 0.03), cell(0.5, 0.04), 1),
        (cell(0.549, 0.03), cell(0.5, 0.04), 0),
        (cell(0.449, 0.03), cell(0.5, 0.04), -1),
        (cell(0.451, 0.03), cell(0.5, 0.04), 0),
        (cell(None), cell(0.5), -1),
        (cell(None, beyond=2), cell(1.5), 1),
    ],
)
def test_two_numbers_are_apart_if_the_interval_of_their_difference_leaves_out_0(
    one: dict[str, Any], other: dict[str, Any], sign: int
) -> None:
    assert (apart(one, other), apart(other, one)) == (sign, -sign)


def test_the_end_that_faces_the_other_number_counts() -> None:
    lopsided = {"value": 0.6, "low": 0.59, "high": 0.9, "beyond": None}
    assert apart(lopsided, cell(0.58)) == 1
    assert apart(lopsided, cell(0.8)) == 0
    assert apart(lopsided, cell(0.905)) == -1


def test_many_looks_widen_the_interval() -> None:
    """After Bonferroni: 95 % of 10 comparisons together is 99.5 % of each."""
    wider = normal_width(0.995) / normal_width(0.95)
    for n_looks, factor in ((0, 1.0), (1, 1.0), (10, wider)):
        one = cell(0.5 + 0.05 * factor + 1e-6, 0.03)
        assert apart(one, cell(0.5, 0.04), n_looks) == 1
        assert apart(cell(0.5 + 0.05 * factor - 1e-6, 0.03), cell(0.5, 0.04), n_looks) == 0


def test_sizes_are_compared_without_their_signs() -> None:
    assert apart(cell(-0.6), cell(0.5), by_size=True) == 1
    assert apart(cell(-0.6), cell(0.5)) == -1
    assert apart(cell(-0.5), cell(-0.6), by_size=True) == -1
    lopsided = {"value": -0.6, "low": -0.61, "high": -0.3, "beyond": None}
    assert apart(lopsided, cell(0.55), by_size=True) == 0
    assert apart(lopsided, cell(0.62), by_size=True) == -1


GRID = [0.1, 0.2, 0.4, 0.5, 0.7, 0.9]
"""Three rows of two."""


def shares_by_hand() -> tuple[float, float]:
    grid = np.array(GRID).reshape(3, 2)
    of = [sum((means - grid.mean()) ** 2) / len(means) / grid.var() for means in (grid.mean(1), grid.mean(0))]
    return float(of[0]), float(of[1])


def test_shares_of_exact_cells_are_exact() -> None:
    found = variance_shares([cell(value) for value in GRID], 2)
    assert found is not None
    assert (found.rows.value, found.columns.value) == pytest.approx(shares_by_hand())
    assert (found.rows.low, found.rows.high) == pytest.approx((found.rows.value,) * 2)
    assert found.sign == 1
    turned = variance_shares([cell(value) for value in np.array(GRID).reshape(3, 2).T.ravel().tolist()], 3)
    assert turned is not None
    assert turned.sign == -1
    assert turned.columns.value == pytest.approx(shares_by_hand()[0])


def test_shares_of_simulated_cells_reach_as_far_as_draws_of_them() -> None:
    """Drawn by hand: each cell by its own standard error; the ends lie as far off as the farther of the two."""
    halves = [0.02, 0.0, 0.04, 0.02, 0.1, 0.06]
    found = variance_shares([cell(v, h) for v, h in zip(GRID, halves, strict=True)], 2, seed=5)
    assert found is not None
    noise = np.random.default_rng(5).standard_normal((2000, 3, 2))
    drawn = np.array(GRID).reshape(3, 2) + noise * np.array(halves).reshape(3, 2) / normal_width(LEVEL)
    means, middle = drawn.mean(axis=2), drawn.mean(axis=(1, 2))
    of_rows = ((means - middle[:, None]) ** 2).mean(axis=1) / drawn.var(axis=(1, 2))
    best = shares_by_hand()[0]
    half = max(abs(np.quantile(of_rows, end) - best) for end in (0.025, 0.975))
    assert (found.rows.value, found.rows.low, found.rows.high) == pytest.approx((best, best - half, best + half))
    assert (found.rows.n_trials, found.rows.how) == (2000, "fitted")
    assert found.sign == 1


def test_a_difference_that_the_dice_may_have_made_has_no_sign() -> None:
    even = [0.1, 0.3, 0.31, 0.5]
    assert [found.sign for half in (None, 0.3) if (found := variance_shares([cell(v, half) for v in even], 2))] == [
        1,
        0,
    ]


@pytest.mark.parametrize("cells", [[cell(0.5)] * 4, [cell(0.5), cell(None), cell(0.1), cell(0.2)]])
def test_what_does_not_vary_or_is_not_whole_has_no_shares(cells: list[dict[str, Any]]) -> None:
    assert variance_shares(cells, 2) is None


def test_a_missing_cell_that_lies_beyond_counts() -> None:
    found = variance_shares([cell(1.0), cell(2.0), cell(1.5), cell(None, beyond=3)], 2)
    assert found is not None
    assert found.columns.value == pytest.approx((1.25 - 1.875) ** 2 / np.var([1, 2, 1.5, 3]))
