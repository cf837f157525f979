"""The fewest changes of costs that explain what is off, on catalogues whose fair costs are planted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from balance.analysis.prices.entries import PriceEntries
from balance.analysis.prices.fewest_costs import FewestCosts, fewest_costs
from balance.analysis.prices.verdicts import AS_ALL, NOT_KNOWN, NOT_WORTH, OFF_VERDICTS, price_verdicts
from balance.analysis.scores.usual_prices import Tolerance
from tests.analysis.price_cases import Case, grid, measured, sums

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0, "d": 28.0, "e": 34.0, "f": 40.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}
FAIR = sums(UNITS, WEAPONS)
NOISES = pytest.mark.parametrize("noise", [0.0, 0.01])


def fewest(case: Case, least: float = 1.0, keep: str | None = None) -> FewestCosts:
    return fewest_costs(case.entries(), Tolerance(), least, keep)


def names_of(entries: PriceEntries, places: Any) -> list[str]:
    """Return the cards that stand at some places of the distinct ones, in the order of the places."""
    return [card for at in places for card, of in zip(entries.cards, entries.card_of.tolist(), strict=True) if of == at]


def changed(found: FewestCosts) -> list[str]:
    return names_of(found.entries, found.changed)


def costs(found: FewestCosts) -> dict[str, float]:
    return dict(zip(found.entries.cards, found.costs[found.entries.card_of].tolist(), strict=True))


def words(found: FewestCosts, case: Case) -> dict[str, str]:
    """Return what is said of cards and loadouts that are not fair."""
    verdicts = price_verdicts(found, case.parts)
    prices = {**verdicts.cards, **verdicts.loadouts}
    return {name: price.verdict for name, price in prices.items() if price.verdict != "fair"}


def at(printed: Mapping[str, float], **others: float) -> dict[str, float]:
    return {**printed, **others}


def planted(noise: float, units: Mapping[str, float] = UNITS, weapons: Mapping[str, float] = WEAPONS) -> Case:
    """Return the catalogue at some printed costs, whose fair ones are `UNITS` and `WEAPONS`."""
    return measured(grid(units, weapons, FAIR), noise)


@NOISES
def test_a_fair_catalogue_needs_no_change(noise: float) -> None:
    case = planted(noise)
    found = fewest(case)
    assert (changed(found), found.power, bool(found.useless.any())) == ([], None, False)
    assert words(found, case) == {}
    assert costs(found) == pytest.approx({**UNITS, **WEAPONS}, rel=0.001 if noise == 0 else 0.06)


@NOISES
@pytest.mark.parametrize(("card", "cost", "word"), [("c", 27.0, "too dear"), ("e", 26.0, "too cheap")])
def test_one_card_is_the_only_change(card: str, cost: float, word: str, noise: float) -> None:
    case = planted(noise, at(UNITS, **{card: cost}))
    found = fewest(case)
    assert changed(found) == [card]
    assert costs(found)[card] == pytest.approx(UNITS[card], rel=0.03)
    assert {name: said for name, said in words(found, case).items() if "+" not in name} == {card: word}


@NOISES
def test_two_cards_of_two_tables_are_the_only_changes(noise: float) -> None:
    case = planted(noise, at(UNITS, c=27.0), at(WEAPONS, v=8.0))
    found = fewest(case)
    assert changed(found) == ["c", "v"]
    assert [costs(found)[card] for card in "cv"] == pytest.approx([20, 12], rel=0.05)
    assert {name: word for name, word in words(found, case).items() if "+" not in name} == {
        "c": "too dear",
        "v": "too cheap",
    }


@NOISES
def test_a_single_loadout_that_is_off_names_no_card(noise: float) -> None:
    fair = FAIR.copy()
    fair[3, 2] *= 1.3
    case = measured(grid(UNITS, WEAPONS, fair), noise)
    said = words(fewest(case), case)
    assert said.pop("d+z") == "too cheap"
    assert set(said.values()) <= {NOT_KNOWN}


@NOISES
@pytest.mark.parametrize("power", [0.5, 0.7, 1.4])
def test_all_costs_to_a_power_are_one_change(power: float, noise: float) -> None:
    """Printed are the fair ones to `power`, so that they have to be raised to 1 / `power`; nobody is off alone."""
    printed = [{name: 10 * (cost / 10) ** power for name, cost in table.items()} for table in (UNITS, WEAPONS)]
    case = planted(noise, *printed)
    found = fewest(case)
    assert found.power == pytest.approx(1 / power, abs=0.05)
    assert changed(found) == []
    assert set(words(found, case).values()) <= {AS_ALL, NOT_KNOWN}
    raised = found.base / np.exp(np.median(np.log(found.base)))
    true = np.array([{**UNITS, **WEAPONS}[name] for name in names_of(found.entries, range(len(raised)))])
    assert raised == pytest.approx(true / np.exp(np.median(np.log(true))), rel=0.1)


def test_one_card_is_no_power_and_a_power_no_card() -> None:
    """The dearest at double its cost is steeper than the others, but one change explains it."""
    found = fewest(planted(0.01, at(UNITS, f=80.0)))
    assert (found.power, changed(found)) == (None, ["f"])


@NOISES
@pytest.mark.parametrize("dear", [20.0, 27.0])
def test_a_useless_weapon_has_no_price_and_moves_nobody(dear: float, noise: float) -> None:
    """Whoever carries y is worth a fiftieth; c is fair, or planted too dear."""
    fair = FAIR * np.where(np.array(list(WEAPONS)) == "y", 0.02, 1.0)
    case = measured(grid(at(UNITS, c=dear), WEAPONS, fair), noise)
    found = fewest(case)
    assert names_of(found.entries, np.flatnonzero(found.useless)) == ["y"]
    assert changed(found) == (["c"] if dear > 20 else [])
    said = words(found, case)
    assert {name for name, word in said.items() if word == NOT_WORTH} == {"y", *(f"{unit}+y" for unit in UNITS)}
    assert {name for name, word in said.items() if word in OFF_VERDICTS} == (
        {"c", "c+x", "c+z", "c+v"} if dear > 20 else set()
    )


def test_a_card_that_a_legal_cost_mends_is_not_useless() -> None:
    """Worth a third of what it costs, but its loadouts are fair at 2 points."""
    case = planted(0.01, UNITS, at(WEAPONS, v=36.0))
    found = fewest(case)
    assert (bool(found.useless.any()), changed(found)) == (False, ["v"])


@NOISES
def test_of_ten_alike_the_dear_one_changes(noise: float) -> None:
    printed = {f"n{place}": 26.0 if place == 6 else 20.0 for place in range(10)}
    case = measured(grid(printed, {"rope": 0.0}, np.full((10, 1), 20.0)), noise)
    found = fewest(case, 0.0)
    assert changed(found) == ["n6"]
    assert words(found, case) == {"n6": "too dear", "n6+rope": "too dear"}


@NOISES
@pytest.mark.parametrize(("printed", "fair"), [(6.0, 12.0), (20.0, 10.0)])
def test_of_a_card_that_half_of_the_loadouts_carry_only_the_card_changes(
    printed: float, fair: float, noise: float
) -> None:
    """The median lies between both halves: by it all would be off, one half dear and the other cheap."""
    case = measured(grid(UNITS, {"x": 8.0, "y": printed}, sums(UNITS, {"x": 8.0, "y": fair})), noise)
    found = fewest(case)
    assert changed(found) == ["y"]
    assert costs(found)["y"] == pytest.approx(fair, abs=0.8)
    off = {name for name, word in words(found, case).items() if word in OFF_VERDICTS}
    assert "y" in off <= {"y", *(f"{unit}+y" for unit in UNITS)}


def test_a_free_card_may_be_worth_something_or_nothing() -> None:
    worth, nothing = (measured(grid(UNITS, at(WEAPONS, o=0.0), sums(UNITS, at(WEAPONS, o=cost))), 0.01)
                      for cost in (8.0, 0.0))  # fmt: skip
    assert changed(fewest(worth, 0.0)) == ["o"]
    assert costs(fewest(worth, 0.0))["o"] == pytest.approx(8, abs=0.5)
    assert words(fewest(worth, 0.0), worth)["o"] == "too cheap"
    assert words(fewest(nothing, 0.0), nothing) == {}


def test_a_cheap_card_may_be_worth_many_times_its_cost() -> None:
    found = fewest(planted(0.01, UNITS, at(WEAPONS, v=1.0)))
    assert changed(found) == ["v"]
    assert costs(found)["v"] == pytest.approx(12, abs=0.6)


@pytest.mark.parametrize(("keep", "still"), [("units", UNITS), ("weapons", WEAPONS)])
def test_the_table_that_is_kept_keeps_its_costs(keep: str, still: Mapping[str, float]) -> None:
    """All units 3 dearer and all weapons 3 cheaper is the same loadouts, so that costs of either table may stay."""
    units, weapons = (
        {name: cost + more for name, cost in table.items()} for table, more in ((UNITS, 3), (WEAPONS, -3))
    )
    case = grid(units, weapons, FAIR)
    printed = {**units, **weapons}
    assert costs(fewest(case)) == pytest.approx(printed)
    assert {name: costs(fewest(case, keep=keep))[name] for name in still} == pytest.approx(
        {name: printed[name] for name in still}
    )


def test_neither_names_nor_rows_nor_a_copy_count() -> None:
    case = planted(0.02, at(UNITS, c=27.0), at(WEAPONS, v=8.0))
    plain = fewest(case)
    order = np.random.default_rng(3).permutation(len(case.parts)).tolist()
    new = {name: f"q{place}" for place, name in enumerate(sorted(case.cards, reverse=True))}
    assert costs(fewest(case.rows(order))) == costs(plain)
    assert costs(fewest(case.renamed(new))) == {new[name]: cost for name, cost in costs(plain).items()}
    assert costs(fewest(case.with_copy("e", "again"))) == {**costs(plain), "again": costs(plain)["e"]}


@pytest.mark.slow("test_one_card_is_the_only_change")
def test_noise_moves_draws_as_it_moves_estimates() -> None:
    """The spread of the draws is that of the estimates of catalogues measured anew, within a third."""
    printed = at(UNITS, c=27.0)
    found = fewest(planted(0.01, printed))
    again = np.array([list(costs(fewest(measured(grid(printed, WEAPONS, FAIR), 0.01, seed))).values())
                      for seed in range(2, 14)])  # fmt: skip
    spread = found.draws[:, found.entries.card_of].std(axis=0)
    assert float(np.median(again.std(axis=0, ddof=1) / spread)) == pytest.approx(1, abs=1 / 3)
    assert float(np.abs(found.costs[found.entries.card_of] - again.mean(axis=0)).max()) < 4 * float(spread.max())


@NOISES
@pytest.mark.parametrize("least", [1.0, 4.0])
def test_a_card_that_is_worth_less_than_is_legal_moves_no_other(least: float, noise: float) -> None:
    """Worth nothing beside its unit, and yet not useless, as a cheap card beside a dear unit is nearly fair."""
    case = measured(grid(UNITS, WEAPONS, sums(UNITS, at(WEAPONS, v=0.0))), noise)
    found = fewest(case, least)
    assert (changed(found), bool(found.useless.any())) == (["v"], False)
    assert costs(found)["v"] == pytest.approx(0, abs=0.3)
    assert {name for name, word in words(found, case).items() if word in OFF_VERDICTS} == {
        "v",
        *(f"{unit}+v" for unit in UNITS),
    }
