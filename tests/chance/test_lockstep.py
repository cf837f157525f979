"""Many trials in lockstep: each ends on its own, whoever plays beside it."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.arrays import BoolArray
from balance.base.errors import RollsError
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls
from balance.chance.trials.lockstep import play_fixed, simulate
from balance.chance.trials.tally import count_rows
from tests.chance.toys import kill, race, until_success


def test_every_trial_is_reported_once() -> None:
    columns = simulate(race(6, 6), RandomRolls(0, "k", 0, 5000))
    assert {len(values) for values in columns.values()} == {5000}
    assert set(columns["winner"].tolist()) == {1, 2}


@pytest.mark.parametrize("literal", [True, False])
def test_trials_follow_the_exact_distribution(literal: bool) -> None:
    """A G-test; fails for one seed in 1000 a case."""
    sample = count_rows(simulate(race(6, 6, literal), RandomRolls(20261121, "agree", 0, 65536)))
    assert chain_distribution(race(6, 6)).agreement(sample).p_value > 0.001


def test_trials_of_another_process_do_not() -> None:
    sample = count_rows(simulate(race(6, 7), RandomRolls(20261121, "agree", 0, 65536)))
    assert chain_distribution(race(6, 6)).agreement(sample).p_value < 1e-6


def test_a_batch_is_as_many_single_trials_on_the_same_dice() -> None:
    """Fixed dice replay each trial of a paired batch alone; the outcomes are the same."""
    n = 40
    rolls = RandomRolls(5, "k", 0, n, is_paired=True)
    dice = [RandomRolls(5, "k", 0, n, is_paired=True).stream(f"{side} die") for side in "ab"]
    faces = [[g.integers(1, 11, size=(1, n), dtype=np.int16)[0] for _ in range(60)] for g in dice]
    together = count_rows(simulate(race(4, 4, literal=True), rolls))
    alone = [
        simulate(
            race(4, 4, literal=True),
            FixedRolls(
                {f"{side} die": [int(row[trial]) for row in rows] for side, rows in zip("ab", faces, strict=True)}
            ),
        )
        for trial in range(n)
    ]
    rows = {name: np.concatenate([one[name] for one in alone]) for name in alone[0]}
    assert together.to_dict() == count_rows(rows).to_dict()


def test_what_a_limit_cuts_off_is_reported_as_it_stands() -> None:
    columns = simulate(until_success(1, 6, max_steps=3), RandomRolls(0, "k", 0, 20_000))
    assert len(columns["rolls"]) == 20_000
    assert columns["rolls"].max() == 3
    expected = exact_distribution(until_success(1, 6, max_steps=3))
    assert expected.agreement(count_rows(columns)).p_value > 0.001


def test_steps_are_made_in_turn_and_change_no_array_they_were_given() -> None:
    seen = []

    def step(name: str, state: State, rolls: Rolls) -> State:
        seen.append(name)
        state["x"].flags.writeable = False
        return {"x": state["x"] + 1}

    steps = (lambda s, r: step("a", s, r), lambda s, r: step("b", s, r))
    process = Process({"x": 0}, steps, lambda s: s["x"] >= 5, lambda s, n: {"n": n}, 10)
    assert simulate(process, RandomRolls(0, "k", 0, 3))["n"].tolist() == [5, 5, 5]
    assert seen == ["a", "b", "a", "b", "a"]


def _in_order(health: int, paired: bool) -> np.ndarray:
    """Return the strikes that each trial needs, by trial."""
    plain = kill(health)

    def step(state: State, rolls: Rolls) -> State:
        trial = state["trial"] if state["trial"].any() else np.arange(len(state["trial"]), dtype=np.int16)
        return {**plain.steps[0]({"health": state["health"]}, rolls), "trial": trial}

    process = Process(
        {"health": health, "trial": 0}, (step,), plain.over, lambda s, n: {"n": n, "trial": s["trial"]}, 10_000
    )
    columns = simulate(process, RandomRolls(20261121, "pair", 0, 20_000, is_paired=paired))
    return columns["n"][np.argsort(columns["trial"], kind="stable")]


def test_paired_runs_stay_on_the_same_dice() -> None:
    """Before and after a change (10 or 12 health): the variance of the difference falls a lot when dice stay paired."""
    difference = {paired: _in_order(12, paired) - _in_order(10, paired) for paired in (False, True)}
    assert (difference[True] >= 0).all()
    assert (difference[False] < 0).any()
    assert difference[False].var() > 3 * difference[True].var()
    assert difference[True].mean() == pytest.approx(difference[False].mean(), abs=0.15)


def test_a_written_example_is_played_on_its_own_dice() -> None:
    assert play_fixed(race(2, 2, literal=True), {"a die": [1, 10], "b die": [6]}) == {"winner": 1, "rounds": 2}


@pytest.mark.slow("test_a_written_example_is_played_on_its_own_dice")
def test_a_written_example_must_decide_the_outcome() -> None:
    with pytest.raises(RollsError, match="open"):
        play_fixed(race(2, 2, literal=True), {"a die": [1], "b die": [6]})
    with pytest.raises(RollsError, match="never rolled"):
        play_fixed(race(2, 2, literal=True), {"a die": [10, 10]})


def test_a_die_of_up_to_twenty_faces_that_an_example_leaves_out_must_not_matter() -> None:
    """A hit on 20 only: the first nineteen faces agree."""
    shot = Process(
        {"hit": 0}, (lambda s, r: {"hit": r.count(20, 1, [20], "x")},), lambda s: s["hit"] >= 0, lambda s, n: s, 1
    )
    with pytest.raises(RollsError) as error:
        play_fixed(shot, {})
    assert str(error.value) == "these dice leave the outcome open: {} may end in {'hit': 0} or {'hit': 1}"
    assert play_fixed(shot, {"x": [20]}) == {"hit": 1}


def test_trials_are_told_as_they_end_or_in_their_order() -> None:
    """Trial i of six ends after 6 - i steps, but the first two not before the limit."""
    process = Process(
        lambda rolls, n: {"left": n - np.arange(n), "trial": np.arange(n)},
        (lambda s, r: {**s, "left": s["left"] - 1},),
        lambda s: s["left"] <= 0,
        lambda s, n: {"trial": s["trial"], "steps": n, "alike": np.array(7, np.int16)},
        4,
    )
    ended, ordered = (simulate(process, RandomRolls(0, "k", 0, 6), in_order=how) for how in (False, True))
    assert {name: values.tolist() for name, values in ended.items()} == {
        "trial": [5, 4, 3, 2, 0, 1], "steps": [1, 2, 3, 4, 4, 4], "alike": [7] * 6,
    }  # fmt: skip
    assert {name: values.tolist() for name, values in ordered.items()} == {
        "trial": [0, 1, 2, 3, 4, 5], "steps": [4, 4, 4, 3, 2, 1], "alike": [7] * 6,
    }  # fmt: skip
    assert (ended["steps"].dtype.name, ended["alike"].dtype.name) == ("int16", "int16")


def test_dice_are_drawn_for_those_alive_only() -> None:
    """Of the trials of one block, those that go on take the first dice of the next throw."""
    process = Process({"six": 0, "face": 0}, (throw,), lambda s: s["six"] > 0, lambda s, n: {"n": n, **s}, 3)
    found = simulate(process, RandomRolls(4, "k", 0, 40), in_order=True)
    stream = RandomRolls(4, "k", 0, 40)
    left, expected = list(range(40)), dict[int, tuple[int, int]]()
    for number in (1, 2, 3):
        stream.n = len(left)
        faces = stream.d(6, 1, "die")[:, 0].tolist()
        for trial, face in zip(left, faces, strict=True):
            expected[trial] = (number, face)
        left = [trial for trial, face in zip(left, faces, strict=True) if face < 6]
    assert list(zip(found["n"].tolist(), found["face"].tolist(), strict=True)) == [
        expected[trial] for trial in range(40)
    ]


def throw(state: State, rolls: Rolls) -> State:
    face = rolls.d(6, 1, "die")[:, 0]
    return {"six": (face == 6).astype(np.int16), "face": face}


def test_a_trial_may_take_more_steps_than_a_short_number_counts() -> None:
    """A fight of units that hardly ever hit goes on for tens of thousands of steps."""
    process = Process(
        {"left": 0},
        (lambda state, rolls: {"left": state["left"] + 1},),
        lambda state: np.zeros(len(state["left"]), bool),
        lambda state, steps: {"steps": steps},
        max_steps=2**15 + 1,
    )
    assert simulate(process, RandomRolls(0, "long", 0, 2))["steps"].tolist() == [2**15 + 1] * 2


def test_a_step_in_which_nobody_acts_ends_nothing_that_was_not_over() -> None:
    """The first step is looked at all the same: a fight may begin decided."""

    def idle(state: State, rolls: Rolls) -> State:
        return state

    def over(state: State) -> BoolArray:
        return np.asarray(state["left"] == 0)

    def strike(state: State, rolls: Rolls) -> State:
        return {"left": state["left"] - 1}

    def played(left: int) -> list[int]:
        process = Process({"left": left}, (idle, strike), over, lambda state, steps: {"steps": steps}, max_steps=9)
        return [int(n) for n in simulate(process, RandomRolls(0, "idle", 0, 1))["steps"]]

    assert [played(0), played(1), played(2), played(9)] == [[1], [2], [4], [9]]
