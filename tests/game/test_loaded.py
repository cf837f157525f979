"""A game with its catalogue: what is in it, by id, by name for people and by price, and what it can be asked."""

from __future__ import annotations

import pickle

import pytest

from balance.base.errors import UsageError
from balance.game.loaded import load
from balance.game.registry import shipped_folder
from tests.toy.game import GAME as TOY


def test_a_game_is_opened_by_its_name_or_as_it_is_with_any_catalogue() -> None:
    game = load("battlelore")
    again = load(game.definition, shipped_folder(game.definition))
    assert again.definition is game.definition
    assert again.catalogue.sha256 == game.catalogue.sha256
    assert load(game.definition, again.catalogue).catalogue is again.catalogue
    with pytest.raises(UsageError, match="did you mean battlelore"):
        load("battelore")


def test_it_crosses_to_another_process_with_its_own_cards() -> None:
    game = load("warforged")
    sent = pickle.loads(pickle.dumps(game))
    assert sent.definition is game.definition
    assert sent.catalogue == game.catalogue


def test_who_may_be_asked_about_is_listed_by_the_side_they_are_on() -> None:
    toy, game = load(TOY), load("battlelore")
    assert toy.entrants == toy.targets == tuple(toy.catalogue.tables["fighters"])
    assert "blue_foot" in game.targets
    assert "blue_foot" not in game.entrants
    assert game.entrants_of("duel") == game.ids(game.definition.kinds["duel"].takes[0]) == game.entrants
    assert game.entrants_of("no such kind") == game.entrants
    assert (game.kind_of("blue_foot").name, game.kind_of("blue_foot+short_sword").name) == ("target", "unit")
    assert game.kind_of("nobody").name == "unit"


def test_entrants_have_names_prices_and_parts() -> None:
    game = load("warforged")
    unit, weapon = game.catalogue.tables["units"]["nexus"], game.catalogue.tables["weapons"]["shotgun"]
    assert game.parts("nexus+shotgun") == ("nexus", "shotgun")
    assert game.label("nexus+shotgun") == "Nexus + Shotgun"
    assert game.cost_points("nexus+shotgun") == unit.model_dump()["cost_points"] + weapon.model_dump()["cost_points"]


def test_what_a_game_cannot_be_asked_is_told() -> None:
    toy = load(TOY)
    with pytest.raises(UsageError, match=r"skirmish has no 'dual'; it has attack, duel.*did you mean duel"):
        toy.ask("dual", "knight", "rat")
    with pytest.raises(UsageError, match="attack has no first side"):
        toy.ask("attack", "knight", "rat", first="a")
    with pytest.raises(UsageError, match="first must be one of a, b, random, found 'c'"):
        toy.duel("knight", "rat", first="c")


def test_either_side_goes_first_where_nothing_is_said() -> None:
    toy = load(TOY)
    assert toy.ask("duel", "knight", "rat").first == "random"
    assert toy.duel("knight", "rat").first == "random"
    assert toy.attack("knight", "rat").first == ""
