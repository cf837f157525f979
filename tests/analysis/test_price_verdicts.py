from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.prices.card_costs import fit_card_costs
from balance.analysis.prices.over_settings import joint_price
from balance.analysis.prices.verdicts import NOT_MEASURABLE, PriceVerdict, PriceVerdicts, price_verdicts
from balance.analysis.scores.usual_prices import Tolerance
from tests.analysis.price_cases import Case, grid, random_case

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0, "d": 28.0, "e": 34.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}


def judged(
    case: Case, keep: str | None = None, battles: int = 0, unseen: Mapping[str, Mapping[str, object]] | None = None
) -> PriceVerdicts:
    return price_verdicts(fit_card_costs(case.entries(), keep), case.parts, battles=battles, hidden_fields=unseen)


def words(found: Mapping[str, PriceVerdict]) -> dict[str, str]:
    return {name: one.verdict for name, one in found.items()}


def test_a_symmetric_catalogue_is_fair() -> None:
    """All cards of a table cost the same and all loadouts play alike, measured with much noise: nothing to find."""
    case = grid(dict.fromkeys("abcd", 20.0), dict.fromkeys("xyz", 10.0))
    same = replace(case.found, fighters=np.zeros(12, np.int64), covariance=np.full((12, 12), 0.1))
    found = judged(replace(case, found=same))
    assert set(words({**found.loadouts, **found.cards}).values()) == {"fair"}
    one = found.loadouts["a+x"]
    assert [one.cost, one.fair, one.low, one.high] == pytest.approx([30.0] * 4)
    assert one.because == "within the tolerance of 3"


def test_one_card_off_is_found_and_no_other() -> None:
    fair = np.add.outer(list(UNITS.values()), list(WEAPONS.values()))
    found = judged(grid({**UNITS, "c": 27.0}, WEAPONS, fair, noise=0.01))
    assert words(found.cards) == {**dict.fromkeys([*UNITS, *WEAPONS], "fair"), "c": "too dear"}
    assert {name for name, word in words(found.loadouts).items() if word == "too dear"} == {
        "c+x",
        "c+y",
        "c+z",
        "c+v",
    }
    assert (round(found.cards["c"].fair), found.cards["c"].because) == (20, "")


def test_what_the_free_constant_turns_is_not_known() -> None:
    """Two units of five and two weapons of five are 6 too cheap: beside the typical loadout, it may be either table."""
    units = {"a": 30.0, "b": 31.0, "c": 32.0, "d": 33.0, "e": 34.0}
    weapons = {"v": 30.5, "w": 31.5, "x": 32.5, "y": 33.5, "z": 34.5}
    cheap = np.array([0.0, 0.0, 0.0, 6.0, 6.0])
    fair = np.add.outer(np.array([*units.values()]) + cheap, np.array([*weapons.values()]) + cheap)
    case = grid(units, weapons, fair, noise=0.002)
    free, kept = judged(case), judged(case, keep="units")
    ends = free.cards["a"].ends
    assert list(ends) == ["units at their cheapest", "units at their dearest"]
    cheapest, dearest = (ends[name].fair for name in ends)
    assert cheapest == pytest.approx(1, abs=0.5)
    assert dearest > 50
    assert [end.verdict for end in ends.values()] == ["too dear", "too cheap"]
    joint = joint_price("A", free.cards["a"], [({"budget": "100"}, free.cards["a"])], Tolerance())
    assert (joint.verdict, joint.depends) == ("depends on the split", ("split",))
    assert joint.low < cheapest + 0.5 < dearest - 0.5 < joint.high
    assert kept.cards["c"].ends == {}
    assert {name: words(kept.cards)[name] for name in "cw"} == {"c": "fair", "w": "too dear"}
    assert words(free.loadouts) == words(kept.loadouts)


