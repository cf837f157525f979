"""A request for a choice: each way to say what is legal says the same, and an illegal answer is told."""

from __future__ import annotations

import numpy as np
import pytest

from balance.core.choices import Choose, Legal, nth_true
from balance.errors import RollsError

EVERYWHERE = 2
BY_TRIAL = np.array([2, 3, 1])
FLAGS = np.array([[True, True, False], [True, True, True], [True, False, False]])


def asked(legal: Legal) -> Choose:
    return Choose("target", "a", legal, None, ("orc", "elf", "ent"))


@pytest.mark.parametrize(("legal", "ways"), [(EVERYWHERE, 2), (BY_TRIAL, [2, 3, 1]), (FLAGS, [2, 3, 1])])
def test_there_are_as_many_ways_as_legal_options(legal: Legal, ways: int | list[int]) -> None:
    assert np.array_equal(asked(legal).n_ways(False), ways)


@pytest.mark.parametrize(
    ("legal", "good", "bad"),
    [
        (EVERYWHERE, [0, 1, 1], [[2, 0, 0], [0, -1, 0]]),
        (BY_TRIAL, [1, 2, 0], [[2, 2, 0], [1, 3, 0], [1, 2, 1], [-1, 0, 0]]),
        (FLAGS, [1, 2, 0], [[2, 2, 0], [1, 3, 0], [1, 2, 1], [-1, 0, 0]]),
        (np.array([[False, True], [True, False]]), [1, 0], [[0, 0], [1, 1]]),
    ],
    ids=["everywhere", "by trial", "flags", "gaps"],
)
def test_only_legal_options_may_be_chosen(legal: Legal, good: list[int], bad: list[list[int]]) -> None:
    assert asked(legal).check(np.array(good), "the bold").tolist() == good
    for chosen in bad:
        with pytest.raises(RollsError, match=r"the bold chooses option .* which is not legal"):
            asked(legal).check(np.array(chosen), "the bold")


def test_an_illegal_choice_is_told_with_what_is_legal_in_its_trial() -> None:
    with pytest.raises(RollsError, match=r"\(trial 2, and 0 more\)") as told:
        asked(FLAGS).check(np.array([0, 2, 2]), "the bold")
    assert "legal there: 0 (orc)" in str(told.value)
    with pytest.raises(RollsError, match=r"\(trial 0, and 2 more\)") as told:
        asked(EVERYWHERE).check(np.array([2, 2, 2]), "the bold")
    assert str(told.value).endswith("legal there: 0 (orc), 1 (elf)")


@pytest.mark.parametrize("chosen", [np.array([0.0, 1.0, 0.0]), np.zeros((3, 1), int), np.array([True, False, True])])
def test_a_choice_is_one_integer_a_trial(chosen: np.ndarray) -> None:
    with pytest.raises(RollsError, match="the bold answers 'target' with"):
        asked(EVERYWHERE).check(chosen, "the bold")


def test_the_options_of_a_number_are_counted_among_the_legal_ones() -> None:
    gaps = asked(np.array([[False, True, True], [True, False, True]]))
    assert gaps.way(np.array([0, 1]), False).tolist() == [1, 2]
    assert asked(BY_TRIAL).way(np.array([1, 2, 0]), False).tolist() == [1, 2, 0]
    assert nth_true(np.array([[True, True, True]]), np.array([2])).tolist() == [2]
