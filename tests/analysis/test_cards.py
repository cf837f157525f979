"""Which card carries an excess, in numbers worked out another way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.scores.cards import card_prices, entrant_table, find_card, split_excess
from balance.analysis.scores.usual_prices import Tolerance, Trend, judge
from balance.game.loaded import LoadedGame
from tests.analysis.golden_tables import made_fit
from tests.toy.game import GAME as TOY

PARTS = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"], ["c", "x"], ["c", "y", "y"]]


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_a_part_is_looked_for_in_every_table_and_may_be_no_card(warforged: LoadedGame) -> None:
    assert find_card(warforged, "nexus") == ("units", "Nexus", 24.0)
    assert find_card(warforged, "shotgun") == ("weapons", "Shotgun", 10.0)
    assert find_card(warforged, "banner") == ("", "banner", None)
    table, name, cost = find_card(balance.load("battlelore"), "long_sword")
    assert (table, name, cost) == ("weapons", "Long Sword", None)


def test_the_arms_of_an_entrant_cost_what_they_all_cost_or_it_is_not_known() -> None:
    """Weapons of BattleLore have no cost of their own: the whole entrant's stands for it."""
    game = balance.load("battlelore")
    found = entrant_table(game, ["dwarf_red_foot+long_sword", "giant_spider"])
    assert found.select("cost_points", "arm_cost").rows() == [(1.0, 1.0), (1.0, 1.0)]
    assert found.schema == pl.Schema(dict.fromkeys(found.columns, pl.String) | {
        "cost_points": pl.Float64, "arm_cost": pl.Float64
    })  # fmt: skip


def test_the_split_is_the_shortest_of_the_least_squares() -> None:
    """Written out: the normal equations with a penalty that goes to nothing choose the shortest solution."""
    rng = np.random.default_rng(0)
    excess = rng.normal(0, 5, (3, len(PARTS)))
    parts, split, explained = split_excess(PARTS, excess)
    assert parts == ["a", "x", "y", "b", "c"]
    counts = np.array([[one.count(part) for part in parts] for one in PARTS], float)
    assert counts.max() == 2
    shortest = np.array([np.linalg.lstsq(counts, row, rcond=None)[0] for row in excess])
    assert split == pytest.approx(shortest, abs=1e-9)
    rest = excess[0] - counts @ shortest[0]
    assert explained == pytest.approx(1 - np.sum(rest**2) / np.sum((excess[0] - np.mean(excess[0])) ** 2))
    assert 0.01 < explained < 0.99
    assert split_excess(PARTS, excess / 1e6)[2] == pytest.approx(explained)


def test_an_excess_that_all_share_is_explained_whole() -> None:
    assert split_excess(["ax", "ay", "bx"], np.array([[2.0, 2.0, 2.0]]))[2] == 1.0
    assert split_excess(["ax", "ay", "bx"], np.array([[0.0, 0.0, 1e-9]]))[2] == pytest.approx(1.0)


def test_prices_of_cards_are_the_split_of_prices_of_entrants(warforged: LoadedGame) -> None:
    """Estimate, simultaneous interval, verdict and what each reading makes of it, by plain loops."""
    fit, limit = made_fit(), Tolerance(0.1, 1.0)
    shifts = np.random.default_rng(3).normal(0, 0.15, (4, len(fit.names)))
    found = card_prices(warforged, fit, shifts, limit)
    made_of = [name.split("+") for name in fit.names]
    split = [split_excess(made_of, (fit.costs - fair)[None])[1][0] for fair in [fit.fair, *fit.draws]]
    best, draws = split[0], np.array(split[1:])
    spread = np.std(draws, axis=0, ddof=1)
    widest = sorted(max(abs(draw - best) / spread) for draw in draws)
    half = np.quantile(widest, 0.95) * spread
    read = [split_excess(made_of, (fit.costs - fit.fair * np.exp(-one))[None])[1][0] for one in shifts]
    for place, row in enumerate(found.iter_rows(named=True)):
        low, high = best[place] - half[place], best[place] + half[place]
        assert [row["excess"], row["excess_low"], row["excess_high"]] == pytest.approx([best[place], low, high])
        allowed = limit.of(find_card(warforged, row["card"])[2] or 0.0)
        word = judge(low, high, allowed)
        moved = [judge(low + one[place] - best[place], high + one[place] - best[place], allowed) for one in read]
        flips = [number for number, other in enumerate(moved) if other != word]
        assert (row["verdict_as_read"], row["flips"]) == (word, flips)
        assert row["verdict"] == ("not yet known" if flips else word)
    assert found["card"].to_list() == ["nexus", "shotgun", "smg_pistol", "trooper", "vanguard", "aegis", "spectre"]
    assert any(found["flips"].list.len() > 0)
    assert found.equals(found.with_columns(pl.col(pl.Float64).round(9)))


def test_what_costs_nothing_known_is_judged_by_points_alone() -> None:
    """Weapons of BattleLore have no cost: a tenth of nothing is less than any points."""
    units, arms = ("blue_foot", "green_foot", "red_foot"), ("long_sword", "short_sword")
    names = tuple(f"{unit}+{arm}" for unit in units for arm in arms)
    fit = made_fit()
    fit = replace(fit, names=names, costs=np.full(6, 10.0), fair=np.tile([9.2, 10.8], 3), draws=fit.draws[:, :6])
    fit = replace(fit, draws=np.tile([9.2, 10.8], (40, 3)) + np.linspace(-0.01, 0.01, 40)[:, None])
    words = {0.5: ["too dear", "too cheap"], 0.9: ["fair", "fair"]}
    for points, wanted in words.items():
        found = card_prices(balance.load("battlelore"), fit, None, Tolerance(1.0, points))
        assert found.filter(pl.col("card").is_in(arms))["verdict"].to_list() == wanted


def test_there_are_no_prices_of_cards_without_intervals_a_rising_trend_or_parts(warforged: LoadedGame) -> None:
    fit = made_fit()
    assert card_prices(warforged, fit).height == 7
    assert card_prices(warforged, replace(fit, draws=fit.draws[:2])).height == 7
    for lacking in (replace(fit, draws=fit.draws[:1]), replace(fit, trend=Trend(3.0, 0.0, 0.0))):
        found = card_prices(warforged, lacking)
        assert (found.height, found.columns) == (0, card_prices(warforged, fit).columns)
    toy = balance.load(TOY)
    few = replace(fit, names=toy.entrants, costs=fit.costs[:3], fair=fit.fair[:3], draws=fit.draws[:, :3])
    assert card_prices(toy, few).is_empty()
