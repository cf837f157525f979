"""The normal distribution without scipy is scipy's, and quantiles of mixtures are where their chance says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from balance.chance.trials.normal import mixture_quantile, normal_cdf, normal_quantile


def test_chances_and_quantiles_are_those_of_scipy() -> None:
    x = np.linspace(-9, 9, 181)
    assert normal_cdf(x) == pytest.approx(ndtr(x), rel=1e-12, abs=1e-300)
    chance = np.r_[1e-12, np.linspace(0.001, 0.999, 99), 1 - 1e-12]
    assert normal_quantile(chance) == pytest.approx(ndtri(chance), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("chance", [0.0005, 0.025, 0.5, 0.975, 0.9995])
def test_a_mixture_lies_below_its_quantile_with_that_chance(chance: float) -> None:
    """Narrow and wide parts, near each other and far apart, and one that is as good as certain."""
    rng = np.random.default_rng(1)
    weights = rng.dirichlet(np.ones(6))
    means, sds = rng.normal(0, 3, (6, 200)), rng.lognormal(0, 2, (6, 200))
    at = mixture_quantile(weights, means, sds, chance)
    assert weights @ ndtr((at - means) / sds) == pytest.approx(chance, abs=1e-9)
    certain = mixture_quantile(np.ones(1), np.array([[0.3]]), np.zeros((1, 1)), chance)
    assert certain == pytest.approx(0.3, abs=1e-9)
