"""Starts that make a duel even: planted advantages are taken back, fair duels are left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.chance.rolls.process import State
from balance.games.edadh.solving import even_starts as module
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.even_starts import EvenStarts, Start
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import half_of
from tests.games.edadh.solving.met import moves

MANY = 4000


@dataclass(frozen=True)
class ByPoints:
    """Worths that tell nothing but the difference of mastery points, and damage."""

    moves: Moves
    slope: float = 0.02

    def __call__(self, state: State) -> FloatArray:
        ahead = state["a_mp"] - state["b_mp"] - state["a_damage"] + state["b_damage"]
        return np.asarray(0.5 + self.slope * ahead.astype(np.float64))


def begun(numbers: dict[str, int]) -> Moves:
    """Return a duel of the same armies with these numbers of the start."""
    return moves("spears", "spears", *(f"{name}={value}" for name, value in numbers.items()))


def by_points(duel: Moves, name: str = "") -> float:
    mp, damage = duel.duel.mp, duel.duel.damage
    return 0.5 + 0.02 * (mp[0] - mp[1] - damage[0] + damage[1])


def starts(
    monkeypatch: pytest.MonkeyPatch, told: Callable[[Moves, str], float], *changes: str, slope: float = 0.02
) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Return the even starts by side and number, if duels score what is said of them."""
    duel = moves("spears", "spears", *changes)
    monkeypatch.setattr(module, "score", lambda moves, policies, n, seed, name: told(moves, name))
    monkeypatch.setattr(module, "n_processes", lambda: 1)
    worth = ByPoints(duel, slope)
    tables = list(EvenStarts(worth, (worth, worth), told(duel, ""), MANY, 0).tables())
    assert [table.name for table in tables] in ([], ["even_starts"])
    return {row[:2]: row[2:] for table in tables for row in table.rows}


def test_nothing_is_to_change_in_a_fair_duel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor where the score lies in the band with its interval; negative control: where it does not, something is."""
    assert starts(monkeypatch, by_points, "a.mp=20", "b.mp=20") == {}
    assert starts(monkeypatch, by_points, "a.mp=21", "b.mp=20") == {}
    assert starts(monkeypatch, by_points, "a.mp=22", "b.mp=20") != {}


@pytest.mark.parametrize(("a", "b"), [(20, 10), (10, 20)])
@pytest.mark.parametrize("slope", [0.02, 0.016, 0.026])
def test_a_planted_advantage_is_taken_back(monkeypatch: pytest.MonkeyPatch, a: int, b: int, slope: float) -> None:
    """Ten mastery points more for one side; where worths promise too much or too little, it is tried again."""
    found = starts(monkeypatch, by_points, f"a.mp={a}", f"b.mp={b}", slope=slope)
    ahead, behind = "ab" if a > b else "ba"
    assert found.keys() == {(ahead, "mp"), (ahead, "damage"), (behind, "mp")}, (
        "nobody begins with less damage than none"
    )
    for (side, number), (old, new, *told, change) in found.items():
        assert old == {"mp": 20 if side == ahead else 10, "damage": 0}[number]
        assert abs(new - {(ahead, "mp"): 10, (behind, "mp"): 20, (ahead, "damage"): 10}[side, number]) <= 1
        assert change == f"{side}.{number}={new}"
        assert told == [by_points(begun({"a.mp": a, "b.mp": b} | {f"{side}.{number}": new}))] * 3


def test_what_worths_promise_and_duels_do_not_keep_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert starts(monkeypatch, lambda duel, name: 0.7, "a.mp=20", "b.mp=10") == {}


def test_nothing_is_said_of_so_few_duels_that_none_could_be_even() -> None:
    worth = ByPoints(moves("spears", "spears", "a.mp=20", "b.mp=10"))
    assert half_of(100) > 0.05 and not list(EvenStarts(worth, (worth, worth), 0.7, 100, 0).tables())


@pytest.mark.parametrize("change", [Start(0, "mp", 20, 7), Start(1, "damage", 0, 4)])
def test_a_start_is_the_duel_that_is_asked_for_so(change: Start) -> None:
    """With the same worths both sides score the same on the same dice."""
    numbers = {"a.mp": 20, "b.mp": 20}
    duel, asked = begun(numbers), begun(numbers | {f"{'ab'[change.side]}.{change.number}": change.new})
    changed, player = change.moves(duel), LookAhead(worth=Estimate(duel))
    assert (changed.duel.mp, changed.duel.damage) == (asked.duel.mp, asked.duel.damage)
    assert score(changed, (player, player), 40, 1, "x") == score(asked, (player, player), 40, 1, "x")
