"""Changes that make a duel even: planted advantages are found and taken back, fair duels are left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.chance.rolls.process import State
from balance.chance.solvers import solve_rounds
from balance.game.solution import SolutionTable
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.tables import remedies as module
from balance.games.edadh.solving.approximate.tables.in_play import NumberGain, UnknownPositionError
from balance.games.edadh.solving.approximate.tables.remedies import RemedySearch, remedy_tables
from balance.games.edadh.solving.approximate.value_iteration import Play, Precision, iterate
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import half_of
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.worths import moves, reached

MANY = 4000
SIGMAS = 4.5
"""A right answer fails a test that says so about once in 100,000 seeds; the seeds are fixed."""


@dataclass(frozen=True)
class ByPoints:
    """Worths that tell nothing but the difference of mastery points, and damage."""

    moves: Moves

    def __call__(self, state: State) -> FloatArray:
        ahead = state["a_mp"] - state["b_mp"] - state["a_damage"] + state["b_damage"]
        return np.asarray(0.5 + 0.02 * ahead.astype(np.float64))


def search(monkeypatch: pytest.MonkeyPatch, told: Callable[[Moves, str], float], *changes: str) -> RemedySearch:
    """Return a search in which duels score what is said of their cards and start."""
    duel = moves("spears", "spears", *changes)

    def scored(moves: Moves, policies: Any, n: int, seed: int, name: str) -> float:
        return told(moves, name)

    monkeypatch.setattr(module, "score", scored)
    monkeypatch.setattr(module, "n_processes", lambda: 1)
    worth: Any = ByPoints(duel)
    return RemedySearch(worth, told(duel, ""), MANY, 0)


def by_points(duel: Moves, name: str = "") -> float:
    mp, damage = duel.duel.mp, duel.duel.damage
    return 0.5 + 0.02 * (mp[0] - mp[1] - damage[0] + damage[1])


def by_damage_of_cards(duel: Moves, name: str = "") -> float:
    a, b = (force.troops[0].melee_od for force in duel.duel.arena.forces)
    return 0.5 + 0.06 * (a - b)


def tables(found: RemedySearch, gains: tuple[NumberGain, ...] = ()) -> dict[str, SolutionTable]:
    return {table.name: table for table in remedy_tables(found, (found.worth, found.worth), gains)}


def gain(found: RemedySearch, side: int, number: str, mean: float) -> NumberGain:
    return NumberGain(side, found.moves.duel.arena.forces[side].troops[0], number, np.array([mean, mean]))


def test_nothing_is_to_change_in_a_fair_duel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor where the score lies in the band with its interval; negative control: where it does not, something is."""
    fair = search(monkeypatch, by_points, "a.mp=20", "b.mp=20")
    assert fair.value == 0.5 and tables(fair) == {}
    assert tables(search(monkeypatch, by_points, "a.mp=21", "b.mp=20")) == {}
    assert "even_starts" in tables(search(monkeypatch, by_points, "a.mp=22", "b.mp=20"))


@pytest.mark.parametrize(("a", "b"), [(20, 10), (10, 20)])
def test_a_planted_advantage_is_taken_back_by_the_smallest_change_that_does(
    monkeypatch: pytest.MonkeyPatch, a: int, b: int
) -> None:
    """Ten mastery points more for one side; one of them may stay, for it is worth 2 of the 3.4 points there is room."""
    found = tables(search(monkeypatch, by_points, f"a.mp={a}", f"b.mp={b}"))
    starts = {tuple(row[:2]): row[2:] for row in found["even_starts"].rows}
    sign, (ahead, behind) = (1, "ab") if a > b else (-1, "ba")
    one_left = 0.5 + sign * 0.02
    assert starts[ahead, "mp"] == (20, 11, *[pytest.approx(one_left)] * 3, f"{ahead}.mp=11")
    assert starts[behind, "mp"] == (10, 19, *[pytest.approx(one_left)] * 3, f"{behind}.mp=19")
    assert starts[ahead, "damage"] == (0, 9, *[pytest.approx(one_left)] * 3, f"{ahead}.damage=9")
    assert (behind, "damage") not in starts, "nobody begins with less than none"
    assert list(found) == ["even_starts"]


