"""Budgets that are large enough, and the smallest that are: by every game whose armies meet."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.armies.budgets import check_budgets, sufficient_budgets
from balance.analysis.armies.legal_armies import drawn_armies
from balance.analysis.armies.random_armies import EMPTY, mixed_armies
from balance.analysis.prices.fits import fair_costs as searched
from balance.analysis.prices.fits.fair_costs import fair_costs
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.armies.copies import Copies
from balance.game.loaded import load

MEETING = ("warforged", "runewars")


def faults_of(game: str, budgets: list[tuple[float, float]], everybody: bool = True) -> list[str]:
    try:
        check_budgets(load(game), "lineup", budgets, buys_all=everybody)
    except UsageError as error:
        return [str(fault) for fault in error.faults]
    return []


@pytest.mark.parametrize("game", MEETING)
def test_one_budget_has_to_buy_the_dearest_and_a_point_less_is_refused(game: str) -> None:
    loaded = load(game)
    dearest = ceil(costs_of(loaded, loaded.entrants_of("lineup")).max())
    assert faults_of(game, [(dearest, 2)]) == []
    (fault,) = faults_of(game, [(dearest - 1, 2)])
    assert fault.endswith(f"such as budget={dearest}:2")


@pytest.mark.parametrize("game", MEETING)
def test_of_several_the_first_has_to_buy_the_middle_one(game: str) -> None:
    loaded = load(game)
    costs = np.sort(costs_of(loaded, loaded.entrants_of("lineup")))
    middle, dearest = int(costs[len(costs) // 2]), int(costs[-1])
    assert faults_of(game, [(middle, 2), (dearest, 4)]) == []
    assert len(faults_of(game, [(middle - 1, 2), (dearest - 1, 4)])) == 2


def test_where_armies_only_meet_somebody_is_enough() -> None:
    assert faults_of("warforged", [(15, 2)], everybody=False) == []
    (fault,) = faults_of("warforged", [(14, 2)], everybody=False)
    assert "trooper+sidearm costs 15" in fault
    assert fault.endswith("such as budget=15:2")


@pytest.mark.parametrize("units", [0.5, 1, 1.5, 65])
def test_a_unit_limit_that_is_none_is_refused_with_one_that_is(units: float) -> None:
    (fault,) = faults_of("warforged", [(350, units)])
    named = fault.rpartition("=")[2]
    points, limit = map(float, named.split(":"))
    assert faults_of("warforged", [(points, limit)]) == []


def test_budgets_that_are_enough_stay_and_others_rise() -> None:
    warforged = load("warforged")
    assert sufficient_budgets(warforged, "lineup", [(150, 4), (350, 10.5)]) == [(150, 4), (350, 10.5)]
    assert sufficient_budgets(warforged, "lineup", [(20, 1), (30, 2), (40, 99)]) == [(37, 2), (74, 64)]


@pytest.mark.slow("test_one_budget_has_to_buy_the_dearest_and_a_point_less_is_refused")
@pytest.mark.parametrize("game", MEETING)
def test_the_smallest_budget_that_is_named_has_fair_costs(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searched, "BLOCK", 1024)
    monkeypatch.setattr(searched, "MOST_ROUNDS", 3)
    loaded = load(game)
    (budget,) = sufficient_budgets(loaded, "lineup", [(1, 1)])
    found = fair_costs(Runner(loaded), ArmySetting("lineup", (budget,)), n_battles=20)
    assert np.isfinite(found.log_fair).all()
    assert np.isfinite(found.covariance).all()


def test_no_army_is_of_nobody_however_small_its_budget() -> None:
    rng, costs, n = np.random.default_rng(0), np.array([40.0, 50.0, 90.0]), 500
    mixed = mixed_armies(np.full(n, 1.0), np.full(n, 2), costs, rng)
    assert ((mixed != EMPTY).sum(axis=1) >= 1).all()
    assert {0, 1, 2} == set(mixed[:, 0].tolist())
    legal = drawn_armies(np.full(n, 40.0), np.full(n, 2), costs, Copies.of([[]] * 3), rng)
    assert ((legal != EMPTY).sum(axis=1) == 1).all()


def test_beside_somebody_an_army_may_end() -> None:
    rng = np.random.default_rng(0)
    assert (mixed_armies(np.zeros(9), np.full(9, 2), np.array([5.0]), rng, min_units=0) == EMPTY).all()
