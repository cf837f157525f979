"""`balance solve`: what it prints, its JSON, and what it says of games that cannot be solved."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from balance.protocol.game import QuestionKind
from balance.protocol.registry import GAMES
from balance.protocol.solution import Method, Solution, SolutionTable
from balance.solvers import solve_matrix_game
from tests.cli.conftest import Command
from tests.toy.game import GAME as SKIRMISH


def solve_toy(setup: Any, method: Method, seed: int) -> Solution:
    """Both fighters show one of two cards at once; matching wins for a, and twice for the first card."""
    game = solve_matrix_game([[1.0, 0.0], [0.0, 0.5]])
    table = SolutionTable(
        "cards", "How often each card is shown.", ("card", "share"), (("one", float(game.row_strategy[0])),)
    )
    converged = method == "exact" and game.converged
    words = ("One matrix game.", game.value, game.lower, game.upper, game.gap)
    return Solution(method, *words, converged, iterations=1, n_states=1, tables=(table,))


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    import balance as toolkit

    duel: QuestionKind = replace(SKIRMISH.kinds["duel"], solve=solve_toy)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    monkeypatch.setattr("tests.toy.game.GAME", replace(SKIRMISH, kinds={"duel": duel}))
    one, other, *_ = toolkit.load(SKIRMISH).entrants
    return one, other


def test_a_solution_tells_its_value_its_bounds_and_its_tables(balance: Command, pair: tuple[str, str]) -> None:
    done = balance("solve", "skirmish", *pair)
    assert (done.status, done.err) == (0, "")
    assert "Skirmish: duel solved  exact" in done.out
    assert "0.333333" in done.out and "0.666667" in done.out
    assert "certified by best responses" in done.out
    assert "How often each card is shown." in done.out


def test_an_approximation_is_never_called_an_equilibrium(balance: Command, pair: tuple[str, str]) -> None:
    done = balance("solve", "skirmish", *pair, "--method", "approximate")
    assert done.status == 0
    words = " ".join(done.out.split())
    assert "Exploitability: at least" in words and "may lie outside these numbers" in words
    assert "if answered" in words and "at most" not in words
    assert "certified" not in done.out


def test_json_is_one_object_and_the_same_each_time(balance: Command, pair: tuple[str, str]) -> None:
    one, two = (balance("solve", "skirmish", *pair, "--json").out for _ in range(2))
    assert one == two
    found = json.loads(one)
    assert (found["schema"], found["game"], found["verb"]) == (1, "skirmish", "solve")
    solution = found["solution"]
    assert solution["value"] == pytest.approx(1 / 3)
    assert (solution["kind"], solution["converged"], solution["n_states"]) == ("exact", True, 1)
    assert solution["tables"]["cards"]["rows"] == [["one", pytest.approx(1 / 3)]]


def test_changes_are_made_and_told(balance: Command, pair: tuple[str, str]) -> None:
    done = balance("solve", "skirmish", *pair, "--set", "a.health=3", "--json")
    assert json.loads(done.out)["inputs"]["a"]["health"] == 3


def test_a_game_without_choices_is_told_so(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    done = balance("solve", "skirmish", "one", "other")
    assert done.status == 2
    assert "skirmish cannot be solved" in done.err


def test_asking_the_library_is_the_same(pair: tuple[str, str]) -> None:
    import balance as toolkit
    from balance.errors import UsageError

    question = toolkit.load("skirmish").duel(*pair)
    assert question.solve().value == pytest.approx(1 / 3)
    with pytest.raises(UsageError, match="a method is one of"):
        question.solve("guess")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no side a choice"):
        toolkit.load("warforged").duel("nexus+sidearm", "trooper+shotgun").solve()
