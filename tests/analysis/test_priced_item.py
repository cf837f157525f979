"""What a shift makes of the fair cost of somebody who is priced."""

from __future__ import annotations

from math import exp, hypot, log

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.changes.handicaps.handicap import ArmyField, Handicap, JudgedGroup
from balance.analysis.changes.neighbours.card_steps import CardStep
from balance.analysis.changes.neighbours.priced_item import FairAfter, PricedItem
from balance.analysis.prices.answer import LoadoutPrice

SURE = 1.959963984540054
MEMBERS, COSTS = ("orc+axe", "orc+bow"), (20.0, 40.0)
FIELD = ArmyField(ArmySetting("lineup", ((100, 4),)), ("elf",), (10.0,))
ORC = PricedItem(
    "orc", "units",
    LoadoutPrice("Orc", 14.0, 16.0, 15.0, 17.0, 15.0, 17.0, "not yet known", "", (), 2.0, 0),
    (("units", "orc"),), MEMBERS, COSTS, FIELD,
)  # fmt: skip
SPREAD = (1 / 20 + 1 / 40) / (1 / 400 + 1 / 1600)


def handicap(shift: float, error: float, score: float = 0.03) -> Handicap:
    """Return what has been played, with an error of the shift, and half of that of the score."""
    parts = np.array([error, -error]) / 2**0.5
    return Handicap(shift, score, parts, parts / 2)


def test_a_small_shift_is_worth_what_its_loadouts_cost() -> None:
    assert ORC.spread == pytest.approx(SPREAD)
    assert ORC.error == pytest.approx(1 / SURE)
    assert ORC.as_it_is == FairAfter(16.0, 15.0, 17.0, 0.0, 0.0, 0.0)


def test_the_shift_that_is_wanted_makes_the_cost_the_fair_one() -> None:
    shift = ORC.shift_for(18.0)
    assert ORC.fair + SPREAD * (exp(shift) - 1) == pytest.approx(18.0)
    assert ORC.shift_for(16.0) == 0
    assert ORC.shift_for(-1000.0) == pytest.approx(log(0.05))


def test_it_is_judged_at_fair_costs_or_at_those_that_another_cost_comes_to() -> None:
    step = CardStep("units", "orc", "health", "5", "6", 1.0, "6", True)
    assert ORC.group() == JudgedGroup(MEMBERS, COSTS)
    grown = exp(ORC.shift_for(18.0))
    found = ORC.group(step, 18.0)
    assert found.costs == pytest.approx([20 * grown, 40 * grown])
    assert found.members == tuple(map(step.apply_to, MEMBERS))


def test_beside_the_fair_cost_both_errors_count_and_at_a_cost_that_was_played_only_one() -> None:
    found = handicap(0.1, 0.02)
    fair, half = 16 + SPREAD * (exp(0.1) - 1), SURE * hypot(1 / SURE, SPREAD * exp(0.1) * found.error)
    after = ORC.after(found)
    assert [after.fair, after.low, after.high] == pytest.approx([fair, fair - half, fair + half])
    near = SURE * found.score_error
    assert [after.score, after.score_low, after.score_high] == pytest.approx([0.03, 0.03 - near, 0.03 + near])
    grown = SPREAD * exp(ORC.shift_for(18.0))
    fair, half = 18 + grown * (exp(0.1) - 1), SURE * grown * exp(0.1) * found.error
    after = ORC.after(found, 18.0)
    assert [after.fair, after.low, after.high] == pytest.approx([fair, fair - half, fair + half])


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(16.1, 18.0, "too cheap"), (9.0, 11.9, "too dear"), (12.5, 15.5, "fair"), (13.0, 17.0, "not yet known")],
)
def test_the_printed_cost_is_judged_by_the_interval(low: float, high: float, said: str) -> None:
    assert ORC.says(FairAfter((low + high) / 2, low, high, 0.0, 0.0, 0.0)) == said
