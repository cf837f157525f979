"""Questions about adventures: who meets whom, what may be set, and what the verbs answer."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import balance
from balance.analysis.changes.handicaps.moves import with_step
from balance.analysis.changes.handicaps.remedies import Remedies
from balance.analysis.changes.handicaps.settable import numbers_of
from balance.analysis.stability.pair_stability import PairStability
from balance.base.errors import BalanceError, CatalogueError, RulesError, UsageError
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.engine.query import Query
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from balance.games.battlelore import GAME
from balance.games.battlelore.adventure.map.adventure import Council, cell_of, turned_cell
from balance.games.battlelore.adventure.question.columns import COLUMNS
from balance.games.battlelore.adventure.question.steps import steps as steps_of
from balance.games.battlelore.adventure.terms.battle import Battle
from tests.schemas import check

SHORT = "situation.turn_limit=10"
ENGLISH, FRENCH = "agincourt:english", "agincourt:french"


@cache
def game() -> LoadedGame:
    return balance.load(GAME)


def asked(adventure: str = "agincourt", *changes: str, first: str | None = None, **choices: str) -> Question:
    return game().ask("battle", *game().pair("battle", adventure, ""), list(changes), first, **choices)


def battle(question: Question) -> Battle:
    found = question.setup.play.battle
    assert isinstance(found, Battle)
    return found


def units(question: Question, side: int) -> list[tuple[str, int]]:
    """Return the units of a side: who, and the cell."""
    at = battle(question)
    return [(at.muster.fighters[member].id, cell) for member, cell in at.members[side]]


# -- who meets whom ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-SETUP-03", "BL-SETUP-04")
def test_one_id_stands_for_both_forces() -> None:
    assert game().pair("battle", "agincourt", "") == (ENGLISH, FRENCH)
    assert game().pair("battle", "Agincourt", None) == (ENGLISH, FRENCH)
    assert game().pair("battle", FRENCH, ENGLISH) == (FRENCH, ENGLISH)
    assert game().pairs_of("battle") == ("agincourt", "ford_and_bridge", "hill_against_numbers", "lore_duel", "mirror")
    assert game().pairs_of("duel") == ()
    assert game().label(ENGLISH) == "English (Agincourt)"
    assert game().cost_points(FRENCH) == 10
    with pytest.raises(UsageError, match="duel is asked about two sides, and the other is missing; type b behind x"):
        game().pair("duel", "x", "")


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (ENGLISH, "mirror:south", "are not the two forces of one adventure"),
        (ENGLISH, ENGLISH, "are not the two forces of one adventure"),
        ("agincourt", FRENCH, "'agincourt' is an adventure, and no force of one; write agincourt:english or"),
        ("agincourt:scottish", FRENCH, "'scottish' is no force of agincourt; allowed: english, french"),
        ("agincor:english", FRENCH, "'agincor' is no adventure; allowed: .*; did you mean agincourt"),
    ],
)
def test_others_do_not_meet(one: str, other: str, message: str) -> None:
    with pytest.raises(BalanceError, match=message):
        game().ask("battle", one, other)


def test_the_board_is_turned_where_the_second_force_is_side_a() -> None:
    plain, other = asked(), game().ask("battle", FRENCH, ENGLISH)
    assert units(other, 0) == [(unit, turned_cell(cell)) for unit, cell in units(plain, 1)]
    assert units(other, 1) == [(unit, turned_cell(cell)) for unit, cell in units(plain, 0)]
    assert (plain.setup.play.first, other.setup.play.first) == (0, 1), "the English begin from either seat"
    assert battle(other).terms.cards == (4, 6)
    assert plain.task_id != other.task_id


def by_key(question: Question, n: int = 256) -> dict[str, Any]:
    (process,) = question.kind.processes(question.setup, "literal")
    return simulate(process, RandomRolls(5, "demo", 0, n, is_paired=True), in_order=True)


@pytest.mark.slow("test_hexes_are_named_as_the_file_draws_them_from_either_seat")
@pytest.mark.rule("BL-TURN-03")
def test_a_mirror_from_either_seat_is_the_same_battle_with_the_same_luck() -> None:
    """The forces differ in nothing, so the first of either question wins the same trials."""
    south = by_key(asked("mirror"))
    north = by_key(game().ask("battle", "mirror:north", "mirror:south", [], "a"))
    assert list(south) == list(north) == list(COLUMNS)
    for name, values in south.items():
        assert np.array_equal(values, north[name]), name
    assert set(south["winner"].tolist()) == {1, 2}


@pytest.mark.slow("tests/games/warforged/test_story.py::test_blocks_played_at_once_are_those_that_are_counted")
def test_a_trial_hangs_on_its_luck_alone_whoever_plays_beside_it() -> None:
    some, more = by_key(asked("ford_and_bridge"), 40), by_key(asked("ford_and_bridge"), 90)
    for name, values in some.items():
        assert np.array_equal(values, more[name][:40]), name


# -- what may be set ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-WIN-01", "BL-CMD-13")
def test_banners_cards_and_units_of_a_force_may_be_set() -> None:
    question = asked(
        "agincourt", "a.banners=6", "b.cards=5", "b.more=blue_mounted@I2;Heavy Infantry @ h3", "b.without=G2",
        "situation.turn_limit=30", "a.cards=7",
    )  # fmt: skip
    terms = battle(question).terms
    assert (terms.banners, terms.cards, terms.turn_limit) == ((6, 4), (7, 5), 30)
    french = {cell: unit for unit, cell in units(question, 1)}
    assert french[cell_of("I2") or 0] == "blue_mounted+long_sword"
    assert french[cell_of("H3") or 0] == "red_foot+short_sword"
    assert cell_of("G2") not in french
    assert len(french) == 11
    inputs = question.inputs
    assert (inputs["a"]["banners"], inputs["b"]["cards"]) == (6, 5)
    assert inputs["b"]["units"][-1] == "heavy_infantry@H3"
    assert len(inputs["situation"]["adventure_sha256"]) == 64


def test_sides_are_named_as_the_file_draws_them_from_either_seat() -> None:
    question = game().ask("battle", FRENCH, ENGLISH, ["a.more=blue_foot@I2", "b.without=C6"])
    assert ("blue_foot+short_sword", turned_cell(cell_of("I2") or 0)) in units(question, 0)
    assert len(units(question, 1)) == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("a.banners=11", "set a.banners: '11' is more than can be won (BL-WIN-01); allowed: at most 10"),
        ("a.banners=0", "set a, banners: '0' is out of range"),
        ("a.more=blue_foot@C6", "set a.more: 'C6' holds a unit already (BL-MOV-04)"),
        ("a.more=blue_foot@G4", "set a.more: 'G4' holds a unit already (BL-MOV-04)"),
        ("a.more=blue_foot", "set a.more: 'blue_foot' is no unit at a hex; such as blue_foot@C4"),
        ("a.more=blue_foot@B13", "set a.more: 'blue_foot@B13' is no unit at a hex; such as blue_foot@C4"),
        ("a.more=blue_fot@A1", "set a.more: 'blue_fot' is not in units"),
        ("a.without=A1", "set a.without: 'A1' holds no unit of this force; allowed: C2, C3, B4"),
        ("a.wizard=1", "set a.wizard: '1' is for adventures with Lore, and agincourt has none"),
        ("a.bows=1", "set a: 'bows' is not a field; allowed: banners, cards, more"),
    ],
)
def test_what_cannot_be_set_is_told(change: str, message: str) -> None:
    with pytest.raises(BalanceError) as caught:
        asked("agincourt", change)
    assert str(caught.value).startswith(message)


def test_one_hex_holds_one_unit_of_both_forces_together() -> None:
    with pytest.raises(RulesError, match=r"hold units of both forces"):
        asked("agincourt", "a.more=blue_foot@E5", "b.more=blue_foot@E5")
    with pytest.raises(RulesError, match=r"'E1' is no ground that a unit may stand on"):
        asked("ford_and_bridge", "a.more=blue_foot@E1")


@pytest.mark.rule("BL-WC-02", "BL-WC-07")
def test_a_commander_says_how_many_cards_a_hand_has() -> None:
    assert battle(asked("lore_duel")).terms.cards == (4, 4)
    assert battle(asked("lore_duel", "a.commander=3", "b.commander=0")).terms.cards == (6, 3)
    assert battle(asked("lore_duel", "a.commander=3", "a.cards=2")).terms.cards == (2, 4)
    with pytest.raises(RulesError, match=r"has a council of 12 levels \(BL-WC-07\); allowed: at most 10"):
        asked("lore_duel", "a.wizard=3", "a.rogue=3", "a.cleric=3", "a.commander=2")


def test_every_level_of_a_council_may_be_set() -> None:
    question = asked("lore_duel", "a.wizard=3", "a.warrior=0", "b.cleric=2", "b.tokens=1")
    a, b = battle(question).lore_deck.councils
    assert (a, b) == (Council(1, 3, 1, 1, 0), Council(1, 2, 1, 2, 1))
    assert (question.inputs["a"]["wizard"], question.inputs["a"]["warrior"], question.inputs["b"]["tokens"]) == (
        3,
        0,
        1,
    )


# -- the ground that is set --------------------------------------------------------------------------------------------


def ground(question: Question, name: str) -> tuple[str, ...]:
    """Return the terrains of a hex, by the name that it has from the edge of side a."""
    return battle(question).adventure.terrain[cell_of(name) or 0]


@pytest.mark.slow("test_banners_cards_and_units_of_a_force_may_be_set")
def test_the_ground_of_a_hex_may_be_set() -> None:
    question = asked("agincourt", "situation.hexes=Forest @ e5;hill+rampart@D4;countryside@C1")
    assert (ground(question, "E5"), ground(question, "D4")) == (("forest",), ("hill", "rampart"))
    assert (ground(asked(), "C1"), ground(question, "C1")) == (("forest",), ("countryside",))
    assert ground(question, "B3") == ground(asked(), "B3")
    assert question.inputs["situation"]["hexes"] == ["Forest @ e5", "hill+rampart@D4", "countryside@C1"]
    assert question.inputs["set"] == list(question.changes)
    assert question.task_id not in (asked().task_id, asked("agincourt", "situation.hexes=forest@E5").task_id)
    assert not np.array_equal(by_key(question, 40)["turns"], by_key(asked(), 40)["turns"])


def test_hexes_are_named_as_the_file_draws_them_from_either_seat() -> None:
    question = game().ask("battle", FRENCH, ENGLISH, ["situation.hexes=hill@E1"])
    assert (ground(question, "E13"), ground(question, "E1")) == (("hill",), ground(asked(), "E13"))


@pytest.mark.slow("test_banners_cards_and_units_of_a_force_may_be_set")
def test_ground_as_it_is_changes_nothing() -> None:
    plain, same = by_key(asked(), 40), by_key(asked("agincourt", "situation.hexes=forest@C1;countryside@E5"), 40)
    for name, values in plain.items():
        assert np.array_equal(values, same[name]), name


def test_a_unit_may_stand_where_water_is_taken_away() -> None:
    question = asked("ford_and_bridge", "a.more=blue_foot@E1", "situation.hexes=countryside@E1")
    assert cell_of("E1") in [cell for _, cell in units(question, 0)]


@pytest.mark.parametrize(
    ("adventure", "hexes", "message"),
    [
        ("agincourt", "forrest@E5", "'forrest' is no terrain; allowed: countryside, .*; did you mean forest"),
        ("agincourt", "hill+woods@E5", "'woods' is no terrain"),
        ("agincourt", "forest", "'forest' is no terrain at a hex; such as forest@E5"),
        ("agincourt", "forest@B13", "'forest@B13' is at no hex of the board; allowed: A1 to A13, B1 to B12"),
        ("agincourt", "forest@E5;hill@e5", "'E5' is set twice"),
        ("agincourt", "watercourse@C6", r"'C6' is no ground that a unit may stand on \(BL-TER-04\)"),
        ("agincourt", "stronghold@E5", r"'E5' has a stronghold of nobody \(BL-LMK-11\)"),
        ("agincourt", "healing_pool@E5", "'E5' has a healing pool, which needs the Lore system"),
        ("agincourt", "watercourse@A2;watercourse@B1;watercourse@B2", "'A1' can be reached by nobody"),
        ("ford_and_bridge", "watercourse@E10", "'E10' is worth banners, but no unit may stand on it"),
    ],
)
def test_ground_that_cannot_be_is_told(adventure: str, hexes: str, message: str) -> None:
    with pytest.raises(RulesError, match=f"set situation.hexes: {message}"):
        asked(adventure, f"situation.hexes={hexes}")


def test_all_that_is_wrong_with_the_ground_is_told_at_once() -> None:
    with pytest.raises(RulesError) as caught:
        asked("agincourt", "situation.hexes=forrest@E5;hill;hill@J1")
    assert len(caught.value.faults) == 3


def test_what_red_foot_carries_is_a_reading() -> None:
    """BL-Q06: of red foot whose weapon the file does not name."""
    changed = asked("agincourt", "rules.heavy_infantry_weapon=long_sword")
    assert units(asked(), 0)[-1][0] == "red_foot+short_sword"
    assert units(changed, 0)[-1][0] == "red_foot+long_sword"
    named = asked("agincourt", "rules.heavy_infantry_weapon=long_sword", "a.more=red_foot+short_sword@A1")
    assert [unit for unit, _ in units(named, 0)][-2:] == ["red_foot+long_sword", "red_foot+short_sword"]


def test_who_begins_and_how_sides_play_is_a_choice() -> None:
    assert [asked("agincourt", first=first).setup.play.first for first in ("adventure", "a", "b")] == [0, 0, 1]
    assert asked().first == "adventure"
    assert asked("agincourt", policy_b="hold").setup.play.policies == ("greedy", "hold")
    with pytest.raises(UsageError):
        asked("agincourt", policy_b="wait")


# -- verbs -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow("test_one_id_stands_for_both_forces")
def test_an_adventure_is_answered_by_one_name() -> None:
    result = balance.battle("battlelore", "agincourt", trials=64, quiet=True)
    answer = result.value
    assert answer.question.entrants == (ENGLISH, FRENCH)
    assert result.sentence.startswith("English (Agincourt) (a) wins")
    assert answer.simulated is not None
    counts = answer.simulated.distribution
    assert set(counts.marginal("ended")["ended"].tolist()) <= {1, 2}
    with pytest.raises(UsageError, match="the other is missing"):
        balance.ask("battlelore", "duel", "blue_foot")


@pytest.mark.slow("test_banners_cards_and_units_of_a_force_may_be_set")
def test_handicap_moves_banners_and_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.changes.handicaps.remedies.MOST_STEPS", 3)
    few = balance.load(replace(GAME, kinds={"battle": replace(GAME.kinds["battle"], usual_trials=128)}))
    changes = {"situation.turn_limit": 10, "b.banners": 2}
    found = balance.handicap(few, "agincourt", field="b.banners", set=changes, cache=False, quiet=True)
    assert isinstance(found.value, Remedies)
    assert found.value.score.value < 0.4
    assert {remedy.field for remedy in found.value.remedies} == {"banners"}
    places = {place.name for place in numbers_of(asked())}
    assert places >= {"a.banners", "b.cards", "a.wizard", "b.tokens"}


def test_small_changes_that_are_no_numbers_are_who_begins_and_a_unit_more_or_fewer() -> None:
    question = asked("agincourt", "b.without=G2")
    steps = [(step.side, step.field, step.old, step.new) for step in steps_of(question, "b")]
    assert steps[0] == ("", "first", "a", "b")
    assert steps[1:5] == [("b", "without", "G2", f"G2;{name}") for name in ("G4", "G7", "H6", "G12")]
    sorts = ("human_archers", "human_infantry", "human_heavy_infantry")
    assert steps[5:] == [("a", "more", "none", f"{sort}@A7") for sort in sorts]
    for step in steps_of(question, "a"):
        with_step(Query("battle", ENGLISH, FRENCH, ("b.without=G2",)), step).to(game())
    turned_question = game().ask("battle", FRENCH, ENGLISH)
    assert [step.new for step in steps_of(turned_question, "b")][-1] == "human_heavy_cavalry@I7"


def changes_of(question: Question) -> list[tuple[str, str, str, str]]:
    assert question.kind.single_changes is not None
    return [(step.side, step.field, step.old, step.new) for step in question.kind.single_changes(question)]


def test_single_changes_of_a_medieval_adventure_are_units_banners_cards_hexes_and_who_begins() -> None:
    steps = changes_of(asked())
    counts = Counter((side, field) for side, field, _, _ in steps)
    assert counts == {
        ("a", "without"): 9, ("a", "banners"): 2, ("a", "cards"): 2,
        ("b", "without"): 10, ("b", "banners"): 2, ("b", "cards"): 2,
        ("situation", "hexes"): 13, ("", "first"): 1,
    }  # fmt: skip
    assert steps[0] == ("a", "without", "none", "C2")
    assert ("a", "banners", "4", "5") in steps
    assert ("b", "cards", "4", "3") in steps
    assert ("situation", "hexes", "forest@C1", "countryside@C1") in steps
    assert steps[-1] == ("", "first", "a", "b")


def test_single_changes_of_a_lore_adventure_are_of_its_councils() -> None:
    steps = changes_of(asked("lore_duel"))
    counts = Counter(field for _, field, _, _ in steps)
    assert counts == {
        "without": 20, "banners": 4, "commander": 2, "wizard": 2, "rogue": 2, "cleric": 2, "warrior": 2, "hexes": 8,
        "first": 1,
    }  # fmt: skip
    assert ("a", "wizard", "2", "1") in steps
    assert ("b", "warrior", "1", "0") in steps


def test_single_changes_go_on_from_what_is_set() -> None:
    question = asked(
        "agincourt",
        "a.without=C2",
        "b.more=blue_foot@I2;blue_foot@I3",
        "situation.hexes=hill@E5;forest@E6",
        "a.cards=1",
    )
    steps = changes_of(question)
    assert ("a", "without", "C2", "C2;C3") in steps
    assert ("b", "more", "blue_foot@I2;blue_foot@I3", "blue_foot@I3") in steps
    assert ("situation", "hexes", "hill@E5", "forest@E6;countryside@E5") in steps
    assert [new for side, field, _, new in steps if (side, field) == ("a", "cards")] == ["2"]
    assert question.kind.single_changes is not None
    n_legal = 0
    for step in question.kind.single_changes(question):
        try:
            changed = with_step(Query("battle", ENGLISH, FRENCH, question.changes), step).to(game())
        except RulesError as error:
            assert step.field == "banners" or "is more than can be won" in str(error), step
        else:
            n_legal += 1
            assert changed.task_id != question.task_id
    assert n_legal == len(steps)


@pytest.mark.slow("test_hexes_are_named_as_the_file_draws_them_from_either_seat")
def test_ways_of_playing_are_compared_from_both_seats() -> None:
    result = balance.play(
        "battlelore", "battle", among="mirror", ways="greedy,hold", pairs=32, set=SHORT, cache=False, quiet=True
    )
    assert [(pair.first, pair.second) for pair in result.value.matrix] == list(product(("greedy", "hold"), repeat=2))
    assert {pair.battles for pair in result.value.matrix} == {32 * 2}
    assert result.to_dict()["settings"]["pairs"] == ["mirror"]
    assert {way.play for way in result.value.ladder if way.place != "out"} == set(result.value.counted)
    check(result.to_dict())


@pytest.mark.slow("tests/games/warforged/test_story.py::test_blocks_played_at_once_are_those_that_are_counted")
def test_what_holds_by_every_way_of_playing_is_told() -> None:
    result = balance.stability(
        "battlelore", "battle", among=["agincourt"], ways=["greedy", "rush"], over={"a.banners": [4, 5]},
        battles=256, set="situation.turn_limit=16", cache=False, quiet=True,
    )  # fmt: skip
    table = result.to_polars()
    assert table.shape == (4, 7)
    assert set(table["verdict"]) == {"b"}
    assert "favours French (Agincourt) everywhere" in result.sentence
    check(result.to_dict())
    again = pickle.loads(pickle.dumps(result))
    assert isinstance(again.value, PairStability)
    assert (again.value, again.to_dict(), str(again)) == (result.value, result.to_dict(), str(result))
    assert again.to_polars().equals(table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"among": "agincor"}, "is no adventure"),
        ({"budget": "100:4"}, "budget= is about armies that are drawn"),
        ({"set": "a.banners=99"}, "is more than can be won"),
        ({"ways": "wait,greedy"}, "'wait' is no way of playing"),
    ],
)
def test_what_makes_no_sense_of_pairs_is_told(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BalanceError, match=message):
        balance.play("battlelore", "battle", cache=False, quiet=True, **arguments)
    if "ways" not in arguments:
        with pytest.raises(BalanceError, match=message):
            balance.stability("battlelore", "battle", cache=False, quiet=True, **arguments)


def test_among_and_armies_do_not_go_together() -> None:
    with pytest.raises(UsageError, match="among= is about entrants that come in pairs"):
        balance.play("battlelore", "lineup", among="mirror", cache=False, quiet=True)


@pytest.mark.slow("tests/games/warforged/test_story.py::test_blocks_played_at_once_are_those_that_are_counted")
def test_luck_of_an_adventure_is_told_by_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.luck.question.N_TRIALS", 2)
    monkeypatch.setattr("balance.analysis.luck.replays.N_REPLAYS", 2)
    result = balance.luck("battlelore", "battle", "mirror", groups=2, set=SHORT, cache=False, quiet=True)
    sources = result.to_polars()["name"].to_list()
    assert sources[:4] == ["command cards", "choices", "a dice", "b dice"]


def test_a_study_matches_up_the_pairs_it_names(tmp_path: Any) -> None:
    from balance.study.match_ups.plan import plan_tasks
    from balance.study.settings.settings import Study, StudySettings

    settings = StudySettings(game="battlelore", level="battle", entrants=["mirror:*", "agincourt:*", "lore_duel:north"])
    study = Study(settings, tmp_path / "study.toml")
    tasks = plan_tasks(study, {"base": study.open()})
    assert [(task.a, task.b) for task in tasks] == [(ENGLISH, FRENCH), ("mirror:south", "mirror:north")]


def test_a_catalogue_with_a_broken_adventure_says_so_where_it_is_asked(tmp_path: Any) -> None:
    with pytest.raises(CatalogueError):
        game().ask("battle", "nowhere:a", "nowhere:b")
