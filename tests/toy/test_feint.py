"""A game with hidden cards, a symbol to spend and a choice: its rules are written once and answer everything.

The second telling below knows nothing of the package: it deals every pair of cards, tries every plan and throws every
die in plain loops of fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from balance.base.arrays import IntArray
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.exact.tree import every_option
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.solvers import solve_matrix_game
from balance.chance.trials.lockstep import play_fixed, simulate
from balance.chance.trials.tally import count_rows
from balance.game.game import LANES
from balance.game.loaded import load
from balance.game.question.question import Question
from balance.games import check_game
from tests.toy.feint import GAME, SPEND, clash

CARDS, SURGE = 4, 2
PLANS = list(product((0, 1), repeat=CARDS))
"""Every plan for one round: by card, whether to spend."""


def question(a: str = "knight", b: str = "ogre", **policies: str) -> Question:
    return load(GAME).ask("duel", a, b, **policies)


def process_of(asked: Question) -> Process:
    return asked.kind.processes(asked.setup, LANES[0])[0]


# -- the second telling ------------------------------------------------------------------------------------------------

Chances = dict[tuple[int, int], Fraction]
Mind = Callable[[int], Fraction]
"""Card -> the chance to spend a surge that is still there."""


def told_again(health: tuple[int, int], dice: tuple[int, int], minds: tuple[Mind, Mind], rounds: int) -> Chances:
    """Return the chance of each (winner, rounds fought)."""
    found: Chances = {}
    deals = list(permutations(range(CARDS), 2))
    for cards in deals:
        _go_on(found, Fraction(1, len(deals)), cards, health, (1, 1), dice, minds, 1, rounds)
    return found


def _go_on(
    found: Chances, chance: Fraction, cards: tuple[int, ...], health: tuple[int, int], surge: tuple[int, int],
    dice: tuple[int, int], minds: tuple[Mind, Mind], number: int, rounds: int,
) -> None:  # fmt: skip
    odds = [minds[me](cards[me]) if surge[me] else Fraction(0) for me in (0, 1)]
    for spent in product((0, 1), repeat=2):
        p = chance
        for me in (0, 1):
            p *= odds[me] if spent[me] else 1 - odds[me]
        if p == 0:
            continue
        strong = [cards[me] + SURGE * spent[me] for me in (0, 1)]
        winner = None if strong[0] == strong[1] else int(strong[1] > strong[0])
        left = (surge[0] - spent[0], surge[1] - spent[1])
        for hits in range(1 if winner is None else dice[winner] + 1):
            after, q = list(health), p
            if winner is not None:
                after[1 - winner] -= hits
                q *= Fraction(comb(dice[winner], hits), 2 ** dice[winner])
            if min(after) <= 0 or number == rounds:
                score = [max(after[me], 0) + left[me] for me in (0, 1)]
                end = (1 if score[0] > score[1] else 2 if score[0] < score[1] else 0, number)
                found[end] = found.get(end, Fraction(0)) + q
            else:
                _go_on(found, q, cards, (after[0], after[1]), left, dice, minds, number + 1, rounds)


MINDS: dict[str, Mind] = {
    "never": lambda card: Fraction(0),
    "at once": lambda card: Fraction(1),
    "low": lambda card: Fraction(1, 2) if card <= 1 else Fraction(0),
}


def payoff_told_again(one: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
    """Return P(a wins) - P(b wins) of a knight and an ogre in one round of two plans."""
    minds = (lambda card: Fraction(one[card]), lambda card: Fraction(other[card]))
    found = told_again((3, 4), (2, 3), minds, 1)
    return found.get((1, 1), Fraction(0)) - found.get((2, 1), Fraction(0))


# -- what the package says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_pairs", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_it_keeps_its_promises(n_pairs: int) -> None:
    assert check_game(GAME, n_pairs=n_pairs) == ()


@pytest.mark.parametrize("a", SPEND)
@pytest.mark.parametrize("b", SPEND)
def test_the_exact_distribution_is_what_the_second_telling_counts(a: str, b: str) -> None:
    distribution = question(policy_a=a, policy_b=b).distribution
    assert distribution.is_exact
    expected = told_again((3, 4), (2, 3), (MINDS[a], MINDS[b]), 2)
    got = {
        tuple(row): Fraction(weight, distribution.total)
        for row, weight in zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True)
    }
    assert got == {end: p for end, p in expected.items() if p}


def test_the_chain_of_states_says_the_same() -> None:
    process = process_of(question(policy_a="low", policy_b="at once"))
    chain, distribution = chain_distribution(process), exact_distribution(process)
    assert chain.outcomes.tolist() == distribution.outcomes.tolist()
    np.testing.assert_allclose(chain.weights, distribution.p, rtol=1e-12)


def test_simulation_agrees_and_another_policy_would_be_found_out() -> None:
    """G-tests; the first fails for one seed in 1000."""
    distribution = question(policy_a="low", policy_b="at once").distribution
    for a, agrees in (("low", True), ("never", False)):
        process = process_of(question(policy_a=a, policy_b="at once"))
        sample = count_rows(simulate(process, RandomRolls(20261122, "feint", 0, 50_000)))
        p_value = distribution.agreement(sample).p_value
        assert p_value > 1e-3 if agrees else p_value < 1e-6


def test_a_written_example_is_played() -> None:
    """The knight (card 1) spends at once against card 2 and hits once; then the ogre's card is the higher."""
    example: dict[str, list[int | str]] = {
        "deck": [1, 2], "a surge": ["spend", "keep"], "b surge": ["keep", "keep"],
        "a throw": [4, 1], "b throw": [6, 5, 2],
    }  # fmt: skip
    assert play_fixed(process_of(question()), example) == {"winner": 2, "rounds": 2}


