"""Level B+: duels and the smallest skirmish."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import balance
from balance.base.arrays import IntArray
from balance.base.errors import BalanceError
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate
from balance.games.battlelore import GAME as BATTLELORE
from balance.games.battlelore.lineup import _support, lineup_processes
from balance.games.battlelore.rules.encounter import Melee, roll_melee
from balance.games.battlelore.rules.targets import OPPOSITE, Facing

GAME = balance.load(BATTLELORE)


def skirmish(one: str, other: str, changes: dict[str, Any] | None = None, first: str = "a", **choices: str) -> Any:
    return GAME.ask("skirmish", one, other, changes or {}, first, **choices)


def test_a_line_of_one_against_one_is_a_duel() -> None:
    single = {"situation.a_units": 1, "situation.b_units": 1}
    for first in ("a", "b"):
        line = skirmish("dwarf_blue_foot", "blue_mounted", single, first).p_win()
        duel = GAME.duel("dwarf_blue_foot", "blue_mounted", first=first).p_win()
        assert line == pytest.approx(duel, abs=1e-12)


def test_lanes_agree() -> None:
    asked: list[Any] = [
        GAME.ask("duel", "giant_spider", "dwarf_red_foot", a_powers="poison_or_web"),
        GAME.duel("goblin_blue_foot", "dwarf_green_foot+crossbow", {"a.supported": True}),
        skirmish("goblin_blue_foot", "dwarf_blue_foot", first="random"),
    ]
    for question in asked:
        for lane in ("literal", "compiled"):
            assert question.simulate(30_000, seed=11, lane=lane).agreement.p_value > 1e-3


@pytest.mark.rule("BL-MOR-07", "BL-MOR-08")
def test_a_line_of_three_is_worth_more_than_three_lines_of_one() -> None:
    """The middle of three is supported by its neighbours."""
    three = skirmish(
        "blue_foot", "blue_foot", {"situation.a_units": 3, "situation.b_units": 2, "situation.turn_limit": 2}
    )
    two = skirmish(
        "blue_foot", "blue_foot", {"situation.a_units": 2, "situation.b_units": 2, "situation.turn_limit": 2}
    )
    assert three.distribution.mean("a_units") > two.distribution.mean("a_units") + 1
    unit = three.setup.play.a.units[0]
    assert (unit.bold, unit.supported_bold) == (0, 1)
    spider = skirmish("giant_spider", "blue_foot").setup.play.a.units[0]
    assert (spider.bold, spider.supported_bold) == (1, 1), "creatures are never supported"


def test_more_units_win_more_often() -> None:
    even = skirmish("blue_foot", "blue_foot", first="random").p_win()
    odd = skirmish("blue_foot", "blue_foot", {"situation.a_units": 3}, first="random").p_win()
    assert even["a"] == pytest.approx(even["b"])
    assert odd["a"] > even["a"] + 0.1


def test_banners_are_for_units_eliminated_not_for_units_driven_off() -> None:
    distribution = skirmish("red_foot", "blue_foot").distribution
    gone = 2 - distribution["b_units"]
    assert (distribution["a_banners"] <= gone).all()
    assert (distribution["a_banners"] < gone).any()


def test_a_limit_ends_a_fight_without_a_winner() -> None:
    duel = GAME.duel("green_foot", "red_foot", {"situation.turn_limit": 1}, first="a")
    assert duel.p_win()["draw"] > 0.4
    assert set(duel.distribution["turns"].tolist()) == {1}
    odd = GAME.duel("green_foot", "green_foot", {"situation.turn_limit": 3}, first="b")
    assert max(odd.distribution["turns"].tolist()) == 3
    line = skirmish("green_foot", "red_foot", {"situation.turn_limit": 4})
    assert max(line.distribution["rounds"].tolist()) == 2


def test_who_cannot_hurt_draws() -> None:
    changes = {"situation.a_extra_dice": -9, "situation.b_extra_dice": -9}
    assert GAME.duel("blue_foot", "blue_foot", changes).p_win()["draw"] == 1.0
    assert skirmish("blue_foot", "blue_foot", changes).p_win()["draw"] == 1.0


@pytest.mark.rule("BL-POST-10", "BL-DWF-01")
def test_a_dwarf_in_a_duel_is_worth_more_than_a_human() -> None:
    dwarf, human = (GAME.duel(unit, "blue_foot").p_win()["a"] for unit in ("dwarf_blue_foot", "blue_foot"))
    meek = GAME.ask("duel", "dwarf_blue_foot", "blue_foot", battle_back="no").p_win()["a"]
    assert human < meek < dwarf
    assert human == pytest.approx(0.5)


@pytest.mark.rule("BL-CRE-10", "BL-CRE-16")
def test_powers_make_a_spider_stronger() -> None:
    plain = GAME.ask("duel", "giant_spider", "dwarf_blue_foot", a_powers="chalice").p_win()["a"]
    for powers in ("web", "poison", "poison_or_web", "web_or_poison"):
        assert GAME.ask("duel", "giant_spider", "dwarf_blue_foot", a_powers=powers).p_win()["a"] > plain


POLICIES = list(BATTLELORE.kinds["duel"].choices["a_powers"])


@pytest.mark.parametrize(
    "opponent", ["green_foot", "blue_foot", "red_mounted", "dwarf_blue_foot", "dwarf_red_foot", "giant_spider"]
)
def test_by_default_lore_buys_powers_as_well_as_by_any_other_rule(opponent: str) -> None:
    """The top of the ladder: nothing else scores 0.2 points of 100 more, and what spends nothing scores less."""
    scores = {
        policy: GAME.ask("duel", "giant_spider", opponent, first="random", a_powers=policy, b_powers="chalice").p_win()
        for policy in POLICIES
    }
    wins = {policy: chances["a"] + chances["draw"] / 2 for policy, chances in scores.items()}
    by_default = wins[POLICIES[0]]
    assert POLICIES[0] == "web_or_poison"
    assert by_default > max(wins.values()) - 0.002
    assert by_default > max(wins["chalice"], wins["store"]) + 0.001


def test_only_what_is_chosen_for_a_medieval_duel_is_refused() -> None:
    medieval = {"situation.adventure": "medieval"}
    idle = GAME.ask("duel", "giant_spider", "blue_foot", a_powers="chalice").p_win()
    assert GAME.duel("giant_spider", "blue_foot", medieval).p_win() == pytest.approx(idle)
    with pytest.raises(BalanceError, match="needs a Lore adventure"):
        GAME.ask("duel", "giant_spider", "blue_foot", medieval, a_powers="web").setup  # noqa: B018


def test_leaving_loses_the_duel() -> None:
    distribution = GAME.duel("blue_foot", "blue_foot", first="a").distribution
    left = distribution.where(lambda b_left: b_left == 1)
    assert set(left["winner"].tolist()) == {1}
    assert distribution.fraction(lambda a_left, b_left: (a_left == 1) & (b_left == 1)) == 0


def test_a_line_has_no_support_but_its_own() -> None:
    with pytest.raises(BalanceError, match="BL-MOR-07"):
        skirmish("blue_foot", "blue_foot", {"a.supported": True})
    with pytest.raises(BalanceError, match="a_units"):
        skirmish("blue_foot", "blue_foot", {"situation.a_units": 4})


def test_readings_matter_in_fights() -> None:
    strict = {"rules.battle_back_needs": "ignored_flag"}
    duels = [GAME.duel("dwarf_blue_foot", "blue_foot", c).p_win()["a"] for c in ({}, strict)]
    lines = [skirmish("dwarf_blue_foot", "blue_foot", c).p_win()["a"] for c in ({}, strict)]
    assert duels[0] > duels[1]
    assert lines[0] > lines[1]


@pytest.mark.parametrize(
    ("line", "facing"),
    [
        ([1, 1, 1], [0, 1, 2]),
        ([0, 1, 1], [1, 1, 2]),
        ([1, 0, 1], [0, 0, 2]),
        ([1, 0, 0], [0, 0, 0]),
        ([0, 0, 4], [2, 2, 2]),
    ],
)
def test_a_unit_strikes_the_nearest_enemy_in_line_and_of_two_the_first(line: list[int], facing: list[int]) -> None:
    figures = np.array([line], np.int16)
    chosen = [OPPOSITE.choose("a target", figures > 0, Facing(place, figures, np.full(3, 4))) for place in range(3)]
    assert [int(places[0]) for places in chosen] == facing


@pytest.mark.parametrize(
    ("line", "friends", "supported"),
    [
        ([4, 3, 0, 1], 0, {0: 1, 1: 1, 3: 1}),
        ([4, 3, 0, 1], 1, {0: 1, 1: 1, 3: 0}),
        ([4, 3, 0, 1], 2, {0: 0, 1: 0, 3: 0}),
        ([4, 3, 2, 1], 2, {0: 0, 1: 1, 2: 1, 3: 0}),
    ],
)
def test_support_is_counted_from_those_next_in_line_who_still_stand(
    line: list[int], friends: int, supported: dict[int, int]
) -> None:
    figures = np.array([line], np.int16)
    found = {place: int(_support(figures, np.array([place]), friends)[0]) for place in supported}
    assert found == supported


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_turn_is_one_whoever_battles_back_in_it(first: str, limit: int) -> None:
    """Dwarves hold their ground and battle back, humans alone do not: their turns are of different lengths."""
    distribution = GAME.duel("blue_foot", "dwarf_blue_foot", {"situation.turn_limit": limit}, first=first).distribution
    assert int(distribution["turns"].max()) == limit


@pytest.mark.parametrize("first", ["a", "b"])
def test_every_roll_of_a_line_is_named_after_its_place_counted_from_1(first: str) -> None:
    """Who writes the faces of a skirmish by hand names units as the columns of its state do: a1, b1 ..."""
    question = skirmish("dwarf_blue_foot", "dwarf_blue_foot", {"situation.a_units": 2, "situation.b_units": 2}, first)
    named: set[str] = set()

    def resolve(melee: Melee, places: IntArray, supported: IntArray, rolls: Rolls, name: str) -> State:
        named.add(name)
        return roll_melee(melee, places, supported, rolls, name)

    (process,) = lineup_processes(question.setup.play, resolve)
    simulate(process, RandomRolls(0, "", 0, 200))
    assert named == {f"{side} {what} {place}" for side in "ab" for what in ("attack", "back") for place in (1, 2)}
