"""Prices of tug of war are known; here it is what is said of them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from balance.analysis.prices.answer import Price
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.over_settings import joint_price
from balance.analysis.prices.price_list import price_list
from balance.analysis.prices.verdicts import PriceVerdict
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

FAIR_BODIES = [("ant", 10.0, 100), ("elk", 20.0, 200), ("ox", 30.0, 300), ("bear", 40.0, 400)]
ROPE = [("rope", 0.0, 100)]


def tug(folder: Path, bodies: list[tuple[str, float, int]], tools: list[tuple[str, float, int]] = ROPE) -> LoadedGame:
    return load(GAME, write_catalogue(folder, bodies, tools))


def verdicts(prices: Mapping[str, Price]) -> dict[str, str]:
    return {name: price.verdict for name, price in prices.items()}


@pytest.mark.slow("test_a_symmetric_catalogue_is_called_fair")
def test_a_fair_catalogue_is_called_fair(tmp_path: Path) -> None:
    found = price_list(Runner(tug(tmp_path, FAIR_BODIES)), n_battles=4000)
    assert verdicts(found.loadouts) == {f"{name}+rope": "fair" for name, _, _ in FAIR_BODIES}
    assert found.scale.verdict in ("fair", "not yet known")
    assert found.loadouts["elk+rope"].because.startswith("costs 30, armies of equal points say ")


def test_a_symmetric_catalogue_is_called_fair(tmp_path: Path) -> None:
    bodies = [(name, 10.0, 100) for name in ("one", "two", "three", "four")]
    found = price_list(Runner(tug(tmp_path, bodies, [("rope", 5.0, 100), ("cord", 5.0, 100)])))
    assert set(verdicts(found.loadouts).values()) == {"fair"}
    assert set(verdicts(found.cards).values()) == {"fair"}
    assert (found.scale.slope, found.scale.verdict) == (None, "fair")


def test_of_ten_equal_cards_the_one_at_double_cost_is_found(tmp_path: Path) -> None:
    bodies = [(f"n{at}", 20.0 if at == 3 else 10.0, 100) for at in range(10)]
    found = price_list(Runner(tug(tmp_path, bodies)))
    assert verdicts(found.loadouts) == {f"n{at}+rope": "too dear" if at == 3 else "fair" for at in range(10)}
    assert found.loadouts["n3+rope"].fair == pytest.approx(10)


@pytest.mark.slow("test_of_ten_equal_cards_the_one_at_double_cost_is_found")
def test_a_card_that_is_off_is_found_with_its_size(tmp_path: Path) -> None:
    bodies = [(name, 1.4 * cost if name == "ox" else cost, strength) for name, cost, strength in FAIR_BODIES]
    found = price_list(Runner(tug(tmp_path, bodies)), n_battles=4000)
    assert verdicts(found.loadouts)["ox+rope"] == "too dear"
    ox = found.loadouts["ox+rope"]
    assert abs(ox.fair - 30) < ox.high - ox.low  # four standard errors
    assert ox.cost == 42


@pytest.mark.slow("tests/analysis/test_known_truth.py::test_of_ten_identical_units_the_dear_one_is_named")
@pytest.mark.parametrize(("power", "verdict"), [(0.5, "dear too cheap"), (1.5, "dear too dear")])
def test_costs_to_a_power_are_a_scale_error(tmp_path: Path, power: float, verdict: str) -> None:
    bodies = [(f"b{at}", round(10 * (1 + at / 2) ** power, 3), 100 + 50 * at) for at in range(8)]
    found = price_list(Runner(tug(tmp_path, bodies)))
    assert found.scale.verdict == verdict
    assert found.scale.slope == pytest.approx(1 / power, rel=0.05)


def verdict(word: str, fair: float = 12.0) -> PriceVerdict:
    return PriceVerdict(10, fair, fair - 1, fair + 1, word, f"because {word}")


BY_ONE, BY_TWO = "{} if both sides play one", "{} if both sides play two"
NUMBERS = "costs 10, armies of equal points say 12 (11 to 16; dice alone 11 to 13); "


@pytest.mark.parametrize(
    ("words", "said", "because"),
    [
        (("fair", "fair"), "fair", "because fair"),
        (("too dear", "fair"), "depends on play", f"{BY_TWO}; {BY_ONE}"),
        (("too dear", "too cheap"), "depends on play", f"{BY_TWO}; {BY_ONE}"),
        (("fair", "not yet known"), "not yet known", f"{BY_ONE}; {BY_TWO}"),
        (("not yet known", "not yet known"), "not yet known", "because not yet known"),
    ],
)
def test_a_verdict_counts_only_if_all_ways_of_playing_near_the_top_agree(
    words: tuple[str, str], said: str, because: str
) -> None:
    first, second = verdict(words[0]), verdict(words[1], 15.0)
    found = joint_price("Ox", first, [({"play": "one"}, first), ({"play": "two"}, second)], Tolerance(0.1, 2.0))
    texts = dict(zip((BY_ONE, BY_TWO), words, strict=True))
    parts = [text.format(texts.get(text, "")) for text in because.split("; ")]
    assert (found.verdict, found.because) == (said, NUMBERS + "; ".join(parts))
    assert (found.fair, found.low, found.high, found.dice_low, found.dice_high) == (12, 11, 16, 11, 13)
    assert found.depends == (("play",) if said == "depends on play" else ())
    assert (found.label, found.cost, found.tolerance) == ("Ox", 10, 2.0)


def test_prices_are_judged_at_the_budgets_that_the_rules_pair_with_unit_limits(tmp_path: Path) -> None:
    loaded = tug(tmp_path, FAIR_BODIES)
    assert army_setting(loaded).budgets == ((100, 4), (200, 8))
    assert army_setting(loaded, budgets=[(50, 3)], changes=["situation.mud=true"]).changes == ("situation.mud=true",)


@pytest.mark.parametrize(
    ("budgets", "told"),
    [
        ([(200, 4), (100, 8)], "budgets rise, found 200, 100"),
        ([(0, 4)], "budgets rise, found 0"),
    ],
)
def test_budgets_that_do_not_rise_are_refused(tmp_path: Path, budgets: list[tuple[float, float]], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        army_setting(tug(tmp_path, FAIR_BODIES), budgets=budgets)
    assert str(refused.value) == told


def test_what_costs_nothing_has_no_price(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        army_setting(tug(tmp_path, [("ant", 0.0, 60), ("ox", 20.0, 200)]))
    assert str(refused.value) == "'ant+rope' costs nothing, and points are compared as ratios; allowed: at least 1"
