"""A game of one registry line gets every verb."""

from __future__ import annotations

import json

import pytest

from balance.game.registry import GAMES
from tests.cli.conftest import Command
from tests.toy.game import GAME as SKIRMISH


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


@pytest.fixture
def pair() -> tuple[str, str]:
    import balance as toolkit

    one, other, *_ = toolkit.load(SKIRMISH).entrants
    return one, other


def test_it_can_be_shown_and_checked(balance: Command) -> None:
    assert "fighters" in balance("show", "skirmish").out
    assert "sound" in balance("check", str(SKIRMISH.folder)).out
    assert balance("rules", "skirmish").status == 0


def test_it_can_be_asked(balance: Command, pair: tuple[str, str]) -> None:
    assert "Skirmish: attack" in balance("attack", "skirmish", *pair, "--more").out
    done = balance("duel", "skirmish", *pair, "--trials", "2000", "--more")
    assert "Strikes: " in done.out
    assert "simulated" in done.out
    found = json.loads(balance("duel", "skirmish", *pair, "--json").out)
    assert sum(found["exact"]["p_win"].values()) == pytest.approx(1)


def test_what_it_does_not_offer_is_told(
    balance: Command, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    peaceful = replace(SKIRMISH, kinds={"attack": SKIRMISH.kinds["attack"]})
    monkeypatch.setattr("tests.toy.game.GAME", peaceful)
    done = balance("duel", "skirmish", *pair)
    assert done.status == 2
    assert "skirmish has no 'duel'" in done.err


def test_who_won_is_told_by_its_role_and_not_by_a_name(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("duel", "skirmish", "knight", "rat", "--set", "b.health=9", "--half-width", "0.03", "--seed", "3")
    told, columns = balance(*asked).out, json.loads(balance(*asked, "--json").out)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.renamed:GAME")
    renamed = json.loads(balance(*asked, "--json").out)
    for how in ("exact", "simulated"):
        assert renamed[how]["p_win"] == columns[how]["p_win"]
    who_wins = told[told.index("who wins") :].split("\n\n")[0]
    assert who_wins in balance(*asked).out
