"""Looks after every evening: against every sequence of games, published constants, and what a plan promises."""

from __future__ import annotations

from itertools import product
from math import ceil, sqrt

import pytest

from balance.playtests.need.fixed import fixed_size
from balance.playtests.need.goals import Goal
from balance.playtests.need.lattice import Zone, chances, walk
from balance.playtests.need.plans import peeking_error
from balance.playtests.need.sequential import (
    Edges,
    boundaries,
    error_spending,
    error_with,
    power_with,
    sequential_zones,
)

MANY = 20_000
"""Games between two looks at which the lattice is as fine as the normal curve of the published tables."""


@pytest.mark.parametrize(("score", "draws"), [(0.5, 0.0), (0.62, 0.0), (0.55, 0.3)])
def test_the_recursion_adds_up_every_sequence(score: float, draws: float) -> None:
    zones = [Zone(3, down=-3, up=3), Zone(5, down=-4, low=0, high=1, up=3), Zone(8, down=-2, low=-1, high=1, up=2)]
    win, drawn, loss = chances(score, draws)
    ends = {(name, zone.games): 0.0 for zone in zones for name in ("down", "fair", "up")}
    left = 0.0
    for games in product((1, 0, -1), repeat=8):
        chance = win ** games.count(1) * drawn ** games.count(0) * loss ** games.count(-1)
        for zone in zones:
            lead = sum(games[: zone.games])
            name = "down" if lead <= zone.down else "up" if lead >= zone.up else ""
            name = name or ("fair" if zone.low <= lead <= zone.high else "")
            if name:
                ends[name, zone.games] += chance
                break
        else:
            left += chance
    found = walk(zones, score, draws)
    for at, zone in enumerate(zones):
        for name, chances_ in (("down", found.down), ("fair", found.fair), ("up", found.up)):
            assert chances_[at] == pytest.approx(ends[name, zone.games], abs=1e-12)
    assert found.p_unstopped == pytest.approx(left, abs=1e-12)


def crossed(boundary: list[float]) -> float:
    """The chance that the standardised lead ever reaches a boundary, `[look]`, if there is nothing to find."""
    zones = []
    for at, bound in enumerate(boundary, 1):
        up = ceil(bound * sqrt(MANY * at) - 1)  # a lead has the parity of the games, so that it jumps by 2
        zones.append(Zone(MANY * at, down=-up, up=up))
    ends = walk(zones, 0.5, 0.0)
    return float(ends.up.sum() + ends.down.sum())


@pytest.mark.parametrize(
    ("looks", "constant"), [(2, 2.178), (3, 2.289), (4, 2.361), (5, 2.413), (6, 2.453), (8, 2.512), (10, 2.555)]
)
def test_pococks_constants(looks: int, constant: float) -> None:
    # Pocock 1977, Biometrika 64, 191; Jennison and Turnbull 2000, table 2.1, two-sided 5%
    assert crossed([constant] * looks) == pytest.approx(0.05, abs=0.0015)


@pytest.mark.parametrize(
    ("looks", "constant"), [(2, 1.977), (3, 2.004), (4, 2.024), (5, 2.040), (6, 2.053), (8, 2.072), (10, 2.087)]
)
def test_the_constants_of_o_brien_and_fleming(looks: int, constant: float) -> None:
    # O'Brien and Fleming 1979, Biometrics 35, 549; Jennison and Turnbull 2000, table 2.3, two-sided 5%
    assert crossed([constant * sqrt(looks / at) for at in range(1, looks + 1)]) == pytest.approx(0.05, abs=0.0015)


@pytest.mark.parametrize(("looks", "error"), [(1, 0.05), (2, 0.083), (3, 0.107), (4, 0.126), (5, 0.142), (10, 0.193)])
def test_looking_again_with_the_interval_of_one_look_is_wrong_far_too_often(looks: int, error: float) -> None:
    # Armitage, McPherson and Rowe 1969, J. R. Statist. Soc. A 132, 235, table 2: repeated tests at 5%
    assert crossed([1.96] * looks) == pytest.approx(error, abs=0.002)


def test_the_boundaries_of_lan_and_demets() -> None:
    # Lan and DeMets 1983, Biometrika 70, 659; five equal looks, two-sided 5%; Jennison and Turnbull 2000, section 7.2
    zones = boundaries([MANY * at for at in range(1, 6)], 0.0, Edges(0.5, 0.5, 0.025), None)
    for zone, bound in zip(zones, (4.877, 3.357, 2.680, 2.290, 2.031), strict=True):
        step = 2 / sqrt(zone.games)
        assert bound <= zone.up / sqrt(zone.games) + 1e-3 and zone.up / sqrt(zone.games) <= bound + 1.5 * step
    assert error_spending(1.0, 0.025) == 0.025


GOALS = [
    Goal(0.1), Goal(0.2, games_per_evening=8), Goal(0.1, draws=0.25, games_per_evening=6),
    Goal(0.15, power=0.9, error=0.01), Goal(None, (0.4, 0.6)), Goal(0.2, (0.4, 0.62), draws=0.1),
]  # fmt: skip


@pytest.mark.parametrize("goal", GOALS)
def test_a_plan_with_looks_keeps_its_promise(goal: Goal) -> None:
    zones = sequential_zones(goal)
    assert power_with(goal, zones) >= goal.power
    assert error_with(goal, zones) <= goal.error
    for edge in goal.band or (0.5,):  # also for whoever never stops for "fair"
        played_on = [Zone(zone.games, zone.down, up=zone.up) for zone in zones]
        ends = walk(played_on, edge, goal.draws)
        assert ends.up.sum() + ends.down.sum() <= goal.error
    assert zones[-1].games % goal.games_per_evening == 0


@pytest.mark.parametrize("goal", GOALS)
def test_it_saves_games_on_average_and_costs_few_at_worst(goal: Goal) -> None:
    zones, one_look = sequential_zones(goal), fixed_size(goal).games
    assert walk(zones, 0.5, goal.draws).mean_games < 0.95 * one_look
    assert one_look < zones[-1].games < 1.4 * one_look


def test_fewer_draws_than_promised_make_it_err_more_often_and_none_is_the_safe_side() -> None:
    goal = Goal(0.1, draws=0.4)
    zones = sequential_zones(goal)
    assert walk(zones, 0.5, 0.0).up.sum() > 0.03 > walk(zones, 0.5, 0.4).up.sum()
    safe = sequential_zones(Goal(0.1))
    errors = [float(walk(safe, 0.5, draws).up.sum()) for draws in (0.0, 0.2, 0.4, 0.8)]
    assert errors == sorted(errors, reverse=True)


def test_a_pair_has_no_sides() -> None:
    for zone in sequential_zones(Goal(0.1, draws=0.1)):
        assert zone.down == -zone.up and (zone.low > zone.high or zone.low == -zone.high)


def test_peeking_is_told() -> None:
    assert peeking_error(Goal(0.05), 800) > 0.3
    assert peeking_error(Goal(0.05, games_per_evening=800), 800) < 0.05
    assert peeking_error(Goal(0.05, draws=0.3), 800) == pytest.approx(peeking_error(Goal(0.05), 800), abs=0.05)
