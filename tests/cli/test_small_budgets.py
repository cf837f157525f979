"""Budgets that buy little: refused with one that works, or answered; whatever the game and the verb."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from balance.analysis.armies import best_army
from balance.analysis.changes.handicaps import points_even
from balance.analysis.changes.neighbours import price_card
from balance.analysis.changes.tuning import bench, tune
from balance.analysis.prices import price_list
from balance.analysis.prices.fits import battle_prices
from balance.game.registry import GAMES
from tests.analysis.conftest import write_catalogue as write_cards
from tests.cli.conftest import Command
from tests.tug import write_catalogue

SIDES = {"tug": ("b0+rope", "b1+rope"), "warforged": ("trooper+shotgun", "nexus+shotgun")}
CARDS = {"tug": "b1", "warforged": "nexus"}
NAMED = re.compile(r"such as (?:--budget )?([\d.:,]+)$", re.MULTILINE)
VERBS = {
    "price": (),
    "price of one": ("{card}",),
    "price and changes": ("--changes", "1"),
    "tune": ("--force",),
    "army": (),
    "army of any": ("--random", "2"),
    "stability": ("--ways", "{way}", "--battles", "4096"),
    "play": ("--pairs", "8"),
    "handicap": ("{one}", "{other}", "--cost"),
    "handicap of going first": ("--bid", "points"),
}
SMALL = ("1:1", "15:1", "20:65")
WAYS = {"tug": "hard", "warforged": "focus"}


@pytest.fixture(autouse=True)
def few_battles(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand beside small catalogues of two games, where questions take few battles."""
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    bodies = [("b0", 10, 1000), ("b1", 12, 1100), ("b2", 16, 1500)]
    write_catalogue(elsewhere / "data" / "tug", bodies, [("rope", 0, 100)])
    write_cards(elsewhere / "data" / "warforged", {"trooper": {}, "nexus": {}}, {"shotgun": {}, "pulse_pistol": {}})
    monkeypatch.setattr(price_list, "price_list", partial(price_list.price_list, n_battles=100))
    monkeypatch.setattr("balance.analysis.play.playing.N_PAIRS", 32)
    monkeypatch.setattr("balance.analysis.prices.fits.fair_costs.BLOCK", 512)
    monkeypatch.setattr(price_card, "price_card", partial(price_card.price_card, n_battles=32))
    monkeypatch.setattr(battle_prices, "BLOCK", 256)
    for name in ("fair_cost", "points_bid"):
        monkeypatch.setattr(points_even, name, partial(getattr(points_even, name), n_battles=256))
    monkeypatch.setattr(tune, "TuneEffort", partial(bench.TuneEffort, 100, 32, 64, 1))
    monkeypatch.setattr(best_army, "ArmySearch", partial(best_army.ArmySearch, 16, 1, 8, 4, 64))


@pytest.mark.parametrize("game", SIDES)
@pytest.mark.parametrize("verb", VERBS)
def test_a_small_budget_is_answered_or_refused_with_one_that_works(balance: Command, verb: str, game: str) -> None:
    one, other = SIDES[game]
    told = [word.format(card=CARDS[game], one=one, other=other, way=WAYS[game]) for word in VERBS[verb]]
    serial = () if verb.startswith("handicap") else ("--jobs", "1")

    def status_at(budget: str) -> tuple[int, str]:
        done = balance(verb.split()[0], game, *told, "--budget", budget, "--quiet", *serial)
        return done.status, done.err

    worked = set[str]()
    for budget in SMALL:
        status, err = status_at(budget)
        assert status in {0, 1, 2, 3}, (budget, err)
        if status == 2 and (named := NAMED.findall(err)) and named[0] not in worked:
            status, err = status_at(named[0])
            assert status in {0, 1, 3}, (budget, named[0], err)
            worked.add(named[0])
