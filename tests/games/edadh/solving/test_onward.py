"""Worths that go on by a steady share are moved to where they go, in favour of one side only."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.edadh.solving.grid import Worths
from balance.games.edadh.solving.onward import AFTER, MOST, Onward

SHARE = 0.8
END = np.array([[[0.7]], [[0.2]]], np.float32)


def swept(worths: Worths) -> Worths:
    """Go through worths once: the rest of the way to their ends becomes a share of it."""
    return np.asarray(END + np.float32(SHARE) * (worths - END))


@pytest.mark.parametrize("side", [0, 1])
def test_worths_are_moved_to_their_ends_if_that_is_in_favour_of_the_side(side: int) -> None:
    """Of two that start with a draw one rises and one falls; the other stays where it had come to."""
    onward, worths = Onward(side), np.full((2, 1, 1), 0.5, np.float32)
    for _ in range(AFTER):
        assert onward(worths) is worths
        worths = swept(worths)
    moved = onward(worths)
    assert moved[side] == pytest.approx(END[side], abs=1e-5)
    assert moved[1 - side] == worths[1 - side] != END[1 - side]


def test_what_hardly_comes_to_an_end_is_not_moved_beyond_all_bounds() -> None:
    """With as large a change each time the share would be 1; and no worth leaves 0 to 1."""
    onward, worths = Onward(0), np.full((2, 1, 1), 0.5, np.float32)
    step = np.array([[[0.001]], [[0.1]]], np.float32)
    for _ in range(AFTER):
        onward(worths)
        worths = worths + step
    assert onward(worths).ravel() == pytest.approx([0.503 + 0.001 * MOST / (1 - MOST), 1.0], abs=1e-4)


def test_a_move_itself_says_nothing_of_where_worths_go() -> None:
    """Two changes after it do: with another end and share, that is where worths are moved then."""
    onward, worths = Onward(0), np.full((2, 1, 1), 0.5, np.float32)
    for _ in range(AFTER):
        onward(worths)
        worths = swept(worths)
    worths = onward(worths)
    for share in (0.5, 0.25):
        worths = worths + np.float32(0.1 * share)
        last, worths = worths, onward(worths)
        assert (worths is last) == (share == 0.5)
    assert worths[1] == pytest.approx(last[1] + 0.025, abs=1e-5)
