from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.prices.entries import price_entries
from balance.analysis.prices.scale import Scale, price_scale
from balance.base.arrays import FloatArray
from tests.analysis.price_cases import Case, Found, grid


def drawn(seed: int, power: float, errors: tuple[float, float], noise: float = 0.02) -> Case:
    """Return 8 units with 6 weapons fair at a power of the printed costs, but for errors of cards and noise."""
    rng = np.random.default_rng(seed)
    units, weapons = np.exp(rng.uniform(2.1, 3.9, 8)), np.exp(rng.uniform(1.1, 3.4, 6))
    printed = units[:, None] + weapons
    off = rng.normal(0, errors[0], 8)[:, None] + rng.normal(0, errors[1], 6) + rng.normal(0, noise, printed.shape)
    return grid(
        {f"u{place}": float(cost) for place, cost in enumerate(units)},
        {f"w{place}": float(cost) for place, cost in enumerate(weapons)},
        np.exp(power * np.log(printed) + off),
        noise,
    )


def ends(scale: Scale) -> tuple[float, float]:
    assert scale.low is not None
    assert scale.high is not None
    return scale.low, scale.high


@pytest.mark.parametrize(("power", "verdict", "meant"), [
    (2.0, "dear too cheap", "what is dear is too cheap"),
    (1.0, "fair", "a point is worth the same in cheap and in dear loadouts"),
    (1 / 1.5, "dear too dear", "what is dear is too dear"),
])  # fmt: skip
def test_costs_to_a_power_are_named_as_errors_of_scale(power: float, verdict: str, meant: str) -> None:
    """Printed costs to the power 0.5, 1 and 1.5 of the fair ones."""
    scale = price_scale(drawn(1, power, (0.02, 0.02), 0.005).entries(), False)
    low, high = ends(scale)
    assert scale.slope == pytest.approx(power, abs=0.03)
    assert low < power < high
    assert scale == Scale(
        scale.slope,
        low,
        high,
        verdict,
        f"fair costs rise as printed costs to the power {scale.slope:.2f} ({low:.2f} to {high:.2f}): {meant}",
    )


def by_hand(x: FloatArray, y: FloatArray) -> float:
    return float(np.polyfit(x, y, 1)[0])


def test_slope_and_interval_are_those_of_a_jackknife_by_hand() -> None:
    case = drawn(3, 1.2, (0.2, 0.1))
    x, y = np.log(case.found.printed_costs), case.found.log_fair
    labels = [[one[0] for one in case.parts], [one[1] for one in case.parts], list(case.found.entrants)]
    variances = []
    for kind in labels:
        left = np.array([
            by_hand(x[[name != out for name in kind]], y[[name != out for name in kind]]) for out in sorted(set(kind))
        ])  # fmt: skip
        variances.append((len(left) - 1) * left.var())
    variance = max(variances[0] + variances[1] - variances[2], variances[0], variances[1])
    scale = price_scale(case.entries(), False)
    slope, half = by_hand(x, y), 2.5705818 * variance**0.5  # t of 5 degrees of freedom: six weapons
    assert [scale.slope, *ends(scale)] == pytest.approx([slope, slope - half, slope + half], rel=1e-6)


def test_noise_of_simulation_alone_widens_the_interval() -> None:
    """Without errors of cards the jackknife says 0; one common slant of the noise is not seen in it."""
    exact = drawn(4, 1.0, (0.0, 0.0), 0.0)
    x = np.log(exact.found.printed_costs)
    slant = np.outer(x, x) * 0.05**2
    low, high = ends(price_scale(replace(exact, found=replace(exact.found, covariance=slant)).entries(), False))
    assert (high - low) / 2 == pytest.approx(2.5705818 * 0.05, rel=1e-6)


def test_where_all_cost_the_same_there_is_no_slope() -> None:
    entries = grid(dict.fromkeys("abc", 20.0), dict.fromkeys("xy", 10.0), np.arange(20.0, 26.0)).entries()
    assert price_scale(entries, True) == Scale(
        None, None, None, "fair", "all loadouts cost the same, and all are fair"
    )  # fmt: skip
    assert price_scale(entries, False) == Scale(None, None, None, "not yet known", "all loadouts cost the same")


def test_too_few_cards_are_no_sample() -> None:
    found = Found(("a", "b"), np.array([10.0, 20.0]), np.log([10.0, 40.0]), np.zeros((2, 2)), np.arange(2))
    scale = price_scale(price_entries(found, [("a",), ("b",)]), False)
    assert scale.slope == pytest.approx(2.0)
    because = "fair costs rise as printed costs to the power 2.00; too few cards for an interval"
    assert scale == Scale(scale.slope, None, None, "not yet known", because)


def test_order_names_copies_and_doubled_costs_change_nothing() -> None:
    case = drawn(5, 1.1, (0.1, 0.1))
    plain = price_scale(case.entries(), False)
    order = np.random.default_rng(3).permutation(len(case.parts)).tolist()
    assert price_scale(case.rows(order).entries(), False) == plain
    assert price_scale(case.with_copy("u2", "again").entries(), False) == plain
    doubled = case.printed({name: 2 * card.cost for name, card in case.cards.items()})
    found = price_scale(doubled.entries(), False)
    assert [found.slope, *ends(found)] == pytest.approx([plain.slope, *ends(plain)], rel=1e-9)


def covered(seeds: range, power: float, errors: tuple[float, float]) -> float:
    found = [ends(price_scale(drawn(seed, power, errors).entries(), False)) for seed in seeds]
    return float(np.mean([low <= power <= high for low, high in found]))


def test_intervals_count_cards_as_a_sample() -> None:
    assert covered(range(60), 1.0, (0.2, 0.2)) >= 0.9


@pytest.mark.slow("test_intervals_count_cards_as_a_sample")
@pytest.mark.parametrize("errors", [(0.2, 0.2), (0.3, 0.0), (0.05, 0.3)])
def test_intervals_of_the_slope_cover(errors: tuple[float, float]) -> None:
    assert 0.93 <= covered(range(400), 1.3, errors) <= 0.99