def last_round() -> tuple[Question, State]:
    """Return a state for each deal before the only round of a knight and an ogre."""
    asked, deals = question(), list(permutations(range(CARDS), 2))
    n = len(deals)
    state = {"card": np.array(deals), "surge": np.ones((n, 2), bool), "health": np.tile([3, 4], (n, 1))}
    return asked, state


def test_the_tree_has_every_legal_option_and_no_other() -> None:
    asked, state = last_round()
    state["surge"][:, 1] = np.arange(len(state["card"])) % 2 == 0
    branches = every_option(partial(clash, asked.setup), state)
    options = {("a", "a surge"), ("b", "b surge")}
    assert set(branches.choices) == options
    one, other = (branches.choices[choice] for choice in sorted(options))
    for row in range(len(state["card"])):
        mine = branches.origin == row
        cells = set(zip(one[mine].tolist(), other[mine].tolist(), strict=True))
        assert cells == set(product((0, 1), (0, 1) if state["surge"][row, 1] else (0,)))
        for cell in cells:
            here = mine & (one == cell[0]) & (other == cell[1])
            assert branches.weights[here].sum() == branches.denominator
            assert set(branches.state["card"][here][:, 0].tolist()) == {int(state["card"][row, 0])}


def payoffs() -> IntArray:
    """Return P(a wins) - P(b wins) of each pair of plans for one round, times `denominator()`, from the rules."""
    asked, state = last_round()
    process = process_of(asked)
    branches = every_option(partial(clash, asked.setup), state)
    winner = np.asarray(process.outcome(branches.state, np.ones(len(branches.origin), int))["winner"])
    score = branches.weights * ((winner == 1).astype(int) - (winner == 2))
    cells = np.zeros((len(state["card"]), 2, 2), np.int64)
    np.add.at(cells, (branches.origin, branches.choices["a", "a surge"], branches.choices["b", "b surge"]), score)
    plans = np.array(PLANS)
    rows = np.arange(len(cells))
    one, other = plans[:, state["card"][:, 0]], plans[:, state["card"][:, 1]]
    total: IntArray = cells[rows, one[:, None, :], other[None, :, :]].sum(axis=2)
    return total


def denominator() -> int:
    asked, state = last_round()
    return every_option(partial(clash, asked.setup), state).denominator * len(state["card"])


@pytest.mark.slow("test_the_tree_has_every_legal_option_and_no_other")
def test_payoffs_from_the_tree_are_those_of_the_second_telling() -> None:
    told = [[payoff_told_again(one, other) * denominator() for other in PLANS] for one in PLANS]
    assert payoffs().tolist() == told


@dataclass(frozen=True)
class Mixture:
    """Play a plan drawn by weights: with each card, spend in so many of a thousand cases."""

    spends: tuple[int, ...]

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
        """Return 1 to spend."""
        return rolls.count(1000, 1, np.arange(1000) < np.array(self.spends)[view["card"]][:, None], "mind")


def test_the_solution_has_a_certificate_that_the_rules_confirm() -> None:
    """Against scipy's linear program on the second telling; then the solved policy is played against every plan."""
    game = solve_matrix_game(payoffs() / denominator())
    assert game.converged
    told = np.array([[float(payoff_told_again(one, other)) for other in PLANS] for one in PLANS])
    n = len(PLANS)
    found = linprog(
        [*[0.0] * n, -1.0], A_ub=np.hstack([-told.T, np.ones((n, 1))]), b_ub=np.zeros(n),
        A_eq=[[*[1.0] * n, 0.0]], b_eq=[1.0], bounds=[*[(0, None)] * n, (None, None)],
    )  # fmt: skip
    assert game.value == pytest.approx(-float(found.fun or 0), abs=1e-9)
    assert game.lower - 1e-9 <= game.value <= game.upper + 1e-9
    spends = game.row_strategy @ np.array(PLANS)
    solved = Mixture(tuple(np.rint(1000 * spends).astype(int).tolist()))
    plain = process_of(question())
    worst = 1.0
    for plan in PLANS:
        answer = Mixture(tuple(1000 * spend for spend in plan))
        distribution = exact_distribution(replace(plain, max_steps=1, policies={"a": solved, "b": answer}))
        worst = min(
            worst, distribution.chance(lambda winner: winner == 1) - distribution.chance(lambda winner: winner == 2)
        )
    assert worst == pytest.approx(game.value, abs=2e-3)  # spending in thousandths
