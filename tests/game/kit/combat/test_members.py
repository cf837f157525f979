"""Members and their places: values in one place of each trial, who is near whom, and the start of many trials."""

from __future__ import annotations

import pickle

import numpy as np

from balance.chance.rolls.process import Process, start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.game.kit import never
from balance.game.kit.combat.members import (
    any_place,
    nearest_least,
    nearest_places,
    numbers_in,
    put_at,
    start_of,
    value_at,
)

VALUES = np.array([[1, 2, 3], [4, 5, 6]], np.int16)


def process(columns: dict[str, np.ndarray]) -> Process:
    return Process(start_of(columns), (), never, lambda state, steps: state, 0)


def test_the_value_of_one_place_is_read_and_replaced_without_a_change_of_the_rest() -> None:
    place = np.array([2, 0])
    assert value_at(VALUES, place).tolist() == [3, 4]
    assert put_at(VALUES, place, np.array([7, 8])).tolist() == [[1, 2, 7], [8, 5, 6]]
    assert VALUES.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert value_at(VALUES, 1).tolist() == [2, 5]
    assert put_at(VALUES, 1, 0).tolist() == [[1, 0, 3], [4, 0, 6]]


def test_values_keep_their_type_and_may_be_a_row_that_all_trials_share() -> None:
    shared = np.broadcast_to(np.array([True, False]), (3, 2))
    assert value_at(shared, np.array([0, 1, 0])).tolist() == [True, False, True]
    assert put_at(shared, np.array([0, 1, 0]), np.array([False, True, False])).tolist() == [[0, 0], [1, 1], [0, 0]]
    assert value_at(VALUES, 0).dtype == put_at(VALUES, 0, 9).dtype == np.int16


def test_flags_are_looked_for_in_every_place() -> None:
    assert any_place(np.array([[False, True], [False, False]])).tolist() == [True, False]
    assert any_place(np.array([[True], [False]])).tolist() == [True, False]


def test_the_nearest_place_is_its_own_and_of_two_as_near_the_further_left_comes_first() -> None:
    assert [nearest_places(4, place) for place in (0, 2)] == [[0, 1, 2, 3], [2, 1, 3, 0]]
    assert nearest_places(2, 3) == [1, 0], "a place beyond the end of a shorter line"


def test_of_equal_values_that_of_the_nearest_place_is_picked_and_of_two_as_near_the_further_left() -> None:
    values = np.array([[5, 7, 5, 1], [5, 7, 5, 9], [6, 5, 5, 5]])
    assert nearest_least(values, 1).tolist() == [3, 0, 1]
    assert nearest_least(values, 2).tolist() == [3, 2, 2]


def test_numbers_that_stand_somewhere_are_listed_once_and_nobody_is_none_of_them() -> None:
    assert numbers_in(np.array([[3, -1], [0, 3]], np.int16)) == [0, 3]
    assert numbers_in(np.array([[-1]])) == []


def test_a_single_row_starts_any_number_of_trials() -> None:
    assert start_state(process({"health": VALUES[:1]}), 2)["health"].tolist() == [[1, 2, 3], [1, 2, 3]]


def test_rows_start_their_own_trials_and_can_be_sent_to_a_worker() -> None:
    begun = pickle.loads(pickle.dumps(start_of({"health": VALUES})))
    assert begun(RandomRolls(0, "start", 0, 2), 2)["health"].tolist() == VALUES.tolist()
