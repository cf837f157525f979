from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from balance.analysis.prices.card_costs import fit_card_costs, unfairness
from balance.analysis.prices.cost_changes import CostChange, CostChanges, few_changes, legal_costs, worst_off
from balance.base.arrays import FloatArray
from balance.base.errors import UsageError
from tests.analysis.price_cases import Case, grid

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0, "d": 26.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0}
FAIR = np.add.outer(list(UNITS.values()), list(WEAPONS.values()))


def few(case: Case, most: int, least: int = 0) -> CostChanges:
    return few_changes(fit_card_costs(case.entries()), case.parts, most, least)


def whole(case: Case, least: int = 0) -> CostChanges:
    return legal_costs(fit_card_costs(case.entries()), case.parts, least)


def square(case: Case) -> tuple[list[str], FloatArray]:
    """Return the cards, and what a point on each adds to sum / fair cost of every loadout."""
    entries = case.entries()
    names, fair = list(case.cards), np.exp(entries.anchored_log_fair)[entries.entry_of]
    return names, np.array([[one.count(name) for name in names] for one in case.parts]) / fair[:, None]


def left(case: Case, costs: dict[str, float]) -> float:
    names, matrix = square(case)
    return float(np.sum((matrix @ [costs[name] for name in names] - 1) ** 2))


def test_planted_errors_are_the_changes_found_and_who_gains_by_them_is_told() -> None:
    case = grid({**UNITS, "b": 20.0}, {**WEAPONS, "z": 8.0}, FAIR)
    one, two, three = (few(case, most) for most in (1, 2, 3))
    assert one.changes == (CostChange("b", 20.0, 14),)
    assert two.changes == three.changes == (CostChange("b", 20.0, 14), CostChange("z", 8.0, 9))
    assert two.costs == {**UNITS, **WEAPONS}
    assert [two.after, three.after] == pytest.approx([0, 0], abs=1e-12)
    assert two.before == pytest.approx(
        np.sqrt(np.mean([np.log(case.found.printed_costs / np.exp(case.found.log_fair)) ** 2]))
    )
    assert [one.entrant for one in two.profit] == ["b+x", "b+y", "b+z"]
    assert [one.entrant for one in two.lose] == ["a+z", "c+z", "d+z"]
    lost = two.lose[0]
    assert (lost.entrant, lost.cost, lost.proposed_cost) == ("a+z", 18.0, 19.0)
    assert [lost.fair, lost.unfair] == pytest.approx([19.0, 0.0])


def test_nothing_to_change_changes_nothing() -> None:
    case = grid(UNITS, WEAPONS)
    for found in (few(case, 0), few(case, 4), whole(case)):
        assert (found.changes, found.profit, found.lose) == ((), (), ())
        assert found.costs == {**UNITS, **WEAPONS}
        assert [found.before, found.after] == pytest.approx([0, 0], abs=1e-12)


def test_a_card_may_come_to_cost_nothing_unless_that_is_refused() -> None:
    case = grid(UNITS, {**WEAPONS, "y": 3.0}, np.add.outer(list(UNITS.values()), [4.0, 0.0, 9.0]))
    fitted = fit_card_costs(case.entries(), min_cost=0)
    assert few_changes(fitted, case.parts, 1, 0).changes == (CostChange("y", 3.0, 0),)
    assert legal_costs(fitted, case.parts, 0).changes == (CostChange("y", 3.0, 0),)
    assert few(case, 1, 1).changes == (CostChange("y", 3.0, 1),)
    assert min(whole(case, 1).costs.values()) >= 1


