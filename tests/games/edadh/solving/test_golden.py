"""Solutions and learnt players are what they were, in every field; and what fixes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from balance.game.solution import SolutionTable
from balance.games.edadh.solving import exact as states
from balance.games.edadh.solving import look_ahead, moves, options, solution_tables, solve, training
from balance.games.edadh.solving.approximate import (
    chosen_grids,
    nodes,
    on_grid,
    prediction,
    value_iteration,
)
from balance.games.edadh.solving.approximate import (
    solver as approximate,
)
from balance.games.edadh.solving.approximate.lists import configurations
from balance.games.edadh.solving.approximate.tables import in_play
from balance.games.edadh.solving.approximate.value_iteration import EXACT, Precision
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
    tables = {table["name"]: table for table in told["tables"]}
    assert list(tables)[:4] == ["opening", "usage", "answers", "skill"]
    for name in ("opening", "usage"):
        for column in (1, 2):
            assert sum(row[column] for row in tables[name]["rows"]) == pytest.approx(1)
    claim, *played, best = tables["answers"]["rows"]
    assert claim[1] <= claim[2] < claim[1] + 0.01
    assert played[0] == ["itself", told["value"], told["value"]]
    assert best[1:] == [told["lower"], told["upper"]]
    assert {"itself", "one choice ahead", "learnt in play", "a decision process"} < {row[0] for row in played}
    gains = [row[1] - row[2] for row in tables["skill"]["rows"]]
    assert gains == [pytest.approx(gains[0])] * len(gains), "all are above the same value"
    assert [1 - row[3] + row[4] for row in tables["skill"]["rows"]] == pytest.approx(gains)


def test_an_approximation_without_a_table_of_worths_says_why() -> None:
    """Under this reading MP decide where cards go, so worths are learnt."""
    told = GOLDEN["learnt instead"]
    assert (told["kind"], told["converged"]) == ("approximate", False)
    assert "learnt in 2 generations of 8 duels" in told["method"]
    assert "rules.eop1_pooled" in told["method"] and "no table of worths" in told["method"]
    assert [table["name"] for table in told["tables"]] == ["opening", "usage", "answers", "skill"]
    answers, skill = told["tables"][2:]
    assert {"a decision process", "a decision process, as it claims on the grids"}.isdisjoint(
        row[0] for row in answers["rows"]
    )
    assert answers["rows"][-1][1:] == [told["lower"], told["upper"]]
    assert all(row[2] == pytest.approx(row[1] - told["value"]) for row in skill["rows"])
    assert all(row[4] == pytest.approx(row[3] - (1 - told["value"])) for row in skill["rows"])


def test_how_much_is_spent_and_what_is_too_much() -> None:
    """The player `lookahead` is the same player for everybody because these are."""
    assert (LearningEffort(400, 6, 20_000), 0) == (training.EFFORT, training.SEED)
    assert training.FULL == LearningEffort() == LearningEffort(800, 8, 40_000)
    assert LearningEffort(401, 7, 30).half == LearningEffort(200, 3, 30)
    assert (training.STRAYS, training.MOST_PERIODS, training.FIRST_DUELS, training.FACES) == (0.15, 20, 4, 1000)
    assert look_ahead.FACES == 10_000
    assert (states.MOST_STATES, states.MOST_CELLS, moves.CHUNK_STATES) == (250_000, 100_000_000, 400)
    assert (solve.FEW_STATES, solution_tables.MOST_VARIED, solution_tables.DUELS) == (400, 1_000, 1000)
    assert (solution_tables.DRAW, solution_tables.MIN_SHARE) == (0.5, 1e-6)
    assert options.WIDTH == 9


def test_how_much_is_spent_on_worths_on_grids() -> None:
    """Published figures stand on these."""
    assert Precision() == Precision(
        (2e-8, 1.5e-10),
        (2e-8, 6e-10),
        (13, 20),
        (160, 320),
        (0.004, 0.0001),
        (12, 60),
        (0.004, 0.0005),
        0.001,
        2,
        3_000_000,
        None,
    )
    assert Precision(change=(1e-4, 1e-4), max_steps=(12, 60), gap=(1e-5, 1e-5), draw_chance=0.00004) == EXACT
    assert approximate.Effort() == approximate.Effort(Precision(), training.FULL, 4000)
    assert (approximate.DUELS, approximate.DUELS_PER_TRIAL) == (4000, 4)
    assert (configurations.MOST_CONFIGURATIONS, configurations.LONG) == (430_000, 30)
    assert (nodes.DUELS, nodes.MOST_NODES, nodes.SAMPLE, nodes.RARE) == (2000, 36, 48, 0.1)
    assert (nodes.GROUP_SHARE, nodes.EVEN_SHARE, nodes.CLIFF) == (0.35, 0.3, ((0, 1), (0,)))
    assert (nodes.MIN_OFFSET, nodes.BEYOND) == (-3, 4)
    assert (chosen_grids.CHEAPER, chosen_grids.POINTS_FROM) == (16, 200)
    assert (on_grid.STRIDE, on_grid.DECIDED_FACTOR) == (4, 4)
    assert (prediction.MOST_POINTS, prediction.NOISE, prediction.MORE) == (96, 1e-5, 1.5)
    assert (value_iteration.STRAYS, value_iteration.START_MARGIN) == (0.1, 0.05)
    assert (in_play.DUELS, in_play.HARDLY, in_play.MIN_GAIN, in_play.LARGE) == (400, 0.005, 1e-4, 0.15)
    assert in_play.NEARBY == 4
