"""Tuning by playing: against a game whose fair costs are known, with planted errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.analysis.armies.mean_scores import MeanScores
from balance.analysis.changes.tuning.fewest_changes import Target
from balance.analysis.changes.tuning.movable import numbers_to_move
from balance.analysis.changes.tuning.tune import Change, TuneEffort, TuneResult, tune, verdict_of
from balance.analysis.prices.price_list import army_setting
from balance.base.errors import UsageError
from balance.engine.runner import Engine, Runner
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

QUICK = TuneEffort(fair=1500, search=400, check=400)
ROPE = [("rope", 0, 100)]


def tug(folder: Path, costs: list[float], strengths: list[int]) -> LoadedGame:
    """Return tug of war with bodies of these costs and strengths, and one tool that costs nothing."""
    bodies = [(f"b{at}", cost, strength) for at, (cost, strength) in enumerate(zip(costs, strengths, strict=True))]
    return load(GAME, write_catalogue(folder, bodies, ROPE))


def planted(folder: Path, rng: np.random.Generator, n_errors: int) -> tuple[LoadedGame, list[str]]:
    """Return a game of 12 bodies with some costs wrong by 35 to 60 %, and the paths of these."""
    fair = rng.integers(8, 25, 12)
    wrong = rng.choice(12, n_errors, replace=False)
    costs = fair.astype(float)
    costs[wrong] = np.round(fair[wrong] * np.exp(rng.choice([-1, 1], n_errors) * rng.uniform(0.35, 0.6, n_errors)))
    return tug(folder, costs.tolist(), (100 * fair).tolist()), [f"bodies.b{at}.cost_points" for at in sorted(wrong)]


def tuned(loaded: LoadedGame, seed: int = 0, **more: Any) -> TuneResult:
    return tune(Runner(loaded), army_setting(loaded), seed=seed, effort=QUICK, **more)


def test_one_planted_error_is_found_and_taken_back(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    found = tuned(loaded)
    assert [(one.path, one.old) for one in found.changes] == [("bodies.b4.cost_points", "12.0")]
    assert 17 <= float(found.changes[0].new) <= 19
    assert found.costs[0].tolist() == [10, 12, 14, 16, 12]
    assert found.costs[1].tolist() == [10, 12, 14, 16, float(found.changes[0].new)]
    assert found.within(found.before) < 5 == found.within(found.after)
    assert found.after.spread < found.before.spread / 3
    assert (found.forecast_meets_target, found.max_changes, found.n_tried, found.without_effect) == (True, 5, 6, ())


def test_a_fair_catalogue_is_left_alone(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 18], [1000, 1200, 1400, 1600, 1800])
    found = tuned(loaded)
    assert (found.changes, found.forecast_meets_target) == ((), True)
    assert found.costs[0].tolist() == found.costs[1].tolist()


def test_the_same_seed_gives_the_same_wherever_the_work_is_done(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    alone = tuned(loaded, 4)
    with Runner(loaded, Engine("threads", 2)) as runner:
        shared = tune(runner, army_setting(loaded), seed=4, effort=QUICK)
    assert shared.changes == alone.changes
    assert shared.after.scores.tolist() == alone.after.scores.tolist()
    assert tuned(loaded, 5).after.scores.tolist() != alone.after.scores.tolist()


def test_a_number_that_is_no_cost_may_mend_a_price(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 6, 8], [10, 12, 14, 5, 8])
    found = tuned(loaded, patterns=["strength"])
    assert found.changes == (Change("bodies.b3.strength", "5", "6"),)
    assert found.costs[0].tolist() == found.costs[1].tolist()
    assert found.after.spread < found.before.spread


def test_what_changes_nothing_that_shows_is_named(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    found = tuned(loaded, patterns=["bodies.*.cost_points", "constants.pulls"])
    assert found.without_effect == ("constants.pulls",)
    assert [one.path for one in found.changes] == ["bodies.b4.cost_points"]


def test_too_few_changes_shrink_the_spread(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 7, 16, 12, 20, 9, 30], [1000, 1200, 1400, 1600, 1800, 1000, 900, 2000])
    found = tuned(loaded, max_changes=1)
    assert (len(found.changes), found.forecast_meets_target, found.verdict) == (1, False, "not reached")
    assert found.after.spread < 0.8 * found.before.spread


def verdict(scores: list[float], error: float, first: float = 0.0, target: Target | None = None) -> str:
    n = len(scores)
    return verdict_of(target or Target(), MeanScores(np.array(scores), np.full(n, error), first, 0.001, 100))


def test_verdicts_wait_until_they_are_sure() -> None:
    assert verdict([0.5, 0.48, 0.52], 0.01) == "reached"
    assert verdict([0.5, 0.46, 0.54], 0.01) == "not yet known"
    assert verdict([0.5, 0.43, 0.57], 0.01) == "not yet known"
    assert verdict([0.5, 0.42, 0.52], 0.01) == "not reached"
    assert verdict([0.5, 0.5], 0.01, 0.07, Target(first_mover=0.05)) == "not reached"
    assert verdict([0.5, 0.5], 0.01, -0.07, Target(first_mover=0.05)) == "not reached"
    assert verdict([0.5, 0.5], 0.01, 0.04, Target(first_mover=0.05)) == "reached"
    assert verdict([0.5, 0.5], 0.01, 0.051, Target(first_mover=0.05)) == "not yet known"


def test_all_costs_may_move_and_nothing_else_by_default(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 20], [100, 200])
    names = loaded.entrants_of("lineup")
    found = numbers_to_move(loaded, names)
    assert [one.path for one in found] == [
        "bodies.b0.cost_points", "bodies.b1.cost_points", "tools.rope.cost_points",
    ]  # fmt: skip
    first, _, rope = found
    assert first.old == "10.0"
    assert first.texts == tuple(str(new) for new in range(4, 31) if new != 10)
    assert rope.texts == tuple(str(new) for new in range(1, 11))
    points = [one.points.tolist() for one in found if one.points is not None]
    assert points == [[1, 0], [0, 1], [1, 1]]


def test_other_numbers_move_by_two_steps_where_they_are_named(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 20], [100, 0])
    found = numbers_to_move(loaded, loaded.entrants_of("lineup"), ["bodies.*.strength", "rules.*", "pulls"])
    assert {one.path: (one.old, one.texts, one.points) for one in found} == {
        "bodies.b0.strength": ("100", ("80", "90", "110", "120"), None),
        "bodies.b1.strength": ("0", ("1", "2"), None),
        "rules.steep": ("2", ("5",), None),
        "constants.pulls": ("1", ("2", "3"), None),
    }


def test_words_that_name_nothing_are_all_refused(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 20], [100, 200])
    with pytest.raises(UsageError) as error:
        numbers_to_move(loaded, loaded.entrants_of("lineup"), ["strenght", "bodies.b9.*", "strength"])
    no, every = "names no number that may move; allowed", [
        "bodies.b0.cost_points", "bodies.b0.strength", "bodies.b1.cost_points", "bodies.b1.strength",
        "tools.rope.cost_points", "tools.rope.strength", "rules.steep", "constants.pulls",
    ]  # fmt: skip
    assert str(error.value).splitlines() == [
        f"--move: 'strenght' {no}: cost_points, strength, pulls; did you mean strength?",
        f"--move: 'bodies.b9.*' {no}: {', '.join(every)}; did you mean bodies.b1.strength?",
    ]


def all_found(folder: Path, seed: int, n_games: int) -> int:
    """Return in how many games exactly the planted errors are found."""
    rng, good = np.random.default_rng(seed), 0
    for number in range(n_games):
        loaded, paths = planted(folder / str(number), rng, 1 + number % 3)
        found = tuned(loaded, number, patterns=["bodies.*.cost_points"])
        good += sorted(one.path for one in found.changes) == sorted(paths)
    return good


def test_planted_errors_are_found_by_playing(tmp_path: Path) -> None:
    assert all_found(tmp_path, 5, 3) == 3


@pytest.mark.slow("test_planted_errors_are_found_by_playing")
def test_planted_errors_are_found_in_95_of_100_games(tmp_path: Path) -> None:
    assert all_found(tmp_path, 6, 200) >= 190
