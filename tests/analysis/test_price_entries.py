from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.prices.entries import Card, price_entries
from balance.base.errors import UsageError
from tests.analysis.price_cases import Found, grid, random_case

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}


def test_nine_of_ten_identical_cards_stay_as_they_are() -> None:
    printed = np.array([10.0] * 9 + [20.0])
    found = Found(tuple("abcdefghij"), printed, np.full(10, 1.7), np.zeros((10, 10)), np.zeros(10, np.int64))
    entries = price_entries(found, [(name,) for name in found.entrants])
    fair = np.exp(entries.anchored_log_fair)
    assert fair.tolist() == pytest.approx(
        [10.0] * 2
    )  # one fighter at two costs: nine of ten cards say which is typical


def test_one_entrant_of_ten_at_double_cost_leaves_the_nine() -> None:
    printed = np.arange(10.0, 20.0)
    wrong = np.where(np.arange(10) == 4, 2 * printed, printed)
    found = Found(tuple("abcdefghij"), wrong, np.log(printed) + 3.0, np.zeros((10, 10)), np.arange(10))
    entries = price_entries(found, [(name,) for name in found.entrants])
    assert np.exp(entries.anchored_log_fair)[entries.entry_of] == pytest.approx(printed)


def test_parts_that_are_no_cards_or_do_not_add_up_are_refused() -> None:
    case = grid(UNITS, WEAPONS)
    with pytest.raises(UsageError) as caught:
        price_entries(case.found, case.parts, {name: card for name, card in case.cards.items() if name != "y"})
    assert str(caught.value) == "a+y is made of y, which is no card; allowed: cards with a table and a cost"
    with pytest.raises(UsageError) as caught:
        price_entries(case.found, case.parts, {**case.cards, "y": Card("weapons", 7.0)})
    told = "a+y costs 16, its cards a + y cost 17 together"
    assert str(caught.value) == f"{told}; costs of cards follow only where a loadout costs what its cards cost"


def test_each_fighter_counts_once_at_each_cost_whatever_it_is_made_of() -> None:
    """Three loadouts of one fighter, two at one cost: of four entries the typical one is the middle of three."""
    printed, fair = np.array([10.0, 10.0, 20.0, 40.0]), np.array([10.0, 10.0, 10.0, 10.0])
    found = Found(("ax", "by", "cx", "dz"), printed, np.log(fair), np.zeros((4, 4)), np.array([7, 7, 7, 2]))
    cards = {name: Card("units", cost) for name, cost in zip("abcd", (5, 4, 15, 30), strict=True)}
    cards |= {name: Card("weapons", cost) for name, cost in zip("xyz", (5, 6, 10), strict=True)}
    entries = price_entries(found, found.entrants, cards)
    assert (len(entries.printed_costs), len(entries.once)) == (4, 3)
    assert entries.anchored_log_fair == pytest.approx(np.full(4, np.log(20)))  # ratios 1, 1/2 and 1/4 of three entries


def test_copies_are_one_card_and_what_only_resembles_is_not() -> None:
    case = grid(UNITS, WEAPONS)
    plain, copied = case.entries(), case.with_copy("b", "f").with_copy("x", "w").entries()
    assert (copied.counts == plain.counts).all()
    assert (copied.anchored_log_fair == plain.anchored_log_fair).all()
    of = dict(zip(copied.cards, copied.card_of.tolist(), strict=True))
    assert (of["f"], of["w"]) == (of["b"], of["x"])
    dearer = case.with_copy("b", "f", 15.0).entries()
    assert len(dearer.card_printed) == len(plain.card_printed) + 1
    other = case.with_copy("b", "f")
    fighters = np.arange(len(other.parts))  # as dear as b, but nobody plays alike
    apart = replace(other, found=replace(other.found, fighters=fighters)).entries()
    assert len(apart.card_printed) == len(plain.card_printed) + 1


def test_draws_have_the_covariance_of_the_noise_and_keep_the_typical_loadout() -> None:
    case = random_case(9, noise=0.05)
    entries = case.entries()
    over = entries.draws[:, entries.once] - np.log(entries.printed_costs[entries.once])
    assert np.abs(np.median(over, axis=1)).max() < 1e-12
    spread = np.cov((entries.draws - entries.draws[:, :1])[:, 1:].T)  # of differences, which no factor touches
    covariance = entries.covariance[np.ix_(entries.fighter, entries.fighter)]
    pull = np.eye(len(covariance))[1:] - np.eye(len(covariance))[0]
    exact = pull @ covariance @ pull.T
    assert np.abs(spread - exact).max() < 0.1 * exact.max()


def test_a_game_without_cards_has_one_card_an_entrant() -> None:
    found = Found(("elf", "orc"), np.array([3.0, 5.0]), np.log([3.0, 5.0]), np.zeros((2, 2)), np.arange(2))
    entries = price_entries(found, ["ignored", "too"])
    assert (entries.cards, entries.tables, entries.counts.tolist()) == (("elf", "orc"), ("", ""), [[1, 0], [0, 1]])


def test_what_costs_nothing_has_no_fair_share_of_its_cost() -> None:
    case = grid({"a": 0.0, "b": 4.0}, {"x": 0.0}, np.array([[1.0], [2.0]]))
    with pytest.raises(UsageError) as caught:
        case.entries()
    assert str(caught.value) == "a+x costs 0 points; fair costs are shares of printed ones: above 0"


def test_of_two_middle_loadouts_either_keeps_its_cost() -> None:
    """Half of the loadouts are worth twice what they cost: the median lies between, and each middle in one half."""
    costs = dict.fromkeys("abcd", 20.0)
    fair = np.array([[20.0], [20.0], [40.0], [40.0]])
    entries = grid(costs, {"x": 0.0}, fair).entries()
    assert entries.middle_gap == pytest.approx(np.log(2))
    kept = {middle: np.exp(replace(entries, middle=middle).anchored_log_fair) for middle in (-1, 0, 1)}
    assert [kept[middle].min() for middle in (-1, 0, 1)] == pytest.approx([20, 20 / 2**0.5, 10])
    odd = grid({**costs, "e": 20.0}, {"x": 0.0}, np.array([[20.0], [21.0], [30.0], [40.0], [41.0]])).entries()
    assert odd.middle_gap == 0
