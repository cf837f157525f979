"""The tables of an answer."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import Command


@pytest.mark.parametrize("unit", ["bulwark", "nexus"])
def test_means_have_four_places_as_in_the_object(unit: str, balance: Command) -> None:
    """So that a mean can be looked up in an older print of the same answer."""
    out = balance("attack", "warforged", "nexus+assault_rifle", f"{unit}+laser_carbine").out
    means = dict(re.findall(r"^ *(\w+) +(\d+\.\d+) +\d+\.\d+% ", out, re.M))
    assert means
    assert {len(mean.partition(".")[2]) for mean in means.values()} == {4}
