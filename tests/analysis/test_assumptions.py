"""Which values may move, and to what: told by the sources, the cards in play, the bounds and the other rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.analysis.claims.assumptions import Place, assumed_places
from balance.base.errors import UsageError
from balance.catalogue import Column
from balance.game.loaded import load
from tests.analysis.coins import STATED, written

STATED_FACES = tuple(
    f"faces,{die}_{at},results" for die, n in (("a", 6), ("b", 6), ("box", 2)) for at in range(1, n + 1)
)


def paths(places: list[Place]) -> list[str]:
    return [place.path for place in places]


def test_what_is_stated_or_inferred_stays_and_so_do_cards_that_nobody_holds(tmp_path: Path) -> None:
    game = written(tmp_path, stated=(*STATED, *STATED_FACES[1:]), inferred=("players,ann,purse",))
    assert paths(assumed_places(game, ("ann", "bob"))) == [
        "faces.a_1.results",
        "players.ann.cost_points",
        "players.ann.kin",
        "players.ann.lucky",
        "players.bob.cost_points",
        "players.bob.kin",
        "players.bob.lucky",
        "players.bob.purse",
    ]
    assert paths(assumed_places(game, ("cy", "cy"), ["players"])) == [
        f"players.cy.{field}" for field in ("cost_points", "kin", "lucky", "purse")
    ]


def test_a_value_moves_a_step_or_to_what_its_column_holds_elsewhere(tmp_path: Path) -> None:
    game = written(tmp_path, stated=STATED[1:])
    found = {place.path: (place.old, place.texts) for place in assumed_places(game, ("ann", "cy"))}
    assert {path: one for path, one in found.items() if path.startswith("players.")} == {
        "players.ann.cost_points": ("10", ("9", "11")),
        "players.ann.kin": ("kin_ann", ("kin_bob", "kin_cy")),
        "players.ann.lucky": ("false", ("true",)),
        "players.ann.more": ("0", ("1",)),
        "players.ann.purse": ("1.0", ("0.9", "1.1")),
        "players.cy.cost_points": ("30", ("29", "31")),
        "players.cy.kin": ("kin_cy", ("kin_ann", "kin_bob")),
        "players.cy.lucky": ("false", ("true",)),
        "players.cy.purse": ("3.0", ("2.7", "3.3")),
    }
    assert {one for path, one in found.items() if path.startswith("faces.")} == {
        ("HIT", ("MIS",)),
        ("MIS", ("HIT",)),
    }


def test_only_lists_have_others_that_are_alike(tmp_path: Path) -> None:
    alike = {place.path: place.alike for place in assumed_places(written(tmp_path), ("ann", "bob"))}
    assert (alike["faces.a_1.results"], alike["faces.box_2.results"]) == (("a",), ("box",))
    assert alike["players.ann.purse"] is None


def test_rules_and_constants_are_tables_too(tmp_path: Path) -> None:
    game = written(tmp_path, stated=STATED[:3])
    assert assumed_places(game, ("ann", "bob"), ["rules"]) == [Place("rules", "ties", "", "half", ("a",))]
    assert Place("rules", "ties", "", "half", ("a",)).path == "rules.ties"
    told = "nothing that is assumed in constants can be otherwise; `balance show coins sources` says what is"
    with pytest.raises(UsageError) as error:  # its one number has one value
        assumed_places(game, ("ann", "bob"), ["constants"])
    assert str(error.value) == told


def test_an_unknown_table_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        assumed_places(written(tmp_path), ("ann", "bob"), ["face", "rules", "purse"])
    known = "allowed: players, faces, rules, constants"
    assert str(error.value) == (
        f"over: 'face' is not a table; {known}; did you mean faces?\nover: 'purse' is not a table; {known}"
    )


def test_a_mark_in_place_of_a_number_has_no_steps() -> None:
    from balance.analysis.claims.assumptions import _texts

    column = Column("range", "range", "integer", low=0, high=99, marks=(("*", 99),))
    assert list(_texts(column, 99, ["3", "99"])) == ["3"]
    assert list(_texts(column, 0, ["3", "99"])) == ["1"]
    assert list(_texts(column, 98, ["3", "99"])) == ["97", "99"]
    assert list(_texts(Column("weight", "weight", "number"), 0.0, [])) == ["-0.1", "0.1"]
    assert list(_texts(Column("weight", "weight", "number", nullable=True), None, ["", "2.5"])) == ["2.5"]


def test_the_faces_of_a_game_are_assumed_and_their_dice_stated() -> None:
    found = assumed_places(load("immortal_souls"), ("ecarus", "red_bandit"), ["faces"])
    assert len(found) == 20
    assert {place.field for place in found} == {"results"}
