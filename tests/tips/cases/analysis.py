"""Tips of analyses that are asked for in Python, such as of prices and bids, and of games and their armies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np

import balance
from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.meeting import priced_members
from balance.analysis.changes.handicaps.bids import pair_bid
from balance.analysis.changes.handicaps.moves import why_no_lost_action
from balance.analysis.changes.neighbours.priced_item import check_priced
from balance.analysis.changes.tuning.movable import cost_paths, numbers_to_move
from balance.analysis.claims.assumptions import assumed_places
from balance.analysis.play.playing import ways_of
from balance.analysis.play.ways import CountedWays, counted_ways
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.card_costs import fit_card_costs
from balance.analysis.prices.entries import Card, price_entries
from balance.analysis.prices.price_list import price_list
from balance.analysis.scores.endings import Ending, ending_table
from balance.analysis.scores.measures import Measure, measure_faults
from balance.analysis.stability.stable_prices import scenes_of, stable_prices
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.authoring.template.game import FIGHTER, fight, setup
from balance.game.authoring.template.game import GAME as SKIRMISHERS
from balance.game.game import which_has
from balance.game.kit import any_armies
from balance.game.loaded import LoadedGame, load
from balance.game.question.replay import replay
from tests.analysis.price_cases import grid
from tests.analysis.test_card_costs import UNITS, WEAPONS
from tests.tips.cases.questions import call, game, of
from tests.tips.following import Case, under
from tests.toy.game import GAME as TOY
from tests.tug import GAME as TUG

LINEUP = ArmySetting("lineup", ((250, 7),))


def entries(left_out: str = "", **costs: float) -> Callable[[], object]:
    """Return the deed of reading loadouts, of which a card is not known or costs otherwise."""

    def read() -> None:
        case = grid(UNITS, WEAPONS)
        cards = {name: card for name, card in case.cards.items() if name != left_out}
        price_entries(
            case.found, case.parts, {**cards, **{name: Card("weapons", cost) for name, cost in costs.items()}}
        )

    return read


def undecided(*choices: tuple[str, str]) -> Callable[[], object]:
    """Return the deed of pricing a game whose battles end undecided, unless it is said how sides play."""

    def ways(runner: Runner, setting: ArmySetting, *args: Any) -> CountedWays:
        return counted_ways(runner, setting, *args) if setting.choices else CountedWays((), {}, 0.9)

    def deed() -> None:
        with mock.patch("balance.analysis.prices.price_list.counted_ways", ways):
            price_list(Runner(load(TUG)), ArmySetting("lineup", ((100, 4),), (), choices), n_battles=50)

    return deed


def scenes(*ways: str) -> Callable[[], object]:
    """Return the deed of listing settings in which prices are judged."""
    return of(lambda: tuple(scenes_of(game("warforged"), LINEUP, ways)))


def first_that_ends(winner: str) -> Callable[[], object]:
    """Return the deed of looking for the first fight that ends so."""
    return of(lambda: replay(game("warforged").ask("battle", GUN, GUN), 0, 1, winner))


def without_costs() -> LoadedGame:
    """Return a game in which nobody costs anything."""
    priced = game("warforged")
    tables = {
        name: {key: card.model_copy(update={"cost_points": 0}) for key, card in priced.catalogue.tables[name].items()}
        for name in ("units", "weapons")
    }
    return replace(priced, catalogue=replace(priced.catalogue, tables={**priced.catalogue.tables, **tables}))


def ends(name: str, entrant: str, column: str) -> Callable[[], object]:
    """Return the deed of counting the duels that end with nothing left in a column."""
    return of(lambda: ending_table(Runner(game(name)), [entrant], [Ending(label="end", column=column, value=0)]))


def mean_of(column: str) -> Callable[[], object]:
    """Return the deed of checking a mean of a duel."""
    return of(lambda: list(measure_faults(Measure(mean=column), TOY.kinds["duel"])))


def without_law() -> LoadedGame:
    """Return a small game whose duels have no exact distribution."""
    return load(replace(TOY, kinds={**TOY.kinds, "duel": replace(TOY.kinds["duel"], has_distribution=False)}))


def moved(number: str) -> Callable[[], object]:
    """Return the deed of listing to what a number of a game may move."""
    return of(lambda: numbers_to_move(game("runewars"), game("runewars").entrants, [number]))


def lined_up(number: str) -> Callable[[], object]:
    """Return the deed of bidding a number to go first with an army of two different units."""
    army = f"{GUN},trooper+shotgun"
    return of(lambda: pair_bid(Runner(game("warforged")), Query("lineup", army, army), number))


def skirmish(made: Callable[[Any], object]) -> Callable[[], object]:
    """Return the deed of letting any armies meet in a battle whose setup is made so."""
    battle = replace(SKIRMISHERS.kinds["battle"], armies=any_armies(FIGHTER, made, fight))
    kinds = {**SKIRMISHERS.kinds, "battle": battle}
    return of(lambda: load(replace(SKIRMISHERS, kinds=kinds)).arena("battle", ["scout"]))


GUN = "nexus+shotgun"
BATTLE = game("warforged").definition.kinds["battle"]

CASES = [
    Case(
        of(lambda: priced_members(without_costs(), "lineup")),
        "give each a cost to begin with, 10 for all if you know no better",
        of(lambda: priced_members(game("warforged"), "lineup")),
    ),
    Case(
        of(lambda: numbers_to_move(game(), [])),
        "name the numbers that may, such as move=cost_points",
        of(lambda: numbers_to_move(game(), game().entrants, ["cost_points"])),
    ),
    Case(
        of(lambda: cost_paths(game("battlelore"), game("battlelore").entrants)),
        "leave it out",
        of(lambda: army_setting(game("battlelore"))),
    ),
    Case(
        moved("upgrades.honed_blades.figure_health"),
        "name others with move=",
        moved("upgrades.honed_blades.cost_points"),
    ),
    Case(lined_up("health"), "name another number", lined_up("lost_actions")),
    Case(
        of(lambda: game("warforged").ask("attack", "whisper", GUN)),
        "the other way round it is a question: nexus+shotgun as the attacker, whisper as the defender",
        of(lambda: game("warforged").ask("attack", GUN, "whisper")),
    ),
    Case(skirmish(lambda asked: asked), "begin its setup with armies=kit.Armies.of(asked.sides)", skirmish(setup)),
    Case(
        of(lambda: ways_of(game("warforged").definition.kinds["attack"])),
        "its sides choose nothing, or not alike",
        of(lambda: ways_of(game("warforged").definition.kinds["lineup"])),
    ),
    Case(scenes(), "at least one way of playing", scenes("focus")),
    Case(
        of(lambda: stable_prices(Runner(game("warforged")), [])),
        "name a way of playing",
        scenes("focus"),
    ),
    Case(
        of(lambda: fit_card_costs(grid(UNITS, WEAPONS).entries(), "spells")),
        "allowed: units, weapons",
        of(lambda: fit_card_costs(grid(UNITS, WEAPONS).entries(), "units")),
    ),
    Case(of(undecided()), "name a way by", of(undecided(("pull_a", "hard"), ("pull_b", "hard")))),
    Case(
        of(lambda: army_setting(game(), "duel")),
        "prices need that",
        of(lambda: army_setting(game("warforged"), "lineup")),
    ),
    Case(
        ends("battlelore", "blue_foot", "figure"), "did you mean figures?", ends("battlelore", "blue_foot", "figures")
    ),
    Case(mean_of("winner"), "a result such as wins or score can be shown", mean_of("strikes")),
    Case(
        of(lambda: game().arena("duel", [])),
        "in skirmish they never do",
        of(lambda: game("warforged").arena("lineup", [GUN])),
    ),
    Case(first_that_ends("drwa"), "did you mean draw?", first_that_ends("a")),
    Case(
        under({"balance.game.question.replay.MOST_BLOCKS": 0}, first_that_ends("draw")),
        "choose another result",
        first_that_ends("a"),
    ),
    Case(
        call("duel", "shotgun+nexus", GUN, of="warforged"),
        "did you mean nexus+shotgun?",
        call("duel", GUN, GUN, of="warforged"),
    ),
    Case(entries("y"), "cards with a table and a cost", entries()),
    Case(entries(y=7.0), "where a loadout costs what its cards cost", entries(y=6.0)),
    Case(
        of(lambda: grid({"a": 0.0}, {"x": 0.0}, np.ones((1, 1))).entries()),
        "fair costs are shares of printed ones: above 0",
        of(lambda: grid(UNITS, WEAPONS).entries()),
    ),
    Case(
        lambda: check_priced(game("warforged"), "lineup", "nexsus"),
        "did you mean nexus?",
        lambda: check_priced(game("warforged"), "lineup", "nexus"),
    ),
    Case(
        of(lambda: pair_bid(Runner(game()), Query("duel", "rat", "ogre"), "helth")),
        "did you mean health?",
        of(lambda: pair_bid(Runner(game()), Query("duel", "rat", "ogre"), "health")),
    ),
    Case(
        of(lambda: assumed_places(game("warforged"), [GUN], ["constants"])),
        "sources` says what is",
        "show warforged sources",
    ),
    Case(
        call("card", "rat", set={"situation.n_covers": 1}),
        "has no setting situation.n_covers=1",
        call("card", "rat"),
    ),
    Case(
        call("card", "nexus", set={"situation.n_cover": 1}, of="warforged"),
        "did you mean",
        call("card", "rat"),
    ),
    Case(
        of(lambda: game("warforged").arena("lineup", [GUN], {"situation.unit_limit": 3})),
        "their budget and unit limit say it: budget=, limit=",
        of(lambda: game("warforged").arena("lineup", [GUN])),
    ),
    Case(
        lambda: why_no_lost_action(TOY.kinds["attack"]),
        "in attack no side goes before the other by choice",
        call("handicap", "rat", "ogre", field="health"),
    ),
    Case(
        of(lambda: without_law().ask("duel", "rat", "ogre").distribution),
        "simulate it: say a number of trials",
        of(lambda: balance.duel(without_law(), "rat", "ogre", trials=9, quiet=True)),
    ),
    Case(
        of(lambda: list(measure_faults(Measure(mean="ended"), BATTLE))),
        "show a column that counts",
        of(lambda: list(measure_faults(Measure(score="a"), BATTLE))),
    ),
    Case(
        call("ask", "encounter", "ambush", "ecarus,thorgar", of="immortal_souls"),
        "ecarus,thorgar as the heroes, ambush as the encounter",
        of(lambda: game("immortal_souls").ask("encounter", "ecarus,thorgar", "ambush")),
    ),
    Case(
        lambda: which_has(replace(TOY, kinds={"attack": TOY.kinds["attack"]}), "winner"),
        "nothing that skirmish is asked has one",
        lambda: which_has(TOY, "winner"),
    ),
]
