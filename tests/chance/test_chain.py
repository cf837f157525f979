"""Chains against closed forms, and against the same process told in another way."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from balance.base.errors import DistributionError, RulesError
from balance.chance.exact import chain as module
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import Process, State, Step
from balance.chance.rolls.rolls import Rolls
from tests.chance.toys import HIT, gamblers_ruin, kill, race, until_success


@pytest.mark.parametrize(("good", "faces"), [(1, 6), (1, 2), (9, 10)])
def test_rolls_until_a_success_are_geometric(good: int, faces: int) -> None:
    distribution, p = chain_distribution(until_success(good, faces)), good / faces
    n = distribution["rolls"]
    assert n.tolist() == list(range(1, len(n) + 1))
    np.testing.assert_allclose(distribution.p, p * (1 - p) ** (n - 1), rtol=1e-12)
    assert distribution.mean("rolls") == pytest.approx(1 / p, rel=1e-12)


@pytest.mark.parametrize(("good", "faces"), [(3, 6), (2, 6), (4, 6), (11, 20)])
def test_gamblers_ruin(good: int, faces: int) -> None:
    """P(rich) = (1 - r**i) / (1 - r**n) with r = q / p, and i / n for a fair game (Feller, ch. XIV)."""
    start, goal, ratio = 3, 8, (faces - good) / good
    expected = start / goal if ratio == 1 else (1 - ratio**start) / (1 - ratio**goal)
    assert chain_distribution(gamblers_ruin(start, goal, good, faces)).chance(lambda rich: rich == 1) == pytest.approx(
        expected, rel=1e-11
    )


def test_a_race_is_won_as_two_independent_kill_times_say() -> None:
    """P(a wins) = sum over n of P(Na = n) P(Nb >= n), with Na the strikes a needs; a strikes first."""
    needs_a, needs_b = chain_distribution(kill(7)), chain_distribution(kill(5))
    p_b = dict(zip(needs_b["strikes"].tolist(), needs_b.p.tolist(), strict=True))
    expected = sum(
        p * sum(q for m, q in p_b.items() if m >= n)
        for n, p in zip(needs_a["strikes"].tolist(), needs_a.p.tolist(), strict=True)
    )
    distribution = chain_distribution(race(a_health=5, b_health=7))
    assert distribution.chance(lambda winner: winner == 1) == pytest.approx(expected, rel=1e-12)


def test_strikes_to_kill_are_a_convolution() -> None:
    """P(dead within n strikes) from the distribution of the sum of n, in integers."""
    distribution, dealt = chain_distribution(kill(6)), Pmf.of([0], "damage")
    for n in range(1, 12):
        dealt = dealt + HIT
        dead = dealt.chance(lambda damage: damage >= 6)
        assert distribution.chance(lambda strikes, n=n: strikes <= n) == pytest.approx(dead, rel=1e-12, abs=1e-15)


def test_literal_and_compiled_chains_are_the_same() -> None:
    literal, compiled = chain_distribution(race(6, 6, literal=True)), chain_distribution(race(6, 6))
    assert literal.outcomes.tolist() == compiled.outcomes.tolist()
    np.testing.assert_allclose(literal.p, compiled.p, rtol=1e-12, atol=1e-17)


def test_a_limit_leaves_the_undecided_as_they_stand() -> None:
    limited = chain_distribution(until_success(1, 6, max_steps=3))
    assert limited["rolls"].tolist() == [1, 2, 3]
    np.testing.assert_allclose(limited.p, [1 / 6, 5 / 36, 25 / 36], rtol=1e-13)


@pytest.mark.parametrize("max_steps", [1, 2, 3, 4, 7])
def test_with_a_limit_it_is_the_enumeration(max_steps: int) -> None:
    process = race(3, 3, literal=True)
    short = Process(process.start, process.steps, process.over, process.outcome, max_steps)
    solved, listed = chain_distribution(short), exact_distribution(short)
    assert solved.outcomes.tolist() == listed.outcomes.tolist()
    np.testing.assert_allclose(solved.p, listed.p, rtol=1e-12)


def test_a_chain_may_end_before_all_kinds_of_steps_were_made() -> None:
    distribution = chain_distribution(race(5, 0))
    assert distribution.to_dict() == {"winner": [1], "rounds": [1], "weight": [1.0]}


def test_kinds_of_steps_that_are_never_reached_do_not_matter() -> None:
    process = race(5, 0)
    longer = replace(process, steps=process.steps * 3)
    assert chain_distribution(longer).to_dict() == chain_distribution(process).to_dict()


@pytest.mark.parametrize("process", [race(5, 4), kill(6), gamblers_ruin(3, 8, 2, 6), until_success(1, 6)])
def test_few_transitions_are_pushed_by_numpy_to_the_same_bits(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for few in (0, 10**9):
        monkeypatch.setattr(module, "SMALL_LAYER", few)
        found.append(chain_distribution(process))
    np.testing.assert_array_equal(found[0].outcomes, found[1].outcomes)
    np.testing.assert_array_equal(found[0].p, found[1].p)


@pytest.mark.parametrize("max_steps", [300, 1001, 100_000])
def test_many_cycles_at_once_are_pushed_as_one_by_one(max_steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    long = replace(race(3, 2), steps=tuple(partial(seldom, step) for step in race(3, 2).steps), max_steps=max_steps)
    at_once = chain_distribution(long)
    monkeypatch.setattr(module, "MOST_DENSE", 0)
    one_by_one = chain_distribution(long)
    np.testing.assert_array_equal(at_once.outcomes, one_by_one.outcomes)
    np.testing.assert_allclose(at_once.p, one_by_one.p, rtol=1e-10)


def seldom(step: Step, state: State, rolls: Rolls) -> State:
    """Make a step once in twenty times."""
    happens, after = rolls.uniform(20, "seldom") == 0, step(state, rolls)
    return {name: np.where(happens, after[name], values) for name, values in state.items()}


def test_all_probability_is_accounted_for() -> None:
    distribution = chain_distribution(race(9, 9))
    assert distribution.total == pytest.approx(1.0, abs=1e-12)
    assert not distribution.is_exact


def test_states_with_many_columns_are_told_apart() -> None:
    """Six columns do not fit a 64-bit key: they are told apart by a checked digest."""

    def step(state: State, rolls: Rolls) -> State:
        face = rolls.d(6, 1, "die")[:, 0]
        return {name: (state[name] + (face == place + 1)).astype(np.int16) for place, name in enumerate(state)}

    start = dict.fromkeys("abcdef", 0)
    process = Process(start, (step,), lambda s: s["a"] < 0, lambda s, steps: s, max_steps=3)
    assert chain_distribution(process).outcomes.tolist() == exact_distribution(process).outcomes.tolist()
    np.testing.assert_allclose(chain_distribution(process).p, exact_distribution(process).p, rtol=1e-12)


def test_too_many_states_are_refused_with_a_tip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_CHAIN", 5)
    with pytest.raises(RulesError, match="trials="):
        chain_distribution(gamblers_ruin(5, 12, 1, 2))


def test_it_ends_when_less_than_a_trillionth_of_a_millionth_is_undecided() -> None:
    """Half of what is left ends at each step: after 59 steps 1.7e-18 are undecided, after 60 steps 0.9e-18."""
    distribution = chain_distribution(until_success(1, 2))
    assert distribution["rolls"].tolist() == list(range(1, 61))
    assert distribution.p.tolist() == pytest.approx([0.5**n for n in range(1, 61)], rel=1e-12)


def test_states_up_to_the_limit_are_solved_and_one_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fortune of 0 to 12, in a layer of its own before the only step."""
    for largest in (13, 12):
        monkeypatch.setattr(module, "LARGEST_CHAIN", largest)
        if largest == 13:
            assert chain_distribution(gamblers_ruin(5, 12, 1, 2)).mean("rich") == pytest.approx(5 / 12, rel=1e-11)
            continue
        with pytest.raises(RulesError) as error:
            chain_distribution(gamblers_ruin(5, 12, 1, 2))
        assert str(error.value) == (
            "more than 12 states can be reached; too many to solve exactly; simulate: add trials="
        )


