"""Corners of a duel, by hand: who shoots before contact, how wide a hurt unit stands, conditions that stay."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import balance
from balance.games.runewars import GAME
from tests.games.runewars.reference import How, attack_outcomes
from tests.games.runewars.reference_trays import Unit

RUNEWARS = balance.load(GAME)
NO_DICE = {f"{side}.{colour}": 0 for side in "ab" for colour in ("red", "blue", "white")}


def mean_left(a: str, b: str, column: str, changes: dict[str, Any], **choices: str) -> Fraction:
    """Return the mean of a column of a duel without dice, but for those that are set."""
    found = RUNEWARS.ask("duel", a, b, NO_DICE | changes, first="a", **choices).distribution
    place = found.columns.index(column)
    rows = zip(found.outcomes.tolist(), found.weights.tolist(), strict=True)
    return sum((row[place] * Fraction(weight) for row, weight in rows), Fraction(0)) / Fraction(found.total)


@pytest.mark.parametrize(("unit", "left"), [("reanimate_archers", 6), ("spearmen", 8)])
def test_only_who_can_shoot_does_before_contact(unit: str, left: int) -> None:
    """One hit of threat 2 in a volley; a unit whose card has no ranged attack makes none, whatever dice are set."""
    changes = {"a.columns": 2, "a.ranks": 1, "b.columns": 2, "b.ranks": 1, "a.add_hits": 1}
    changes |= {"situation.volleys": 1, "situation.round_limit": 1}
    assert mean_left(unit, "spearmen", "b_figures", changes) == left
    assert mean_left("spearmen", "spearmen", "b_figures", {**changes, "a.red": 2, "a.white": 1}) == 8


@pytest.mark.rule("RW-TRAY.5")
def test_a_unit_hurt_before_the_duel_is_not_widened() -> None:
    """One of two trays is left; the tray that joins in the round before contact stands behind it: threat 1."""
    changes: dict[str, Any] = {"a.columns": 2, "a.ranks": 1, "a.wounds_suffered": 4, "a.trays_added": 1}
    changes |= {"b.columns": 2, "b.ranks": 1, "a.add_hits": 1, "situation.volleys": 1, "situation.round_limit": 2}
    assert mean_left("spearmen", "spearmen", "b_figures", changes) == 7
    assert mean_left("spearmen", "spearmen", "a_trays", changes) == 3


@pytest.mark.rule("RW-COND.1", "RW-COND.2")
def test_a_condition_stays_to_the_end() -> None:
    """A blue die: half a hit a round, a surge with 3/8; from the first one on each round costs one figure more."""
    changes: dict[str, Any] = {"a.columns": 1, "a.ranks": 1, "a.blue": 1, "a.surge_abilities": "branded@1"}
    changes |= {"b.columns": 2, "b.ranks": 1, "situation.round_limit": 2}
    branded = Fraction(3, 8) + 1 - Fraction(5, 8) ** 2
    left = mean_left("spearmen", "spearmen", "b_figures", changes, a_rerolls="none")
    assert left == 8 - 2 * Fraction(1, 2) - branded
    assert mean_left("spearmen", "spearmen", "b_figures", {**changes, "b.conditions": "branded"}) == 8 - 1 - 2


def test_the_best_rerolls_know_what_is_left_of_a_unit_that_grows() -> None:
    """One figure of a tray was there at first; in round 2 it is five, so that a second wound is worth a re-roll."""
    attacker, defender = Unit(("2", "0", "0"), ranks=2), Unit(columns=1, ranks=2, wounds_suffered=3, defence="4")
    ends = attack_outcomes(attacker, defender, How(rerolls="best"))
    wounds = sum((end.wounds * p for end, p in ends.items()), Fraction(0))
    changes: dict[str, Any] = {"a.columns": 2, "a.ranks": 2, "a.red": 2, "b.defence": 4, "b.columns": 1, "b.ranks": 1}
    changes |= {"b.wounds_suffered": 3, "b.trays_added": 1, "situation.volleys": 1, "situation.round_limit": 2}
    assert mean_left("spearmen", "spearmen", "b_figures", changes, a_rerolls="best") == 1 + 4 - wounds + 4
    assert mean_left("spearmen", "spearmen", "b_figures", changes, a_rerolls="no_hit") > 9 - wounds
