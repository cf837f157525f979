"""Courses of processes: games small enough to be worked out by hand, and the engine's own exact distributions."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.base.errors import DistributionError
from balance.chance.exact import course as course_module
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.course import run_through
from balance.chance.rolls.process import Process, State, Step
from balance.chance.rolls.rolls import Rolls
from balance.game.loaded import load


def won(outcome: Mapping[str, Any]) -> FloatArray:
    return np.asarray(outcome["won"], np.float64)


def once(step: Step, **start: int) -> Process:
    """Return a process of one step that reports `won`."""
    return Process({"won": 0, **start}, (step,), lambda s: s["won"] >= 0, lambda s, steps: {"won": s["won"]}, 1)


def both_coins(state: State, rolls: Rolls) -> State:
    """Win if both coins show heads."""
    one, other = (rolls.count(2, 1, [2], name) for name in ("one", "other"))
    return {"won": one * other}


def test_two_coins_that_must_both_show_heads() -> None:
    """By hand: p = 1/4, variance 3/16. E[won | one] is 1/2 or 0: variance 1/16, a third of it; likewise the other.

    The third that is left is of both together. When rolled, the first coin brings 1/16 and the second what is left:
    half the time 1/4, that is 1/8.
    """
    course = run_through(once(both_coins), won)
    assert (course.mean, course.variance) == pytest.approx((1 / 4, 3 / 16))
    assert course.shared_by("one") == pytest.approx(1 / 16)
    assert course.shared_by("other") == pytest.approx(1 / 16)
    assert course.when_rolled() == pytest.approx({"one": 1 / 16, "other": 2 / 16})


def test_a_race_of_coins() -> None:
    """One toss a turn of "coin"; the first heads ends it, and wins if it comes at an odd toss.

    By hand: V = 1/2 + 1/4 V gives 2/3. All is told by one name, so it settles everything alone.
    """

    def toss(state: State, rolls: Rolls) -> State:
        heads = rolls.count(2, 1, [2], "coin")
        return {"won": np.where(heads > 0, state["turn"], -1).astype(np.int16), "turn": 1 - state["turn"]}

    race = Process({"won": -1, "turn": 1}, (toss,), lambda s: s["won"] >= 0, lambda s, steps: {"won": s["won"]}, 10_000)
    course = run_through(race, won)
    assert course.mean == pytest.approx(2 / 3)
    assert course.shared_by("coin") == pytest.approx(course.variance)
    assert sum(course.when_rolled().values()) == pytest.approx(2 / 9)


def test_noughts_and_crosses_on_three_cells() -> None:
    """Two players put stones by luck on three cells in a row; X begins, and wins if its two stones touch.

    By hand: X takes one of 3, O one of 2, X the last. X wins unless O sits in the middle. "X" tells the first cell:
    in the middle X wins for certain, at an end with 1/2: variance of (1, 1/2, 1/2) is 1/18. "O" tells only whether it
    takes the lower or the upper of the free cells: after X = 0 (free 1, 2) the lower is the middle; after X = 1 none
    is; after X = 2 (free 0, 1) the upper is. Given "O" lower X wins in 2 of 3, given upper likewise: it settles nothing
    alone. The chance is 2/3, the variance 2/9; so a quarter is settled by X, and three quarters together.
    """

    def play(state: State, rolls: Rolls) -> State:
        first = rolls.uniform(3, "X")
        second = rolls.uniform(2, "O")
        o = np.where(second >= first, second + 1, second)
        return {"won": (o != 1).astype(np.int16)}

    course = run_through(once(play), won)
    assert (course.mean, course.variance) == pytest.approx((2 / 3, 2 / 9))
    assert course.shared_by("X") == pytest.approx(1 / 18)
    assert course.shared_by("O") == pytest.approx(0)
    assert course.when_rolled() == pytest.approx({"X": 1 / 18, "O": 1 / 6})


def test_a_pool_whose_size_hangs_on_the_state() -> None:
    """What two trials share are the dice: one that rolls two of them shares the first with one that rolls one."""

    def strike(state: State, rolls: Rolls) -> State:
        more = rolls.count(2, 1, [2], "coin")
        hits = rolls.count(3, 2, [3], "hit", more + 1)
        return {"won": (hits > 0).astype(np.int16)}

    def outcomes(coin: int, dice: tuple[int, ...]) -> float:
        return float(any(die == 3 for die in dice[: coin + 1]))

    falls = list(product((1, 2, 3), repeat=2))
    known = [np.mean([outcomes(coin, dice) for coin in (0, 1)]) for dice in falls]
    course = run_through(once(strike), won)
    assert course.shared_by("hit") == pytest.approx(np.var(known))


def test_a_start_by_luck_is_a_source() -> None:
    def start(rolls: Rolls, n: int) -> State:
        return {"won": rolls.uniform(2, "begin").astype(np.int16)}

    def step(state: State, rolls: Rolls) -> State:
        return {"won": state["won"] * rolls.count(2, 1, [2], "coin")}

    begun = Process(start, (step,), lambda s: s["won"] >= 0, lambda s, steps: {"won": s["won"]}, 1)
    course = run_through(begun, won)
    assert course.when_rolled() == pytest.approx({"begin": 1 / 16, "coin": 2 / 16})
    assert course.shared_by("begin") == pytest.approx(1 / 16)


def test_what_nobody_asks_for_settles_nothing() -> None:
    assert run_through(once(both_coins), won).shared_by("third") == pytest.approx(0)


QUESTIONS = [
    ("warforged", "duel", "vanguard+shotgun", "aegis+laser_carbine", "a"),
    ("warforged", "kill", "nexus+assault_rifle", "trooper", None),
    ("battlelore", "duel", "blue_foot+short_sword", "red_foot+short_sword", "b"),
    ("immortal_souls", "duel", "ecarus", "red_bandit", None),
    ("runewars", "attack", "reanimates+4x3", "spearmen+2x2", None),
]


@pytest.mark.parametrize("game, kind, one, other, first", QUESTIONS)
def test_mean_and_variance_are_those_of_the_exact_distribution(
    game: str, kind: str, one: str, other: str, first: str | None
) -> None:
    question = load(game).ask(kind, one, other, first=first)
    roles = (question.kind.column(role) for role in ("winner", "duration", "effect"))
    column = next(name for name in roles if name is not None)
    for process in question.kind.processes(question.setup, "literal"):
        distribution = chain_distribution(process)
        course = run_through(process, lambda outcome: np.asarray(outcome[column], np.float64))
        assert course.mean == pytest.approx(distribution.mean(column), abs=1e-10)
        assert course.variance == pytest.approx(distribution.variance(column), abs=1e-10)
        assert sum(course.when_rolled().values()) == pytest.approx(course.variance, abs=1e-10)


def test_one_attack_against_every_fall_of_its_dice() -> None:
    """Nexus and Assault Rifle at a Trooper, exactly and from a list of all dice in fractions."""
    question = load("warforged").attack("nexus+assault_rifle", "trooper")
    (process,) = question.kind.processes(question.setup, "literal")
    course = run_through(process, lambda outcome: np.asarray(outcome["damage"], float))
    exact = question.distribution
    mean = Fraction(sum(int(d) * int(w) for d, w in zip(exact["damage"], exact.weights, strict=True)), exact.total)
    assert course.mean == pytest.approx(float(mean))
    assert course.shared_by("precision") + course.shared_by("armour") < course.variance


def test_too_much_to_share_is_refused_before_it_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course_module, "LARGEST_SHARED", 1)
    with pytest.raises(DistributionError, match="more than 1 expected values would have to be kept"):
        run_through(once(both_coins), won).shared_by("one")


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course_module, "LARGEST_COURSE", 1)
    with pytest.raises(DistributionError, match="would have to be kept"):
        _ = run_through(once(both_coins), won).mean
