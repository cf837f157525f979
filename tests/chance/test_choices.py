"""Choices: made by policies, by a written example, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.base.errors import RollsError
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.choices import Choose, nth_true
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import FixedRolls, ProxyRolls, RandomRolls, Rolls, bound, with_names
from balance.chance.trials.lockstep import play_fixed, simulate
from balance.chance.trials.tally import count_rows
from tests.chance.one_step import ONE_IN_A_THOUSAND, SEED, once


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


def test_policies_choose_in_simulation_and_in_the_exact_distribution() -> None:
    assert exact_distribution(bound_to(Highest())).to_dict() == {"spent": [0, 1, 2], "weight": [1, 1, 1]}
    mixed = exact_distribution(bound_to(Mixed()))
    assert mixed.to_dict() == {"spent": [0, 1, 2], "weight": [11, 5, 2]}
    sample = count_rows(simulate(bound_to(Mixed()), RandomRolls(SEED, "k", 0, 50_000)))
    assert mixed.agreement(sample).p_value > ONE_IN_A_THOUSAND


def test_an_illegal_choice_is_refused_by_name() -> None:
    with pytest.raises(RollsError, match=r"Always\(option=2\) chooses option 2 of 'coin' for side 'a'.*not legal"):
        simulate(bound_to(Always(2)), RandomRolls(0, "k", 0, 50))
    with pytest.raises(RollsError, match=r"\(trial 0, and 1 more\); legal there: 0 \(copper\)"):
        exact_distribution(bound_to(Always(2)))
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


def test_the_luck_of_a_policy_goes_by_its_side_and_stays_with_the_seat() -> None:
    asked: list[str] = []

    def note(rolls: Rolls, request: Any) -> Any:
        asked.append(request.name)
        return rolls.answer(request)

    noted = ProxyRolls(RandomRolls(0, "k", 0, 3), note)
    swapped = with_names(noted, lambda name: name.replace("a ", "b ", 1))
    for rolls in (noted, swapped):
        bound_to(Mixed()).step(0)({"spent": np.zeros(3, np.int16)}, rolls)
    assert asked == ["die", "a mind", "die", "b mind"]


def test_a_proxy_keeps_what_the_rolls_behind_it_keep() -> None:
    behind = RandomRolls(0, "k", 0, 5)
    rolls = with_names(behind, str)
    rolls.keep(np.array([0, 3]))
    assert rolls.n == behind.n == len(rolls.d(6, 1, "die")) == 2


@pytest.mark.parametrize(("legal", "option"), [(2, 2), (2, -1), (np.array([3, 2]), 2), (np.ones((2, 2), bool), -1)])
def test_options_out_of_range_are_illegal(legal: Any, option: int) -> None:
    rolls = bound(RandomRolls(0, "k", 0, 2), {"a": Always(option)})
    with pytest.raises(RollsError, match=f"chooses option {option} of 'x'"):
        rolls.choose("a", "x", legal, None)


def test_an_answer_is_one_integer_for_each_trial() -> None:
    class Vague:
        def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> Any:
            return np.zeros((rolls.n, 1))

    with pytest.raises(RollsError, match=r"answers 'x' with float64\[2, 1\]; choose int\[n\]"):
        bound(RandomRolls(0, "k", 0, 2), {"a": Vague()}).choose("a", "x", 2, None)


@dataclass(frozen=True)
class Written:
    """Choose what is written for each trial."""

    options: tuple[int, ...]

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return it."""
        return np.array(self.options)


MASK = np.array([[True, True, False], [True, False, True], [False, False, False]])


@pytest.mark.parametrize(
    ("legal", "options", "row", "more", "told"),
    [
        (MASK[:2], (1, 1), 1, 0, "0 (copper), 2"),
        (MASK[:2], (2, 1), 0, 1, "0 (copper), 1 (silver)"),
        (MASK[:2], (0, 3), 1, 0, "0 (copper), 2"),
        (MASK[1:], (0, 0), 1, 0, "nothing"),
        (3, (0, 3), 1, 0, "0 (copper), 1 (silver), 2"),
        (np.array([3, 1]), (2, 1), 1, 0, "0 (copper)"),
        (np.array([1, 3]), (-1, 3), 0, 1, "0 (copper)"),
    ],
)  # fmt: skip
def test_what_is_not_legal_is_told_of_its_first_trial_with_what_is_legal_there(
    legal: Any, options: tuple[int, ...], row: int, more: int, told: str
) -> None:
    rolls = bound(RandomRolls(0, "k", 0, 2), {"a": Written(options)})
    with pytest.raises(RollsError) as error:
        rolls.choose("a", "x", legal, None, ("copper", "silver"))
    assert str(error.value) == (
        f"{Written(options)} chooses option {options[row]} of 'x' for side 'a', which is not legal "
        f"(trial {row}, and {more} more); legal there: {told}"
    )


@pytest.mark.parametrize("legal", [MASK[:2], 3, np.array([2, 3])])
def test_what_is_legal_is_taken_as_it_is(legal: Any) -> None:
    rolls = bound(RandomRolls(0, "k", 0, 2), {"a": Written((1, 2))})
    assert rolls.choose("a", "x", legal, None).tolist() == [1, 2]


def test_an_answer_without_a_policy_tells_how_to_bind_one() -> None:
    with pytest.raises(RollsError) as error:
        RandomRolls(0, "k", 0, 2).choose("a", "x", 2, None)
    assert str(error.value) == "nobody chooses 'x' for side 'a'; bind a policy to the process: policies={'a': ...}"


@pytest.mark.parametrize(
    ("legal", "n_ways", "flags", "ways"),
    [
        (3, 3, [[True, True, True]], [0, 2, 1]),
        (np.array([1, 3, 2]), [1, 3, 2], [[True, False, False], [True, True, True], [True, True, False]], [0, 2, 1]),
        (MASK[[0, 1, 1]], [2, 2, 2], MASK[[0, 1, 1]].tolist(), [0, 2, 2]),
        (MASK[[0, 1, 1]].astype(int), [2, 2, 2], MASK[[0, 1, 1]].tolist(), [0, 2, 2]),
    ],
)
def test_the_options_of_a_choice_in_their_order(legal: Any, n_ways: Any, flags: Any, ways: list[int]) -> None:
    choice, numbers = Choose("x", "a", legal, None), [0, 2, 1] if np.ndim(legal) < 2 else [0, 1, 1]
    assert np.asarray(choice.n_ways()).tolist() == n_ways
    assert (choice.flags().tolist(), choice.flags().dtype.name) == (flags, "bool")
    assert choice.way(np.array(numbers)).tolist() == ways
    assert choice.weigh(np.array(numbers)) == (None, 1)


def test_the_nth_flag_that_is_set_of_each_row() -> None:
    flags = np.array([[False, True, False, True, True]] * 3 + [[True, False, False, False, True]] * 2)
    assert nth_true(flags, np.array([0, 1, 2, 0, 1])).tolist() == [1, 3, 4, 0, 4]
