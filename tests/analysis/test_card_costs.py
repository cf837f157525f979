from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from balance.analysis.prices.card_costs import fit_card_costs, unfairness
from balance.base.arrays import FloatArray
from balance.base.errors import UsageError
from tests.analysis.price_cases import Case, grid, random_case, three_tables

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}


def costs_of(case: Case, keep: str | None = None, least: float = 0.0) -> dict[str, float]:
    entries = case.entries()
    found = fit_card_costs(entries, keep, least)
    return dict(zip(entries.cards, found.costs[entries.card_of].tolist(), strict=True))


def test_one_card_off_is_all_that_changes() -> None:
    fair = np.add.outer([10.0, 14.0, 20.0], list(WEAPONS.values()))
    case = grid({**UNITS, "b": 20.0}, WEAPONS, fair * 7)
    assert costs_of(case) == pytest.approx({**UNITS, **WEAPONS})
    found = fit_card_costs(case.entries())
    assert [found.rms, found.rms_noise] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert unfairness(found.entries, found.entries.card_printed) == pytest.approx(
        float(np.sqrt(np.mean(np.log((fair[1] + 6) / fair[1]) ** 2) / 3))
    )


def test_the_table_that_the_designer_keeps_keeps_its_middle_card() -> None:
    fair = np.add.outer([10.0, 14.0, 20.0], list(WEAPONS.values()))
    case = grid({"a": 12.0, "b": 16.0, "c": 22.0}, WEAPONS, fair)
    fixed = replace(case, found=replace(case.found, log_fair=case.found.log_fair))
    entries = fixed.entries()
    factor = float(np.exp(entries.anchored_log_fair - entries.log_fair[entries.fighter])[0])
    units, weapons = costs_of(fixed, "units"), costs_of(fixed, "weapons")
    assert units["b"] == pytest.approx(16.0)
    assert np.median([weapons[name] - WEAPONS[name] for name in WEAPONS]) == pytest.approx(0.0)
    for costs in (units, weapons):
        assert [costs[u] + costs[w] for u, w in fixed.parts] == pytest.approx((fair * factor).ravel().tolist())
    with pytest.raises(UsageError) as caught:
        fit_card_costs(entries, "spells")
    assert str(caught.value) == "no card stands in the table 'spells'; allowed: units, weapons"
    with pytest.raises(UsageError) as caught:
        fit_card_costs(entries, min_cost=float("nan"))
    assert str(caught.value) == "the least legal cost of a card is a number, found nan"


def reference(case: Case, least: float) -> FloatArray:
    """Return the sums of loadouts by a general minimiser, without classes, directions or rules."""
    entries = case.entries()
    fair = np.exp(entries.anchored_log_fair)[entries.entry_of]
    names = list(case.cards)
    counts = np.array([[one.count(name) for name in names] for one in case.parts]) / fair[:, None]

    def off(cost: FloatArray) -> float:
        return float(np.sum((counts @ cost - 1) ** 2))

    def slope(cost: FloatArray) -> FloatArray:
        return np.asarray(2 * counts.T @ (counts @ cost - 1), np.float64)

    start, bounds = np.full(len(names), fair.mean() / 2), [(least, np.inf)] * len(names)
    found = minimize(
        off, start, jac=slope, bounds=bounds, method="L-BFGS-B",
        options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 10_000},
    )  # fmt: skip
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


@pytest.mark.parametrize("three", [False, True])
def test_the_noise_goes_through_the_map_as_a_new_fit_would(three: bool) -> None:
    """A small push of the fair costs moves sums as the derivative says: draws of tiny noise against new fits."""
    case = three_tables(2) if three else random_case(5)
    tiny = 1e-12 * np.eye(len(case.parts))
    found = fit_card_costs(replace(case, found=replace(case.found, covariance=tiny)).entries())
    for number in (0, 7):
        pushed = found.entries.log_fair + 0
        moved = found.entries.draws[number] - found.entries.anchored_log_fair
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


@pytest.mark.slow("test_the_noise_goes_through_the_map_as_a_new_fit_would")
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
