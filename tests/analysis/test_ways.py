"""Which ways of playing count: on ladders and with stand-offs that are known, and in a tug of war."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.play import playing, ways
from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.ways import CountedWay, counted_ways, judged_ways, points_behind, stand_off_range
from balance.base.arrays import FloatArray
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME

SETTING = ArmySetting("lineup", ((100, 4), (200, 8)))


def worth(points: list[float], n: int = 400, seed: int = 0, stand_offs: list[float] | None = None) -> PlayWorth:
    """Return a matrix of ways so many rating points strong, and with such shares of stand-offs of their own."""
    ahead, w = np.subtract.outer(points, points), len(points)
    won = np.random.default_rng(seed).random((w, w, n, 2)) < (1 / (1 + 10 ** (-ahead / 400)))[:, :, None, None]
    off = None
    if stand_offs is not None:
        off = np.zeros((w, w, n, 2), bool)
        for at, share in enumerate(stand_offs):
            off[at, at, : round(share * n)] = True
    return PlayWorth.of_results(tuple("abcdefgh"[:w]), (2 * won).astype(np.int8), off, seed, SETTING)


def by_name(judged: tuple[CountedWay, ...]) -> dict[str, CountedWay]:
    return {way.play: way for way in judged}


def test_a_way_is_out_only_if_it_is_certainly_too_far_behind() -> None:
    few, many = (by_name(judged_ways(worth([0, -10, -60, -300], n))) for n in (100, 6000))
    assert [few[name].place for name in "abcd"] == ["in", "open", "open", "out"]
    assert [many[name].place for name in "abcd"] == ["in", "in", "out", "out"]
    assert "rating points behind a, maybe more than 20" in few["c"].because
    assert "rating points behind a, more than 20" in many["d"].because
    assert many["a"].because == ""
    assert [way.play for way in many.values()] == list("abcd")


def test_how_far_a_way_may_be_behind_is_what_is_asked() -> None:
    assert by_name(judged_ways(worth([0, -60], 6000), near=100.0))["b"].place == "in"
    assert by_name(judged_ways(worth([0, -60], 6000), near=20.0))["b"].place == "out"


def test_stand_offs_put_a_way_out_open_or_leave_it_in_and_are_no_yardstick() -> None:
    """The best makes nothing but stand-offs; those behind it are told from the best of the others, 0 points behind."""
    found = by_name(judged_ways(worth([0, -100, -105, -110], 4000, stand_offs=[0.9, 0.1, 0.25, 0.0])))
    assert [found[name].place for name in "abcd"] == ["out", "in", "open", "in"]
    assert found["b"].behind == found["b"].behind_low == 0
    assert found["a"].behind_high < -50
    assert (
        found["a"].because == "89.0% to 90.9% of the battles in which both sides play so are stand-offs, more than 25%"
    )
    assert "stand-offs, maybe more than 25%" in found["c"].because


def test_a_pair_of_battles_on_the_same_luck_counts_once() -> None:
    """By hand: Wilson's interval of 30 in 100 is .2189 to .3958; of halves the ends are of the whole numbers beside."""
    assert stand_off_range(0.3, 100) == pytest.approx((0.21895, 0.39585), abs=1e-5)
    assert stand_off_range(0.305, 100) == pytest.approx((0.21895, stand_off_range(0.31, 100)[1]), abs=1e-5)


def brute_force(ratings: FloatArray, covariance: FloatArray, c: float) -> list[tuple[float, float]]:
    """Return the intervals as Hsu words them, in loops: of every way that may be the best, the ends by that one."""
    n = len(ratings)
    errors = [
        [max(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j], 0.0) ** 0.5 for j in range(n)]
        for i in range(n)
    ]
    maybe = [i for i in range(n) if all(ratings[i] + c * errors[i][j] >= ratings[j] for j in range(n))]
    return [
        (max(0.0, min(ratings[k] - ratings[i] - c * errors[k][i] for k in maybe)),
         max(0.0, *(ratings[k] - ratings[i] + c * errors[k][i] for k in maybe)))
        for i in range(n)
    ]  # fmt: skip


def test_points_behind_are_those_of_a_brute_force() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        root = rng.normal(0, 10, (5, 5))
        ratings, covariance = rng.normal(0, 30, 5), root @ root.T
        low, high = points_behind(ratings, covariance)
        wanted = brute_force(ratings, covariance, 2.4909)  # two-sided, each at .95 ** (1/4)
        assert list(zip(low, high, strict=True)) == [pytest.approx(ends, abs=0.01) for ends in wanted]


