"""Requests listed so that trials which read dice differently share them: against every fall of every single die."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.base.errors import DistributionError
from balance.chance.rolls.dice import Count, Dice, Pool
from balance.chance.rolls.requests import Deal, Uniform
from balance.chance.rolls.shared import shared
from balance.chance.rolls.symbols import SymbolDie


def joint(request: Any, n: int) -> dict[Any, Fraction]:
    """Return how likely each combination of answers of n trials is that share the dice of a listed request."""
    found = dict[Any, Fraction]()
    for way in range(request.n_ways()):
        number = np.full(n, way)
        weights, total = request.weigh(number)
        weight = 1 if weights is None else int(weights[0])
        answer = told(request.way(number))
        found[answer] = found.get(answer, Fraction(0)) + Fraction(weight, int(total))
    return found


def told(answer: Any) -> Any:
    """Return an answer for several trials as something that can be compared."""
    if isinstance(answer, dict):
        return tuple((name, tuple(values.tolist())) for name, values in sorted(answer.items()))
    return tuple(map(tuple, answer.tolist())) if answer.ndim == 2 else tuple(answer.tolist())


def by_every_die(faces: int, k: int, read: Callable[[tuple[int, ...]], Any]) -> dict[Any, Fraction]:
    """Return the same from each fall of k dice by itself."""
    falls = list(product(range(1, faces + 1), repeat=k))
    found = Counter(told(read(fall)) for fall in falls)
    return {answer: Fraction(n, len(falls)) for answer, n in found.items()}


@pytest.mark.parametrize("n_dice", [[1, 3], [0, 2, 2], [3, 3]])
def test_counts_of_different_numbers_of_dice(n_dice: list[int]) -> None:
    request = Count("armour", 6, 3, [5, 6], np.array(n_dice))

    def read(fall: tuple[int, ...]) -> Any:
        return np.array([sum(face >= 5 for face in fall[:n]) for n in n_dice])

    assert joint(shared(request), len(n_dice)) == by_every_die(6, 3, read)


def test_counts_of_different_faces() -> None:
    success = np.array([[False, True, True, True], [False, False, False, True]])
    request = Count("hit", 4, 2, success, np.array([2, 1]))

    def read(fall: tuple[int, ...]) -> Any:
        return np.array([sum(face >= 2 for face in fall), int(fall[0] == 4)])

    assert joint(shared(request), 2) == by_every_die(4, 2, read)


def test_pools_of_different_numbers_of_dice() -> None:
    die = SymbolDie(("blade", "blade", "banner", "blank"), (("hit", ("blade", "banner")), ("flag", ("banner",))))
    request = Pool("battle", die, 3, np.array([1, 3]))

    def read(fall: tuple[int, ...]) -> Any:
        shown = [die.count(np.array([fall[:n]])) for n in (1, 3)]
        return {symbol: np.array([int(one[symbol][0]) for one in shown]) for symbol, _ in die.symbols}

    assert joint(shared(request), 2) == by_every_die(4, 3, read)


def test_dice_of_which_some_are_not_rolled() -> None:
    rolled = np.array([[True, False], [True, True]])
    listed = shared(Dice("again", 3, 2, rolled))
    assert joint(listed, 2) == by_every_die(3, 2, lambda fall: np.where(rolled, np.array([fall, fall]), 0))


def test_one_of_different_numbers() -> None:
    found = joint(shared(Uniform("pick", np.array([2, 3]))), 2)
    assert found == {(0, 0): Fraction(1, 3), (0, 1): Fraction(1, 6), (1, 1): Fraction(1, 6), (1, 2): Fraction(1, 3)}


def test_a_listing_keeps_its_numbers_when_trials_are_left_out() -> None:
    listed = shared(Count("armour", 6, 3, [6], np.array([1, 2, 3])))
    fewer = shared(Count("armour", 6, 3, [6], np.array([1, 3])), listed)
    for way in range(listed.n_ways()):
        assert fewer.way(np.full(2, way)).tolist() == listed.way(np.full(3, way))[[0, 2]].tolist()


def test_what_reads_alike_everywhere_stays_as_it_is() -> None:
    plain = Count("armour", 6, 3, [6])
    assert shared(plain) is plain


def test_decks_that_differ_cannot_be_shared() -> None:
    with pytest.raises(DistributionError, match="is not drawn alike"):
        shared(Deal("deck", 5, 2, np.array([4, 5])))


def test_too_many_numbers_are_refused() -> None:
    with pytest.raises(DistributionError, match="too many to list"):
        shared(Uniform("pick", np.array([997, 1009])))
