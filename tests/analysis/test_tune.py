"""Tuning by playing: against a game whose fair costs are known, with planted errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.analysis.armies.battles import costs_of
from balance.analysis.armies.mean_scores import MeanScores, mean_scores
from balance.analysis.changes.tuning.bench import TuneEffort
from balance.analysis.changes.tuning.movable import numbers_to_move
from balance.analysis.changes.tuning.result import TuneResult
from balance.analysis.changes.tuning.score_forecast import Target
from balance.analysis.changes.tuning.tune import tune
from balance.analysis.changes.tuning.verdict import verdict_of
from balance.analysis.prices.asked import army_setting
from balance.answers.form import Terms
from balance.answers.media.answer import screen_of_answer
from balance.answers.media.terminal import console
from balance.answers.words.armies.tune import WORDS
from balance.base.errors import UsageError
from balance.catalogue import patch_catalogue
from balance.engine.runner import Engine, Runner
from balance.game.loaded import LoadedGame, load
from tests.analysis.conftest import write_catalogue as write_cards
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


def screen(found: TuneResult) -> str:
    """Return the first screen."""
    with (out := console()).capture() as shown:
        out.print(*screen_of_answer(WORDS, found.answer(), Terms.of(found.game, "lineup"), False), sep="\n")
    return shown.get()


def test_one_planted_error_is_found_and_taken_back(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    found = tuned(loaded)
    assert [(one.path, one.from_) for one in found.changes] == [("bodies.b4.cost_points", "12.0")]
    assert 17 <= float(found.changes[0].to) <= 19
    assert found.costs[0].tolist() == [10, 12, 14, 16, 12]
    assert found.costs[1].tolist() == [10, 12, 14, 16, float(found.changes[0].to)]
    assert found.within(found.before) < 5 == found.within(found.after)
    assert found.after.spread < found.before.spread / 3
    assert (found.forecast_meets_target, found.max_changes, found.n_tried, found.without_effect) == (True, 5, 6, ())


def test_a_fair_catalogue_is_left_alone(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 18], [1000, 1200, 1400, 1600, 1800])
    found = tuned(loaded)
    assert (found.changes, found.forecast_meets_target) == ((), True)
    assert found.costs[0].tolist() == found.costs[1].tolist()


@pytest.mark.slow("test_a_fair_catalogue_is_left_alone")
def test_the_same_seed_gives_the_same_wherever_the_work_is_done(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    alone = tuned(loaded, 4)
    with Runner(loaded, Engine("threads", 2)) as runner:
        shared = tune(runner, army_setting(loaded), seed=4, effort=QUICK)
    assert shared.changes == alone.changes
    assert shared.after.scores.tolist() == alone.after.scores.tolist()
    assert tuned(loaded, 5).after.scores.tolist() != alone.after.scores.tolist()


@pytest.mark.slow("test_other_numbers_move_by_two_steps_where_they_are_named")
def test_a_number_that_is_no_cost_may_mend_a_price(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 6, 8], [10, 12, 14, 5, 8])
    found = tuned(loaded, patterns=["strength"])
    (change,) = found.changes
    assert (change.path, change.from_, change.to, change.is_cost) == ("bodies.b3.strength", "5", "6", False)
    assert change.points == pytest.approx(1, abs=0.3)  # a fifth stronger, and worth five points before
    assert found.costs[0].tolist() == found.costs[1].tolist()
    assert found.after.spread < found.before.spread


def test_what_changes_nothing_that_shows_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    found = tuned(loaded, patterns=["bodies.*.cost_points", "constants.pulls"])
    assert found.without_effect == ("constants.pulls",)
    assert [one.path for one in found.changes] == ["bodies.b4.cost_points"]


def test_too_few_changes_shrink_the_spread(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 7, 16, 12, 20, 9, 30], [1000, 1200, 1400, 1600, 1800, 1000, 900, 2000])
    found = tuned(loaded, max_changes=1)
    assert (found.n_changes, found.forecast_meets_target, found.verdict) == (1, False, "not reached")
    assert found.after.spread < 0.8 * found.before.spread


def fresh_scores(loaded: LoadedGame, found: TuneResult, seed: int) -> list[float]:
    """Return what everybody scores after the changes, by a game that is loaded anew and dice that nobody has seen."""
    values = {change.path: change.to for change in found.changes}
    changed = LoadedGame(loaded.definition, patch_catalogue(loaded.catalogue, values))
    costs = costs_of(changed, found.entrants)
    fresh = mean_scores(Runner(changed), army_setting(changed), found.entrants, costs, 3000, seed)
    return [float(score) for score in fresh.scores]


def square_roots(folder: Path, rng: np.random.Generator, dearer: Sequence[int] = ()) -> LoadedGame:
    """Return a game whose costs are square roots of fair ones, times what keeps the middle; some are a half dearer."""
    fair = rng.permutation(np.linspace(21, 79, 12).round()) + rng.integers(-1, 2, 12)
    costs = np.round(41 * np.sqrt(fair / 50))
    costs[list(dearer)] = np.round(1.5 * costs[list(dearer)])
    return tug(folder, costs.tolist(), (100 * fair).astype(int).tolist())


def test_square_roots_of_fair_costs_are_mended_by_one_power(tmp_path: Path) -> None:
    loaded = square_roots(tmp_path, np.random.default_rng(3))
    found = tuned(loaded, 8)
    assert found.power is not None
    assert (found.n_changes, found.single_changes, found.headline) == (1, (), "reached")
    assert found.power.power == pytest.approx(2, rel=0.05)
    assert found.within(found.before) < 9
    assert max(abs(score - 0.5) for score in fresh_scores(loaded, found, 77)) < 0.055  # .05, and the dice of a check
    assert all(change.by == "power" and change.to == str(int(change.to)) for change in found.changes)
    assert all(1 <= int(change.to) < 100 for change in found.changes)
    (row,) = [line for line in screen(found).splitlines() if line.startswith("  all costs to the power ")]
    assert row.rstrip().endswith("  small too")
    name = f"all costs to the power {round(found.power.power, 2)} (times {found.power.times:.2g})"
    assert f"Reached: {name}, and all 12 mean scores" in " ".join(screen(found).split())


def test_a_power_and_one_card_are_two_changes(tmp_path: Path) -> None:
    loaded = square_roots(tmp_path, np.random.default_rng(4), dearer=[6])
    found = tuned(loaded, 9, max_changes=2)
    assert found.power is not None
    assert [change.path for change in found.single_changes] == ["bodies.b6.cost_points"]
    assert found.n_changes == 2
    assert found.power.power == pytest.approx(2, rel=0.05)


def test_a_power_is_not_tried_where_some_costs_may_not_move(tmp_path: Path) -> None:
    loaded = square_roots(tmp_path, np.random.default_rng(3))
    found = tuned(loaded, 8, patterns=[f"bodies.b{at}.cost_points" for at in range(11)], max_changes=1)
    assert found.power is None


@pytest.mark.parametrize("factor", [1.25, 0.75])
def test_one_card_a_quarter_off_is_that_card_alone(tmp_path: Path, factor: float) -> None:
    fair = [22, 26, 31, 35, 38, 44, 52, 61]
    costs = [float(cost) for cost in fair]
    costs[5] = round(factor * costs[5])
    found = tuned(tug(tmp_path, costs, [100 * cost for cost in fair]), 3)
    assert [change.path for change in found.changes] == ["bodies.b5.cost_points"]
    assert (found.power, found.headline) == (None, "reached")
    assert found.changes[0].points * (factor - 1) < 0


def test_who_leaves_the_band_is_listed_and_told(tmp_path: Path) -> None:
    loaded = tug(tmp_path, [10, 12, 14, 16, 12], [1000, 1200, 1400, 1600, 1800])
    before, after = (
        MeanScores(np.array(scores), np.full(5, 0.01), 0.0, 0.01, 100)
        for scores in ([0.46, 0.50, 0.44, 0.47, 0.63], [0.44, 0.51, 0.39, 0.56, 0.60])
    )
    found = replace(tuned(loaded), before=before, after=after, verdict="not reached")
    assert (found.headline, found.outside.tolist(), found.moved_out.tolist()) == ("better", [2, 4, 0, 3], [0, 3])
    assert found.answer().moved_out == ("b0+rope", "b3+rope")
    sentence = WORDS.sentence(found.answer(), Terms.of(loaded, "lineup"))
    assert sentence.endswith("4 mean scores of 5 outside 45% to 55%: B2 with Rope (39.0%), "
        "B4 with Rope (60.0%), B0 with Rope (44.0%), 1 more.")  # fmt: skip
    rows = screen(found).partition("moved out of the band")[2].splitlines()
    assert [row.split()[0] for row in rows[2:4]] == ["B0", "B3"]


def judged_places(found: TuneResult) -> list[int]:
    """Return whose scores are judged."""
    return [] if found.target.judged is None else found.target.judged.tolist()


@pytest.mark.slow("test_a_fair_catalogue_is_left_alone")
def test_a_card_that_plays_as_another_is_left_alone_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentinels play as troopers, but for what armies in a line do not see."""
    units: dict[str, dict[str, str]] = {"trooper": {}, "sentinel": {}, "nexus": {}}
    loaded = load("warforged", write_cards(tmp_path, units, {"shotgun": {}, "assault_rifle": {}}))
    monkeypatch.setattr("balance.analysis.prices.fits.fair_costs.BLOCK", 512)
    monkeypatch.setattr("balance.analysis.armies.mean_scores.ROUND", 512)
    few = TuneEffort(fair=60, search=40, check=40, rounds=1)
    twins = ("units.sentinel.cost_points", "units.trooper.cost_points")
    with Runner(loaded) as runner:
        found = tune(runner, army_setting(loaded), effort=few)
        named = tune(runner, army_setting(loaded), effort=few, patterns=["units.*.cost_points"])
    assert sorted(found.twins) == sorted(twins)
    assert not {change.path for change in found.single_changes} & set(twins)
    assert set(twins) <= set(found.answer().not_measurable_here)
    assert named.twins == ()
    alike = {"sentinel+shotgun", "trooper+shotgun", "sentinel+assault_rifle", "trooper+assault_rifle"}
    assert {found.entrants[at] for at in range(6)} - alike == {found.entrants[at] for at in judged_places(found)}
    assert (found.n_judged, named.n_judged) == (2, 6)
    assert not {found.entrants[at] for at in (*found.outside.tolist(), *found.moved_out.tolist())} & alike


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
        f"move: 'strenght' {no}: cost_points, strength, pulls; did you mean strength?",
        f"move: 'bodies.b9.*' {no}: {', '.join(every)}; did you mean bodies.b1.strength?",
    ]


