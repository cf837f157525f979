"""The approach of two units solved: against plain recursion, best responses, symmetry, and the exact duel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.base.errors import RulesError
from balance.games.runewars.table.solve import Meeting, solve_meeting
from tests.games.runewars.approaching import FULL, RUNEWARS, Recursion, meeting

SMALL = {"columns": "1", "ranks": "1", "figures_per_tray": "2"}
PAIRS = [("deepwood_archers", "spearmen"), ("spearmen", "reanimate_archers")]


def small(a: str, b: str, gap: int, rounds: int, first: int) -> tuple[Meeting, Recursion]:
    """Return the same game of a tray of two figures each for the solver and for recursion."""
    changes = {side: dict(SMALL) for side in "ab"}
    settings = {f"{side}_{name}": value for side, of in changes.items() for name, value in of.items()}
    return meeting(a, b, gap, rounds, "ab"[first], **settings), Recursion(a, b, gap, first, changes)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_value_is_that_of_plain_recursion(a: str, b: str) -> None:
    solved, plain = small(a, b, 3, 3, 0)
    expected = [plain.value(gap, FULL, FULL, 3) for gap in (3, 2, 1, 0)]
    assert solved.values() == pytest.approx(expected, abs=1e-9)


def test_nobody_gains_against_the_mixes_that_are_reported() -> None:
    """What each mix of the start guarantees, by recursion, is the value: so a best response gains nothing."""
    solved, plain = small("deepwood_archers", "spearmen", 2, 2, 1)
    payoffs = plain.payoffs(2, FULL, FULL, 2)
    a, b = (solved.shares(side)[0][0] for side in (0, 1))
    places = [[d.name + ", back" * (n < 0) for d, n in plain.dials(side)] for side in (0, 1)]
    rows, columns = ([names.index(o.name) for o in p.orders] for names, p in zip(places, solved.players, strict=True))
    ordered = payoffs[np.ix_(rows, columns)]
    value = solved.values()[0]
    assert (a @ ordered).min() == pytest.approx(value, abs=1e-9)
    assert (ordered @ b).max() == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("unit", ["spearmen+2x2", "deepwood_archers+2x1", "rune_golems+2x1", "reanimates+2x1"])
def test_a_unit_against_itself_is_worth_one_half_and_certified(unit: str) -> None:
    solution = solve_meeting(meeting(unit, unit, 4, 6))
    assert solution.value == pytest.approx(0.5, abs=1e-9)
    assert solution.converged


@pytest.mark.parametrize(("a", "b"), [("rune_golems+2x1", "wraiths+2x1"), ("reanimates+2x1", "aymhelin_scions+1x1")])
def test_contact_with_one_order_each_is_the_exact_duel(a: str, b: str) -> None:
    """Runes, figures that come back, guards and amounts of defence are those of a duel without dials."""
    whole = meeting(a, b, 1, 8, "a")
    melee = [replace(p, orders=tuple(o for o in p.orders if o.name == "Melee")[:1]) for p in whole.players]
    sides = [replace(p, orders=(p.orders[0]._replace(initiative=5),)) for p in melee]
    only = replace(whole, players=(sides[0], sides[1]))
    chances = RUNEWARS.ask("duel", a, b, {}, "a").p_win()
    assert only.values()[-1] == pytest.approx(chances["a"] + chances["draw"] / 2, abs=1e-9)


def test_range_and_speed_help_who_has_more_of_them() -> None:
    solution = solve_meeting(meeting("deepwood_archers+2x1", "viper_legion_archers+2x1", 5, 6))
    worth = {(row[0], str(row[1])): row[2] for row in solution.tables[2].rows}
    assert {label for _, label in worth} == {"acts 1 sooner", "marches 1 band further", "shoots 1 band further"}
    assert all(float(gain) > -1e-9 for (_, label), gain in worth.items() if "sooner" not in label)


def test_tables_add_up() -> None:
    solution = solve_meeting(meeting("spearmen+2x1", "reanimates+2x1", 3, 4))
    mixes, never, _, by_gap = solution.tables
    for side in "ab":
        shares = np.array([row[2:] for row in mixes.rows if row[0] == side], float)
        assert shares.sum(axis=0) == pytest.approx(1)
        unused = next(str(row[1]) for row in never.rows if row[0] == side).split(", ")
        assert not {str(row[1]) for row in mixes.rows if row[0] == side} & set(unused)
    assert by_gap.rows[0][1] == pytest.approx(solution.value)


def test_what_is_not_solved_is_told() -> None:
    with pytest.raises(RulesError, match="upgrade with a figure"):
        meeting("spearmen+3x2+file_leader", "reanimates", 3, 4)
    with pytest.raises(RulesError, match="condition that changes"):
        meeting("spearmen+3x2+shadow_brand", "reanimates", 3, 4)
