"""`balance solve`: what it prints, its JSON, and what it says of games that cannot be solved."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from balance.answers.media.answer import drawn
from balance.answers.media.terminal import say
from balance.answers.words.questions.solve import table_of, trust, value_table
from balance.chance.solvers import solve_matrix_game
from balance.game.game import QuestionKind
from balance.game.registry import GAMES
from balance.game.solution import Method, Solution, SolutionTable
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
    done = balance("solve", "skirmish", *pair, "--more")
    assert (done.status, done.err) == (0, "")
    assert "Skirmish: duel solved  exact" in done.out
    assert "0.333333" in done.out and "0.666667" in done.out
    assert "certified by best responses" in done.out
    assert "How often each card is shown." in done.out


def test_an_approximation_is_never_called_an_equilibrium(balance: Command, pair: tuple[str, str]) -> None:
    done = balance("solve", "skirmish", *pair, "--method", "approximate", "--more")
    assert done.status == 0
    words = " ".join(done.out.split())
    assert "No answer was found that is surely better" in words and "may lie outside these numbers" in words
    assert "if answered" in words and "at most" not in words
    assert "certified" not in done.out


def test_json_is_one_object_and_the_same_each_time(balance: Command, pair: tuple[str, str]) -> None:
    one, two = (balance("solve", "skirmish", *pair, "--json").out for _ in range(2))
    assert one == two
    found = json.loads(one)
    assert (found["schema"], found["game"], found["verb"]) == (1, "skirmish", "solve")
    assert found["value"] == pytest.approx(1 / 3)
    assert (found["kind"], found["converged"], found["n_states"]) == ("exact", True, 1)
    (table,) = found["tables"]
    assert (table["name"], table["rows"]) == ("cards", [["one", pytest.approx(1 / 3)]])


def test_changes_are_made_and_told(balance: Command, pair: tuple[str, str]) -> None:
    done = balance("solve", "skirmish", *pair, "--set", "a.health=3", "--json")
    assert json.loads(done.out)["inputs"]["a"]["health"] == 3


def test_a_game_without_choices_is_told_so(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    done = balance("solve", "skirmish", "one", "other", "--more")
    assert done.status == 2
    assert "skirmish has no question that can be solved" in done.err


def test_asking_the_library_is_the_same(pair: tuple[str, str]) -> None:
    import balance as toolkit
    from balance.base.errors import UsageError

    question = toolkit.load("skirmish").duel(*pair)
    assert question.solve().value == pytest.approx(1 / 3)
    with pytest.raises(UsageError, match="a method is one of"):
        question.solve("guess")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no side a choice"):
        toolkit.load("warforged").duel("nexus+sidearm", "trooper+shotgun").solve()


SOLVED = Solution("exact", "How.", 0.375, 0.25, 0.5, 0.00125, True, 5678, 1234, (), 0.01)
COUNTS = "A win counts 1, a draw 1/2, a defeat 0. How."


def test_how_far_a_solution_can_be_trusted_is_said_in_full() -> None:
    spent = "by best responses to both policies (1,234 states, 5,678 sweeps, 2.3 s)."
    assert list(trust(SOLVED, 2.345)) == [COUNTS, f"Exploitability: 0.0013, certified {spent}"]
    assert list(trust(replace(SOLVED, converged=False), 2.345)) == [
        COUNTS,
        f"Exploitability: 0.0013, not converged {spent}",
    ]
    assert list(trust(replace(SOLVED, kind="approximate", exploitability=0.05), 2.345)) == [
        COUNTS,
        "Exploitability: at least 0.05 (2.3 s), simulated to ±0.014. The best answers found take this much from the "
        "policies found; others may take more, so what perfect play is worth may lie outside these numbers.",
    ]


@pytest.mark.parametrize(("gain", "is_bound"), [(0.0142, True), (0.0141, False), (0.00125, False), (0.0, False)])
def test_a_gain_within_its_error_is_no_lower_bound(gain: float, is_bound: bool) -> None:
    solution = replace(SOLVED, kind="approximate", exploitability=gain)
    text = list(trust(solution, 2.345))[1]
    assert ("at least" in text) is is_bound
    assert ("No answer was found that is surely better" in text) is not is_bound
    assert f"{gain:.3g}" in text and "±0.014" in text


def test_what_a_game_is_worth_to_either_side_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    say(*drawn([value_table(SOLVED), value_table(replace(SOLVED, kind="approximate"))]))
    assert capsys.readouterr().out.splitlines() == [
        "  worth to   at least      value    at most",
        " " + "─" * 59,
        "  a          0.250000   0.375000   0.500000   ███████▌",
        "  b          0.500000   0.625000   0.750000   ████████████▌",
        "",
        "  worth to   if answered   as found   answering",
        " " + "─" * 63,
        "  a             0.250000   0.375000    0.500000   ███████▌",
        "  b             0.500000   0.625000    0.750000   ████████████▌",
        "",
    ]


def test_a_table_of_a_solution_sets_only_numbers_flush_right(capsys: pytest.CaptureFixture[str]) -> None:
    say(
        *drawn(
            [
                table_of(
                    SolutionTable(
                        "starts",
                        "Best starts",
                        ("who", "n", "p", "often"),
                        (("x", 3, 0.5, "-"), ("long", 12, 1.0, 0.25)),
                    )
                )
            ]
        )
    )
    assert capsys.readouterr().out.splitlines() == [
        "  Best starts",
        "  who     n        p   often",
        " " + "─" * 29,
        "  x       3   0.5000   -",
        "  long   12   1.0000   0.2500",
        "",
    ]


def test_a_solution_has_its_tables_as_frames(pair: tuple[str, str]) -> None:
    import balance as toolkit

    solved = toolkit.solve("skirmish", *pair)
    assert solved.to_polars().select("side", "value").rows() == [
        ("a", pytest.approx(1 / 3)),
        ("b", pytest.approx(2 / 3)),
    ]
    assert solved.to_polars("cards").rows() == [("one", pytest.approx(1 / 3))]
    assert max(len(repr(solved)), len(repr(solved.value))) < 200
    assert solved.plot().axes[0].get_xlabel() == "value"
