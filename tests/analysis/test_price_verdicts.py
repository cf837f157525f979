"""Verdicts in one setting, on catalogues whose fair costs are planted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.prices.fewest_costs import fewest_costs
from balance.analysis.prices.verdicts import (
    AS_ALL,
    NOT_KNOWN,
    NOT_MEASURABLE,
    NOT_WORTH,
    OFF_VERDICTS,
    PriceVerdict,
    PriceVerdicts,
    price_verdicts,
)
from balance.analysis.scores.usual_prices import Tolerance
from tests.analysis.price_cases import Case, grid, random_case, sums

UNITS = {"a": 10.0, "b": 14.0, "c": 20.0, "d": 28.0, "e": 34.0}
WEAPONS = {"x": 4.0, "y": 6.0, "z": 9.0, "v": 12.0}
FAIR = sums(UNITS, WEAPONS)


def judged(
    case: Case,
    keep: str | None = None,
    battles: int = 0,
    unseen: Mapping[str, Mapping[str, object]] | None = None,
    tolerance: Tolerance | None = None,
) -> PriceVerdicts:
    margin = tolerance or Tolerance()
    fewest = fewest_costs(case.entries(), margin, 0.0, keep)
    return price_verdicts(fewest, case.parts, margin, battles, unseen)


def words(verdicts: Mapping[str, PriceVerdict]) -> dict[str, str]:
    return {name: verdict.verdict for name, verdict in verdicts.items()}


def test_a_symmetric_catalogue_is_fair() -> None:
    """All cards of a table cost the same and all loadouts play alike, measured with much noise: nothing to find."""
    case = grid(dict.fromkeys("abcd", 20.0), dict.fromkeys("xyz", 10.0))
    same = replace(case.found, fighters=np.zeros(12, np.int64), covariance=np.full((12, 12), 0.1))
    verdicts = judged(replace(case, found=same))
    assert set(words({**verdicts.loadouts, **verdicts.cards}).values()) == {"fair"}
    loadout = verdicts.loadouts["a+x"]
    ends = [loadout.low, loadout.dice_low, loadout.cost, loadout.fair, loadout.dice_high, loadout.high]
    assert ends == pytest.approx([30] * 6)
    assert loadout.because == ""


def test_one_card_off_is_found_and_no_other() -> None:
    verdicts = judged(grid({**UNITS, "c": 27.0}, WEAPONS, FAIR, noise=0.01))
    assert words(verdicts.cards) == {**dict.fromkeys([*UNITS, *WEAPONS], "fair"), "c": "too dear"}
    assert words(verdicts.loadouts) == {
        name: "too dear" if name.startswith("c+") else "fair" for name in verdicts.loadouts
    }
    assert (round(verdicts.cards["c"].fair), verdicts.cards["c"].because) == (20, "")


@pytest.mark.parametrize(
    ("tolerance", "error"),
    [(Tolerance(), 0.0), (Tolerance(0.2), 0.2), (Tolerance(points=2.0), 0.1), (Tolerance(grid=5.0), 0.2)],
)
def test_a_verdict_is_what_its_range_says(tolerance: Tolerance, error: float) -> None:
    """Of every price of a catalogue, and the range of dice alone lies within."""
    verdicts = judged(random_case(1, error, noise=0.02), tolerance=tolerance)
    for price in (*verdicts.loadouts.values(), *verdicts.cards.values()):
        assert price.verdict == tolerance.judge(price.cost, price.low, price.high)
        assert price.low <= price.dice_low <= price.fair <= price.dice_high <= price.high


@pytest.mark.parametrize("d", [-0.3, 0.15, 0.5])
def test_a_clone_at_another_cost_is_recovered(d: float) -> None:
    case = random_case(4, error=0.0, noise=0.004)
    cost = case.cards["u2"].cost
    verdicts = judged(case.with_copy("u2", "clone", cost * (1 + d)))
    for name, price in verdicts.loadouts.items():
        if "clone" in name:
            assert price.fair == verdicts.loadouts[name.replace("clone", "u2")].fair
    clone, first = verdicts.cards["clone"], verdicts.cards["u2"]
    assert clone.fair == pytest.approx(first.fair, rel=0.02)
    assert clone.low <= cost <= clone.high
    assert clone.verdict == ("too dear" if d > 0 else "too cheap")
    assert set(words(verdicts.cards).values()) == {clone.verdict, "fair"}


def test_what_plays_alike_and_differs_where_nobody_looks_is_not_measurable() -> None:
    case = grid(UNITS, WEAPONS).with_copy("b", "f", 18.0)
    unseen = {"b": {"speed": 5, "heavy": False}, "f": {"speed": 7, "heavy": True}, "c": {"speed": 4, "heavy": True}}
    of_loadouts = {name: unseen.get(parts[0], {}) for name, parts in zip(case.found.entrants, case.parts, strict=True)}
    verdicts = judged(case, unseen={**unseen, **of_loadouts})
    assert {name for name, word in words(verdicts.cards).items() if word == NOT_MEASURABLE} == {"b", "f"}
    assert {name for name, word in words(verdicts.loadouts).items() if word == NOT_MEASURABLE} == {
        f"{unit}+{weapon}" for unit in "bf" for weapon in WEAPONS
    }
    why = "their points differ for speed, heavy, which this setting cannot see"
    assert verdicts.cards["f"].because == f"plays as b here, which costs 4 less; {why}"
    assert verdicts.cards["b"].because == f"plays as f here, which costs 4 more; {why}"
    assert verdicts.loadouts["f+x"].because == f"plays as b+x here, which costs 4 less; {why}"
    clone = judged(case, unseen={name: {"speed": 5} for name in [*case.found.entrants, *case.cards]})
    assert words(clone.cards)["f"] == "too dear"
    assert NOT_MEASURABLE not in words(clone.loadouts).values()


def test_a_third_that_plays_alike_shares_the_verdict_of_the_group() -> None:
    case = grid(UNITS, WEAPONS).with_copy("b", "f", 18.0).with_copy("b", "g", 14.0).with_copy("b", "h", 18.0)
    verdicts = judged(case, unseen={"b": {"speed": 5}, "f": {"speed": 7}, "g": {"speed": 7}, "h": {"speed": 5}})
    why = "their points differ for speed, which this setting cannot see"
    assert {name: verdicts.cards[name].because for name in "bfgh"} == {
        "b": f"plays as f here, which costs 4 more; {why}",
        "f": f"plays as b here, which costs 4 less; {why}",
        "g": f"plays as h here, which costs 4 more; {why}",
        "h": f"plays as g here, which costs 4 less; {why}",
    }


def test_how_many_battles_would_settle_it_is_said() -> None:
    """The widths fall with the square root of battles: with as many as it says the verdict is there, with half not."""
    case = grid(UNITS, WEAPONS, noise=0.08)
    assert {price.battles for price in judged(case).loadouts.values()} == {0}
    price = judged(case, battles=10_000).loadouts["c+v"]
    assert (price.verdict, price.because) == (NOT_KNOWN, "")

    def with_battles(n: float) -> str:
        covariance = case.found.covariance * 10_000 / n
        return judged(replace(case, found=replace(case.found, covariance=covariance))).loadouts["c+v"].verdict

    assert with_battles(price.battles) == "fair"
    assert with_battles(price.battles / 2) == NOT_KNOWN
    assert price.battles == float(f"{price.battles:.1e}")  # two digits


def test_what_lies_on_the_edge_asks_for_no_more_battles() -> None:
    edge = grid({"a": 20.0, "b": 22.0, "c": 30.0}, {"x": 0.0}, np.array([[20.0], [20.0], [30.0]]), noise=0.05)
    price = judged(edge, battles=100).loadouts["b+x"]
    assert (price.battles, price.because) == (0, "it lies on the edge of the tolerance, where more battles hardly help")


def test_of_what_nobody_should_take_no_price_is_judged() -> None:
    fair = FAIR * np.where(np.array(list(WEAPONS)) == "y", 0.02, 1.0)
    verdicts = judged(grid(UNITS, WEAPONS, fair, noise=0.01), battles=100)
    not_worth = [verdicts.cards["y"], *(verdicts.loadouts[f"{unit}+y"] for unit in UNITS)]
    assert {(price.verdict, price.because, price.battles) for price in not_worth} == {
        (NOT_WORTH, "no legal cost makes it fair: change its other numbers", 0)
    }
    others = {**verdicts.cards, **verdicts.loadouts}
    assert {word for name, word in words(others).items() if "y" not in name} == {"fair"}


def test_all_costs_to_a_power_are_off_together() -> None:
    printed = {name: 20 * (cost / 20) ** 0.5 for name, cost in UNITS.items()}
    verdicts = judged(grid(printed, {"x": 0.0}, sums(UNITS, {"x": 0.0}), noise=0.002))
    assert {words(verdicts.cards)[unit] for unit in "abde"} == {AS_ALL}
    assert words(verdicts.cards)["c"] == "fair"  # the middle one stays
    assert not {*words(verdicts.loadouts).values(), *words(verdicts.cards).values()} & {*OFF_VERDICTS}
    assert verdicts.cards["a"].because == "all costs to the power would make it 10"


def test_where_its_loadouts_disagree_a_card_has_the_range_of_all() -> None:
    """With half of the weapons a unit is worth a third more, with the others a third less."""
    fair = FAIR.copy()
    fair[2] *= [1.35, 1.35, 0.7, 0.7]
    verdicts = judged(grid(UNITS, WEAPONS, fair, noise=0.005))
    card = verdicts.cards["c"]
    assert card.verdict == NOT_KNOWN
    assert card.low < 16 < 26 < card.high
    assert [words(verdicts.loadouts)[f"c+{weapon}"] for weapon in "xyzv"] == ["too cheap"] * 2 + ["too dear"] * 2


def test_order_names_and_copies_change_no_number() -> None:
    case = random_case(21, error=0.03, noise=0.01)
    plain = judged(case)
    order = np.random.default_rng(2).permutation(len(case.parts)).tolist()
    assert judged(case.rows(order)) == plain
    new = {name: f"z{place}" for place, name in enumerate(reversed(list(case.cards)))}
    renamed = judged(case.renamed(new))
    assert renamed.cards == {new[name]: price for name, price in plain.cards.items()}
    assert list(renamed.loadouts.values()) == list(plain.loadouts.values())
    copied = judged(case.with_copy("w3", "again"))
    assert copied.cards == {**plain.cards, "again": plain.cards["w3"]}
    assert {name: copied.loadouts[name] for name in plain.loadouts} == plain.loadouts


def test_doubling_all_costs_doubles_every_number() -> None:
    case = random_case(22, error=0.05, noise=0.01)
    double = case.printed({name: 2 * card.cost for name, card in case.cards.items()})
    plain, doubled = (judged(each, tolerance=Tolerance(points=0.0)) for each in (case, double))
    for once, twice in ((plain.loadouts, doubled.loadouts), (plain.cards, doubled.cards)):
        assert words(once) == words(twice)
        for name, price in once.items():
            numbers = [twice[name].cost, twice[name].fair, twice[name].low, twice[name].high]
            assert numbers == pytest.approx([2 * price.cost, 2 * price.fair, 2 * price.low, 2 * price.high], rel=1e-9)


def wrong(price: PriceVerdict, true: float) -> bool:
    """Return whether a verdict says what is not so."""
    said = Tolerance().judge(price.cost, true, true)
    return price.verdict in (*OFF_VERDICTS, "fair") and price.verdict != said


def coverage(seeds: range, error: float, noise: float, rough: float = 0.0, width: float = 1.0) -> dict[str, float]:
    """Return how often intervals of loadouts, `width` times as wide, cover the truth; and how often a word is false."""
    alone, all_at_once, false, known = list[bool](), list[bool](), list[bool](), list[bool]()
    for seed in seeds:
        entries = random_case(seed, error, noise, rough, measured=False).entries()
        fair = dict(zip(entries.names, np.exp(entries.anchored_log_fair)[entries.entry_of].tolist(), strict=True))
        case = random_case(seed, error, noise, rough)
        verdicts = judged(replace(case, found=replace(case.found, covariance=case.found.covariance * width**2)))
        alone += [price.dice_low <= fair[name] <= price.dice_high for name, price in verdicts.loadouts.items()]
        all_at_once.append(all(price.low <= fair[name] <= price.high for name, price in verdicts.loadouts.items()))
        false.append(any(wrong(price, fair[name]) for name, price in verdicts.loadouts.items()))
        known += [price.verdict != NOT_KNOWN for price in verdicts.loadouts.values()]
    results = {"alone": alone, "all at once": all_at_once, "false": false, "known": known}
    return {name: float(np.mean(values)) for name, values in results.items()}


@pytest.mark.slow("test_a_symmetric_catalogue_is_fair")
@pytest.mark.parametrize(("error", "noise", "rough"), [(0.15, 0.01, 0.0), (0.05, 0.03, 0.0), (0.15, 0.01, 0.1)])
def test_intervals_hold_for_all_at_once_and_few_words_are_false(error: float, noise: float, rough: float) -> None:
    """40 catalogues of 30 loadouts; with intervals half as wide, a control, most catalogues have one that misses."""
    shares = coverage(range(40), error, noise, rough)
    assert 0.91 <= shares["alone"] <= 0.99
    assert shares["all at once"] >= 0.85  # 95 % less three standard errors
    assert shares["false"] <= 0.1
    assert shares["known"] > (0.3 if noise == 0.01 else -1)
    assert coverage(range(10), error, noise, rough, width=0.5)["all at once"] < 0.6
