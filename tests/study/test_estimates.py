"""Numbers read off answers, each against the sum that it is."""

from __future__ import annotations

import pytest

from balance.study.frames.estimates import solve_steps


@pytest.mark.parametrize(
    ("steps", "values", "target", "place"),
    [
        ([0, 1, 2], [1.0, 3.0, 4.0], 2.0, (0.5, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 3.5, (1.5, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 1.0, (0.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 4.0, (2.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 4.0 + 5e-10, (2.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 1.0 - 5e-10, (0.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 4.0 + 2e-9, (None, 2)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 1.0 - 2e-9, (None, 0)),
        ([0, 1, 2], [4.0, 3.0, 1.0], 2.0, (1.5, None)),
        ([0, 1, 2], [4.0, 3.0, 1.0], 5.0, (None, 0)),
        ([0, 1, 2], [4.0, 3.0, 1.0], 0.5, (None, 2)),
        ([3, 4], [0.0, 1.0], 0.25, (3.25, None)),
        ([-2, -1, 0, 1, 2], [0.0, 0.0, 2.0, 4.0, 4.0], 5.0, (None, 1)),
        ([-2, -1, 0, 1, 2], [0.0, 0.0, 2.0, 4.0, 4.0], -1.0, (None, -1)),
        ([-2, -1, 0, 1, 2], [0.0, 0.0, 2.0, 4.0, 4.0], 3.0, (0.5, None)),
        ([-2, -1, 0, 1], [5e-10, 0.0, 2.0, 4.0], 1.0, (-0.5, None)),
        ([0, 1, 2, 3], [0.0, 1.0, 1.0, 2.0], 0.5, (None, None)),
        ([0, 1, 2], [0.0, 2.0, 1.0], 0.5, (None, None)),
        ([0, 1, 2], [1.0, 1.0, 1.0], 1.0, (None, None)),
    ],
)
def test_straight_lines_reach_a_target_there(
    steps: list[int], values: list[float], target: float, place: tuple[float | None, int | None]
) -> None:
    assert solve_steps(steps, values, target) == place
