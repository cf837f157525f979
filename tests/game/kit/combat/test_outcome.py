"""Who is out, who has won, and what a fight reports, on arrays made by hand."""

from __future__ import annotations

import numpy as np

from balance.game.kit.combat.outcome import leader, outcome_columns, side_is_out, winner

A_STANDS = np.array([True, True, False, False])
B_STANDS = np.array([True, False, True, False])


def test_a_fight_is_over_as_soon_as_a_side_has_nobody_left() -> None:
    a = np.array([[True, False], [False, False], [False, True], [False, False]])
    b = np.array([[True], [True], [False], [False]])
    assert side_is_out(a, b).tolist() == [False, True, True, True]


def test_whoever_is_left_alone_wins_and_all_else_is_a_draw() -> None:
    assert winner(A_STANDS, B_STANDS).tolist() == [0, 1, 2, 0]


def test_margins_decide_only_where_both_are_left() -> None:
    assert winner(A_STANDS, B_STANDS, np.array([-5, -5, 5, 5])).tolist() == [2, 1, 2, 0]
    assert winner(A_STANDS, B_STANDS, np.zeros(4, int), np.full(4, 3)).tolist() == [1, 1, 2, 0]


def test_the_first_margin_that_is_not_even_says_who_leads() -> None:
    assert leader(np.array([1, -1, 0, 0, 0])).tolist() == [1, 2, 0, 0, 0]
    later = leader(np.array([1, -1, 0, 0, 0]), np.array([-9, 9, 0, 2, 0]), np.array([0, 0, -1, -1, 0]))
    assert later.tolist() == [1, 2, 2, 1, 0]


def test_a_round_counts_as_soon_as_its_first_step_is_made() -> None:
    steps = np.array([0, 1, 3, 4, 6], np.int32)
    columns = outcome_columns(np.zeros(5, np.int16), steps, 3, health=(steps + 1, steps + 2))
    assert columns["rounds"].tolist() == [0, 1, 1, 2, 2]
    assert list(columns) == ["winner", "rounds", "a_health", "b_health"]
    assert (columns["a_health"][0], columns["b_health"][0]) == (1, 2)