def walk(start: dict[str, Any], low: int, high: int) -> Process:
    """Return two steps of a walk by `low` or `high`, told in the last column."""
    *_, column = start

    def step(state: State, rolls: Rolls) -> State:
        by = np.where(rolls.count(2, 1, [2], "coin") > 0, high, low).astype(np.int64)
        return {**state, column: state[column] + by}

    return Process(start, (step,), lambda s: np.zeros(len(s[column]), bool), lambda s, n: {"x": s[column]}, 2)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5])
def test_columns_of_16_bits_hold_all_their_numbers(columns: int) -> None:
    """Up to four columns of 16 bits make one key; more of them, or wider ones, are told apart by digests."""
    start = dict.fromkeys("abcde"[:columns], 0)
    found = chain_distribution(walk(start, -16384, 16383)).to_dict()
    assert found == {"x": [-32768, -1, 32766], "weight": [0.25, 0.5, 0.25]}


@pytest.mark.parametrize("by", [16384, -16385])
def test_a_number_beyond_16_bits_is_refused_with_how_to_hold_it(by: int) -> None:
    with pytest.raises(DistributionError) as error:
        chain_distribution(walk({"x": 0}, by, by))
    assert str(error.value) == (
        f"a state holds {abs(2 * by):,}, beyond 16 bits; start that column with a wider type: np.int64(0)"
    )
    assert chain_distribution(walk({"x": np.int64(0)}, by, by)).to_dict() == {"x": [2 * by], "weight": [1.0]}


def test_two_states_of_one_digest_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_odd_numbers", lambda k: np.zeros(k, np.uint64))
    with pytest.raises(AssertionError) as error:
        chain_distribution(walk(dict.fromkeys("abcde", 0), 0, 1))
    assert str(error.value) == "two states share one 64-bit key; please report this process"


def test_digests_are_made_of_odd_numbers_that_stay() -> None:
    numbers = module._odd_numbers(5).tolist()
    assert len(set(numbers)) == 5
    assert {number % 2 for number in numbers} == {1}
    assert module._odd_numbers(3).tolist() == numbers[:3]


def test_a_layer_holds_two_million_states() -> None:
    assert module.LARGEST_CHAIN == 2_000_000
