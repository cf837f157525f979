"""How a duel goes: against trials that are played one by one, and against games worked out by hand."""

from itertools import pairwise

import numpy as np
import pytest

from balance.analysis.luck.question import luck, result_of
from balance.analysis.luck.texture import texture
from balance.base.arrays import FloatArray, IntArray
from balance.chance.exact.course import Course, run_through
from balance.chance.rolls.process import Process, State, n_trials, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.game.loaded import load

N_TRIALS = 20_000


def rounds(course: Course, steps: int) -> float:
    return steps / len(course.layers)


def walked(course: Course, seed: int = 1) -> list[list[float]]:
    """Play trials step by step; return for each its values after every step, the start included."""
    process, rolls = course.process, RandomRolls(seed, "walk", 0, N_TRIALS)
    state = start_state(process, N_TRIALS, rolls)
    paths = [[float(course.values[0][place])] for place in course.layers[0].places(state)]
    trials = np.arange(N_TRIALS)
    for steps in range(process.max_steps):
        state = process.step(steps)(state, rolls)
        layer = course.layers[course.phase(steps + 1)]
        values = course.values[min(steps + 1, course.n_steps)][layer.places(state)]
        for trial, value in zip(trials, values, strict=True):
            paths[trial].append(float(value))
        alive = np.flatnonzero(~process.over(state))
        if len(alive) == 0:
            break
        state, trials = take_trials(state, alive), trials[alive]
        rolls.keep(alive)
        assert n_trials(state) == len(trials)
    return paths


def plainly(paths: list[list[float]], cycle: int) -> FloatArray:
    """Return lead changes, comebacks, one-sided, decided, length and largest change of each trial, in plain Python."""
    found = []
    for path in paths:
        last = len(path) - 1
        seen = [value for at, value in enumerate(path) if at % cycle == 0 or at == last]
        leaders = [1 if value >= 0.55 else 2 for value in seen if value >= 0.55 or value <= 0.45]
        changes = sum(one != other for one, other in pairwise(leaders))
        winner = path[-1]
        chances = [value if winner == 1 else 1 - value for value in seen]
        low = min(chances)
        decided = float(last)
        for at in range(last, -1, -1):
            looked = at % cycle == 0 or at == last
            if looked and (path[at] if winner == 1 else 1 - path[at]) < 0.9:
                break
            decided = at
        largest = max(abs(two - one) for one, two in pairwise(path))
        found.append((changes, low <= 0.25, low > 0.45, decided / cycle, last / cycle, largest))
    return np.array(found, float)


@pytest.mark.parametrize(
    "game, one, other",
    [
        ("warforged", "vanguard+shotgun", "aegis+laser_carbine"),
        ("battlelore", "blue_foot+short_sword", "red_foot+short_sword"),
        ("warforged", "trooper+shotgun", "trooper+shotgun"),
    ],
)
def test_texture_is_that_of_trials_played_one_by_one(game: str, one: str, other: str) -> None:
    """Means of 20,000 trials lie within 4.5 standard errors (18 comparisons: a false alarm in 1 of 8,000 runs).

    The largest change is exact to a bin: 2.5 points, half of that either way.
    """
    question = load(game).ask("duel", one, other, first="a")
    (process,) = question.kind.processes(question.setup, "literal")
    course = run_through(process, result_of(question.kind)[1])
    exact = texture(course, rounds)
    rows = plainly(walked(course), len(course.layers))
    told = (exact.lead_changes, exact.comebacks, exact.one_sided, exact.decided, exact.length, exact.largest)
    error = rows.std(axis=0) / np.sqrt(N_TRIALS)
    slack = np.array([0, 0, 0, 0, 0, 0.0125])
    assert (np.abs(rows.mean(axis=0) - told) <= 4.5 * error + slack + 1e-9).all(), (rows.mean(axis=0), told)


