"""How a way of playing does: its score, and an interval that stays within what a score can be."""

from __future__ import annotations

import pytest

from balance.chance.pmf import Pmf
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.game import USUAL_TRIALS
from balance.game.loaded import load
from balance.game.question.habits import _habit, compare_habits
from balance.game.question.question import Question

WINNERS = {"a": 1, "b": 2, "draw": 0}


@pytest.mark.parametrize(("side", "score"), [("a", 0.5 + 0.1), ("b", 0.3 + 0.1)])
def test_a_draw_is_half_a_win_for_either(side: str, score: float) -> None:
    distribution = Pmf.of({1: 50, 2: 30, 0: 20}, ("winner",))
    found = _habit("bold", WINNERS, distribution, side, 100).score
    variance = (0.5 if side == "a" else 0.3) + 0.2 / 4 - score**2
    half = 1.959964 * (variance / 100) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx((score, score - half, score + half), abs=1e-6)


@pytest.mark.parametrize(("winner", "value"), [(1, 1.0), (2, 0.0)])
def test_a_streak_of_one_result_is_no_certainty_and_no_score_is_beyond_the_ends(winner: int, value: float) -> None:
    found = _habit("bold", WINNERS, Pmf.of({winner: 64}, ("winner",)), "a", 64).score
    assert found.value == value
    assert (found.low, found.high) == pytest.approx(
        (max(0.0, value - 1.96 / 64), min(1.0, value + 1.96 / 64)), abs=1e-4
    )


def test_where_nobody_can_draw_only_wins_count() -> None:
    distribution = Pmf.of({1: 60, 2: 40}, ("winner",))
    assert _habit("bold", {"a": 1, "b": 2}, distribution, "a", 100).score.value == pytest.approx(0.6)


def test_each_way_of_playing_of_a_side_meets_what_the_other_plays_on_the_same_dice() -> None:
    duel = load("edadh").ask("duel", "spears", "shieldsmen", policy_a="high", policy_b="low")
    found = compare_habits(duel, seed=5, trials=128)
    assert [(one.side, one.plays, one.against, one.n_trials, one.seed) for one in found] == [
        ("a", "high", "low", 128, 5),
        ("b", "low", "high", 128, 5),
    ]
    for one, name in zip(found, ("policy_a", "policy_b"), strict=True):
        scores = [habit.score.value for habit in one.ranking]
        assert scores == sorted(scores, reverse=True)
        assert {habit.name for habit in one.ranking} == set(duel.kind.habits[name])
        assert one.played_habit.name == one.plays
        assert one.best == tuple(habit.name for habit in one.ranking if habit.score.high >= one.ranking[0].score.low)
    for value in ("cautious", "high"):
        task = duel.again(policy_a=value).task(key="habits")
        won = collect(task, FixedTrials(128), seed=5).counts.marginal("winner")
        points = sum(won.weight(lambda winner, at=at: winner == at) * share for at, share in ((1, 1.0), (0, 0.5)))
        told = next(habit.score.value for habit in found[0].ranking if habit.name == value)
        assert told == pytest.approx(points / 128)


def test_2048_trials_are_played_if_nothing_is_said() -> None:
    found = compare_habits(load("edadh").ask("duel", "spears", "shieldsmen"))
    assert {(one.n_trials, habit.score.n_trials) for one in found for habit in one.ranking} == {(2048, 2048)}


@pytest.mark.parametrize(
    "asked",
    [
        load("warforged").duel("nexus+shotgun", "trooper+shotgun"),
        load("edadh").ask("turn", "spears", "shieldsmen"),
        load("edadh").ask("duel", "spears", "shieldsmen", policy_a="lookahead"),
    ],
    ids=["nothing to choose", "nobody wins", "one must be learnt"],
)
def test_nothing_is_compared_where_it_would_say_nothing(asked: Question) -> None:
    assert compare_habits(asked) == ()


@pytest.fixture
def long_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every kind of question for one with long trials: 4,096 in a final, 1,024 in a heat."""
    monkeypatch.setattr("balance.game.game.USUAL_TRIALS", 2 * USUAL_TRIALS)


@pytest.mark.usefixtures("long_trials")
def test_of_long_trials_the_better_half_of_a_heat_meets_again_on_fresh_dice() -> None:
    duel = load("edadh").ask("duel", "spears", "shieldsmen", policy_a="low", policy_b="low")
    sample = duel.simulate(8192, seed=9)
    for one, name in zip(compare_habits(duel, 5, sample=sample), ("policy_a", "policy_b"), strict=True):
        assert one.trials_text("way") == "1,024 trials of each way and 4,096 fresh ones of the better half"
        assert {habit.name for habit in one.ranking} == set(duel.kind.habits[name])
        assert [habit.score.n_trials for habit in one.ranking[4:]] == [1024] * 4
        assert sorted(habit.score.n_trials for habit in one.ranking[:4]) == [4096] * 3 + [8192]
        for habits in (one.ranking[:4], one.ranking[4:]):
            assert sorted(habits, key=lambda habit: -habit.score.value) == list(habits)
        chance = sample.p_win()
        assert one.played_habit.score.value == pytest.approx(chance[one.side] + chance["draw"] / 2)
        task = duel.again(**{name: one.best[0]}).task(key="habits/final")
        if one.best[0] != "low":
            won = collect(task, FixedTrials(4096), seed=5).counts.marginal("winner")
            fresh = _habit("", duel.kind.winners, won, one.side, 4096)
            assert fresh.score == one.ranking[0].score


@pytest.mark.slow("test_of_long_trials_the_better_half_of_a_heat_meets_again_on_fresh_dice")
@pytest.mark.usefixtures("long_trials")
def test_a_heat_leaves_the_best_way_among_those_that_cannot_be_told_from_it() -> None:
    """Three seeds: all of a heat's half would have to be ahead by luck of what 16,384 trials say is best."""
    duel = load("edadh").ask("duel", "spears", "shieldsmen", policy_b="low")
    truth = compare_habits(duel, seed=77, trials=16384)
    for seed in range(3):
        for one, true in zip(compare_habits(duel, seed), truth, strict=True):
            assert {*true.best} & {*one.best}
