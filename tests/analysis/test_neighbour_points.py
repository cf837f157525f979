"""What changes of a card are worth in points: in tug of war in proportion to strength, and in games as prices say."""

from __future__ import annotations

import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.changes.neighbours.neighbour_points import neighbour_points
from balance.analysis.changes.neighbours.neighbours import Change, Neighbour, Neighbourhood, neighbourhood
from balance.analysis.changes.neighbours.price_card import step_points
from balance.analysis.changes.neighbours.priced_item import as_printed
from balance.base.errors import UsageError
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

BODIES = [("ant", 10, 10), ("ox", 20, 20), ("elk", 40, 40)]
SETTING = ArmySetting("lineup", ((100.0, 4.0), (200.0, 8.0)))


@pytest.fixture(scope="module")
def tug(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    return load(GAME, write_catalogue(tmp_path_factory.mktemp("tug") / "c", BODIES, [("rope", 0, 100)]))


@pytest.mark.parametrize(("who", "cost"), [("ant", 10.0), ("ox", 20.0), ("ox+rope", 20.0)])
def test_a_step_is_worth_what_it_adds_in_proportion(tug: LoadedGame, who: str, cost: float) -> None:
    """One strength more or less of 10 or 20 is a point more or less: costs are fair, as strong as they are dear."""
    found = step_points(Runner(tug), as_printed(tug, SETTING, who), seed=1, n_battles=8192)
    own = {step.new: worth for step, worth in found.items() if step.field == "strength" and step.table == "bodies"}
    assert set(own) == {f"{cost + 1:g}", f"{cost - 1:g}"}
    for new, worth in own.items():
        assert worth is not None
        assert abs(worth.value - (float(new) - cost)) < 3.5 * worth.half_width / 1.96
        assert worth.half_width < 0.3


def test_what_armies_cannot_be_bought_for_is_said(tug: LoadedGame) -> None:
    found = neighbour_points(Runner(load("edadh")), _neighbours("archers", Change("hp", "3", "4", None)))
    assert found.points == {}
    assert "War for Edadh" in (found.not_measurable_here or "")
    with pytest.raises(UsageError, match="did you mean ox"):
        as_printed(tug, SETTING, "oxx")


@pytest.mark.slow("test_a_step_is_worth_what_it_adds_in_proportion")
def test_changes_are_matched_with_the_steps_of_prices() -> None:
    """Words that come, numbers of the unit and of the weapon; what no armies see, or both cards print, has none."""
    found = neighbourhood(Runner(load("warforged")), "trooper+shotgun", ["aegis+sidearm"])
    worth = neighbour_points(Runner(load("warforged")), found, n_battles=128)
    assert worth.kind == "lineup"
    assert set(worth.points) <= {one.change for one in found.neighbours}
    fields = {"health", "armour", "precision", "damage", "effects", "abilities"}
    assert {change.field for change in worth.points} == fields
    assert {one.change.field for one in found.neighbours} - fields == {"speed_cells", "range_cells"}
    up = [one for change, one in worth.points.items() if (change.field, change.to) == ("health", "6")]
    down = [one for change, one in worth.points.items() if (change.field, change.to) == ("health", "4")]
    assert up[0].value > 0 > down[0].value


def test_a_card_is_priced_over_those_who_hold_it() -> None:
    warforged = load("warforged")
    card = as_printed(warforged, SETTING, "sidearm")
    assert card.cards == (("weapons", "sidearm"),)
    assert len(card.members) > 3
    assert card.costs == tuple(float(warforged.cost_points(one)) for one in card.members)


def test_a_card_without_a_cost_of_its_own_costs_what_the_first_that_holds_it_does() -> None:
    wraiths = as_printed(load("runewars"), SETTING, "wraiths")
    assert wraiths.members == ("wraiths+2x1", "wraiths+3x1", "wraiths+2x2")
    assert (wraiths.cost, wraiths.fair, wraiths.costs) == (17.0, 17.0, (17.0, 24.0, 30.0))


def _neighbours(card: str, *changes: Change) -> Neighbourhood:
    none = Estimate.exact(0.0)
    every = tuple(Neighbour(change, none, None, None, True) for change in changes)
    return Neighbourhood(card, (card,), (), none, None, None, every, (), ())
