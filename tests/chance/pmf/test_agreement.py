"""The G-test: its p-value is uniform when the distribution is true, and small when it is not."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from scipy.stats import chi2

from balance.base.errors import UsageError
from balance.chance.pmf import Pmf, die, pool
from balance.chance.pmf.agreement import Agreement, GTest, agreement_of, g_test, holm, same_distribution_test

DISTRIBUTION = pool(die(6), 2)


def p_values(distribution: Pmf, drawn_from: Pmf, n_trials: int, n_samples: int) -> np.ndarray:
    """Return the p-values of many samples."""
    counts = np.random.default_rng(20261121).multinomial(n_trials, drawn_from.p, size=n_samples)
    samples = [Pmf.from_rows(drawn_from.columns, drawn_from.outcomes, row) for row in counts]
    return np.array([distribution.agreement(sample).p_value for sample in samples])


def test_p_values_are_uniform_when_the_distribution_is_true() -> None:
    """Kolmogorov-Smirnov over 1000 samples: a distance above 0.062 comes up once in 1000 choices of seed."""
    found = np.sort(p_values(DISTRIBUTION, DISTRIBUTION, 5000, 1000))
    distance = np.abs(found - (np.arange(1000) + 0.5) / 1000).max()
    assert distance < 0.062


def test_rare_outcomes_do_not_break_it() -> None:
    """A distribution with chances down to 1e-6 in samples of 2000: at most 1 in 50 below 0.01, where 1 in 100 is
    due."""
    distribution = pool(Pmf.of({0: 9, 1: 1}), 6)
    assert (p_values(distribution, distribution, 2000, 500) < 0.01).mean() < 0.025


def old_p_value(distribution: Pmf, sample: Pmf) -> float:
    """Return the p-value as it was: one G-test of all cells, those that expect less than 5 pooled into one."""
    counts = dict(zip(map(tuple, sample.outcomes.tolist()), sample.weights.tolist(), strict=True))
    observed = np.array([counts.get(tuple(row), 0) for row in distribution.outcomes.tolist()], float)
    expected, rare = distribution.p * sample.total, distribution.p * sample.total < 5
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    seen = observed > 0
    return float(chi2.sf(2 * (observed[seen] * np.log(observed[seen] / expected[seen])).sum(), len(observed) - 1))


def many_cells(p_first: float = 0.38) -> Pmf:
    """Return a distribution of 972 cells: who of two wins, in which of 486 rounds, the rarest one time in 14,000."""
    rounds = np.arange(486)
    share = 1 / (1 + rounds / 40)
    share = share / share.sum()
    rows = np.column_stack([np.repeat([1, 2], 486), np.tile(rounds, 2)])
    return Pmf.from_rows(("winner", "rounds"), rows, np.concatenate([p_first * share, (1 - p_first) * share]))


@pytest.mark.parametrize("n_trials", [50, 200, 1000, 20_000])
def test_the_test_keeps_its_size_over_few_trials_and_many_cells(n_trials: int) -> None:
    """Nominal 5 and 1 %; 400 samples of a test of exactly that size go over these bounds for 1 seed in 200."""
    distribution = many_cells()
    found = p_values(distribution, distribution, n_trials, 400)
    assert (found < 0.05).mean() <= 0.08
    assert (found < 0.01).mean() <= 0.025


def test_the_test_without_correction_does_not_keep_its_size() -> None:
    """The control: 20,000 trials of 972 cells, most of which expect from 5 to 30."""
    distribution = many_cells()
    counts = np.random.default_rng(20261121).multinomial(20_000, distribution.p, size=400)
    found = [
        old_p_value(distribution, Pmf.from_rows(distribution.columns, distribution.outcomes, row)) for row in counts
    ]
    assert np.mean(np.array(found) < 0.05) > 0.08


def test_a_win_chance_one_percent_too_high_is_seen_in_its_column() -> None:
    """Two million trials of 972 cells; the old test of all cells together misses what is 11 standard errors off."""
    distribution, real = many_cells(0.38), many_cells(0.38 * 1.01)
    drawn = np.random.default_rng(1).multinomial(2_000_000, real.p)
    sample = Pmf.from_rows(distribution.columns, distribution.outcomes, drawn)
    found = distribution.agreement(sample)
    assert found.p_value < 1e-12 and found.columns_that_differ(1e-6) == ("winner",)
    assert old_p_value(distribution, sample) > 0.01
    assert real.agreement(sample).p_value > 0.01


def test_p_values_are_small_when_the_distribution_is_wrong() -> None:
    """The control: a distribution that gives the seven 14 % less than it has."""
    wrong = Pmf.from_rows(
        DISTRIBUTION.columns, DISTRIBUTION.outcomes, DISTRIBUTION.weights - (DISTRIBUTION["value"] == 7)
    )
    assert (p_values(wrong, DISTRIBUTION, 20_000, 200) < 0.01).mean() > 0.99


def test_an_impossible_outcome_disagrees_outright() -> None:
    found = die(6).agreement(Pmf.of({1: 1000, 7: 1}))
    assert (found.p_value, found.statistic, found.n_trials) == (0.0, float("inf"), 1001)


def test_outcomes_never_seen_count_too() -> None:
    assert die(2).agreement(Pmf.of({1: 100})).p_value < 1e-20


def test_a_perfect_sample_agrees_perfectly() -> None:
    found = die(6).agreement(Pmf.of(dict.fromkeys(range(1, 7), 1000)))
    assert found.p_value == 1.0
    assert found.degrees == 5


def test_one_cell_says_nothing() -> None:
    assert Pmf.of([3]).agreement(Pmf.of({3: 50})).p_value == 1.0
    assert die(6).agreement(Pmf.of({1: 1})).degrees == 0


def test_two_samples_of_one_distribution() -> None:
    """P-values of 500 pairs of samples: at most 1 in 40 below 0.01, where 1 in 100 is due; small if the distributions
    differ."""
    rng = np.random.default_rng(20261121)
    other = Pmf.from_rows(
        DISTRIBUTION.columns, DISTRIBUTION.outcomes, DISTRIBUTION.weights + 3 * (DISTRIBUTION["value"] == 7)
    )

    def p_value(distribution: Pmf) -> float:
        one, two = (
            Pmf.from_rows(x.columns, x.outcomes, rng.multinomial(4000, x.p)) for x in (DISTRIBUTION, distribution)
        )
        return same_distribution_test(one, two).p_value

    assert np.mean([p_value(DISTRIBUTION) < 0.01 for _ in range(500)]) < 0.025
    assert np.mean([p_value(other) < 0.01 for _ in range(50)]) > 0.9
    with pytest.raises(UsageError, match="columns"):
        same_distribution_test(DISTRIBUTION, Pmf.of({1: 1}, "hits"))


def test_rare_values_of_two_samples_are_pooled() -> None:
    few = same_distribution_test(Pmf.of({1: 100, 2: 1, 3: 2}), Pmf.of({1: 100, 4: 3}))
    more = same_distribution_test(Pmf.of({1: 100, 2: 5, 3: 10}), Pmf.of({1: 100, 4: 15}))
    assert (few.degrees, more.degrees) == (0, 1)


def test_g_at_a_value_worked_by_hand() -> None:
    """40 and 60 of 100 tosses: G = 2 (40 ln(40/50) + 60 ln(60/50)) = 4.0271; Williams: 1 + (2 + 2 - 1) / (6 * 100)."""
    found = die(2).agreement(Pmf.of({1: 40, 2: 60}))
    assert found.statistic == pytest.approx(4.027103 / 1.005, abs=1e-6)
    assert found.p_value == pytest.approx(0.04531, abs=1e-5)


@pytest.mark.parametrize("names", [("value", "other"), ("other", "value")])
def test_columns_must_be_the_same(names: tuple[str, str]) -> None:
    distribution, sample = (die(2, name) for name in names)
    with pytest.raises(UsageError, match="has columns"):
        distribution.agreement(sample)
    with pytest.raises(UsageError, match="columns"):
        same_distribution_test(distribution, sample)


def test_what_is_tested_alone_is_not_adjusted() -> None:
    sample = Pmf.of({1: 40, 2: 60})
    assert (g_test(die(2), sample).adjusted_p_value, same_distribution_test(sample, sample).adjusted_p_value) == (
        1.0,
        1.0,
    )


def test_g_is_divided_by_williams_factor() -> None:
    """1 + (sum of n / expected, less 1) / (6 n degrees of freedom); here of three cells that expect 30, 30 and 60."""
    distribution, counts = Pmf.of({0: 1, 1: 1, 2: 2}), np.array([40.0, 25.0, 55.0])
    found = distribution.agreement(Pmf.of({0: 40, 1: 25, 2: 55}))
    expected = np.array([30.0, 30.0, 60.0])
    g = (
        2
        * (counts * np.log(counts / expected)).sum()
        / (1 + (120 / expected).sum() / (6 * 120 * 2) - 1 / (6 * 120 * 2))
    )
    assert found.joint.statistic == pytest.approx(g, rel=1e-12)
    assert found.joint.p_value == pytest.approx(chi2.sf(g, 2), rel=1e-9)


def merged(expected: list[float]) -> list[int]:
    """Return the cell of each outcome: from the rarest on, until each cell expects 10; a rest joins the last."""
    cells, cell, so_far = [0] * len(expected), 0, 0.0
    for place in sorted(range(len(expected)), key=lambda k: expected[k]):
        cells[place] = cell
        so_far += expected[place]
        if so_far >= 10:
            cell, so_far = cell + 1, 0.0
    return [min(found, max(cell - 1, 0)) for found in cells]


def by_loops(observed: list[list[float]], expected: list[list[float]], excess: float) -> tuple[float, float, int]:
    """Return p-value, statistic and degrees of the G-test of some rows of cells, each in a loop of its own."""
    pairs = [pair for rows in zip(observed, expected, strict=True) for pair in zip(*rows, strict=True)]
    degrees = len(observed[0]) - 1
    g = max(0.0, sum(2 * o * log(o / e) for o, e in pairs if o)) / (1 + excess)
    return (float(chi2.sf(g, degrees)) if degrees else 1.0), g, degrees


def gathered(counts: list[float], cells: list[int]) -> list[float]:
    return [sum(n for n, cell in zip(counts, cells, strict=True) if cell == k) for k in range(max(cells) + 1)]


def is_near(found: GTest, expected: tuple[float, float, int]) -> bool:
    return (found.p_value, found.statistic) == pytest.approx(expected[:2], rel=1e-9, abs=1e-12) and (
        found.degrees,
        found.adjusted_p_value,
    ) == (expected[2], 1.0)


@pytest.mark.parametrize("n_trials", [1, 9, 10, 11, 19, 25, 60, 200, 5000])
@pytest.mark.parametrize("seed", range(4))
def test_a_sample_is_tested_as_a_loop_over_merged_cells_says(n_trials: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    distribution = Pmf.of({int(x): int(w) for x, w in enumerate(rng.integers(1, 60, 7) ** (1 + seed % 3))}, "x")
    counts = rng.multinomial(n_trials, distribution.p).tolist()
    expected = (distribution.p * n_trials).tolist()
    cells = merged(expected)
    seen, due = gathered(counts, cells), gathered(expected, cells)
    degrees = len(seen) - 1
    excess = (sum(n_trials / e for e in due) - 1) / (6 * n_trials * max(degrees, 1))
    sample = Pmf.of(dict(enumerate(counts)), "x")
    assert is_near(g_test(distribution, sample), by_loops([seen], [due], excess))


@pytest.mark.parametrize("sizes", [(30, 30), (100, 400), (2000, 500), (5, 4)])
@pytest.mark.parametrize("seed", range(4))
def test_two_samples_are_compared_as_a_loop_over_merged_cells_says(sizes: tuple[int, int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(6, 0.7))
    one, other = (rng.multinomial(size, p).tolist() for size in sizes)
    keys = [key for key in range(6) if one[key] or other[key]]
    totals = [one[key] + other[key] for key in keys]
    n = sum(sizes)
    cells = merged([total * min(sizes) / n for total in totals])
    seen = [gathered([counts[key] for key in keys], cells) for counts in (one, other)]
    together = gathered(totals, cells)
    due = [[total * size / n for total in together] for size in sizes]
    degrees = len(together) - 1
    surplus = (sum(n / size for size in sizes) - 1) * (sum(n / total for total in together) - 1)
    samples = [Pmf.of(dict(enumerate(counts)), "x") for counts in (one, other)]
    found = same_distribution_test(*samples)
    assert is_near(found, by_loops(seen, due, surplus / (6 * n * max(degrees, 1))))
    assert is_near(same_distribution_test(*samples[::-1]), (found.p_value, found.statistic, found.degrees))


def test_an_outcome_that_cannot_be_is_told_by_the_degrees_there_would_be() -> None:
    assert g_test(die(6), Pmf.of({1: 5, 7: 1})) == GTest(0.0, inf, 5)
    assert g_test(Pmf.of([3]), Pmf.of({4: 1})) == GTest(0.0, inf, 1)
    assert g_test(Pmf.of([3]), Pmf.of({3: 50})) == GTest(1.0, 0.0, 0)


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.2], [0.2]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.6, 0.001, 0.9], [1.0, 1.0, 0.004, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.03, 0.0, 0.03], [0.06, 0.0, 0.06]),
        ([0.4, 0.01, 0.3], [0.6, 0.03, 0.6]),
    ],
)
def test_p_values_of_a_family_are_adjusted_by_holm(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted, abs=1e-15)


def test_an_agreement_is_of_all_columns_and_of_each_adjusted_together() -> None:
    distribution = die(2, "a").joint(die(2, "b")).joint(Pmf.of({(0,): 1}, "c"))
    sample = Pmf.of({(1, 1, 0): 130, (1, 2, 0): 120, (2, 1, 0): 80, (2, 2, 0): 70}, ["a", "b", "c"])
    found = agreement_of(distribution, sample)
    joint, a, b, c = (
        g_test(distribution, sample),
        *(g_test(distribution.marginal(name), sample.marginal(name)) for name in "abc"),
    )
    adjusted = holm([joint.p_value, a.p_value, b.p_value])
    assert found == Agreement(
        min(adjusted),
        400,
        GTest(joint.p_value, joint.statistic, 3, adjusted[0]),
        {
            "a": GTest(a.p_value, a.statistic, 1, adjusted[1]),
            "b": GTest(b.p_value, b.statistic, 1, adjusted[2]),
            "c": GTest(1.0, 0.0, 0, 1.0),
        },
    )
    assert c == GTest(1.0, 0.0, 0)
    assert list(found.columns) == ["a", "b", "c"]
    assert (found.statistic, found.degrees, found.is_tested) == (joint.statistic, 3, True)
    assert found.columns_that_differ(adjusted[1] * 1.001) == ("a",)
    assert found.columns_that_differ(adjusted[1]) == ()
    assert distribution.agreement(sample) == found


def test_a_single_column_is_tested_once() -> None:
    found = die(2).agreement(Pmf.of({1: 40, 2: 60}))
    test = g_test(die(2), Pmf.of({1: 40, 2: 60}))
    assert found == Agreement(test.p_value, 100, GTest(test.p_value, test.statistic, 1, test.p_value), {})
    nothing = Pmf.of([3]).agreement(Pmf.of({3: 50}))
    assert (nothing, nothing.is_tested) == (Agreement(1.0, 50, GTest(1.0, 0.0, 0, 1.0), {}), False)
    impossible = Pmf.of([3]).agreement(Pmf.of({4: 50}))
    assert (impossible.p_value, impossible.is_tested, impossible.joint.adjusted_p_value) == (0.0, True, 0.0)


def test_columns_that_differ_are_told() -> None:
    with pytest.raises(UsageError) as caught:
        g_test(die(2), die(2, "x"))
    assert str(caught.value) == "the distribution has columns ('value',), the sample ('x',)"
    with pytest.raises(UsageError) as caught:
        same_distribution_test(die(2), die(2, "x"))
    assert str(caught.value) == "one sample has columns ('value',), the other ('x',)"
