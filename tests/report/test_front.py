"""The first page: what it says comes in this order, and no more than is so."""

from __future__ import annotations

import re

import pytest

from balance.analysis.run_folder import Run
from balance.analysis.study import load_study, run_study
from balance.report.build import build_document
from tests.analysis.conftest import write_catalogue, write_study

UNITS = ("nexus", "vanguard", "trooper", "sentinel", "aegis")
ARMS = ("shotgun", "grenade_launcher")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("front")
    cards = write_catalogue(folder / "cards", {name: {} for name in UNITS}, {name: {} for name in ARMS})
    return run_study(load_study(write_study(folder, cards)), folder / "run")


def page_one(run: Run) -> str:
    return repr(build_document(run).blocks[0])


def test_dominance_comes_before_any_price_and_names_its_witness(run: Run) -> None:
    text = page_one(run)
    assert 0 <= text.index("are never worth taking") < text.index("Beside their neighbours")
    assert "Sentinel + Grenade Launcher (37) by **" in text


def test_no_cost_is_called_fair_and_the_yardstick_is_named(run: Run) -> None:
    text = page_one(run)
    assert "cannot say whether the whole catalogue is fair" in text
    assert not re.search(r"fair cost|too (much|little|dear|cheap)|overpriced|underpriced", repr(build_document(run)))


def test_what_a_convention_can_turn_is_no_verdict(run: Run) -> None:
    """Points taken from every weapon and given to every unit change no loadout: single cards have no verdict."""
    told = next(block for block in build_document(run).blocks if getattr(block, "anchor", "") == "prices")
    heads = {
        columns[0].name: [one.name for one in columns] for b in told.blocks if (columns := getattr(b, "columns", ()))
    }
    assert "Verdict" in heads["Loadout"]
    assert "Verdict" not in heads["Card"]


def test_cards_that_are_one_fighter_are_said_to_be(run: Run) -> None:
    assert "**The same fighter:** Trooper (12) and Sentinel (26)" in page_one(run)


def test_what_a_duel_cannot_show_is_never_worth_nothing(run: Run) -> None:
    assert "**Not measurable in a duel:** what High Explosive, Jump and Heavy are worth." in page_one(run)
    told = next(block for block in build_document(run).blocks if getattr(block, "anchor", "") == "abilities")
    rows = {row[0].text: [cell.text for cell in row] for block in told.blocks for row in getattr(block, "rows", ())}
    assert rows["Jump"].count("not measurable") == 2
    assert "not measurable" not in rows["Supershield"]
