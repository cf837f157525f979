"""Dice by name: random, fixed, and what may be asked of them."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.errors import RollsError
from balance.chance.pmf import Pmf, die
from balance.chance.rolls.dice import count_successes, success_faces
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.rolls import FixedRolls, RandomRolls


def test_dice_show_every_face_equally_often() -> None:
    """A G-test; fails for one seed in 1000."""
    faces = RandomRolls(20261121, "faces", 0, 60_000).d(6, 2, "die")
    assert faces.shape == (60_000, 2)
    sample = Pmf.of(dict(enumerate(np.bincount(faces.ravel())[1:].tolist(), 1)))
    assert die(6).agreement(sample).p_value > 0.001


def test_a_loaded_die_would_be_found_out() -> None:
    faces = RandomRolls(20261121, "faces", 0, 60_000).d(6, 2, "die")
    loaded = np.where(faces == 1, RandomRolls(1, "again", 0, 60_000).d(6, 2, "die"), faces)
    sample = Pmf.of(dict(enumerate(np.bincount(loaded.ravel())[1:].tolist(), 1)))
    assert die(6).agreement(sample).p_value < 1e-6


@pytest.mark.parametrize("success", [[3, 4, 5], [6], [], [1, 2, 3, 4, 5, 6]])
@pytest.mark.parametrize("n_dice", [None, 0, 2, 9])
def test_count_is_the_number_of_dice_that_show_a_success(success: list[int], n_dice: int | None) -> None:
    dice = RandomRolls(0, "k", 0, 200).d(6, 4, "die")
    expected = [sum(face in success for face in row[:n_dice]) for row in dice.tolist()]
    assert count_successes(dice, 6, success, n_dice).tolist() == expected


def test_the_number_of_dice_that_count_may_differ_by_trial() -> None:
    dice, n_dice = RandomRolls(0, "k", 0, 200).d(6, 4, "die"), np.arange(200) % 6
    expected = [sum(face >= 4 for face in row[:n]) for row, n in zip(dice.tolist(), n_dice.tolist(), strict=True)]
    assert count_successes(dice, 6, [4, 5, 6], n_dice).tolist() == expected


def test_the_faces_that_count_may_differ_by_trial() -> None:
    dice = RandomRolls(0, "k", 0, 100).d(6, 3, "die")
    limit = np.arange(100) % 7
    flags = np.arange(1, 7) <= limit[:, None]
    expected = [sum(face <= most for face in row) for row, most in zip(dice.tolist(), limit.tolist(), strict=True)]
    assert count_successes(dice, 6, flags, None).tolist() == expected


def test_success_faces_are_given_as_faces_or_as_flags() -> None:
    assert success_faces(4, [2, 3]).tolist() == [False, True, True, False]
    flags = np.array([True, False])
    assert success_faces(2, flags) is flags


def test_paired_rolls_give_the_rows_alive_the_dice_they_would_have_had() -> None:
    whole, some = (RandomRolls(0, "k", 0, 6, is_paired=True) for _ in range(2))
    some.keep(np.array([0, 2, 5]))
    some.keep(np.array([1, 2]))
    assert some.n == 2
    assert some.d(6, 3, "die").tolist() == whole.d(6, 3, "die")[[2, 5]].tolist()


def test_unpaired_rolls_draw_for_the_rows_alive_only() -> None:
    rolls = RandomRolls(0, "k", 0, 6)
    rolls.keep(np.array([0, 2, 5]))
    assert rolls.d(6, 2, "die").shape == (3, 2)


def test_children_have_streams_of_their_own() -> None:
    rolls = RandomRolls(0, "k", 0, 50)
    first = rolls.child("branch 0", 50).d(100, 1, "die")
    assert first.tolist() == RandomRolls(0, "k", 0, 50).child("branch 0", 50).d(100, 1, "die").tolist()
    assert first.tolist() != rolls.child("branch 1", 50).d(100, 1, "die").tolist()


def test_fixed_dice_are_read_in_order() -> None:
    rolls = FixedRolls({"a": [1, 2, 3], "b": [6]})
    assert rolls.d(6, 2, "a").tolist() == [[1, 2]]
    assert rolls.d(6, 1, "b").tolist() == [[6]]
    assert rolls.d(6, 1, "a").tolist() == [[3]]
    rolls.check_used()


def test_fixed_dice_refuse_impossible_faces_dice_left_over_and_distributions() -> None:
    with pytest.raises(RollsError, match="cannot show 7"):
        FixedRolls({"a": [7]}).d(6, 1, "a")
    with pytest.raises(RollsError, match="never rolled"):
        FixedRolls({"a": [1]}).check_used()
    with pytest.raises(RollsError, match="literal"):
        FixedRolls({}).draw(DistributionStack((die(6),)), 0, "a")


def test_rolls_are_drawn_for_the_rows_alive_unless_they_are_paired() -> None:
    def second(paired: bool | None) -> list[int]:
        """Return the second dice of the last three of six trials."""
        rolls = RandomRolls(1, "key", 0, 6) if paired is None else RandomRolls(1, "key", 0, 6, is_paired=paired)
        rolls.d(6, 1, "die")
        rolls.keep(np.array([3, 4, 5]))
        return [int(die) for die in rolls.d(6, 1, "die")[:, 0]]

    whole = RandomRolls(1, "key", 0, 6)
    whole.d(6, 1, "die")
    everybody = [int(die) for die in whole.d(6, 1, "die")[:, 0]]
    assert second(True) == everybody[3:]
    assert second(False) == everybody[:3] != everybody[3:]
    assert second(None) == second(False)
