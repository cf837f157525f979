from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.prices.card_costs import LEAST_CHANGE, fit_card_costs, free_directions, settle_constant
from balance.analysis.prices.entries import Card
from tests.analysis.price_cases import Case, Found, grid, three_tables

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}


def test_the_free_constant_is_named_ranged_and_settled_by_each_rule() -> None:
    """All units printed 3 too dear and all weapons 3 too cheap: every loadout is fair, and so are all cards."""
    case = grid({name: cost + 3 for name, cost in UNITS.items()}, {name: cost - 3 for name, cost in WEAPONS.items()})
    found = fit_card_costs(case.entries())
    (constant,) = found.constants
    assert constant.steps == {"a": 1.0, "b": 1.0, "c": 1.0, "x": -1.0, "y": -1.0, "z": -1.0, "v": -1.0}
    assert [constant.low, constant.high] == pytest.approx([-12.0, 0.0], abs=1e-9)
    ends = {"units at their cheapest": -12.0, "units at their dearest": 0.0}
    assert constant.by_rule == pytest.approx({LEAST_CHANGE: 0.0, **ends}, abs=1e-9)
    cheapest = dict(
        zip(found.entries.cards, found.by_rule["units at their cheapest"][found.entries.card_of], strict=True)
    )
    assert cheapest == pytest.approx({"a": 1, "b": 5, "c": 11, "x": 13, "y": 15, "z": 18, "v": 21})
    assert list(fit_card_costs(case.entries(), "units").by_rule) == ["units"]
    assert constant.sentence == (
        "adding t to every card of units and taking t from every card of weapons changes no loadout; "
        "every cost stays legal for t from -12 to 0 points beside the costs proposed"
    )


def test_three_tables_leave_two_directions_and_the_costs_change_least() -> None:
    case = three_tables(1)
    entries = case.entries()
    (basis,) = free_directions(entries)
    assert basis.shape == (10, 2)
    assert np.abs(entries.counts @ basis).max() < 1e-12
    found = fit_card_costs(entries)
    change = np.abs(found.costs - entries.card_printed).sum()
    rng = np.random.default_rng(0)
    for step in rng.normal(0, 1, (500, 2)):
        assert np.abs(found.costs + basis @ step - entries.card_printed).sum() >= change - 1e-9
    assert len(found.constants) == 2
    assert len(found.by_rule) == 5
    for costs in found.by_rule.values():
        assert costs.min() >= 1 - 1e-9
        assert found.entries.counts @ costs == pytest.approx(found.sums)


def test_loadouts_that_share_no_card_have_a_constant_each() -> None:
    skipped = [f"{u}+{w}" for u in "abc" for w in "xyzv" if (u == "a") != (w in "xy")]
    entries = grid(UNITS, WEAPONS, skipped=skipped).entries()
    assert [basis.shape for basis in free_directions(entries)] == [(7, 1), (7, 1)]


def test_loadouts_that_fix_every_card_leave_nothing_free() -> None:
    """A unit that may also go without a weapon ties the tables together."""
    case = grid(UNITS, {"x": 4.0, "y": 6.0})
    found = replace(
        case.found,
        entrants=(*case.found.entrants, "a"),
        printed_costs=np.append(case.found.printed_costs, 10.0),
        log_fair=np.append(case.found.log_fair, np.log(10.0)),
        covariance=np.zeros((7, 7)),
        fighters=np.append(case.found.fighters, 99),
    )
    fitted = fit_card_costs(replace(case, found=found, parts=(*case.parts, ("a",))).entries())
    assert fitted.constants == ()
    assert {rule: costs.round(9).tolist() for rule, costs in fitted.by_rule.items()} == {
        LEAST_CHANGE: fitted.entries.card_printed.tolist()
    }


def test_a_unit_with_two_weapons_has_another_step_than_one() -> None:
    """Each loadout is one unit and two weapons: t added to a unit takes half of it from each weapon."""
    cards = {name: Card("units", cost) for name, cost in zip("ab", (10.0, 20.0), strict=True)}
    cards |= {name: Card("weapons", cost) for name, cost in zip("xyz", (4.0, 6.0, 9.0), strict=True)}
    parts = tuple((unit, *pair) for unit in "ab" for pair in ("xy", "xz", "yz", "xx"))
    printed = np.array([sum(cards[part].cost for part in one) for one in parts])
    names = tuple(map("+".join, parts))
    case = Case(Found(names, printed, np.log(printed), np.zeros((8, 8)), np.arange(8)), parts, cards)
    (constant,) = fit_card_costs(case.entries()).constants
    assert constant.steps == {"a": 1.0, "b": 1.0, "x": -0.5, "y": -0.5, "z": -0.5}
    assert [constant.low, constant.high] == pytest.approx([-9.0, 6.0])
    assert constant.sentence == (
        "adding t times its step to each of 5 cards changes no loadout; "
        "every cost stays legal for t from -9 to 6 points beside the costs proposed"
    )


@pytest.mark.parametrize("seed", range(4))
def test_each_row_of_costs_changes_least_by_its_own_step(seed: int) -> None:
    """The weighted sum of changes is least at one of the steps at which some card keeps its cost."""
    entries = grid(UNITS, WEAPONS).entries()
    rng = np.random.default_rng(seed)
    costs, weights = entries.card_printed + rng.normal(0, 3, (5, 7)), rng.uniform(0.2, 1, 7)
    (basis,) = free_directions(entries)
    for row, found in zip(costs, settle_constant(entries, costs, weights, -99.0), strict=True):
        steps = (entries.card_printed - row) / basis[:, 0]
        sums = [weights @ np.abs(row + step * basis[:, 0] - entries.card_printed) for step in steps]
        assert found == pytest.approx(row + steps[np.argmin(sums)] * basis[:, 0])


def test_where_two_directions_are_free_every_row_keeps_the_costs_that_the_first_keeps() -> None:
    entries = three_tables(1).entries()
    rng = np.random.default_rng(1)
    first = entries.card_printed + rng.normal(0, 2, 10)
    costs = first + np.concatenate([np.zeros((1, 10)), rng.normal(0, 0.3, (4, 10))])
    settled = settle_constant(entries, costs, np.ones(10), -99.0)
    kept = np.abs(settled - entries.card_printed) < 1e-6
    assert kept.sum(axis=1).tolist() == [2] * 5
    assert (kept == kept[0]).all()
    assert (settled - costs) @ entries.counts.T == pytest.approx(np.zeros((5, 36)), abs=1e-9)
