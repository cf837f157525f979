"""Choices: made by policies, by a written example, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from balance.core import (
    FixedRolls,
    Process,
    RandomRolls,
    Rolls,
    State,
    count_rows,
    exact_law,
    play_fixed,
    simulate,
)
from balance.errors import RollsError
from balance.pmf.arrays import IntArray
from tests.core.one_step import ONE_IN_A_THOUSAND, SEED, once


@dataclass(frozen=True)
class Highest:
    """Choose the legal option with the highest number, or one below it on a coin's tails."""

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return an option."""
        best: IntArray = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        return best


@dataclass(frozen=True)
class Always:
    """Choose one option, legal or not."""

    option: int

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return that option."""
        return np.full(rolls.n, self.option)


@dataclass(frozen=True)
class Mixed:
    """Choose by chance of its own."""

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return one of the legal options."""
        return rolls.pick(legal, "mind")


def spend(state: State, rolls: Rolls) -> State:
    """Spend one of the coins that a die leaves."""
    legal = np.arange(3) < rolls.d(3, 1, "die")
    return {"spent": rolls.choose("a", "coin", legal, state, ("copper", "silver", "gold"))}


def bound_to(policy: Any) -> Process:
    plain = once(spend, spent=0)
    return Process(plain.start, plain.steps, plain.over, plain.outcome, 1, {"a": policy})


def test_policies_choose_in_simulation_and_in_the_exact_law() -> None:
    assert exact_law(bound_to(Highest())).to_dict() == {"spent": [0, 1, 2], "weight": [1, 1, 1]}
    mixed = exact_law(bound_to(Mixed()))
    assert mixed.to_dict() == {"spent": [0, 1, 2], "weight": [11, 5, 2]}
    sample = count_rows(simulate(bound_to(Mixed()), RandomRolls(SEED, "k", 0, 50_000)))
    assert mixed.agreement(sample).p_value > ONE_IN_A_THOUSAND


def test_an_illegal_choice_is_refused_by_name() -> None:
    with pytest.raises(RollsError, match=r"Always\(option=2\) chooses option 2 of 'coin' for side 'a'.*not legal"):
        simulate(bound_to(Always(2)), RandomRolls(0, "k", 0, 50))
    with pytest.raises(RollsError, match=r"legal there: 0 \(copper\)"):
        exact_law(bound_to(Always(2)))
    with pytest.raises(RollsError, match="nobody chooses 'coin'"):
        simulate(once(spend, spent=0), RandomRolls(0, "k", 0, 5))


def test_an_example_writes_choices_by_number_or_name() -> None:
    assert play_fixed(once(spend, spent=0), {"die": [3], "coin": ["silver"]}) == {"spent": 1}
    assert play_fixed(bound_to(Highest()), {"die": [2]}) == {"spent": 1}
    assert play_fixed(bound_to(Highest()), {"die": [2], "coin": [0]}) == {"spent": 0}
    with pytest.raises(RollsError, match="'coin' cannot be 'gold' here; it may be copper, silver"):
        play_fixed(once(spend, spent=0), {"die": [2], "coin": ["gold"]})
    with pytest.raises(RollsError, match="leave the outcome open"):
        play_fixed(once(spend, spent=0), {"die": [2]})
    deck = once(lambda s, r: {"top": r.shuffle(4, "deck")[:, 0], "n": r.uniform(3, "n")}, top=0, n=0)
    assert play_fixed(deck, {"deck": [2], "n": [1]}) == {"top": 2, "n": 1}
    with pytest.raises(RollsError, match="cannot be 4"):
        FixedRolls({"deck": [4]}).shuffle(4, "deck")
    with pytest.raises(RollsError, match="cannot be 2"):
        FixedRolls({"deck": [2, 2]}).shuffle(4, "deck")
