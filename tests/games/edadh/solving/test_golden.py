"""Solutions and learnt players are what they were, in every field; and what fixes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from balance.game.solution import SolutionTable
from balance.games.edadh.solving import approximate, look_ahead, moves, options, solution_tables, solve, training
from balance.games.edadh.solving import exact as states
from balance.games.edadh.solving.solution_tables import never_played
from balance.games.edadh.solving.training import LearningEffort
from tests.games.edadh.solving.golden import ANSWERS, FILE, rounded

GOLDEN = json.loads(FILE.read_text("utf-8"))


def flat(told: Any, at: str = "") -> dict[str, Any]:
    """Return what an answer says by its place in it."""
    if isinstance(told, dict | list) and told:
        parts = told.items() if isinstance(told, dict) else enumerate(told)
        return {place: value for key, part in parts for place, value in flat(part, f"{at}/{key}").items()}
    return {at: told}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_what_it_was(name: str) -> None:
    found, told = flat(rounded(ANSWERS[name]())), flat(GOLDEN[name])
    assert found.keys() == told.keys()
    for place, value in told.items():
        number = isinstance(value, float) or isinstance(found[place], float)
        assert found[place] == (pytest.approx(value, rel=1e-5, abs=1e-6) if number else value), place


def test_a_solution_tells_what_is_never_played_and_what_numbers_are_worth() -> None:
    told = GOLDEN["exact"]
    assert told["kind"] == "exact" and told["lower"] <= told["value"] <= told["upper"]
    opening, never, mixing, skill, stats = (SolutionTable(**table) for table in told["tables"])
    assert [row[0] for row in opening.rows] == list(range(1, 13))
    for side in "ab":
        played = opening.columns.index(f"{side} plays")
        assert sum(float(row[played]) for row in opening.rows) == pytest.approx(1, abs=1e-7)
        useless = never_played(opening, side)
        assert 0 < len(useless) < 12
        assert [row[1] for row in never.rows if row[0] == side] == [", ".join(map(str, useless))]
        assert all(float(row[played]) < 1e-6 for row in opening.rows if row[0] in useless)
    assert all(0 <= float(row[3]) <= 1 for row in mixing.rows)
    assert all(float(gain) > -0.07 for row in skill.rows for gain in (row[2], row[4]))
    gains = {(row[0], row[2]): float(row[3]) for row in stats.rows}
    assert gains["a", "def"] > 0 and min(gains.values()) > -1e-6


def test_an_approximation_is_honest() -> None:
    """Its bounds are what the best answers took, on dice of their own; its value what it scores against itself."""
    told = GOLDEN["approximate"]
    assert (told["kind"], told["converged"]) == ("approximate", False)
    assert told["exploitability"] == pytest.approx(max(0.0, told["upper"] - told["lower"]))
    assert "learnt in 2 generations of 8 duels" in told["method"]
    assert [table["name"] for table in told["tables"]] == ["opening", "answers", "skill"]
    opening, answers, skill = told["tables"]
    assert [sum(row[column] for row in opening["rows"]) for column in (1, 2)] == pytest.approx([1, 1])
    itself, *played, best = answers["rows"]
    assert itself == ["itself", told["value"], told["value"]]
    assert best[1:] == [told["lower"], told["upper"]]
    assert {"one choice ahead", "learnt in play"} < {row[0] for row in played}
    assert all(row[2] == pytest.approx(row[1] - told["value"]) for row in skill["rows"])
    assert all(row[4] == pytest.approx(row[3] - (1 - told["value"])) for row in skill["rows"])


def test_how_much_is_spent_and_what_is_too_much() -> None:
    """The player `lookahead` is the same player for everybody because these are."""
    assert (LearningEffort(400, 6, 20_000), 0) == (training.EFFORT, training.SEED)
    assert training.FULL == LearningEffort() == LearningEffort(800, 8, 12_000)
    assert approximate.Effort() == approximate.Effort(training.FULL, 2000)
    assert approximate.DUELS_PER_TRIAL == 4
    assert LearningEffort(401, 7, 30).half == LearningEffort(200, 3, 30)
    assert (training.STRAYS, training.MOST_PERIODS, training.FIRST_DUELS, training.FACES) == (0.15, 20, 4, 1000)
    assert look_ahead.FACES == 10_000
    assert (states.MOST_STATES, states.MOST_CELLS, moves.CHUNK_STATES) == (250_000, 100_000_000, 400)
    assert (solve.FEW_STATES, solution_tables.MOST_VARIED, solution_tables.DUELS) == (400, 1_000, 1000)
    assert (solution_tables.DRAW, solution_tables.MIN_SHARE) == (0.5, 1e-6)
    assert options.WIDTH == 9
