"""What is proposed: only what helps when it is played, and harms nobody who is fair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.analysis.armies.typical_match_up import MatchUps, TypicalMatchUp
from balance.analysis.prices import proposals as module
from balance.analysis.prices.answer import CardPrice, LoadoutPrice
from balance.analysis.prices.price_list import PriceList, price_list
from balance.analysis.prices.proposals import cost_proposal, is_fair, usable_costs
from balance.analysis.scores.usual_prices import Tolerance
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME, write_catalogue

BODIES = [("ant", 10.0, 100), ("elk", 20.0, 200), ("ox", 30.0, 300), ("bear", 40.0, 400), ("yak", 50.0, 500)]
FAIR, DEAR, CHEAP, OPEN, USELESS = "fair", "too dear", "too cheap", "not yet known", "not worth taking"


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(load(GAME, write_catalogue(tmp_path_factory.mktemp("tug") / "c", BODIES, [("rope", 0.0, 100)])))


@pytest.fixture(scope="module")
def fair(runner: Runner) -> PriceList:
    """Prices of a game whose costs are right."""
    return price_list(runner, n_battles=2000)


def mistaken(prices: PriceList, **costs: float) -> PriceList:
    """Return prices by which some cards should cost otherwise: a mistake, to be found out by playing."""
    cards = dict(prices.cards)
    (name, fewest), *_ = prices.fewest.items()
    wrong = fewest.costs.copy()
    for card, cost in costs.items():
        word = DEAR if cost < cards[card].cost else CHEAP
        cards[card] = replace(cards[card], verdict=word, fair=cost, low=cost - 1, high=cost + 1)
        wrong[fewest.entries.card_of[fewest.entries.cards.index(card)]] = cost
    loadouts = {of: replace(price, verdict=OPEN) for of, price in prices.loadouts.items()}
    return replace(prices, cards=cards, loadouts=loadouts, fewest={name: replace(fewest, costs=wrong)})


def test_where_nothing_is_off_nothing_is_proposed(runner: Runner, fair: PriceList) -> None:
    found = cost_proposal(runner, fair)
    assert (found.proposal, found.no_cost, found.typical.after) == (None, (), None)
    assert found.typical.before.off < 0.05
    assert {price.proposed_cost for price in found.beside(fair.cards).values()} == {None}


@pytest.mark.parametrize("cost", [20.0, 46.0, 26.0])
def test_a_cost_that_does_not_help_when_it_is_played_is_not_proposed(
    runner: Runner, fair: PriceList, cost: float
) -> None:
    """The ox is fair at 30, whatever is said of it: any other cost makes match-ups less even."""
    prices = mistaken(fair, ox=cost)
    assert usable_costs(prices) == {"ox": cost}
    found = cost_proposal(runner, prices)
    assert (found.proposal, found.typical.after) == (None, None)


def test_a_cost_that_helps_is_proposed_with_what_it_does(tmp_path: Path) -> None:
    bodies = [(name, 45.0 if name == "ox" else cost, strength) for name, cost, strength in BODIES]
    game = Runner(load(GAME, write_catalogue(tmp_path, bodies, [("rope", 0.0, 100)])))
    prices = price_list(game, n_battles=2000)
    found = cost_proposal(game, prices)
    assert found.proposal is not None
    assert list(found.proposal.costs) == ["ox"]
    assert abs(found.proposal.costs["ox"] - 30) <= 1
    assert found.proposal.candidate == 1
    assert found.proposal.gain > 3 * found.proposal.gain_error > 0
    assert found.proposal.after.off < 0.05 < found.proposal.before.off
    assert is_fair(prices, found) == "no"


# -- which candidates, in which order ----------------------------------------------------------------------------------


def price(cost: float, word: str, low: float, high: float, card: bool = True) -> Any:
    of = CardPrice if card else LoadoutPrice
    return of("", cost, (low + high) / 2, low, high, low, high, word, "", (), 1.0, 0)


def listed(
    cards: Mapping[str, Any],
    costs: Sequence[Mapping[str, float]],
    loadouts: Mapping[str, Any] | None = None,
    changed: str = "",
    power: float | None = None,
    base: Mapping[str, float] | None = None,
) -> Any:
    """Return prices of single letters, of which `costs` has what they should cost by each way of playing."""
    names = tuple(cards)
    entries = SimpleNamespace(cards=names, card_of=np.arange(len(names)), names=tuple(loadouts or {}))
    fewest = {
        str(at): SimpleNamespace(
            entries=entries, costs=np.array([by.get(name, cards[name].cost) for name in names]), power=power,
            changed=tuple(names.index(name) for name in changed),
            base=np.array([(base or {}).get(name, cards[name].cost) for name in names]),
        )
        for at, by in enumerate(costs)
    }  # fmt: skip
    return SimpleNamespace(
        cards=cards, loadouts=loadouts or {}, fewest=fewest, tolerance=Tolerance(),
        main=SimpleNamespace(entries=entries), setting=SimpleNamespace(budgets=((100.0, 4.0), (200.0, 8.0))),
        game=SimpleNamespace(parts=tuple),
    )  # fmt: skip


def test_the_cost_is_the_fair_one_nearest_to_today_by_every_way_of_playing() -> None:
    cards = {"a": price(30, DEAR, 18, 24), "b": price(10, CHEAP, 14, 22), "c": price(20, FAIR, 19, 21)}
    assert usable_costs(listed(cards, [{"a": 19.0, "b": 20.6}, {"a": 22.7, "b": 15.2}])) == {"a": 23, "b": 15}


@pytest.mark.parametrize(
    ("cost", "word", "fair", "least"),
    [
        (30.0, DEAR, 2.2, 3),  # below what is legal
        (80.0, CHEAP, 100.0, 1),  # no smallest army can buy it
        (2.0, DEAR, 0.3, 0),  # nothing is nearest
        (1.0, DEAR, 0.8, 1),  # the whole cost is today's
    ],
)
def test_where_no_whole_cost_will_do_none_is_proposed(cost: float, word: str, fair: float, least: int) -> None:
    cards = {"a": price(cost, word, fair * 0.95, fair * 1.05)}
    assert usable_costs(listed(cards, [{"a": fair}]), least) == {}


def test_a_whole_cost_that_would_be_off_as_well_is_not_proposed() -> None:
    """Half a point is worth half of what 1 is; 1 is the least whole cost. At 1.2 it would do."""
    assert usable_costs(listed({"a": price(3, DEAR, 0.68, 0.7)}, [{"a": 0.69}])) == {"a": 1}
    assert usable_costs(listed({"a": price(40, DEAR, 20, 21)}, [{"a": 24.0}])) == {}  # not what its range says


def candidates(prices: Any, most: int | None = None) -> list[tuple[dict[str, int], float | None]]:
    return list(module._candidates(prices, usable_costs(prices), 1, most))


OFF_THREE = {"a": price(30, DEAR, 19, 21), "b": price(10, CHEAP, 14, 16), "c": price(50, DEAR, 39, 41)}
COSTS = [{"a": 20.0, "b": 15.0, "c": 40.0}]


def test_first_all_that_are_off_then_the_fewest_changes_then_the_first() -> None:
    assert candidates(listed(OFF_THREE, COSTS, changed="cb")) == [
        ({"c": 40, "b": 15, "a": 20}, None),
        ({"c": 40, "b": 15}, None),
        ({"c": 40}, None),
    ]
    assert candidates(listed(OFF_THREE, COSTS, changed="c")) == [({"c": 40, "b": 15, "a": 20}, None), ({"c": 40}, None)]


def test_at_most_so_many_cards_change() -> None:
    prices = listed(OFF_THREE, COSTS, changed="cb")
    assert candidates(prices, 2) == [({"c": 40, "b": 15}, None), ({"c": 40}, None)]
    assert candidates(prices, 1) == [({"c": 40}, None)]
    assert candidates(prices, 0) == []


def test_a_change_that_would_spoil_a_fair_loadout_is_left_out() -> None:
    """a+x is fair as it is: with a at 20 it would cost too little; b+x is too cheap, and may change."""
    loadouts = {"ax": price(34, FAIR, 32, 36, card=False), "bx": price(14, CHEAP, 18, 20, card=False)}
    cards = {**OFF_THREE, "x": price(4, FAIR, 3.6, 4.4)}
    assert candidates(listed(cards, COSTS, loadouts, changed="abc"))[0] == ({"b": 15, "c": 40}, None)
    harmless = {"ax": price(34, FAIR, 23, 36, card=False)}
    assert candidates(listed(cards, COSTS, harmless, changed="abc"))[0] == ({"a": 20, "b": 15, "c": 40}, None)


def test_of_two_changes_that_spoil_a_loadout_together_the_smaller_gain_goes_first() -> None:
    loadouts = {"ac": price(80, FAIR, 68, 88, card=False)}
    assert candidates(listed(OFF_THREE, COSTS, loadouts, changed="cab"))[0] == ({"c": 40, "b": 15}, None)
    assert candidates(listed(OFF_THREE, COSTS, loadouts, changed="acb"))[0] == ({"a": 20, "b": 15}, None)


def test_all_costs_to_a_power_are_the_only_candidate() -> None:
    base = {"a": 33.3, "b": 6.6, "c": 50.2}
    assert candidates(listed(OFF_THREE, COSTS, changed="", power=1.3, base=base)) == [({"a": 33, "b": 7}, 1.3)]


# -- the test of each candidate ----------------------------------------------------------------------------------------


def helped(monkeypatch: pytest.MonkeyPatch, gain_of: Callable[[Mapping[str, int]], float], error: float) -> Any:
    """Return what comes of the candidates c+b+a, c+b and c where each takes off so much, known with an error."""
    quarter = TypicalMatchUp.of(0.25, 0.001, 100)

    def played(runner: Any, prices: Any, each: Sequence[Mapping[str, int]], candidate: int = 0) -> list[Any]:
        played_candidates.append((candidate, len(each)))
        return [
            SimpleNamespace(typical=quarter, gain_over=lambda before, costs=costs: (gain_of(costs), error))
            for costs in each
        ]

    played_candidates = list[tuple[int, int]]()
    monkeypatch.setattr(module, "_played", played)
    prices = listed(OFF_THREE, COSTS, changed="cb")
    before: Any = SimpleNamespace(typical=quarter)
    found = module._first_that_helps(None, prices, usable_costs(prices), 1, None, before)  # type: ignore[arg-type]
    assert played_candidates == [(0, 1), (1, 2), (2, 2)][: len(played_candidates)]
    return found


def test_the_first_candidate_that_helps_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = helped(monkeypatch, lambda costs: {3: -0.1, 2: 0.08, 1: 0.09}[len(costs)], 0.01)
    assert (found.costs, found.candidate, found.gain) == ({"c": 40, "b": 15}, 2, 0.08)
    assert helped(monkeypatch, lambda costs: 0.08, 0.01).candidate == 1
    assert helped(monkeypatch, lambda costs: -0.01, 0.01) is None


@pytest.mark.parametrize(("sigmas", "candidate"), [(1.6, None), (1.7, 1), (2.3, 1)])
def test_chance_alone_proposes_nothing(monkeypatch: pytest.MonkeyPatch, sigmas: float, candidate: int | None) -> None:
    found = helped(monkeypatch, lambda costs: 0.05 if len(costs) == 3 else 0.0, 0.05 / sigmas)
    assert (found.candidate if found else None) == candidate


@pytest.mark.parametrize(("n", "sigmas", "passes"), [(2, 1.9, False), (2, 2.0, True), (1, 2.2, False), (1, 2.3, True)])
def test_later_candidates_are_tested_more_strictly(
    monkeypatch: pytest.MonkeyPatch, n: int, sigmas: float, passes: bool
) -> None:
    found = helped(monkeypatch, lambda costs: 0.05 if len(costs) == n else 0.0, 0.05 / sigmas)
    assert (found is not None) == passes


def test_less_than_a_tenth_is_no_help(monkeypatch: pytest.MonkeyPatch) -> None:
    assert helped(monkeypatch, lambda costs: 0.024, 0.0001) is None
    assert helped(monkeypatch, lambda costs: 0.026, 0.0001).candidate == 1


def test_useless_changes_pass_in_one_run_of_twenty_at_most() -> None:
    """The test of a first candidate on 400 pairs of match-ups that differ by chance: 5 %, at most 20 + 3 * 4.4."""
    rng, passed = np.random.default_rng(11), 0
    for _ in range(400):
        off = rng.normal(0, 0.05, 40)
        before, after = (MatchUps(off + rng.normal(0, 0.3, (20, 40))) for _ in range(2))
        gain, error = after.gain_over(before)
        passed += gain > 1.645 * error and gain >= module.LEAST_SHARE * before.typical.square
    assert passed <= 33


# -- yes or no ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "off", "error", "share", "said"),
    [
        ([FAIR, FAIR], 0.02, 0.01, None, "yes"),
        ([FAIR, OPEN], 0.02, 0.01, None, "yes"),  # certainly within 60:40
        ([FAIR, FAIR], 0.09, 0.02, None, "yes"),
        ([FAIR, OPEN], 0.09, 0.02, None, "not yet known"),
        ([FAIR, DEAR], 0.02, 0.01, None, "no"),
        ([FAIR, CHEAP], 0.3, 0.01, 0.1, "no"),
        ([FAIR, FAIR], 0.11, 0.02, 0.1, "not yet known"),
        ([FAIR, FAIR], 0.3, 0.01, 0.1, "costs yes, match-ups no"),
        ([FAIR, OPEN], 0.3, 0.01, 0.1, "costs yes, match-ups no"),
        ([FAIR, FAIR], 0.3, 0.01, 0.9, "no"),
        ([FAIR, OPEN], 0.3, 0.01, 0.9, "not yet known"),
        ([FAIR, FAIR], 0.3, 0.01, None, "no"),
        ([FAIR, USELESS], 0.3, 0.01, 0.1, "no"),
    ],
)
def test_yes_or_no(words: list[str], off: float, error: float, share: float | None, said: str) -> None:
    prices = SimpleNamespace(
        loadouts={str(at): price(10, word, 9, 11, card=False) for at, word in enumerate(words)},
        cards={}, fewest={"": SimpleNamespace(power=None)},
    )  # fmt: skip
    typical = SimpleNamespace(before=TypicalMatchUp.of(off**2, 2 * off * error, 100))
    proposal = SimpleNamespace(typical=typical, unfair=SimpleNamespace(share_of_strength=share))
    assert is_fair(prices, proposal) == said  # type: ignore[arg-type]
    prices.fewest[""].power = 1.5
    assert is_fair(prices, proposal) == "no"  # type: ignore[arg-type]
