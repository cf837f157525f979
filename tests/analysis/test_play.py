from dataclasses import replace
from math import log10

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.play.ladder import Ladder
from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.playing import play_worth, ways_of, with_play
from balance.base.errors import UsageError
from balance.engine.runner import Engine, Runner
from balance.game.loaded import load
from tests.tug import GAME

SETTING = ArmySetting("lineup", ((100, 4), (200, 8)))
NAMES = ("rock", "scissors", "paper", "fool")


def matrix(chances: list[list[float]], n: int = 400, seed: int = 0) -> PlayWorth:
    """Return a matrix of ways that win with these chances against each other, whoever goes first."""
    rng, w = np.random.default_rng(seed), len(chances)
    won = rng.random((w, w, n, 2)) < np.array(chances)[:, :, None, None]
    results = (2 * won).astype(np.int8)
    nothing = np.full((w, w), np.nan)
    n_pairs = np.full((w, w), n, np.int64)
    return PlayWorth(NAMES[:w], results.mean(axis=(2, 3)) / 2, nothing, n_pairs, results, 0, SETTING)


def on_a_ladder(points: list[float], n: int = 400, seed: int = 0) -> PlayWorth:
    ahead = np.subtract.outer(points, points)
    return matrix((1 / (1 + 10 ** (-ahead / 400))).tolist(), n, seed)


def test_half_the_strength_is_as_many_points_as_the_odds_say() -> None:
    """Against S^2 / (S^2 + T^2) half the strength is 400 log10(4) = 241 points where armies are equal, less else."""
    worth = play_worth(Runner(load(GAME)), SETTING, 0, n_pairs=1024)
    ladder = Ladder.of(worth)
    hard, lazily = ladder.ladder
    assert [(way.play, way.place) for way in (hard, lazily)] == [("hard", "in"), ("lazily", "out")]
    assert 200 < lazily.behind < 400 * log10(4)
    assert ladder.counted == ("hard",)
    assert ladder.gap == pytest.approx(lazily.behind)
    assert hard.stand_offs is None
    assert ladder.cycles == ()


def test_ratings_are_those_of_the_ladder_and_so_are_their_errors() -> None:
    points = [0.0, 40.0, 120.0, 400.0]
    off = []
    for seed in range(40):
        found = on_a_ladder(points, 200, seed)
        true = np.array(points) - np.mean(points)
        off.append((found.ratings - true) / np.sqrt(found.covariance.diagonal()))
    assert abs(np.mean(off)) < 0.1
    assert 0.8 < np.std(off) < 1.2


def test_circles_are_seen_and_a_ladder_has_none() -> None:
    circle = matrix([[0.5, 0.8, 0.2], [0.2, 0.5, 0.8], [0.8, 0.2, 0.5]])
    assert circle.cycles == (("rock", "scissors", "paper"),)
    assert circle.cyclic > 0.95
    assert circle.cyclic_noise < 0.02
    assert set(Ladder.of(circle).counted) == {"rock", "scissors", "paper"}
    ladder = on_a_ladder([0.0, 100.0, 200.0, 300.0])
    assert ladder.cycles == ()
    assert ladder.cyclic < 5 * ladder.cyclic_noise + 0.01


def test_luck_alone_shows_about_as_much_of_a_circle_as_is_told() -> None:
    found = [on_a_ladder([0.0, 100.0, 200.0, 300.0], 100, seed) for seed in range(60)]
    told, seen = (np.mean([getattr(one, name) for one in found]) for name in ("cyclic_noise", "cyclic"))
    assert told == pytest.approx(seen, rel=0.35)


def test_a_way_that_never_wins_has_a_finite_rating_with_a_wide_error() -> None:
    found = matrix([[0.5, 1.0], [0.0, 0.5]])
    lost = Ladder.of(found).ladder[-1]
    assert 700 < lost.behind < 3000
    assert lost.behind_high - lost.behind_low > 400


@pytest.mark.parametrize(
    ("n_pairs", "n_names", "executor"), [(4, 4, "threads"), pytest.param(24, 12, "processes", marks=pytest.mark.slow)]
)
def test_ways_may_stand_in_any_order_and_others_beside_them_change_no_game(
    n_pairs: int, n_names: int, executor: str
) -> None:
    loaded = load("warforged")
    setting = ArmySetting("lineup", ((150, 4),))
    names = loaded.entrants_of("lineup")[:n_names]
    one = play_worth(Runner(loaded), setting, 0, ["focus", "spread", "least_overkill"], n_pairs=n_pairs, entrants=names)
    other = play_worth(Runner(loaded), setting, 0, ["least_overkill", "focus"], n_pairs=n_pairs, entrants=names)
    order = [one.names.index(name) for name in other.names]
    assert np.array_equal(other.scores, one.scores[np.ix_(order, order)])
    with Runner(loaded, Engine(executor, 2)) as runner:
        again = play_worth(runner, setting, 0, ["least_overkill", "focus"], n_pairs=n_pairs, entrants=names)
    assert np.array_equal(again.results, other.results)


def test_a_way_that_is_slow_plays_the_first_of_the_armies() -> None:
    loaded = load(GAME)
    kind = loaded.definition.kinds["lineup"]
    quick = {name: replace(policy, quick=("hard",)) for name, policy in kind.policies.items()}
    slow = replace(loaded.definition, kinds={"lineup": replace(kind, policies=quick)})
    found = play_worth(Runner(replace(loaded, definition=slow)), SETTING, 0, ["hard", "lazily"], n_pairs=64, n_slow=16)
    assert found.n_pairs.tolist() == [[64, 16], [16, 16]]
    assert found.n_battles == 224
    assert (found.results[0, 1, 16:] == -1).all()


def test_ways_are_those_of_the_game() -> None:
    kind = load(GAME).definition.kinds["lineup"]
    assert ways_of(kind) == ("hard", "lazily")
    assert ways_of(kind, ["lazily", "lazily"]) == ("lazily",)
    with pytest.raises(UsageError, match="hardly"):
        ways_of(kind, ["hardly"])
    with pytest.raises(UsageError, match="has no ways of playing"):
        ways_of(load("warforged").definition.kinds["duel"])
    with pytest.raises(UsageError, match="is worth nothing by itself"):
        play_worth(Runner(load(GAME)), SETTING, 0, ["hard"])


def test_both_sides_play_as_they_are_told() -> None:
    kind = load(GAME).definition.kinds["lineup"]
    assert with_play(kind, SETTING, "hard", "lazily").choices == (("pull_a", "hard"), ("pull_b", "lazily"))
    assert with_play(kind, SETTING, "lazily").choices == (("pull_a", "lazily"), ("pull_b", "lazily"))
