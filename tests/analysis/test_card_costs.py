from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from balance.analysis.card_costs import fit_card_costs, unfairness
from balance.analysis.free_constant import LEAST_CHANGE, free_directions
from balance.analysis.price_entries import Card, price_entries
from balance.errors import UsageError
from tests.analysis.price_cases import Case, Floats, Found, grid, random_case

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}


def costs_of(case: Case, keep: str | None = None, least: float = 0.0) -> dict[str, float]:
    entries = case.entries()
    found = fit_card_costs(entries, keep, least)
    return dict(zip(entries.cards, found.costs[entries.card_of].tolist(), strict=True))


def test_nine_of_ten_identical_cards_stay_as_they_are() -> None:
    printed = np.array([10.0] * 9 + [20.0])
    found = Found(tuple("abcdefghij"), printed, np.full(10, 1.7), np.zeros((10, 10)), np.zeros(10, np.int64))
    entries = price_entries(found, [(name,) for name in found.entrants])
    fair = np.exp(entries.anchored)
    assert fair.tolist() == pytest.approx([200**0.5] * 2)  # one fighter at two costs: the middle of both


def test_one_entrant_of_ten_at_double_cost_leaves_the_nine() -> None:
    printed = np.arange(10.0, 20.0)
    wrong = np.where(np.arange(10) == 4, 2 * printed, printed)
    found = Found(tuple("abcdefghij"), wrong, np.log(printed) + 3.0, np.zeros((10, 10)), np.arange(10))
    entries = price_entries(found, [(name,) for name in found.entrants])
    assert np.exp(entries.anchored)[entries.entry_of] == pytest.approx(printed)


def test_one_card_off_is_all_that_changes() -> None:
    fair = np.add.outer([10.0, 14.0, 20.0], list(WEAPONS.values()))
    case = grid({**UNITS, "b": 20.0}, WEAPONS, fair * 7)
    assert costs_of(case) == pytest.approx({**UNITS, **WEAPONS})
    found = fit_card_costs(case.entries())
    assert [found.rms, found.rms_noise] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert unfairness(found.entries, found.entries.card_printed) == pytest.approx(
        float(np.sqrt(np.mean(np.log((fair[1] + 6) / fair[1]) ** 2) / 3))
    )


def test_the_free_constant_is_named_ranged_and_settled_by_each_rule() -> None:
    """All units printed 3 too dear and all weapons 3 too cheap: every loadout is fair, and so are all cards."""
    case = grid({name: cost + 3 for name, cost in UNITS.items()}, {name: cost - 3 for name, cost in WEAPONS.items()})
    found = fit_card_costs(case.entries())
    (constant,) = found.constants
    assert constant.steps == {"a": 1.0, "b": 1.0, "c": 1.0, "x": -1.0, "y": -1.0, "z": -1.0, "v": -1.0}
    assert [constant.low, constant.high] == pytest.approx([-13.0, 1.0])
    assert constant.by_rule == pytest.approx({LEAST_CHANGE: 0.0, "units": 0.0, "weapons": 0.0}, abs=1e-9)
    assert constant.sentence == (
        "adding t to every card of units and taking t from every card of weapons changes no loadout; "
        "every cost stays legal for t from -13 to 1 points beside the costs proposed"
    )


def test_the_table_that_the_designer_keeps_keeps_its_middle_card() -> None:
    fair = np.add.outer([10.0, 14.0, 20.0], list(WEAPONS.values()))
    case = grid({"a": 12.0, "b": 16.0, "c": 22.0}, WEAPONS, fair)
    fixed = replace(case, found=replace(case.found, log_fair=case.found.log_fair))
    entries = fixed.entries()
    factor = float(np.exp(entries.anchored - entries.log_fair[entries.fighter])[0])
    units, weapons = costs_of(fixed, "units"), costs_of(fixed, "weapons")
    assert units["b"] == pytest.approx(16.0)
    assert np.median([weapons[name] - WEAPONS[name] for name in WEAPONS]) == pytest.approx(0.0)
    for costs in (units, weapons):
        assert [costs[u] + costs[w] for u, w in fixed.parts] == pytest.approx((fair * factor).ravel().tolist())
    with pytest.raises(UsageError) as caught:
        fit_card_costs(entries, "spells")
    assert str(caught.value) == "no card stands in the table 'spells'; allowed: units, weapons"


def test_parts_that_are_no_cards_or_do_not_add_up_are_refused() -> None:
    case = grid(UNITS, WEAPONS)
    with pytest.raises(UsageError) as caught:
        price_entries(case.found, case.parts, {name: card for name, card in case.cards.items() if name != "y"})
    assert str(caught.value) == "a+y is made of y, which is no card; allowed: cards with a table and a cost"
    with pytest.raises(UsageError) as caught:
        price_entries(case.found, case.parts, {**case.cards, "y": Card("weapons", 7.0)})
    told = "a+y costs 16, its cards a + y cost 17 together"
    assert str(caught.value) == f"{told}; costs of cards follow only where a loadout costs what its cards cost"


def reference(case: Case, least: float) -> Floats:
    """Return the sums of loadouts by a general minimiser, without classes, directions or rules."""
    entries = case.entries()
    fair = np.exp(entries.anchored)[entries.entry_of]
    names = list(case.cards)
    counts = np.array([[one.count(name) for name in names] for one in case.parts]) / fair[:, None]

    def off(cost: Floats) -> float:
        return float(np.sum((counts @ cost - 1) ** 2))

    def slope(cost: Floats) -> Floats:
        return np.asarray(2 * counts.T @ (counts @ cost - 1), np.float64)

    start, bounds = np.full(len(names), fair.mean() / 2), [(least, np.inf)] * len(names)
    options = {"ftol": 1e-16, "gtol": 1e-12, "maxiter": 10_000}
    found = minimize(off, start, jac=slope, bounds=bounds, method="L-BFGS-B", options=options)  # type: ignore[call-overload]
    return np.asarray((counts @ found.x) * fair)