@pytest.mark.parametrize("d", [-0.3, 0.15, 0.5])
def test_a_clone_at_another_cost_is_recovered(d: float) -> None:
    case = random_case(4, error=0.0, noise=0.004)
    cost = case.cards["u2"].cost
    found = judged(case.with_copy("u2", "clone", cost * (1 + d)))
    for name, one in found.loadouts.items():
        if "clone" in name:
            assert one.fair == found.loadouts[name.replace("clone", "u2")].fair
    clone, first = found.cards["clone"], found.cards["u2"]
    assert clone.fair == pytest.approx(first.fair)
    assert clone.low <= cost <= clone.high
    if abs(d) * cost > 6:
        assert clone.verdict == ("too dear" if d > 0 else "too cheap")


def test_what_plays_alike_and_differs_where_nobody_looks_is_not_measurable() -> None:
    case = grid(UNITS, WEAPONS).with_copy("b", "f", 18.0)
    unseen = {"b": {"speed": 5, "heavy": False}, "f": {"speed": 7, "heavy": True}, "c": {"speed": 4, "heavy": True}}
    of_loadouts = {name: unseen.get(one[0], {}) for name, one in zip(case.found.entrants, case.parts, strict=True)}
    found = judged(case, unseen={**unseen, **of_loadouts})
    assert {name for name, word in words(found.cards).items() if word == NOT_MEASURABLE} == {"b", "f"}
    assert {name for name, word in words(found.loadouts).items() if word == NOT_MEASURABLE} == {
        f"{unit}+{weapon}" for unit in "bf" for weapon in WEAPONS
    }
    why = "their points differ for speed, heavy, which this setting cannot see"
    assert found.cards["f"].because == f"plays as b here, which costs 4 less; {why}"
    assert found.cards["b"].because == f"plays as f here, which costs 4 more; {why}"
    assert found.loadouts["f+x"].because == f"plays as b+x here, which costs 4 less; {why}"
    clone = judged(case, unseen={name: {"speed": 5} for name in [*case.found.entrants, *case.cards]})
    assert words(clone.cards)["f"] == "too dear"
    assert NOT_MEASURABLE not in words(clone.loadouts).values()


def test_a_third_that_plays_alike_shares_the_verdict_of_the_group() -> None:
    case = grid(UNITS, WEAPONS).with_copy("b", "f", 18.0).with_copy("b", "g", 14.0).with_copy("b", "h", 18.0)
    found = judged(case, unseen={"b": {"speed": 5}, "f": {"speed": 7}, "g": {"speed": 7}, "h": {"speed": 5}})
    why = "their points differ for speed, which this setting cannot see"
    assert {name: found.cards[name].because for name in "bfgh"} == {
        "b": f"plays as f here, which costs 4 more; {why}",
        "f": f"plays as b here, which costs 4 less; {why}",
        "g": f"plays as h here, which costs 4 more; {why}",
        "h": f"plays as g here, which costs 4 less; {why}",
    }


def test_how_many_more_battles_are_said() -> None:
    """The widths fall with the square root of battles: with as many more as it says, the verdict is there."""
    case = grid(UNITS, WEAPONS, noise=0.08)
    found = judged(case, battles=10_000)
    told = found.loadouts["c+v"]
    assert told.verdict == "not yet known"
    head, more = told.because.removesuffix(" battles more").split(": about ")
    assert head == "the interval is wider than the tolerance of 3.2"
    by = (10_000 + 1.3 * float(more.replace(",", ""))) / 10_000
    enough = replace(case, found=replace(case.found, covariance=case.found.covariance / by))
    assert judged(enough).loadouts["c+v"].verdict == "fair"
    edge = grid({"a": 20.0, "b": 22.0, "c": 30.0}, {"x": 0.0}, np.array([[20.0], [20.0], [30.0]]), noise=0.05)
    told = judged(edge, battles=100).loadouts["b+x"]
    assert told.because == (
        "the interval is wider than the tolerance of 2.2: it lies on the edge, where more battles hardly help"
    )
    assert judged(edge).loadouts["b+x"].because == told.because.partition(": ")[0]


