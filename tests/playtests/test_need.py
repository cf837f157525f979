"""The promise of `need`: its power and its error, by logs that are drawn and judged here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt

import numpy as np
import pytest
from scipy.stats import binomtest

from balance.base.errors import UsageError
from balance.base.progress import Progressing
from balance.playtests.need.answer import Look, Plan
from balance.playtests.need.goals import Goal
from balance.playtests.need.plans import after, few_games, need
from balance.playtests.need.simulation import named_of_round_robin

Judge = Callable[[np.ndarray], str]
"""The results of one log, 1, 0 and -1 in order of play -> what is said of the first side."""

GOALS = [
    (Goal(0.05), "fixed"), (Goal(0.1, draws=0.2), "fixed"), (Goal(0.2, power=0.9, error=0.01), "fixed"),
    (Goal(None, (0.45, 0.55)), "fixed"), (Goal(0.25, (0.4, 0.6), draws=0.3), "fixed"), (Goal(0.1), "sequential"),
    (Goal(0.1, draws=0.3, games_per_evening=7), "sequential"), (Goal(None, (0.4, 0.6)), "sequential"),
    (Goal(0.15, power=0.9, games_per_evening=3), "sprt"), (Goal(0.15, options=4), "fixed"),
]  # fmt: skip
SHORT = (1, 6, 9)
"""Places of the plans that are tried by default."""


@cache
def sign_test(wins: int, decided: int, level: float) -> bool:
    return bool(decided) and binomtest(wins, decided).pvalue <= 1 - level


def judge_at_the_end(goal: Goal) -> Judge:
    """The analysis that a fixed plan tells, as anybody would repeat it."""

    def judge(results: np.ndarray) -> str:
        wins, losses, games = int((results == 1).sum()), int((results == -1).sum()), len(results)
        if goal.band is None:
            return ("over" if wins > losses else "under") if sign_test(wins, wins + losses, goal.level) else ""
        score, drawn = (wins + (games - wins - losses) / 2) / games, (games - wins - losses) / games
        z = 1.959963985

        def beyond(edge: float) -> bool:  # Wilson: edges whose own standard error does not reach the score
            return abs(score - edge) >= z * sqrt((edge * (1 - edge) - drawn / 4) / games)

        low, high = goal.band
        if low < score < high:
            return "fair" if beyond(low) and beyond(high) else ""
        return ("over" if score >= high else "under") if beyond(high if score >= high else low) else ""

    return judge


def judge_with_looks(looks: Sequence[Look]) -> Judge:
    """Stop at the first look that says so."""

    def judge(results: np.ndarray) -> str:
        leads = results.cumsum()
        for look in looks:
            lead, least, most = leads[look.games - 1], look.fair_if_lead_from, look.fair_if_lead_to
            if look.overpowered_if_lead_at_least is not None and lead >= look.overpowered_if_lead_at_least:
                return "over"
            if look.underpowered_if_lead_at_most is not None and lead <= look.underpowered_if_lead_at_most:
                return "under"
            if least is not None and most is not None and least <= lead <= most:
                return "fair"
        return ""

    return judge


def share(judge: Judge, said: set[str], games: int, score: float, draws: float, runs: int) -> float:
    """The share of drawn logs of which one of these is said."""
    rng = np.random.default_rng([14, games, round(1000 * score)])
    chances = [score - draws / 2, draws, 1 - score - draws / 2]
    return float(np.mean([judge(rng.choice([1, 0, -1], size=games, p=chances)) in said for _ in range(runs)]))


def round_robins(goal: Goal, plan: Plan, score: float, runs: int) -> tuple[float, float]:
    """The shares in which the first option is named, and in which anybody is."""
    rng, names = np.random.default_rng([14, round(1000 * score)]), np.zeros((runs, goal.options), bool)
    for run in range(runs):
        wins = np.zeros(goal.options, int)
        for one in range(goal.options):
            for other in range(one + 1, goal.options):
                won = int((rng.random(plan.games_a_pair) < (score if one == 0 else 0.5)).sum())
                wins[one] += won
                wins[other] += plan.games_a_pair - won
        names[run] = [sign_test(int(won), plan.games_an_option, goal.level) for won in wins]
    return float(names[:, 0].mean()), float(names.any(axis=1).mean())


def check(goal: Goal, name: str, runs: int, points: float) -> None:
    found = need(goal, runs=200)
    plan = found.plans[name]
    if goal.options > 2:
        power, _ = round_robins(goal, plan, goal.sides[1], runs)
        _, error = round_robins(goal, plan, 0.5, runs)
    else:
        judge = (
            judge_at_the_end(goal)
            if name == "fixed"
            else judge_with_looks([look for look in found.looks if look.plan == name])
        )
        powers = []
        if goal.difference is not None:
            powers.append(share(judge, {"over"}, plan.games, goal.sides[1], goal.draws, runs))
        if goal.band is not None:
            powers.append(share(judge, {"fair"}, plan.games, 0.5, goal.draws, runs))
        power = min(powers)
        wrong, false = (0.5, {"over", "under"}) if goal.band is None else (goal.band[1], {"fair"})
        error = share(judge, false, plan.games, wrong, goal.draws, runs)
    assert power == pytest.approx(plan.power, abs=points)
    assert error <= plan.error + points
    assert plan.power >= goal.power and plan.error <= goal.error


@pytest.mark.parametrize("place", SHORT)
def test_power_and_error_are_what_a_plan_says(place: int) -> None:
    """500 runs: a standard error of 1.8 points, so that a sound plan is 5 points off in 1 of 200 tries."""
    check(*GOALS[place], runs=500, points=0.05)


@pytest.mark.slow("test_power_and_error_are_what_a_plan_says")
@pytest.mark.parametrize(("goal", "plan"), GOALS)
def test_power_is_within_two_points_over_2000_runs(goal: Goal, plan: str) -> None:
    """2,000 runs: a standard error of 0.9 points, so that a sound plan is 2 points off in 1 of 40 tries; one seed."""
    check(goal, plan, runs=2000, points=0.02)


def test_a_plan_played_with_too_few_games_is_found_out() -> None:
    """The negative control: three quarters of the games have much less power than the plan says."""
    goal = Goal(0.1, draws=0.2)
    plan = need(goal, runs=1).plans["fixed"]
    games = round(0.75 * plan.games)
    assert share(judge_at_the_end(goal), {"over"}, games, 0.6, 0.2, 1000) < plan.power - 0.05


@pytest.mark.slow("test_a_plan_played_with_too_few_games_is_found_out")
def test_peeking_at_the_fixed_plan_is_wrong_far_more_often() -> None:
    """The negative control of looks: its interval after every evening of four, until it says something."""
    goal = Goal(0.1)
    plan, judge = need(goal, runs=1).plans["fixed"], judge_at_the_end(goal)

    def peek(results: np.ndarray) -> str:
        return next(filter(None, (judge(results[:games]) for games in range(4, len(results) + 1, 4))), "")

    wrong = share(peek, {"over", "under"}, plan.games, 0.5, 0.0, 1000)
    assert wrong > 0.15
    assert wrong == pytest.approx(need(goal, runs=1).peeking_error or 0.0, abs=0.04)
    assert share(judge, {"over", "under"}, plan.games, 0.5, 0.0, 1000) < 0.065


@pytest.mark.slow("test_power_and_error_are_what_a_plan_says")
def test_its_own_simulation_agrees() -> None:
    for goal in (Goal(0.1, draws=0.1), Goal(None, (0.4, 0.6)), Goal(0.1, options=5)):
        found = need(goal, runs=8000)
        for plan in found.plans.values():
            assert plan.simulated.power == pytest.approx(plan.power, abs=0.015)
            assert plan.simulated.error <= plan.error + 0.008
            assert plan.simulated.runs == 8000


def test_what_pulled_the_others_stands_alone() -> None:
    """One of four wins 45 of 60 against each other, who are even: all score off one half, one on its own account."""
    won = np.array([[[0, 45, 45, 45], [15, 0, 30, 30], [15, 30, 0, 30], [15, 30, 30, 0]]])
    named, own = named_of_round_robin(won, won.transpose(0, 2, 1), 0.2)
    assert named.tolist() == [[2, -1, -1, -1]]
    assert own.tolist() == [[2, 0, 0, 0]]
    two = np.array([[[0, 30, 55, 55], [30, 0, 55, 55], [5, 5, 0, 30], [5, 5, 30, 0]]])
    assert (named_of_round_robin(two, two.transpose(0, 2, 1), 0.05)[1] != 0).sum() >= 2


def test_games_of_a_round_robin_add_up() -> None:
    plan = need(Goal(0.15, options=5), runs=1).plans["fixed"]
    assert plan.games == 10 * plan.games_a_pair and plan.games_an_option == 4 * plan.games_a_pair
    assert plan.evenings == -(-plan.games // 4)
    assert plan.simulated.false_names is not None


def test_evenings_tell_what_they_can() -> None:
    told = after(Goal(0.05), 10)
    assert (told.games, told.difference) == (40, 0.222)
    assert after(Goal(0.05), 1).difference is None
    assert after(Goal(0.05, options=6), 1).games == 4
    assert [few.games for few in few_games(Goal(0.05))] == [10, 20, 40, 100, 200, 400]


def test_the_same_seed_gives_the_same_plans() -> None:
    assert need(Goal(0.2), runs=100, seed=3) == need(Goal(0.2), runs=100, seed=3)
    assert need(Goal(0.2), runs=100, seed=3) != need(Goal(0.2), runs=100, seed=4)


def test_runs_out_of_range() -> None:
    with pytest.raises(UsageError, match="runs: "):
        need(Goal(0.2), runs=0)


@pytest.mark.parametrize(("options", "what"), [(2, "playing out looks"), (3, "playing out round robins")])
def test_how_far_a_plan_is_played_out_is_told(options: int, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Progressing | None] = []
    monkeypatch.setattr("balance.playtests.need.simulation.tell", heard.append)
    need(Goal(0.2, options=options), runs=200)
    told = [each for each in heard if each is not None and each.work == what]
    assert told and all(0 <= each.n_done < each.total for each in told)
    assert told[0].n_done == 0
