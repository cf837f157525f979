"""How far a simulation has come."""

from __future__ import annotations

import pytest

import balance
from balance.cli.progress import Trials
from balance.core import FixedTrials, HalfWidth

SAMPLE = balance.load("warforged").duel("nexus+assault_rifle", "vanguard+laser_carbine").simulate(1000)


def test_a_fixed_number_is_what_is_to_come() -> None:
    told = Trials(SAMPLE, FixedTrials(5000), 2.0)
    assert (told.done, told.total, told.rate) == (1000, 5000, 500.0)
    assert told.details == (f"widest interval +-{told.half_width:.2g}",)


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_half_the_width_takes_four_times_the_trials(share: float) -> None:
    width = Trials(SAMPLE, FixedTrials(5000), 0.0).half_width
    assert width == max((high - low) / 2 for low, high in SAMPLE.p_win_interval().values())
    told = Trials(SAMPLE, HalfWidth(width * share, ()), 0.0)
    assert told.total == pytest.approx(1000 / share**2, abs=1)


def test_a_width_that_is_reached_needs_no_more_than_was_played() -> None:
    assert Trials(SAMPLE, HalfWidth(0.49, ()), 1.0).total == 1000