def all_found(folder: Path, seed: int, n_games: int) -> int:
    """Return in how many games exactly the planted errors are found."""
    rng, good = np.random.default_rng(seed), 0
    for number in range(n_games):
        loaded, paths = planted(folder / str(number), rng, 1 + number % 3)
        found = tuned(loaded, number, patterns=["bodies.*.cost_points"])
        good += sorted(one.path for one in found.changes) == sorted(paths)
    return good


@pytest.mark.slow("test_one_planted_error_is_found_and_taken_back")
def test_planted_errors_are_found_by_playing(tmp_path: Path) -> None:
    assert all_found(tmp_path, 5, 3) == 3


@pytest.mark.slow("test_one_planted_error_is_found_and_taken_back")
def test_planted_errors_are_found_in_95_of_100_games(tmp_path: Path) -> None:
    assert all_found(tmp_path, 6, 200) >= 190


def squares_found(folder: Path, seeds: range, n_dearer: int) -> int:
    """Return in how many games of square roots one power is found within 5 %, with the cards beside it and no other."""
    good = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        dearer = sorted(rng.choice(12, n_dearer, replace=False).tolist())
        found = tuned(square_roots(folder / str(seed), rng, dearer), seed)
        cards = [change.path for change in found.single_changes]
        is_two = found.power is not None and abs(found.power.power / 2 - 1) <= 0.05
        good += is_two and cards == [f"bodies.b{at}.cost_points" for at in dearer]
    return good


@pytest.mark.slow("test_square_roots_of_fair_costs_are_mended_by_one_power")
def test_the_power_is_found_in_57_of_60_games(tmp_path: Path) -> None:
    assert squares_found(tmp_path, range(60), 0) >= 57


@pytest.mark.slow("test_a_power_and_one_card_are_two_changes")
def test_the_power_and_the_card_are_found_in_17_of_20_games(tmp_path: Path) -> None:
    assert squares_found(tmp_path, range(100, 120), 1) >= 17


@pytest.mark.slow("test_a_fair_catalogue_is_left_alone")
def test_fair_catalogues_are_left_alone_in_95_of_100(tmp_path: Path) -> None:
    left = 0
    for seed in range(100):
        fair = np.random.default_rng(seed).integers(20, 80, 12)
        found = tuned(tug(tmp_path / str(seed), fair.astype(float).tolist(), (100 * fair).tolist()), seed)
        left += (found.changes, found.headline) == ((), "reached")
    assert left >= 95