def race(to: int, p_faces: int) -> Process:
    """Return a race: a point a round, to a with a chance of so many in 100; who has `to` first wins."""

    def step(state: State, rolls: Rolls) -> State:
        point = rolls.count(100, 1, list(range(1, p_faces + 1)), "point")
        return {"a": state["a"] + point, "b": state["b"] + 1 - point}

    return Process(
        {"a": 0, "b": 0},
        (step,),
        lambda s: (s["a"] >= to) | (s["b"] >= to),
        lambda s, steps: {"won": np.where(s["a"] >= to, 1.0, np.where(s["b"] >= to, 0.0, 0.5))},
        2 * to - 1,
    )


def test_best_of_three_fair_points() -> None:
    """By hand: after one point the leader has 3/4; of 4 equal ways half go straight, half through one all.

    Lead changes: the side that loses the first point wins in 1 of 4 (lost, won, won): its chance was 1/4, so it is a
    comeback, and the lead has changed hands once (at one all nobody leads). Otherwise the winner won the first point
    and was never below one half.
    """
    found = texture(run_through(race(2, 50), lambda outcome: outcome["won"]), rounds)
    assert found.lead_changes == pytest.approx(1 / 4)
    assert found.comebacks == pytest.approx(1 / 4)
    assert found.one_sided == pytest.approx(3 / 4)
    assert found.length == pytest.approx(2.5)
    assert found.decided == pytest.approx(2.5)
    assert found.largest == pytest.approx((0.25 + 0.5) / 2, abs=0.0125)
    assert [*found.settled.values()] == pytest.approx([0, 1 / 4, 1 / 2, 1])


def test_what_is_certain_from_the_start_is_decided_at_once() -> None:
    found = texture(run_through(race(1, 100), lambda outcome: outcome["won"]), rounds)
    assert (found.decided, found.lead_changes, found.one_sided, found.comebacks) == (0.0, 0.0, 1.0, 0.0)


def test_settled_shares_rise_to_one() -> None:
    shares = [*texture(run_through(race(4, 60), lambda o: o["won"]), rounds).settled.values()]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


def test_a_draw_is_decided_when_it_comes() -> None:
    """By hand: after one round it is a draw or goes on, as a coin has it; then a wins or it is a draw likewise.

    Nobody reaches 90 % before the end, which comes after one round in half of the games, after two in the others.
    """

    def step(state: State, rolls: Rolls) -> State:
        stop = rolls.count(2, 1, [1], "coin")
        return {"made": state["made"] + 1, "stop": stop}

    def outcome(state: State, steps: IntArray) -> State:
        return {"won": np.where(state["stop"] > 0, 0.5, np.where(state["made"] == 2, 1.0, 0.5))}

    process = Process({"made": 0, "stop": 0}, (step,), lambda s: (s["stop"] > 0) | (s["made"] == 2), outcome, 50)
    found = texture(run_through(process, lambda o: o["won"]), rounds)
    assert found.decided == pytest.approx(found.length) == pytest.approx(1.5)


@pytest.mark.slow("test_texture_is_that_of_trials_played_one_by_one")
def test_what_is_left_at_the_end_is_told_of_winner_and_loser() -> None:
    """Means over all endings of the exact distribution of a duel."""
    asked = load("warforged").duel("vanguard+shotgun", "aegis+laser_carbine", first="a")
    found = luck(asked).texture
    law = asked.distribution
    a_won, b_won = (law.p * (law["winner"] == code) for code in (1, 2))
    health = {"a": law["a_health"], "b": law["b_health"]}
    won = float((a_won + b_won).sum())
    assert found is not None
    ends = {end.name: end for end in found.at_end}
    assert ends["health"].winner.value == pytest.approx(float(a_won @ health["a"] + b_won @ health["b"]) / won)
    assert ends["overkill"].winner.value == pytest.approx(float(law.p @ law["overkill"]))
    assert ends["overkill"].loser is None