def small(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    units = {name: float(rng.integers(5, 25)) for name in "abc"}
    weapons = {name: float(rng.integers(3, 15)) for name in "xyz"}
    fair = np.add.outer(rng.uniform(5, 25, 3), rng.uniform(3, 15, 3)) * np.exp(rng.normal(0, 0.1, (3, 3)))
    return grid(units, weapons, fair)


@pytest.mark.parametrize("seed", range(8))
def test_two_changes_are_those_of_brute_force(seed: int) -> None:
    """Every pair of cards at every pair of whole costs from 1 to 44."""
    case = small(seed)
    names, matrix = square(case)
    printed = np.array([case.cards[name].cost for name in names])
    values = np.array(list(product(range(1, 45), repeat=2)), float)
    least = np.inf
    for pair in combinations(range(len(names)), 2):
        costs = np.tile(printed, (len(values), 1))
        costs[:, pair] = values
        least = min(least, float(((costs @ matrix.T - 1) ** 2).sum(axis=1).min()))
    found = few(case, 2, least=1)
    assert len(found.changes) <= 2
    assert left(case, found.costs) == pytest.approx(least, rel=1e-9)


def test_whole_costs_are_those_of_brute_force_or_nearly() -> None:
    """No whole costs within two points of the proposed ones, all five cards at once, leave less; once 2 % less."""
    worse = []
    for seed in range(12):
        case = small(seed)
        case = case.rows([row for row, one in enumerate(case.parts) if "c" not in one])
        case = replace(case, cards={name: card for name, card in case.cards.items() if name != "c"})
        found = whole(case, least=1)
        assert all(cost == int(cost) >= 1 for cost in found.costs.values())
        names, matrix = square(case)
        near = np.array([found.costs[name] for name in names]) + np.array(list(product(range(-2, 3), repeat=5)))
        legal = near[(near >= 1).all(axis=1)]
        worse.append(left(case, found.costs) / float(((legal @ matrix.T - 1) ** 2).sum(axis=1).min()) - 1)
    assert max(worse) < 0.03
    assert sum(by > 1e-9 for by in worse) <= 2


def test_no_cost_goes_below_what_is_legal() -> None:
    fair = np.maximum(np.add.outer([-6.0, 14.0, 20.0, 26.0], list(WEAPONS.values())), 1.0)
    case = grid(UNITS, WEAPONS, fair)
    assert min(whole(case, least=3).costs.values()) >= 3
    assert min(few(case, 4, least=3).costs.values()) >= 3


def test_of_two_copies_one_change_moves_one() -> None:
    case = grid({**UNITS, "b": 20.0}, WEAPONS, FAIR).with_copy("b", "f")
    both, one = few(case, 2), few(case, 1)
    assert {change.card: change.proposed_cost for change in both.changes} == {"b": 14, "f": 14}
    assert len(one.changes) == 1
    assert both.after < one.after < one.before


def test_a_copy_and_another_order_change_no_other_cost() -> None:
    case = small(3)
    plain = whole(case)
    copied = whole(case.with_copy("x", "again"))
    assert {name: copied.costs[name] for name in plain.costs} == plain.costs
    order = np.random.default_rng(4).permutation(len(case.parts)).tolist()
    assert few(case.rows(order), 3) == few(case, 3)


def test_worst_off_are_the_loadouts_that_no_sum_reaches() -> None:
    fair = FAIR * np.array([[1, 1, 1], [1, 1.5, 1], [1, 1, 1], [1, 1, 1]])
    case = grid(UNITS, WEAPONS, fair)
    fitted = fit_card_costs(case.entries())
    first = worst_off(fitted, 2)[0]
    assert first.entrant == "b+y"
    assert first.unfair < -0.1
    assert first.unfair == pytest.approx(np.log(first.proposed_cost / first.fair))
    assert few(case, 0).before == pytest.approx(unfairness(fitted.entries, fitted.entries.card_printed))


def test_less_than_nothing_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        few(small(0), -1)
    assert str(caught.value) == "costs of -1 cards cannot change; allowed: 0 and more"
    with pytest.raises(UsageError) as caught:
        whole(small(0), -2)
    assert str(caught.value) == "-2 is no least cost of a card; allowed: 0 and more"
