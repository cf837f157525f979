"""Catalogues of known truth: costs are what they should be, and armies of equal points score one half at them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analysis.known_truth.cases import CASES, TOLERANCE, cases_of, heavy_cards, leaves, planted
from tests.analysis.known_truth.catalogues import BOARD, GAMES, catalogue
from tests.analysis.known_truth.twin import balance_of

CLOSE = 0.02
"""By how much a true cost may miss one at which armies of equal points score one half."""
QUICK, MANY = 4000, {"tug": 160_000}


@pytest.mark.parametrize("game", GAMES)
def test_sums_of_costs_of_cards_are_the_true_costs_of_loadouts(game: str) -> None:
    whole = catalogue(game)
    costs = whole.card_costs(whole.fair)
    loaded = whole.open(costs)
    assert min(costs.values()) >= 1
    for name, fair in whole.fair.items():
        assert loaded.cost_points(name) == whole.sums(costs)[name] == pytest.approx(fair, abs=0.5)
    assert max(whole.errors.values(), default=0.0) < 0.01


@pytest.mark.parametrize("game", GAMES)
def test_every_case_plants_what_it_says(game: str) -> None:
    whole = catalogue(game)
    for name in cases_of(game):
        for run in range(20):
            case = planted(game, name, run)
            off = {one for one in case.catalogue.loadouts if abs(case.off(one)) > TOLERANCE + 0.002}
            assert min(case.costs.values()) >= 1
            if name in ("fair", "loadout-15", "loadout-25", "two-15", "two-25", "copy"):
                assert off == set(case.loadouts), (name, run)
            if name == "edge":
                exact = whole.card_costs(whole.fair)
                shares = [1 - exact[card] / case.costs[card] for card in case.edge]
                assert [abs(share) for share in shares] == pytest.approx([TOLERANCE] * len(shares), abs=0.01)
                assert max(abs(case.off(one)) for one in case.catalogue.loadouts) < TOLERANCE + 0.005
            if name == "useless":
                assert case.useless in {leaves(whole)[one] for one in case.loadouts}
            assert set(case.loadouts) <= {
                one for one, cards in case.catalogue.loadouts.items() if {*cards} & {*case.cards}
            }


def test_cards_of_half_a_loadout_are_those_that_several_loadouts_carry() -> None:
    assert heavy_cards(catalogue("tug")) == ["yak", "bison"]
    assert heavy_cards(catalogue("levies")) == []
    assert {name for game in GAMES for name in cases_of(game)} == set(CASES)


def test_levies_of_equal_points_score_one_half_and_a_wrong_cost_stands_out() -> None:
    """Eight parts, each within 4 errors of 0: luck breaks that in 1 of 2,000 runs; the control is off by a tenth."""
    whole = catalogue("levies")
    found = balance_of(whole, whole.fair, QUICK)
    assert (np.abs(found.too_low) < 4 * found.errors).all()
    control = balance_of(whole, {**whole.fair, "ant": whole.fair["ant"] / (1 + TOLERANCE)}, QUICK)
    assert control.too_low[0] > 4 * control.errors[0]


@pytest.mark.slow("test_levies_of_equal_points_score_one_half_and_a_wrong_cost_stands_out")
@pytest.mark.parametrize("game", [game for game in GAMES if game not in BOARD])
def test_armies_of_equal_points_score_one_half(game: str) -> None:
    """Errors are about .4 %: with 8 loadouts in each of 7 games luck breaks this in fewer than 1 of 1,000 runs."""
    whole = catalogue(game)
    found = balance_of(whole, whole.fair, MANY.get(game, 40_000))
    assert found.errors.max() < CLOSE / 2
    assert (np.abs(found.too_low) < CLOSE + 2 * found.errors).all(), (game, found.too_low.round(4))
