"""How far a typical match-up lies from even, against its closed form in tug of war: a body scores s^2 / (s^2 + t^2)."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from balance.analysis.armies import typical_match_up as module
from balance.analysis.armies.battles import ArmySetting, Blocks
from balance.analysis.armies.random_armies import EMPTY
from balance.analysis.armies.typical_match_up import (
    MatchUps,
    TypicalMatchUp,
    armies_around,
    play_match_ups,
    typical_match_up,
)
from balance.base.arrays import FloatArray
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME, write_catalogue

SETTING = ArmySetting("lineup", ((100.0, 12.0), (200.0, 24.0)))
ROPE = [("rope", 0.0, 100)]
STRENGTHS = (60, 80, 110, 130, 160, 240)
NAMES = [f"n{at}+rope" for at in range(6)]
SEEDS = range(12)


def runner(folder: Path, strengths: tuple[int, ...] = STRENGTHS) -> Runner:
    """Return a game of bodies that all cost 10."""
    bodies = [(f"n{at}", 10.0, strength) for at, strength in enumerate(strengths)]
    return Runner(load(GAME, write_catalogue(folder, bodies, ROPE)))


def typical(runner: Runner, seed: int) -> TypicalMatchUp:
    names = runner.game.entrants_of("lineup")
    return typical_match_up(runner, SETTING, names, np.full(len(names), 10.0), seed)


def truth(sizes: tuple[float, ...] = (1.0,) * 6) -> float:
    """Return the mean of (score - 1/2)^2 over all pairs whose armies have so many bodies for ten points."""
    teams = [strength * size for strength, size in zip(STRENGTHS, sizes, strict=True)]
    return float(np.mean([(s**2 / (s**2 + t**2) - 0.5) ** 2 for s, t in combinations(teams, 2)]))


@pytest.mark.parametrize("n", [module.N_MATCH_UPS, 16])
def test_it_is_that_of_brute_force_with_the_error_that_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    """Of all 30 match-ups and of some drawn alike: 12 seeds, a mean beyond 3 errors in 1 of 370 runs."""
    monkeypatch.setattr(module, "N_MATCH_UPS", n)
    game = runner(tmp_path)
    results = [typical(game, seed) for seed in SEEDS]
    drawn = [match_ups_of(game, seed, n) for seed in SEEDS]
    off = np.array([(one.square - true) / one.square_error for one, true in zip(results, drawn, strict=True)])
    assert abs(off.mean()) < 3 / len(off) ** 0.5
    assert 0.5 < off.std() < 1.6
    assert {one.match_ups for one in results} == {2 * module.BLOCKS * min(n, 30)}


def match_ups_of(game: Runner, seed: int, n: int) -> float:
    """Return the closed form over those match-ups that are drawn."""
    blocks = Blocks(SETTING, tuple(NAMES), (10.0,) * 6, seed, "", module._play)
    first, second, _ = module._match_ups(blocks)
    assert len(first) == min(n, 30)
    assert (first != second).all()
    s, t = (np.array(STRENGTHS, np.float64)[side] for side in (first, second))
    return float(np.mean((s**2 / (s**2 + t**2) - 0.5) ** 2))


@pytest.mark.slow("test_it_is_that_of_brute_force_with_the_error_that_it_says")
def test_a_fair_field_is_even_and_known_to_two_points(tmp_path: Path) -> None:
    """Six that are the same: so few match-ups that each is played many times over."""
    game = runner(tmp_path, (100,) * 6)
    for seed in SEEDS:
        result = typical(game, seed)
        assert abs(result.square) < 4 * result.square_error
        assert result.error < 0.025


def test_whoever_is_alone_has_no_match_up(tmp_path: Path) -> None:
    assert typical(runner(tmp_path, (100,)), 0) == TypicalMatchUp.of(0.0, 0.0, 0)


def covered(off: FloatArray, spread: float) -> tuple[float, float]:
    """Return how often the truth is within 1.96 errors of what is said, and of the plain mean of squares."""
    rng, within, plain = np.random.default_rng(7), list[bool](), list[bool]()
    for _ in range(300):
        played = MatchUps(off + rng.normal(0, spread, (module.BLOCKS, len(off))))
        true, said = float(np.mean(off**2)), played.typical
        within.append(abs(said.square - true) <= 1.96 * said.square_error)
        plain.append(abs(float(np.mean(played.scores.mean(axis=0) ** 2)) - true) <= 1.96 * said.square_error)
    return float(np.mean(within)), float(np.mean(plain))


@pytest.mark.parametrize("wide", [0.0, 0.1, 0.3])
def test_the_error_covers_the_truth_and_that_of_plain_squares_does_not(wide: float) -> None:
    """Scores of 200 match-ups with noise of dice: 95 % is 285 +- 3 * 4; plain squares, a control, count the dice."""
    said, plain = covered(np.random.default_rng(3).normal(0, wide, 200), 0.25)
    assert 0.91 <= said <= 0.99
    assert plain < (0.75 if wide < 0.3 else 0.93)


def test_the_same_costs_in_the_same_match_ups_gain_exactly_nothing(tmp_path: Path) -> None:
    game, costs = runner(tmp_path), np.full(6, 10.0)
    once, again = (play_match_ups(game, SETTING, NAMES, costs, 3, "a") for _ in range(2))
    assert again.gain_over(once) == (0.0, 0.0)
    other = play_match_ups(game, SETTING, NAMES, costs, 3, "b")
    gain, error = other.gain_over(once)
    assert error > 0
    assert abs(gain) < 4 * error


def test_what_a_change_gains_is_that_of_brute_force(tmp_path: Path) -> None:
    """The strongest at double its cost has half as many; its gain is known better than before and after are."""
    game, dearer = runner(tmp_path), np.array([10.0] * 5 + [20.0])
    before, after = (play_match_ups(game, SETTING, NAMES, costs, 5) for costs in (np.full(6, 10.0), dearer))
    gain, error = after.gain_over(before)
    expected = truth() - truth((1.0,) * 5 + (0.5,))
    assert expected > 0.02
    assert abs(gain - expected) < 3.5 * error
    assert gain == pytest.approx(before.typical.square - after.typical.square)
    back, _ = before.gain_over(after)
    assert back == -gain


def test_half_of_a_legal_army_is_the_member_and_chance_fills_up_the_rest(tmp_path: Path) -> None:
    game = runner(tmp_path)
    legal = ArmySetting("lineup", ((100.0, 8.0),), is_legal=True)
    blocks = Blocks(legal, tuple(NAMES), (10.0,) * 6, 1, "", module._play)
    arena = game.game.arena("lineup", NAMES)
    members = np.repeat(np.arange(6), 20)
    armies = armies_around(
        blocks, arena, members, np.full(120, 100.0), np.full(120, 8, np.int64), np.random.default_rng(2)
    )
    own = (armies == members[:, None]).sum(axis=1)
    assert (own >= 4).all()
    assert ((armies != EMPTY).sum(axis=1) <= 8).all()
    assert own.mean() < 6  # a sixth of what fills up is the member as well
