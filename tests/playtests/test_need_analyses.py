"""The two analyses, against scipy's tests and intervals and against every possible log."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, binomtest, multinomial

from balance.playtests.need.analyses import FAIR, OVERPOWERED, UNDERPOWERED, UNKNOWN, Analysis, ScoreInterval, SignTest
from balance.playtests.need.binomials import at_least, at_most, exactly

BANDS = (SignTest(0.95), SignTest(0.99), ScoreInterval(0.95, 0.45, 0.55), ScoreInterval(0.9, 0.3, 0.62))


def test_the_binomial_law_is_scipys() -> None:
    for trials, chance in product((1, 7, 60, 1000), (0.02, 0.5, 0.55, 0.97)):
        k = np.arange(trials + 1)
        assert np.allclose(at_most(k, trials, chance), binom.cdf(k, trials, chance), rtol=1e-8, atol=1e-15)
        assert np.allclose(at_least(k, trials, chance), binom.sf(k - 1, trials, chance), rtol=1e-8, atol=1e-15)
        assert np.allclose(exactly(k, trials, chance), binom.pmf(k, trials, chance), rtol=1e-8, atol=1e-15)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_sign_test_is_the_exact_binomial_test(level: float) -> None:
    for decided in range(120):
        least = SignTest(level).least_wins(decided)
        if least <= decided:
            assert binomtest(least, decided).pvalue <= 1 - level
        if decided and least > decided // 2 + 1:
            assert binomtest(least - 1, decided).pvalue > 1 - level


def test_its_interval_leaves_one_half_out() -> None:
    for wins in range(61):
        said = SignTest(0.95).says(*(np.array([count]) for count in (wins, 9, 60 - wins)))[0]
        interval = binomtest(wins, 60).proportion_ci(0.95, "exact")
        assert (said != UNKNOWN) == (not interval.low <= 0.5 <= interval.high)
        assert said in (UNKNOWN, OVERPOWERED if wins > 30 else UNDERPOWERED)


def test_without_draws_the_interval_is_wilsons() -> None:
    for games in (80, 400):
        for wins in range(games + 1):
            said = ScoreInterval(0.95, 0.4, 0.62).says(*(np.array([count]) for count in (wins, 0, games - wins)))[0]
            interval = binomtest(wins, games).proportion_ci(0.95, "wilson")
            inside = interval.low >= 0.4 and interval.high <= 0.62
            outside = interval.low >= 0.62 or interval.high <= 0.4
            assert (said == FAIR) == inside
            assert (said in (OVERPOWERED, UNDERPOWERED)) == outside


@pytest.mark.parametrize("analysis", BANDS)
@pytest.mark.parametrize(
    ("games", "score", "draws"), [(97, 0.55, 0.2), (80, 0.62, 0.3), (131, 0.5, 0.0), (6, 0.4, 0.8)]
)
def test_the_law_adds_up_every_log(analysis: Analysis, games: int, score: float, draws: float) -> None:
    wins, drawn = np.array([(w, d) for w in range(games + 1) for d in range(games - w + 1)]).T
    losses = games - wins - drawn
    chance = multinomial.pmf(
        np.stack([wins, drawn, losses], 1), games, [score - draws / 2, draws, 1 - score - draws / 2]
    )
    said, law = analysis.says(wins, drawn, losses), analysis.law(games, score, draws)
    for verdict, found in ((UNDERPOWERED, law.underpowered), (FAIR, law.fair), (OVERPOWERED, law.overpowered)):
        assert found == pytest.approx(chance[said == verdict].sum(), abs=1e-9)
    assert law.unknown == pytest.approx(chance[said == UNKNOWN].sum(), abs=1e-9)


def test_false_alarms_keep_to_the_level_whatever_the_draws() -> None:
    for games, draws in product((10, 53, 400, 807), (0.0, 0.1, 0.5, 0.9)):
        law = SignTest(0.95).law(games, 0.5, draws)
        assert law.underpowered + law.overpowered <= 0.05
    normal = ScoreInterval(0.95, 0.4999999, 0.5000001)  # the negative control: an interval that is only about right
    laws = [normal.law(games, 0.5, 0.0) for games in range(20, 60)]
    assert max(law.underpowered + law.overpowered for law in laws) > 0.06
