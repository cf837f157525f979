"""A few changes of a price list: what is proposed is what its cards and fair costs say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from balance.analysis.prices.card_costs import fit_card_costs
from balance.analysis.prices.cost_changes import CostProposals, cost_proposals, few_changes, legal_costs, worst_off
from balance.base.errors import UsageError
from tests.analysis.price_cases import grid
from tests.analysis.test_cost_changes import FAIR, UNITS, WEAPONS


def listed(**costs: float) -> tuple[Any, Any, Any]:
    """A list of printed costs, its fitted costs and the parts of its loadouts, the last named first."""
    case = grid({**UNITS, **costs}, WEAPONS, FAIR)
    fitted, parts = fit_card_costs(case.entries()), dict(zip(case.found.entrants, case.parts, strict=True))
    return SimpleNamespace(main=fitted, game=SimpleNamespace(parts=parts.__getitem__)), fitted, case.parts


def test_a_few_changes_are_told_beside_all_that_costs_can_do() -> None:
    prices, fitted, parts = listed(b=20.0, c=30.0)
    found = cost_proposals(prices, 1)
    assert found == CostProposals(1, few_changes(fitted, parts, 1), legal_costs(fitted, parts), worst_off(fitted))
    assert [one.card for one in found.few_changes.changes] == ["c"]
    assert {one.card for one in found.all_costs.changes} >= {"b", "c"}
    assert found.all_costs.after < found.few_changes.after < found.few_changes.before


def test_fewer_than_none_cannot_change() -> None:
    with pytest.raises(UsageError) as refused:
        cost_proposals(listed()[0], -1)
    assert str(refused.value) == "costs of -1 cards cannot change; allowed: 0 and more"