@pytest.mark.parametrize("side", [0, 1])
def test_a_planted_number_of_a_card_is_found(monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    """Three more offensive damage on one side; what is worth nothing, or far too little, is not tried."""
    name, other = "ab"[side], "ab"[1 - side]
    found = search(monkeypatch, by_damage_of_cards, f"{name}.spears.melee_od=8", "a.mp=20", "b.mp=20")
    gains = [gain(found, each, number, mean) for each in (0, 1)
             for number, mean in (("od", 0.06), ("dd", 0.001), ("psyche", 0.0))]  # fmt: skip
    rows = tables(found, tuple(gains))["even_cards"].rows
    assert sorted(rows) == sorted([
        (name, "Spears", "od", 8, 5, 0.5, f"{name}.spears.melee_od=5"),
        (other, "Spears", "od", 5, 8, 0.5, f"{other}.spears.melee_od=8"),
    ])  # fmt: skip


def test_what_seems_even_by_luck_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: tried in few duels every change looks even, played in many none is."""
    found = search(monkeypatch, lambda duel, name: 0.5 if "tried" in name else 0.7, "a.mp=20", "b.mp=10")
    assert found.value == 0.7
    assert tables(found, (gain(found, 0, "od", 0.2),)) == {}


def test_a_change_that_leads_to_positions_nobody_can_judge_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(duel: Moves, name: str) -> float:
        if duel.duel.arena.forces[0].troops[0].melee_od != 8 and name:
            raise UnknownPositionError
        return by_damage_of_cards(duel)

    found = search(monkeypatch, told, "a.spears.melee_od=8", "a.mp=20", "b.mp=20")
    rows = tables(found, tuple(gain(found, side, "od", 0.06) for side in (0, 1)))["even_cards"].rows
    assert [row[:3] for row in rows] == [("b", "Spears", "od")]


def test_nothing_is_said_of_so_few_duels_that_none_could_be_even(monkeypatch: pytest.MonkeyPatch) -> None:
    found = search(monkeypatch, by_points, "a.mp=20", "b.mp=10")
    few = RemedySearch(found.worth, found.value, 100, 0)
    assert half_of(100) > 0.05 and tables(few) == {}


# -- duels that can be solved ----------------------------------------------------------------------------------------


@cache
def solved(a: str, b: str, *changes: str) -> tuple[Play, float]:
    """Return the play that is found of a small duel, and what it scores."""
    listed = Configurations.of(moves(a, b, *changes))
    play = iterate(listed, reached(listed), Precision())
    player = LookAhead(worth=play.worth)
    return play, score(listed.moves, (player, player), MANY, 0, "each other")


def exact(duel: Moves) -> float:
    return float(solve_rounds(DuelStates.of(duel), duel.duel.max_periods, 0.5).values[0])


@pytest.mark.slow("test_a_planted_advantage_is_taken_back_by_the_smallest_change_that_does")
@pytest.mark.parametrize(("a", "b", "mp"), [("spears", "shieldsmen", (9, 8)), ("spears", "spears", (12, 7))])
def test_a_changed_start_scores_what_the_duel_solved_again_is_worth(a: str, b: str, mp: tuple[int, int]) -> None:
    """And so does each end of its bracket: within 4.5 standard errors, and .005 that the grid may be off."""
    play, value = solved(a, b, f"a.mp={mp[0]}", f"b.mp={mp[1]}")
    found = {table.name: table for table in remedy_tables(RemedySearch(play.worth, value, MANY, 0), play.answers, [])}
    assert found["even_starts"].rows
    for side, number, _, new, *told, _ in found["even_starts"].rows:
        assert number == "mp"
        start = {"a": mp[0], "b": mp[1]} | {str(side): int(new)}
        again = exact(moves(a, b, f"a.mp={start['a']}", f"b.mp={start['b']}"))
        assert told == [pytest.approx(again, abs=0.005 + SIGMAS * 0.5 / MANY**0.5)] * 3


@pytest.mark.slow("test_a_planted_number_of_a_card_is_found")
def test_a_planted_number_is_taken_back_in_duels_that_are_played() -> None:
    """Two of the same army, one with more offensive damage: taking it back makes the duel even, to the point."""
    duel = moves("spears:2", "spears:2", "a.mp=14", "b.mp=14", "a.spears.melee_mp_bonus=3")
    listed = Configurations.of(duel)
    play = iterate(listed, reached(listed), Precision())
    player = LookAhead(worth=play.worth)
    value = score(duel, (player, player), MANY, 0, "each other")
    found = RemedySearch(play.worth, value, MANY, 0)
    troop = duel.duel.arena.forces[0].troops[0]
    (remedy,) = found.of_cards([NumberGain(0, troop, "mp_bonus", np.full(2, (value - 0.5) / 2))])
    assert value > 0.56
    assert remedy.change.old == 3 and remedy.change.new in (1, 2)
    assert moves_of(remedy.change.moves.duel).duel.arena.forces[0].troops[0].melee_mp_bonus == remedy.change.new
