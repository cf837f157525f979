"""Tips of questions about a game, its cards and armies: what verbs ask, set, compare and write."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import balance
from balance.analysis.armies.budgets import check_budgets
from balance.analysis.changes.handicaps.remedies import check_band
from balance.analysis.changes.tuning.movable import numbers_to_move
from balance.analysis.luck.field import check_size, fields_of
from balance.analysis.play.ladder import Ladder
from balance.analysis.play.playing import ways_compared, ways_of
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.fits.pair_fit import Pairs, _design
from balance.analysis.prices.over_settings import _once
from balance.analysis.prices.whole_costs import _check_min_cost
from balance.analysis.scores.measures import Measure, measure_faults, parse_measure
from balance.analysis.scores.scores import known_costs, read_scores
from balance.answers.media.plot import plot_table
from balance.game.armies.armies import parse_army
from balance.game.kit.combat.budget import over_budget
from balance.game.loaded import LoadedGame, load
from balance.game.registry import find_game
from balance.rulebook.plain.answers import duel
from balance.rulebook.plain.reading import read_plain, split_file
from balance.verbs.armies import _budget
from balance.verbs.call.words import check_new_file, check_writable, open_game, parse_budgets, parse_tolerance
from balance.verbs.changes.live_pages import live_page
from balance.verbs.play import _counted, _pair_setting, _setting, _ways
from balance.verbs.prices import _check_words
from balance.verbs.studies.reports import formats_of
from tests.analysis.test_ways import worth
from tests.tips.following import Case, under
from tests.toy.game import GAME as TOY

ACTIVATION = Path(balance.__file__).parent / "rulebook" / "templates" / "activation.toml"
SKIRMISHERS = str(Path(__file__).parents[2] / "bench" / "skirmishers.toml")


@cache
def game(name: str = "") -> LoadedGame:
    """Return a shipped game, or a small one of the tests."""
    return load(name or TOY)


def call(verb: str, *sides: str, of: str = "", **options: Any) -> Callable[[], object]:
    """Return the deed of calling a verb."""

    def ask() -> object:
        getattr(balance, verb)(game(of), *sides, quiet=True, **options)
        return None

    return ask


def fought(**choices: str) -> Callable[[], object]:
    """Return the deed of a duel on plain numbers, of a game whose sides choose."""

    def fight() -> object:
        plain = read_plain(*split_file(ACTIVATION), ACTIVATION.name)
        duel(plain, plain.cards["hero"], plain.cards["ogre"], choices=choices)
        return None

    return fight


def same(verb: str, *sides: str, wrong: dict[str, Any], tip: str, right: dict[str, Any], of: str = "") -> Case:
    """Return the case of a verb called with other options."""
    return Case(call(verb, *sides, of=of, **wrong), tip, call(verb, *sides, of=of, **right))


def of(check: Callable[[], object]) -> Callable[[], object]:
    """Return the deed of a check whose answer is no fault."""

    def ask() -> object:
        found = check()
        return found if isinstance(found, list) else None

    return ask


def pairs(n: int) -> Pairs:
    """Return pairs of battles between two members."""
    counts = np.array([[1, 0], [0, 1], [1, 1], [-1, 2]] * 2)[:n]
    half = np.full(n, 0.5)
    return Pairs(counts, half, half)


def file_in(name: str, overwrite: bool | None = None) -> None:
    """Check whether a picture can be written into a file."""
    Path("there").touch()
    check_new_file(Path(name), "§picture", "a picture", ("",), overwrite)


def compare_nothing() -> Any:
    """Return an answer in which nothing can be set."""
    return balance.need(difference="10pp", quiet=True)


SCORES = pl.DataFrame({"one": ["rat"], "other": ["ogre"], "score": [0.4], "n": [10]})
SOULS = find_game("immortal_souls").kinds["duel"]
DUEL, ATTACK = TOY.kinds["duel"], TOY.kinds["attack"]

CASES = [
    # -- who, and about what -----------------------------------------------------------------------------------------
    Case(call("duel", "rat"), "type b behind rat", call("duel", "rat", "ogre")),
    Case(call("ask", "duell", "rat", "ogre"), "did you mean duel?", call("ask", "duel", "rat", "ogre")),
    same(
        "duel",
        "rat",
        "ogre",
        wrong={"choose": {"a_effort": "bald"}},
        tip="did you mean bold?",
        right={"choose": {"a_effort": "bold"}},
    ),
    same(
        "duel",
        "rat",
        "ogre",
        wrong={"choose": {"a_efort": "bold"}},
        tip="did you mean a_effort?",
        right={"choose": {"a_effort": "bold"}},
    ),
    Case(
        call("solve", "rat", "ogre"), "games that can: edadh", "solve edadh shieldsmen spears --set a.mp=2 --set b.mp=2"
    ),
    Case("show warforged nexsus", "did you mean nexus?", "show warforged nexus"),
    Case(
        of(lambda: game().ask("attack", "rat", "ogre").stop_rule(None, 0.1)),
        "in skirmish, duel can have one",
        call("duel", "rat", "ogre"),
    ),
    Case(
        of(lambda: game().ask("duel", "rat", "ogre").marginal("winer")),
        "did you mean winner?",
        of(lambda: game().ask("duel", "rat", "ogre").marginal("winner")),
    ),
    Case(
        of(lambda: open_game(game(), Path("x"))),
        "name the game, or leave out catalogue=",
        of(lambda: open_game(game(), None)),
    ),
    Case(
        of(lambda: balance.duel(game(), "rat", "ogre").to_polars("mean")),
        "did you mean means?",
        of(lambda: balance.duel(game(), "rat", "ogre").to_polars("means")),
    ),
    # -- replays -----------------------------------------------------------------------------------------------------
    Case(
        call("replay", "attack", "nexus+shotgun", "trooper+shotgun", of="warforged"),
        "in warforged, ask",
        call("replay", "battle", "nexus+shotgun", "nexus+shotgun", of="warforged"),
    ),
    # -- what would make it even -------------------------------------------------------------------------------------
    Case(
        call("handicap", "rat"),
        "name the other side too, or none for the first move of a field",
        call("handicap", "rat", "ogre"),
    ),
    same("handicap", "rat", "ogre", wrong={"among": ["rat"]}, tip="leave out the sides, or among=", right={}),
    Case(call("handicap", worth="a.health"), "name both", call("handicap", "rat", "ogre", worth="a.health")),
    Case(
        call("handicap", set={"a.health": 3}), "name both sides", call("handicap", "rat", "ogre", set={"a.health": 3})
    ),
    same(
        "handicap",
        "rat",
        "ogre",
        wrong={"worth": "a.health", "bid": "health"},
        tip="leave one of them out",
        right={"bid": "health"},
    ),
    same(
        "handicap",
        "rat",
        "ogre",
        wrong={"worth": "a.health", "bid": "health", "cost": True},
        tip="leave all but one out",
        right={"bid": "health"},
    ),
    same(
        "handicap", "rat", "ogre", wrong={"bid": "health", "field": "dice"}, tip="leave it out", right={"bid": "health"}
    ),
    same(
        "handicap",
        "rat",
        "ogre",
        wrong={"bid": "health", "first": "a"},
        tip="leave out first=",
        right={"bid": "health"},
    ),
    same("handicap", "rat", "ogre", wrong={"budget": "90:3"}, tip="with cost=, or bid=points", right={}),
    same(
        "handicap",
        "rat",
        "ogre",
        wrong={"worth": "a.health", "band": "40:60"},
        tip="leave it out",
        right={"worth": "a.health"},
    ),
    same("handicap", "rat", "ogre", wrong={"band": "45"}, tip="such as 45:55", right={"band": "45:55"}),
    same("handicap", "rat", "ogre", wrong={"field": "helth"}, tip="did you mean health?", right={"field": "health"}),
    same(
        "handicap", "rat", "ogre", wrong={"worth": "a.helth"}, tip="did you mean a.health?", right={"worth": "a.health"}
    ),
    same("handicap", "rat", "ogre", wrong={"bid": "helth"}, tip="did you mean health?", right={"bid": "health"}),
    same(
        "handicap",
        "rat",
        "ogre",
        wrong={"bid": "lost_actions"},
        tip="declares no lost_actions of a side",
        right={"bid": "health"},
    ),
    same(
        "handicap",
        "rat",
        "ogre",
        wrong={"field": "lost_actions"},
        tip="declares no lost_actions of a side",
        right={"field": "health"},
    ),
    Case(lambda: check_band((0.6, 0.7)), "such as 45:55", lambda: check_band((0.45, 0.55))),
    # -- what is assumed, what moves, who is in the field ------------------------------------------------------------
    same(
        "tornado",
        "duel",
        "rat",
        "ogre",
        wrong={"over": ["fighter"]},
        tip="did you mean fighters?",
        right={"over": ["fighters"]},
    ),
    same(
        "tornado",
        "duel",
        "rat",
        "ogre",
        wrong={"at_least": 0.4, "at_most": 0.6, "over": ["fighters"]},
        tip="ask for one after the other",
        right={"at_least": 0.4, "over": ["fighters"]},
    ),
    Case(
        call("luck", "duel", "rat"),
        "name the other side too, or none for the whole field",
        call("luck", "duel", "rat", "ogre"),
    ),
    same("luck", "duel", "rat", "ogre", wrong={"among": ["rat"]}, tip="leave out the sides, or these", right={}),
    Case(
        of(lambda: fields_of(game("immortal_souls"), SOULS, ["trol"], 0)),
        "did you mean troll?",
        of(lambda: fields_of(game("immortal_souls"), SOULS, ["troll"], 0)),
    ),
    Case(
        of(lambda: fields_of(game(), DUEL, ["rat"], 0)),
        "name another one",
        of(lambda: fields_of(game(), DUEL, ["rat", "ogre"], 0)),
    ),
    Case(of(lambda: check_size(DUEL, [10**9])), "name fewer entrants", of(lambda: check_size(DUEL, [10]))),
    Case(call("card", "rot"), "did you mean rat?", call("card", "rat")),
    Case(
        of(lambda: numbers_to_move(game(), game().entrants, ["helth"])),
        "did you mean health?",
        of(lambda: numbers_to_move(game(), game().entrants, ["health"])),
    ),
    Case(
        of(lambda: ways_of(game("warforged").definition.kinds["lineup"], ["focs"])),
        "did you mean focus?",
        of(lambda: ways_of(game("warforged").definition.kinds["lineup"], ["focus"])),
    ),
    Case(
        of(lambda: ways_compared(game("warforged").definition.kinds["lineup"], ["focus"])),
        "name two or more",
        of(lambda: ways_compared(game("warforged").definition.kinds["lineup"], ["focus", "spread"])),
    ),
    Case(
        call("matchups", "duel", measure="striks"), "did you mean strikes?", call("matchups", "duel", measure="strikes")
    ),
    Case(
        of(lambda: list(measure_faults(Measure(mean="damge"), TOY.kinds["attack"]))),
        "did you mean damage?",
        of(lambda: list(measure_faults(parse_measure("mean=damage", ATTACK), TOY.kinds["attack"]))),
    ),
    Case(
        of(lambda: list(measure_faults(Measure(mean="winner"), DUEL))),
        "a result such as wins or score can be shown",
        of(lambda: list(measure_faults(Measure(score="a"), DUEL))),
    ),
    Case(
        of(lambda: parse_measure("strikes", DUEL)),
        "such as score=a, mean=COLUMN",
        of(lambda: parse_measure("mean=strikes", DUEL)),
    ),
    # -- prices and armies -------------------------------------------------------------------------------------------
    Case(call("price"), "ask instead: balance duel skirmish A B", call("duel", "rat", "ogre")),
    Case(
        of(lambda: check_budgets(game("warforged"), "lineup", [(20, 1)])),
        "such as budget=74:2",
        of(lambda: check_budgets(game("warforged"), "lineup", [(74, 2)])),
    ),
    Case(lambda: parse_budgets("150") and None, "such as 150:4,250:7", lambda: parse_budgets("150:4,250:7") and None),
    Case(lambda: parse_tolerance("ten") and None, "such as 10:2", lambda: parse_tolerance("10:2") and None),
    Case(
        lambda: _check_words("nexus", None, None, "costs.toml"),
        "leave one of them out",
        lambda: _check_words("", None, 3, "costs.toml"),
    ),
    Case(
        lambda: _check_words("nexus", ["x"], None, None),
        "leave one of them out",
        lambda: _check_words("", ["x"], None, None),
    ),
    Case(call("army", "x", of="warforged"), "such as 150:4", lambda: _budget("150:4", None) and None),
    Case(lambda: _budget("150:4", 4) and None, "leave one out", lambda: _budget("150:4", None) and None),
    Case(
        of(lambda: parse_army("rat:0,ogre", "a")),
        "leave out whom the army does not have",
        of(lambda: parse_army("ogre", "a")),
    ),
    Case(of(lambda: parse_army("rat:x,ogre", "a")), "such as rat:2", of(lambda: parse_army("rat:2,ogre", "a"))),
    Case(
        of(lambda: game("warforged").arena("duel", [])),
        "they do in lineup, battle",
        of(lambda: game("warforged").arena("lineup", ["nexus+shotgun"])),
    ),
    Case(
        of(lambda: army_setting(game("warforged"), "duel")),
        "they do in lineup, battle",
        of(lambda: army_setting(game("warforged"), "lineup")),
    ),
    Case(of(lambda: _check_min_cost(-1)), "allowed: 0 and more", of(lambda: _check_min_cost(0))),
    Case(of(lambda: _once([])), "name at least one way of playing", of(lambda: _once([({"play": "focus"}, "fair")]))),
    Case(
        of(lambda: _once([({"map": "a"}, "fair"), ({}, "fair")])),
        "name the map of each, or of none",
        of(lambda: _once([({"map": "a"}, "fair"), ({"map": "b"}, "fair")])),
    ),
    Case(of(lambda: _design(pairs(2))), "at least 4 are needed", of(lambda: _design(pairs(4)))),
    Case(
        of(lambda: balance.rating_table(SCORES.drop("score"))),
        "its columns are one, other",
        of(lambda: balance.rating_table(SCORES)),
    ),
    Case(
        of(lambda: balance.rating_table(pl.concat([SCORES, SCORES.with_columns(one=pl.lit("x"), other=pl.lit("y"))]))),
        "give each part of the table by itself",
        of(lambda: balance.rating_table(SCORES)),
    ),
    Case(
        of(lambda: known_costs(SCORES, ["rat"], None)),
        "give costs, a mapping from entrant to points",
        of(lambda: tuple(known_costs(SCORES, ["rat"], {"rat": 5.0}))),
    ),
    Case(
        of(lambda: read_scores(SCORES, ["rot"])), "did you mean rat?", of(lambda: read_scores(SCORES, ["rat", "ogre"]))
    ),
    Case(of(lambda: [*over_budget("a", 210, 200)]), "it costs 10 too much", of(lambda: [*over_budget("a", 200, 200)])),
    Case(
        "play warforged --among nexus+shotgun",
        "leave it out",
        of(lambda: _setting(game("warforged"), "lineup", None, (), None, None)),
    ),
    Case(
        "play battlelore battle --budget 90:3",
        "leave it out",
        of(lambda: _pair_setting(game("battlelore"), "battle", None, (), None, None)),
    ),
    Case(
        "stability battlelore battle --scales 90:3",
        "leave it out",
        of(lambda: _pair_setting(game("battlelore"), "battle", None, (), None, None)),
    ),
    Case(
        of(lambda: _counted(Ladder.of(worth([0, -50], stand_offs=[0.9, 0.5])))),
        "name a way of playing all the same: ways=b",
        of(lambda: _ways(game("warforged"), "battle", "hold")),
    ),
    # -- files that are written --------------------------------------------------------------------------------------
    Case(
        lambda: check_writable(Path(__file__, "out")),
        "choose another folder with out=",
        lambda: check_writable(Path("out")),
    ),
    Case(
        lambda: check_new_file(Path("x.txt"), "§picture", "a picture", (".svg",)),
        "end it in .svg",
        lambda: check_new_file(Path("x.svg"), "§picture", "a picture", (".svg",)),
    ),
    # -- files that are written and tables that are drawn ----------------------------------------------------------
    Case(lambda: file_in("."), "name a file in it", lambda: file_in("x")),
    Case(lambda: file_in("there"), "name another file with picture=", lambda: file_in("x")),
    Case(
        lambda: file_in("there", False), "name another file, or replace it with force=", lambda: file_in("there", True)
    ),
    Case(lambda: formats_of("htm") and None, "did you mean html?", lambda: formats_of("html") and None),
    Case("need --difference 10pp --plan fixd", "did you mean fixed?", "need --difference 10pp --plan fixed"),
    Case(
        "need --difference 10pp --plan sequential --options 3",
        "plan for one pair, or with --plan fixed",
        "need --difference 10pp --options 3",
    ),
    Case(
        of(lambda: compare_nothing().explore()),
        "questions about two sides have, and dice",
        of(lambda: balance.dice("2d6").explore()),
    ),
    Case(
        of(lambda: plot_table(pl.DataFrame({"name": ["rat"]}), "")),
        "name another, of those in `tables`",
        of(lambda: plot_table(pl.DataFrame({"name": ["rat"], "n": [1]}), "")),
    ),
    # -- pages of one question -------------------------------------------------------------------------------------
    Case(
        call("page", "rat", "ogre", kinds=["atack"]),
        "did you mean attack?",
        call("page", "rat", "ogre", kinds=["attack"], answers=1),
    ),
    Case(
        call("page", "rat", "ogre", kinds=["attack"], set={"a.health": 2}),
        "begins no path of these questions; allowed: attacker, defender",
        call("page", "rat", "ogre", kinds=["attack"], set={"attacker.dice": 2}, answers=1),
    ),
    Case(
        call("page", "rat", kinds=["attack"]),
        "balance page GAME ONE OTHER",
        call("page", "rat", "ogre", kinds=["attack"], answers=1),
    ),
    Case(
        of(lambda: live_page(game())),
        "balance page GAME ONE OTHER is one of two cards",
        call("page", "rat", "ogre", kinds=["attack"], answers=1),
    ),
    Case(fought(polcy_a="all_out"), "did you mean policy_a?", fought(policy_a="three")),
    Case(fought(policy_a="tree"), "did you mean three?", fought(policy_a="three")),
    Case(
        call("page", of=SKIRMISHERS, reach=2),
        "leave it out: the page of a game file answers whatever is typed into it",
        call("page", of=SKIRMISHERS),
    ),
    Case(
        call("page", "mirror:south", "mirror:north", of="battlelore", kinds=["battle"]),
        "a page holds exact answers only",
        call("page", "rat", "ogre", kinds=["attack"], answers=1),
    ),
    Case(
        under(
            {"balance.game.registry._outside": lambda: {"gone": "nowhere.at_all:GAME"}}, of(lambda: find_game("gone"))
        ),
        "install the package that brings it again",
        of(lambda: find_game("warforged")),
    ),
]
