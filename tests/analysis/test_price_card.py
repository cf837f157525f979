"""The price of one card: known in tug of war, where costs are fair in proportion to strength."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.analysis.changes.handicaps.handicap import Handicap
from balance.analysis.changes.neighbours.price_card import PriceOfCard, _Desk, price_card
from balance.analysis.changes.neighbours.priced_item import PricedItem, check_priced, find_priced
from balance.analysis.prices.answer import LoadoutPrice
from balance.analysis.prices.price_list import PriceList, price_list
from balance.answers.media.frames import frame_of
from balance.answers.words.prices.card_price import WORDS
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME, write_catalogue

BODIES = [("ant", 7, 60), ("ox", 20, 250), ("elk", 14, 130), ("cow", 29, 300), ("yak", 40, 400)]
TOOLS = [("rope", 1, 100), ("chain", 2, 110), ("belt", 1, 104)]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    kind = GAME.kinds["lineup"]
    assert kind.armies is not None
    armies = replace(kind.armies, irrelevant_fields=("weight",))
    game = replace(GAME, kinds={"lineup": replace(kind, armies=armies)})
    return Runner(load(game, write_catalogue(tmp_path_factory.mktemp("tug") / "c", BODIES, TOOLS)))


@pytest.fixture(scope="module")
def prices(runner: Runner) -> PriceList:
    return price_list(runner, seed=1, keep="tools", n_battles=6000)


@pytest.fixture(scope="module")
def ox(runner: Runner, prices: PriceList) -> PriceOfCard:
    return price_card(runner, prices, "ox", 1)


@pytest.mark.slow("test_a_card_too_dear_is_made_better")
def test_it_says_what_the_price_list_says(ox: PriceOfCard, prices: PriceList) -> None:
    assert vars(ox.price).items() <= vars(prices.cards["ox"]).items()
    assert (ox.table, ox.holds, ox.price.verdict) == ("bodies", ("ox",), "too cheap")


@pytest.mark.slow("test_points_of_a_card_follow_from_the_relative_squares_of_its_loadouts")
def test_a_step_is_worth_the_points_that_the_strength_is(ox: PriceOfCard, runner: Runner, prices: PriceList) -> None:
    card = price_card(runner, prices, "ox+chain", 1)
    assert (card.table, card.holds, card.price) == (None, ("ox", "chain"), prices.loadouts["ox+chain"])
    steps = card.steps
    assert [(step.table, step.card, step.field, step.old, step.new, step.seen) for step in steps] == [
        ("bodies", "ox", "strength", "250", "251", True),
        ("bodies", "ox", "strength", "250", "249", True),
        ("tools", "chain", "strength", "110", "111", True),
        ("tools", "chain", "strength", "110", "109", True),
    ]
    truth = 27.5 * np.array([1 / 250, -1 / 250, 1 / 110, -1 / 110])
    points, low, high, score_low, score = (
        np.array([getattr(step, name) for step in steps]) for name in ("points", "low", "high", "score_low", "score")
    )
    off = (points - truth) / (high - low) * 2 * 1.96
    assert np.abs(off).max() < 3.5
    assert (score_low < score).all()


def test_what_would_do_instead_does_so_on_fresh_seeds(ox: PriceOfCard) -> None:
    cost, strength = ox.alternatives
    whole = str(round(ox.price.fair))
    assert (cost.field, cost.old, cost.new, cost.card) == ("cost_points", "20", whole, "ox")
    assert cost.fair == pytest.approx(25, abs=2)
    assert (strength.field, strength.old) == ("strength", "250")
    assert 185 < int(strength.new) < 222  # 20 points buy 200
    assert abs(strength.fair - 20) <= ox.price.tolerance
    assert abs(strength.score) < 0.05


def test_a_fair_card_has_no_alternatives(runner: Runner, prices: PriceList) -> None:
    found = price_card(runner, prices, "cow", 1)
    assert (found.price.verdict, found.alternatives) == ("fair", ())
    empty = frame_of(WORDS.tables(found)["alternatives"])
    assert (empty.height, empty.columns) == (
        0,
        [
            *("table", "card", "field", "old", "new", "value", "cost", "fair", "low", "high"),
            *("score", "score_low", "score_high", "tolerance", "verdict"),
        ],
    )


def test_a_card_too_dear_is_made_better(runner: Runner, prices: PriceList) -> None:
    dear = {**prices.cards, "elk": replace(prices.cards["elk"], cost=20.0)}
    cost, strength = price_card(runner, replace(prices, cards=dear), "elk", 1).alternatives
    assert int(cost.new) in (12, 13, 14)
    assert 178 < int(strength.new) < 215  # 130 buys 13


def test_readings_that_matter_are_told_with_their_verdict(ox: PriceOfCard) -> None:
    (reading,) = ox.readings
    assert (reading.rule, reading.value, reading.ambiguity, reading.sentence) == (
        *("steep", "5", "TUG-Q1", "As their fifth powers."),
    )
    assert (reading.verdict, reading.turns) == ("too cheap", False)
    assert reading.low < 25.5 < reading.high or abs(reading.fair - 25.5) < 2


def test_with_a_wide_tolerance_no_reading_turns_the_verdict(runner: Runner, prices: PriceList) -> None:
    """The tolerance is that of the list; `test_what_a_reading_turns` has one that turns it."""
    wide = {name: replace(price, tolerance=30.0) for name, price in prices.cards.items()}
    readings = price_card(runner, replace(prices, cards=wide), "yak", 2).readings
    assert [(reading.verdict, reading.turns) for reading in readings] == [("fair", False)]


def test_the_verdict_is_that_of_the_list_that_leads_and_no_change_is_proposed_where_both_disagree(
    runner: Runner, prices: PriceList, ox: PriceOfCard
) -> None:
    def led(verdict: str) -> PriceOfCard:
        cards = {**prices.cards, "ox": replace(prices.cards["ox"], verdict=verdict, fair=33.0)}
        leading = replace(prices, cards=cards, seed=77)
        return price_card(runner, prices, "ox", 1, leading=leading)

    same, other = led("too cheap"), led("fair")
    assert (same.price.fair, same.settings.seed) == (33.0, 77)
    assert same.alternatives == ox.alternatives != ()
    assert (other.price.verdict, other.alternatives) == ("fair", ())
    assert same.steps == other.steps == ox.steps
    assert same.settings.changes_played_in == "lineup"


def test_what_cannot_be_seen_is_null_and_never_0(runner: Runner, prices: PriceList) -> None:
    sees = runner.game.definition.kinds["lineup"]
    assert sees.armies is not None
    kind = replace(sees, armies=replace(sees.armies, irrelevant_fields=("strength",)))
    other = Runner(replace(runner.game, definition=replace(runner.game.definition, kinds={"lineup": kind})))
    steps = price_card(other, prices, "ant", 1).steps
    assert [step.seen for step in steps] == [False, False]
    for step in steps:
        numbers = (step.score, step.score_low, step.score_high, step.points, step.low, step.high)
        assert numbers == (None,) * 6


def test_a_card_that_is_not_measurable_here_has_no_alternatives(runner: Runner, prices: PriceList) -> None:
    unseen = {name: replace(price, verdict="not measurable here") for name, price in prices.cards.items()}
    assert price_card(runner, replace(prices, cards=unseen), "ox").alternatives == ()


@pytest.mark.slow("test_a_fair_card_has_no_alternatives")
def test_the_same_seed_gives_the_same(runner: Runner, prices: PriceList, ox: PriceOfCard) -> None:
    again = price_card(runner, prices, "ox", 1)
    assert again == ox
    other = price_card(runner, prices, "ox", 2)
    assert other.steps != ox.steps


UNKNOWN = (
    "'oxx' is no card and no loadout that has a price; "
    "allowed: ant, rope, chain, belt, ox, elk, cow, yak; or a loadout such as ant+rope; did you mean ox?"
)


def test_an_unknown_card_is_refused_with_the_nearest(runner: Runner, prices: PriceList) -> None:
    with pytest.raises(UsageError) as early:
        check_priced(runner.game, "lineup", "oxx")
    assert str(early.value) == UNKNOWN
    with pytest.raises(UsageError) as late:
        find_priced(runner, prices, "oxx")
    assert str(late.value).startswith("'oxx' is no card and no loadout that has a price; allowed: ")
    check_priced(runner.game, "lineup", "ox")
    check_priced(runner.game, "lineup", "ox+rope")


def priced(costs: tuple[float, ...] = (20.0, 30.0)) -> PricedItem:
    price = LoadoutPrice("X", 10.0, 12.0, 11.0, 13.0, 11.0, 13.0, "", "", (), 2.0, 0)
    nowhere: Any = None
    return PricedItem("x", "t", price, (), ("x+y", "x+z"), costs, nowhere)


def test_points_of_a_card_follow_from_the_relative_squares_of_its_loadouts() -> None:
    assert priced().spread == pytest.approx((1 / 20 + 1 / 30) / (1 / 400 + 1 / 900))
    assert priced(costs=(24.0,)).spread == pytest.approx(24.0)
    assert np.exp(priced().shift_for(10)) == pytest.approx(1 - 2 / priced().spread)
    assert priced().shift_for(-1000) == pytest.approx(np.log(0.05))
    assert priced().error == pytest.approx(1 / 1.959963984540054)
    assert priced().group(cost=10).costs == pytest.approx([(1 - 2 / priced().spread) * cost for cost in (20, 30)])


@pytest.mark.parametrize(("shift", "verdict", "turns"), [(-0.4, "too dear", True), (0.1, "too cheap", False)])
def test_what_a_reading_turns(
    shift: float, verdict: str, turns: bool, runner: Runner, prices: PriceList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 25 points for 27 of its loadouts a shift of -0.4 leaves 16: 20 is then too much."""
    parts = np.full(4, 1e-3)
    found = Handicap(shift, 0.0, parts, parts)
    monkeypatch.setattr(_Desk, "_under", lambda desk, readings: iter([(readings[0], found)]))
    (reading,) = price_card(runner, prices, "ox").readings
    assert (reading.verdict, reading.turns) == (verdict, turns)