@pytest.mark.parametrize("seed", range(6))
def test_sums_are_those_of_a_general_minimiser(seed: int) -> None:
    case = random_case(seed, noise=0.1)
    costs = costs_of(case)
    assert [sum(costs[part] for part in one) for one in case.parts] == pytest.approx(reference(case, 0.0), rel=1e-5)


@pytest.mark.parametrize("least", [0.0, 2.0])
def test_no_cost_is_below_what_is_legal(least: float) -> None:
    """The smallest unit with the dearest weapon is worth less than the weapon alone: the best sums are not legal."""
    rng = np.random.default_rng(3)
    fair = np.add.outer([-6.0, 14.0, 20.0], [8.0, 9.0, 10.0, 30.0]) * np.exp(rng.normal(0, 0.1, (3, 4)))
    case = grid(UNITS, WEAPONS, np.maximum(fair, 1.0))
    costs = costs_of(case, least=least)
    assert min(costs.values()) >= least
    assert [sum(costs[part] for part in one) for one in case.parts] == pytest.approx(reference(case, least), rel=1e-4)


def three_tables(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    tables = {"units": "abc", "weapons": "xyz", "talents": "pqrs"}
    cards = {name: Card(table, float(rng.integers(3, 20))) for table, names in tables.items() for name in names}
    parts = tuple((u, w, t) for u in "abc" for w in "xyz" for t in "pqrs")
    printed = np.array([sum(cards[part].cost for part in one) for one in parts])
    log_fair = np.log(printed) + rng.normal(0, 0.1, len(parts))
    return Case(Found(tuple(map("+".join, parts)), printed, log_fair, np.zeros((36, 36)), np.arange(36)), parts, cards)


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
    assert set(found.by_rule) == {LEAST_CHANGE, "talents", "units", "weapons"}


def test_loadouts_that_share_no_card_have_a_constant_each() -> None:
    skipped = [f"{u}+{w}" for u in "abc" for w in "xyzv" if (u == "a") != (w in "xy")]
    entries = grid(UNITS, WEAPONS, skipped=skipped).entries()
    assert [basis.shape for basis in free_directions(entries)] == [(7, 1), (7, 1)]


@pytest.mark.parametrize("three", [False, True])
def test_the_noise_goes_through_the_map_as_a_new_fit_would(three: bool) -> None:
    """A small push of the fair costs moves sums as the derivative says: draws of tiny noise against new fits."""
    case = three_tables(2) if three else random_case(5)
    tiny = 1e-12 * np.eye(len(case.parts))
    found = fit_card_costs(replace(case, found=replace(case.found, covariance=tiny)).entries())
    for number in (0, 7):
        pushed = found.entries.log_fair + 0
        moved = found.entries.draws[number] - found.entries.anchored
        pushed[found.entries.fighter] += moved
        again = fit_card_costs(replace(found.entries, log_fair=pushed))
        for rule, costs in found.draws.items():
            assert costs[number] - found.by_rule[rule] == pytest.approx(
                again.by_rule[rule] - found.by_rule[rule], abs=1e-9
            )


def test_order_names_and_copies_change_no_bit() -> None:
    case = random_case(11)
    plain = costs_of(case)
    order = np.random.default_rng(1).permutation(len(case.parts)).tolist()
    assert costs_of(case.rows(order)) == plain
    new = {name: f"z{place}" for place, name in enumerate(reversed(list(case.cards)))}
    assert costs_of(case.renamed(new)) == {new[name]: cost for name, cost in plain.items()}
    for card in ("u3", "w2"):
        assert costs_of(case.with_copy(card, "again")) == {**plain, "again": plain[card]}
    whole, copied = fit_card_costs(case.entries()), fit_card_costs(case.with_copy("u3", "again").entries())
    assert (whole.rms, whole.rms_noise) == (copied.rms, copied.rms_noise)
    for rule, draws in whole.draws.items():
        assert (draws == copied.draws[rule]).all()


def test_all_costs_doubled_are_all_costs_doubled() -> None:
    case = random_case(12)
    double = costs_of(case.printed({name: 2 * card.cost for name, card in case.cards.items()}))
    assert {name: cost / 2 for name, cost in double.items()} == pytest.approx(costs_of(case), rel=1e-9)


def test_unfairness_that_only_noise_makes_is_taken_off() -> None:
    """Of additive truths the mean of squares less noise is 0 within its own error; what is planted is found."""
    noise_only, planted = [], []
    for seed in range(30):
        case = random_case(seed, noise=0.05)
        found = fit_card_costs(case.entries())
        noise_only.append(float(np.mean(found.unfair**2)) - found.rms_noise**2)
        rng = np.random.default_rng(seed)
        off = replace(case.found, log_fair=case.found.log_fair + rng.normal(0, 0.2, len(case.parts)))
        planted.append(fit_card_costs(replace(case, found=off).entries()).rms)
    assert abs(np.mean(noise_only)) < 4 * np.std(noise_only) / 30**0.5
    assert np.mean(planted) == pytest.approx(0.2 * np.sqrt(20 / 30), rel=0.08)
