"""What a number says: as much as its interval does, and which way it would have to go to say something else."""

from __future__ import annotations

from typing import Any

import pytest

from balance.analysis.claims.conclusion import Bench, Claim, usual_claim
from balance.analysis.scores.measures import Measure
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.game.loaded import load


@pytest.mark.parametrize(
    ("kind", "low", "high", "verdict"),
    [
        ("side", 0.51, 0.6, "above"),
        ("side", 0.4, 0.49, "below"),
        ("side", 0.5, 0.5, "tied"),
        ("side", 0.5 + 5e-10, 0.5 + 5e-10, "tied"),
        ("side", 0.5 + 2e-9, 0.5 + 2e-9, "above"),
        ("side", 0.5 - 2e-9, 0.5 - 2e-9, "below"),
        ("side", 0.49, 0.51, "not yet known"),
        ("at_least", 0.5, 0.6, "holds"),
        ("at_least", 0.5 - 5e-10, 0.5 - 5e-10, "holds"),
        ("at_least", 0.5 - 2e-9, 0.5 - 2e-9, "fails"),
        ("at_least", 0.49, 0.51, "not yet known"),
        ("at_most", 0.4, 0.5, "holds"),
        ("at_most", 0.5 + 5e-10, 0.5 + 5e-10, "holds"),
        ("at_most", 0.5 + 2e-9, 0.5 + 2e-9, "fails"),
        ("at_most", 0.49, 0.51, "not yet known"),
    ],
)
def test_a_number_says_as_much_as_its_interval(kind: Any, low: float, high: float, verdict: str) -> None:
    found = Estimate.exact(low) if low == high else Estimate((low + high) / 2, low, high)
    assert Claim(kind, 0.5).of(found) == verdict


@pytest.mark.parametrize(
    ("kind", "value", "ways"),
    [
        ("side", 0.6, (-1,)),
        ("side", 0.4, (1,)),
        ("side", 0.5, (-1, 1)),
        ("at_least", 0.6, (-1,)),
        ("at_least", 0.4, (1,)),
        ("at_most", 0.6, (-1,)),
        ("at_most", 0.4, (1,)),
    ],
)
def test_a_conclusion_flips_one_way(kind: Any, value: float, ways: tuple[int, ...]) -> None:
    assert Claim(kind, 0.5).ways(Estimate.exact(value)) == ways


def test_what_is_not_known_flips_no_way() -> None:
    assert Claim("side", 0.5).ways(Estimate.of_share(0.5, 100)) == ()


def test_a_number_for_each_point_moves_with_the_cost() -> None:
    """A formation of 40 points deals four times ten points' worth, one of 20 twice."""
    measure = Measure(mean="wounds", per_points=10)
    bench = Bench(load("runewars"), Query("attack", "spearmen+3x2", "reanimates+3x2"), measure, None)
    cheaper = bench.after({"formations.spearmen_3x2.cost_points": "20"})
    assert bench.base.value.value == pytest.approx(5.34375 / 4)
    assert cheaper is not None
    assert cheaper.value.value == pytest.approx(5.34375 / 2)


def test_a_share_has_a_side_and_a_mean_has_none() -> None:
    assert usual_claim(Measure(chance="hits")) == usual_claim(Measure(wins="a")) == Claim("side", 0.5)
    assert usual_claim(Measure(mean="hits")) is None
