"""Prices of tug of war are known; here it is what is said of them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.analysis.play.ways import CountedWays
from balance.analysis.prices import price_list as module
from balance.analysis.prices.answer import Price
from balance.analysis.prices.asked import army_setting, leading_setting
from balance.analysis.prices.over_settings import joint_price
from balance.analysis.prices.price_list import price_list
from balance.analysis.prices.verdicts import NOT_MEASURABLE, PriceVerdict, show_cost
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


def test_on_a_board_something_is_told_before_ways_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(*asked: object) -> CountedWays:
        raise InterruptedError

    monkeypatch.setattr(module, "counted_ways", compare)
    loaded, told = tug(tmp_path, FAIR_BODIES), list[module.Fit]()
    setting = replace(army_setting(loaded), is_legal=True)
    with pytest.raises(InterruptedError):
        price_list(Runner(loaded), setting, early=told.append)
    assert [fair.n_battles for fair in told] == [module.FIRST_LOOK]
    early = module.early_prices(loaded, told[0]).cards["elk"]
    assert early.dice_low < early.fair < early.dice_high


@pytest.mark.slow("test_a_symmetric_catalogue_is_called_fair")
def test_a_fair_catalogue_is_called_fair(tmp_path: Path) -> None:
    found = price_list(Runner(tug(tmp_path, FAIR_BODIES)), n_battles=4000)
    assert verdicts(found.loadouts) == {f"{name}+rope": "fair" for name, _, _ in FAIR_BODIES}
    assert found.scale.verdict in ("fair", "not yet known")
    assert found.loadouts["elk+rope"].because.startswith("costs 20, armies of equal points say ")


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


def judged(word: str, low: float, fair: float, high: float, because: str = "", battles: int = 0) -> PriceVerdict:
    return PriceVerdict(10, fair, low, high, fair - 0.1, fair + 0.1, word, because, battles)


BY_ONE, BY_TWO = "{} if both sides play one", "{} if both sides play two"
FAIR, DEAR, CHEAP = ("fair", 9.4, 10.0, 10.5), ("too dear", 6.0, 7.0, 8.0), ("too cheap", 12.0, 13.0, 14.0)
OPEN = ("not yet known", 8.5, 9.5, 10.5)
Said = tuple[str, float, float, float]


@pytest.mark.parametrize(
    ("first", "second", "word", "because"),
    [
        (FAIR, FAIR, "fair", ""),
        (DEAR, DEAR, "too dear", ""),
        (DEAR, FAIR, "depends on play", f"{BY_TWO}; {BY_ONE}"),
        (DEAR, CHEAP, "depends on play", f"{BY_TWO}; {BY_ONE}"),
        (FAIR, OPEN, "not yet known", f"{BY_ONE}; {BY_TWO}"),
        (OPEN, OPEN, "not yet known", ""),
    ],
)
def test_a_verdict_has_to_hold_by_every_way_that_counts(first: Said, second: Said, word: str, because: str) -> None:
    settings = [({"play": "one"}, judged(*first)), ({"play": "two"}, judged(*second))]
    found = joint_price("Ox", settings, Tolerance())
    low, high = min(first[1], second[1]), max(first[3], second[3])
    texts = dict(zip((BY_ONE, BY_TWO), (first[0], second[0]), strict=True))
    parts = [text.format(texts[text]) for text in because.split("; ")] if because else []
    numbers = f"costs 10, armies of equal points say {show_cost(first[2])} ({show_cost(low)} to {show_cost(high)})"
    assert (found.verdict, found.because) == (word, "; ".join([numbers, *parts]))
    assert (found.fair, found.low, found.high) == (first[2], low, high)
    assert (found.dice_low, found.dice_high) == (first[2] - 0.1, first[2] + 0.1)
    assert found.depends == (("play",) if word == "depends on play" else ())
    assert (found.label, found.cost) == ("Ox", 10)
    assert found.tolerance == pytest.approx(1)


@given(st.lists(st.tuples(st.floats(5, 15), st.floats(0, 3)), min_size=1, max_size=4))
def test_the_word_is_what_the_range_over_all_settings_says(ends: list[tuple[float, float]]) -> None:
    """Of any intervals, each judged alone: no other range can contradict it."""
    tolerance = Tolerance()
    settings = [
        ({"play": str(at)}, judged(tolerance.judge(10, low, low + width), low, low + width / 2, low + width))
        for at, (low, width) in enumerate(ends)
    ]
    found = joint_price("Ox", settings, tolerance)
    said = tolerance.judge(10, found.low, found.high)
    assert (found.low, found.high) == (min(low for low, _ in ends), max(low + width for low, width in ends))
    assert found.verdict == said or (said, found.verdict) == ("not yet known", "depends on play")


def test_where_a_setting_cannot_see_it_that_says_nothing_unless_none_can() -> None:
    blind = judged(NOT_MEASURABLE, 1.0, 50.0, 99.0, "plays as elk here")
    seen = judged(*DEAR)
    both = joint_price("Ox", [({"play": "one"}, blind), ({"play": "two"}, seen)], Tolerance())
    assert (both.verdict, both.low, both.high) == ("too dear", 6, 8)
    alone = joint_price("Ox", [({"play": "one"}, blind)], Tolerance())
    assert (alone.verdict, alone.because) == (NOT_MEASURABLE, "plays as elk here")


def test_the_most_battles_that_a_setting_asks_for_are_told() -> None:
    settings = [({"play": str(at)}, judged(*OPEN, battles=battles)) for at, battles in enumerate((300, 900, 0))]
    assert joint_price("Ox", settings, Tolerance()).battles == 900
    assert joint_price("Ox", [*settings, ({"play": "9"}, judged(*DEAR))], Tolerance()).battles == 900
    assert joint_price("Ox", [({}, judged(*FAIR, battles=300))], Tolerance()).battles == 0


@pytest.mark.parametrize(("by", "word", "everywhere"), [(1.5, "too dear", {"ox+rope"}), (0.7, "too cheap", set())])
def test_every_word_is_what_its_range_says_and_what_stands_beside_turns_none(
    tmp_path: Path, by: float, word: str, everywhere: set[str]
) -> None:
    """Where all are equally strong, in mud, the ox is too dear, too, for it is dearer than most, but not too cheap."""
    bodies = [(name, by * cost if name == "ox" else cost, strength) for name, cost, strength in FAIR_BODIES]
    loaded = tug(tmp_path, bodies)
    mud = {"in mud": replace(leading_setting(loaded), changes=("situation.mud=true",))}
    found, alone = (price_list(Runner(loaded), n_battles=1500, beside=beside) for beside in (mud, None))
    for price in (*found.loadouts.values(), *found.cards.values()):
        assert price.verdict == found.tolerance.judge(price.cost, price.low, price.high)
        assert price.low <= price.dice_low <= price.fair <= price.dice_high <= price.high
    assert verdicts(found.loadouts) == verdicts(alone.loadouts)
    assert verdicts(found.loadouts)["ox+rope"] == word
    (beside,) = found.loadouts["ox+rope"].elsewhere
    assert (beside.setting, beside.verdict == word) == ("in mud", bool(everywhere))
    assert {name for name, price in found.loadouts.items() if price.in_every_setting} == everywhere
    assert [price.elsewhere for price in alone.loadouts.values()] == [()] * 4
    assert found.facets == alone.facets == ({"play": "hard"},)


def test_of_somebody_alone_nothing_is_judged(tmp_path: Path) -> None:
    found = price_list(Runner(tug(tmp_path, FAIR_BODIES)), entrants=["ox+rope"], n_battles=100)
    (ox,) = found.loadouts.values()
    assert (ox.verdict, ox.because) == (
        NOT_MEASURABLE,
        "Ox with Rope alone cannot be judged: points are only compared with those of another",
    )


def test_where_every_battle_ends_in_a_stand_off_nothing_is_measurable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "counted_ways", lambda *_: CountedWays((), {}, 0.914))
    with pytest.raises(UsageError) as refused:
        price_list(Runner(tug(tmp_path, FAIR_BODIES)))
    assert str(refused.value).startswith("not measurable: 91% of battles end undecided, whatever way sides play; ")


def test_prices_are_judged_at_the_budgets_that_the_rules_pair_with_unit_limits(tmp_path: Path) -> None:
    loaded = tug(tmp_path, FAIR_BODIES)
    assert army_setting(loaded).budgets == ((100, 4), (200, 8))
    assert army_setting(loaded, budgets=[(50, 3)], changes=["situation.mud=true"]).changes == ("situation.mud=true",)


@pytest.mark.parametrize(
    ("budgets", "told"), [([(200, 4), (100, 8)], "budgets rise, found 200, 100"), ([(0, 4)], "budgets rise, found 0")]
)
def test_budgets_that_do_not_rise_are_refused(tmp_path: Path, budgets: list[tuple[float, float]], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        army_setting(tug(tmp_path, FAIR_BODIES), budgets=budgets)
    assert str(refused.value) == told


def test_what_costs_nothing_has_no_price(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        army_setting(tug(tmp_path, [("ant", 0.0, 60), ("ox", 20.0, 200)]))
    assert str(refused.value) == "'ant+rope' costs nothing, and points are compared as ratios; allowed: at least 1"