def test_order_names_and_copies_change_no_number() -> None:
    case = random_case(21)
    plain = judged(case)
    order = np.random.default_rng(2).permutation(len(case.parts)).tolist()
    assert judged(case.rows(order)) == plain
    new = {name: f"z{place}" for place, name in enumerate(reversed(list(case.cards)))}
    renamed = judged(case.renamed(new))
    assert renamed.cards == {new[name]: one for name, one in plain.cards.items()}
    assert list(renamed.loadouts.values()) == list(plain.loadouts.values())
    copied = judged(case.with_copy("w3", "again"))
    assert copied.cards == {**plain.cards, "again": plain.cards["w3"]}
    assert {name: copied.loadouts[name] for name in plain.loadouts} == plain.loadouts


def test_doubling_all_costs_doubles_every_number() -> None:
    case = random_case(22, error=0.3, noise=0.01)
    double = case.printed({name: 2 * card.cost for name, card in case.cards.items()})
    limit = Tolerance(points=0.0)
    one, two = (
        price_verdicts(fit_card_costs(each.entries(), min_cost=0), each.parts, limit) for each in (case, double)
    )
    for plain, doubled in ((one.loadouts, two.loadouts), (one.cards, two.cards)):
        assert words(plain) == words(doubled)
        for name, found in plain.items():
            twice = [doubled[name].cost, doubled[name].fair, doubled[name].low, doubled[name].high]
            assert twice == pytest.approx([2 * found.cost, 2 * found.fair, 2 * found.low, 2 * found.high], rel=1e-9)


def wrong(found: PriceVerdict, true: float) -> bool:
    """Return whether a verdict says what is not so."""
    over, limit = found.cost - true, Tolerance().of(found.cost)
    said = {"too dear": over > limit, "too cheap": over < -limit, "fair": abs(over) <= limit}
    return not said.get(found.verdict, True)


def coverage(seeds: range, error: float, noise: float, rough: float = 0.0) -> dict[str, float]:
    """Return the share of prices in their intervals, and of catalogues with a wrong verdict anywhere."""
    inside: dict[str, list[bool]] = {"loadouts": [], "cards": [], "wrong": [], "known": []}
    for seed in seeds:
        exact = fit_card_costs(random_case(seed, error, noise, rough, measured=False).entries())
        entries = exact.entries
        fair = dict(zip(entries.names, np.exp(entries.anchored_log_fair)[entries.entry_of].tolist(), strict=True))
        cost = dict(zip(entries.cards, exact.costs[entries.card_of].tolist(), strict=True))
        found = judged(random_case(seed, error, noise, rough))
        inside["loadouts"] += [one.low <= fair[name] <= one.high for name, one in found.loadouts.items()]
        inside["cards"] += [one.low - 1e-9 <= cost[name] <= one.high + 1e-9 for name, one in found.cards.items()]
        all_ = [(one, fair[name]) for name, one in found.loadouts.items()]
        all_ += [(one, cost[name]) for name, one in found.cards.items()]
        inside["wrong"].append(any(wrong(one, true) for one, true in all_))
        inside["known"] += [one.verdict != "not yet known" for one, _ in all_]
    return {name: float(np.mean(each)) for name, each in inside.items()}


@pytest.mark.slow("test_a_symmetric_catalogue_is_fair")
def test_intervals_cover_and_verdicts_hold() -> None:
    found = coverage(range(40), 0.15, 0.01)
    assert 0.90 <= found["loadouts"] <= 0.99
    assert 0.90 <= found["cards"] <= 0.99
    assert found["wrong"] <= 0.1
    assert found["known"] > 0.3


@pytest.mark.slow("test_a_symmetric_catalogue_is_fair")
@pytest.mark.parametrize(("error", "noise", "rough"), [(0.15, 0.01, 0.0), (0.05, 0.03, 0.0), (0.15, 0.01, 0.1)])
def test_intervals_cover_93_to_97_percent_and_one_catalogue_in_twenty_has_a_false_finding(
    error: float, noise: float, rough: float
) -> None:
    found = coverage(range(500), error, noise, rough)
    assert 0.93 <= found["loadouts"] <= 0.97
    assert 0.93 <= found["cards"] <= 0.98
    assert found["wrong"] <= 0.05
