"""Exact laws against rolling the dice one by one, and what is too large to be exact."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.errors import BalanceError, DistributionError, UsageError
from balance.chance.dice import Odds, odds, parse, roll
from balance.chance.dice.rolling.sampling import BLOCK_TRIALS
from balance.chance.pmf import Pmf
from tests.chance.dice.twin import expressions

TRIALS = 4096
SEEN = [text for text, _ in expressions(5, 60)] + [
    "2d6!",
    "2d{0,0,1,2}! once reroll always 2",
    "5d10! count >=7",
    "5d10!! count >=7 double 10",
    "4d6! keep 2",
    "4d{hit,hit,flag,-,hit+flag}",
    "3d{hit,crit,-} reroll blank",
    "3d{hit,crit,-}!crit count hit,crit",
    "3d{hit,crit,-}!crit",
    "10d6 count 3+ then d6 count 4+",
    "6d(4d6 keep 3) keep 2",
    "(2d4)d6 keep 3",
    "3d6 vs 2d8",
    "30d20 keep 15",
    "8d6 // 2",
]
ERROR_RATE = 0.001
"""Chance that any of all these expressions is called wrong though none is (Bonferroni)."""


def p_value(exact: Odds, sample: Odds) -> float:
    """Return the p-value of a sample's G-test against an exact distribution, all columns together."""
    counts = Pmf.of(dict(sample.weights), sample.columns)
    return Pmf.of(dict(exact.weights), exact.columns).agreement(counts).joint.p_value


def test_rolling_agrees_with_the_laws() -> None:
    values = {text: p_value(odds(text), odds(text).simulate(TRIALS, seed=7)) for text in SEEN}
    assert {text: p for text, p in values.items() if p < ERROR_RATE / len(SEEN)} == {}


def test_a_wrong_law_is_called_wrong() -> None:
    """The negative control: one more face of 6 on one of three dice."""
    sample = odds("3d6").simulate(TRIALS, seed=7)
    assert p_value(odds("2d6 + 1d{1,2,3,4,5,6,6}"), sample) < ERROR_RATE / len(SEEN)


LARGE = "1d100!>=2"


def test_what_is_too_large_says_so_and_is_simulated() -> None:
    found = odds(LARGE, trials=20_000, seed=3)
    assert not found.is_exact
    assert found.n_trials == 20_000
    assert "more than 8,000,000 steps" in found.reason
    p = 0.99
    mean = 50.5 / (1 - p)  # each of 1 / (1 - p) rolls, by Wald
    assert abs(found.mean() - mean) < 4 * found.mean_error()  # error rate 6e-5
    assert abs(found.mean() - 1.05 * mean) > 4 * found.mean_error()


def test_fewer_trials_where_each_rolls_many() -> None:
    assert odds("10000d10000").n_trials < 65_536


def test_the_same_seed_rolls_the_same() -> None:
    assert odds(LARGE, trials=500, seed=1).weights == odds(LARGE, trials=500, seed=1).weights
    assert odds(LARGE, trials=500, seed=1).weights != odds(LARGE, trials=500, seed=2).weights


def test_more_rolls_change_none_of_the_first() -> None:
    first = roll("3d6 keep 2", 1000, seed=4)
    assert np.array_equal(first, roll("3d6 keep 2", 9000, seed=4)[:1000])
    assert not np.array_equal(first, roll("3d6 keep 2", 1000, seed=5))
    assert BLOCK_TRIALS < 9000


def test_a_roll_of_symbols_has_a_column_each() -> None:
    shown = roll("4d{hit,flag,-}", 100)
    assert shown.shape == (100, 2)
    assert shown.max() <= 4


def test_what_would_take_too_long_is_refused() -> None:
    with pytest.raises(DistributionError, match="more than 200,000,000 dice"):
        roll("10000d6", 100_000_000)


@pytest.mark.parametrize(("trials", "seed"), [(0, 0), (-1, 0), (10, -1)])
def test_what_is_no_sample_is_refused(trials: int, seed: int) -> None:
    with pytest.raises(UsageError):
        odds("3d6", trials=trials, seed=seed)
    with pytest.raises(BalanceError):
        odds("3d6").sample(trials, seed)


def test_totals_beyond_all_tables_are_refused() -> None:
    with pytest.raises(BalanceError):
        odds("1d6! * 1000000 * 1000000 * 1000000")
    with pytest.raises(UsageError):
        parse("1000000 * 1000000 * 1000000")
