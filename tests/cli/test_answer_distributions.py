"""The tables of an answer."""

from __future__ import annotations

import re

import pytest

from balance.cli.answer_distributions import _distribution_line, unit
from tests.cli.conftest import Command


@pytest.mark.parametrize("unit", ["bulwark", "nexus"])
def test_means_have_four_places_as_in_the_object(unit: str, balance: Command) -> None:
    """So that a mean can be looked up in an older print of the same answer."""
    out = balance("attack", "warforged", "nexus+assault_rifle", f"{unit}+laser_carbine").out
    means = dict(re.findall(r"^ *(\w+) +(\d+\.\d+) +\d+\.\d+% ", out, re.M))
    assert means
    assert {len(mean.partition(".")[2]) for mean in means.values()} == {4}


@pytest.mark.parametrize(
    ("chances", "drawn"),
    [
        ({0: 0.5, 1: 0.25, 2: 0.25}, "0 █▄▄ 2"),
        ({0: 0.2, 3: 1e-8, 4: 0.4, 6: 0.39999999}, "0 ▄   █ █ 6"),
        ({0: 1 - 2e-4, 1: 2e-4 - 1e-5, 9: 1e-5}, "0 █ 0"),
        (dict.fromkeys(range(1, 33), 1 / 32), f"1 {'█' * 32} 32"),
        (dict.fromkeys(range(33), 1 / 33), "0 ███████████ 32 (3 a bar)"),
        ({value: (value + 1) / 5050 for value in range(100)}, "0 ▁▁▂▃▃▄▄▅▆▆▇▇██▃ 99 (7 a bar)"),
    ],
)
def test_a_distribution_is_drawn_where_it_lies_and_a_long_one_several_values_to_a_bar(
    chances: dict[int, float], drawn: str
) -> None:
    assert _distribution_line(chances).plain == drawn


@pytest.mark.parametrize(("p", "told"), [(1e-13, 0.0), (1e-11, 1e-11), (1 - 1e-11, 1 - 1e-11), (1 + 1e-13, 1.0)])
def test_rounding_is_taken_from_what_is_certain_or_impossible_only(p: float, told: float) -> None:
    assert unit(p) == told