def naive(ratings: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points behind who looks best with 1.96 standard errors either way: not simultaneous, and selected."""
    best, variances = int(np.argmax(ratings)), covariance.diagonal()
    half = 1.96 * np.sqrt(np.maximum(variances + variances[best] - 2 * covariance[best], 0.0))
    return np.maximum(ratings[best] - ratings - half, 0.0), ratings[best] - ratings + half


def coverage(
    behind: Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]], points: list[float], n_runs: int
) -> float:
    """Return how often all ways at once lie in their intervals, on played ladders whose truth is known."""
    truth, n_right = max(points) - np.array(points), 0
    for seed in range(n_runs):
        found = worth(points, 100, seed)
        low, high = behind(found.ratings, found.covariance)
        n_right += bool(((low <= truth) & (truth <= high)).all())
    return n_right / n_runs


@pytest.mark.slow("test_points_behind_are_those_of_a_brute_force")
def test_intervals_hold_for_all_ways_at_once() -> None:
    """With 400 runs .95 +- .022 (two standard errors); plain intervals behind who looks best miss far more often."""
    alike, spread = [0.0] * 8, [0.0, -5.0, -15.0, -25.0, -40.0, -100.0]
    assert coverage(points_behind, alike, 400) >= 0.93
    assert coverage(points_behind, spread, 400) >= 0.93
    assert coverage(naive, alike, 400) < 0.85
    assert coverage(naive, spread, 400) < 0.93


def test_a_way_that_loses_clearly_does_not_count() -> None:
    """Who pulls with half its strength has a fifth of the chances: 241 points where armies are equal, less else."""
    found = counted_ways(Runner(load(GAME)), SETTING)
    assert dict(found.settings) == {"hard": SETTING}
    assert [(way.play, way.place) for way in found.ways] == [("hard", "in"), ("lazily", "out")]
    assert 150 < found.ways[1].behind_low < found.ways[1].behind_high < 241
    assert found.undecided is None


def test_where_the_setting_says_how_sides_play_nothing_is_compared() -> None:
    for choices in ((("pull_a", "lazily"), ("pull_b", "lazily")), (("pull_a", "lazily"),)):
        asked = replace(SETTING, choices=choices)
        found = counted_ways(Runner(load(GAME)), asked)
        assert (found.ways, dict(found.settings), found.undecided) == ((), {"": asked}, None)


def test_where_nobody_chooses_there_is_one_setting() -> None:
    asked = ArmySetting("lineup", ((200.0, 14.0),))
    assert counted_ways(Runner(load("runewars")), asked).settings == {"": asked}


def test_the_way_in_force_comes_first_if_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In BattleLore's line-ups "opposite" is in force, and "focus" is better."""
    monkeypatch.setattr(playing, "N_PAIRS", 64)
    asked = ArmySetting("lineup", ((4.0, 4.0), (10.0, 10.0)))
    found = counted_ways(Runner(load("battlelore")), asked)
    assert found.ways[0].play == "focus"
    assert list(found.settings)[:2] == ["opposite", "focus"]
    assert found.settings["opposite"] is asked
    assert found.settings["focus"].choices == (("policy_a", "focus"), ("policy_b", "focus"))


def test_where_every_way_ends_in_stand_offs_nothing_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    played = worth([0, -100], 400, stand_offs=[0.9, 0.5])
    monkeypatch.setattr(ways, "play_worth", lambda *_, **__: played)
    found = counted_ways(Runner(load(GAME)), SETTING)
    assert not found.settings
    assert found.undecided == pytest.approx(0.7)
    assert {way.place for way in found.ways} == {"out"}


@pytest.mark.slow("test_the_way_in_force_comes_first_if_it_counts")
def test_on_warforged_board_those_count_that_fight() -> None:
    """Measured with 512 pairs: hold 88 % and kite hold 90 % stand-offs, kite 10 %, the others below 1 %."""
    game = load("warforged")
    asked = ArmySetting("battle", ((150.0, 4.0), (250.0, 7.0), (350.0, 10.5)))
    with Runner(game) as runner:
        found = judged_ways(playing.play_worth(runner, asked, n_pairs=64))
    assert {way.play for way in found if way.counts} == {"kite", "focus", "greedy"}
    assert all("stand-offs" in way.because for way in found if not way.counts)
