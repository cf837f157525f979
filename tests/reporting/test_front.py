"""What a report of duels alone says, on its first page and in its sections, and no more than is so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from balance.answers.blocks.document import Document
from balance.reporting.build import build_document
from balance.reporting.sections.fights.match_ups import match_up_callout
from balance.study import load_study, run_study
from balance.study.run.folder import Run
from tests.analysis.conftest import write_catalogue, write_study

UNITS = ("nexus", "vanguard", "trooper", "sentinel", "aegis")
ARMS = ("shotgun", "grenade_launcher")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("front")
    cards = write_catalogue(folder / "cards", {name: {} for name in UNITS}, {name: {} for name in ARMS})
    return run_study(load_study(write_study(folder, cards)), folder / "run")


@pytest.fixture(scope="module")
def report(run: Run) -> Document:
    return build_document(run)


def page_one(run: Run) -> str:
    return repr(build_document(run).blocks[0])


def run_of(folder: Path, units: Sequence[str], arms: Sequence[str]) -> Run:
    cards = write_catalogue(folder / "cards", {name: {} for name in units}, {name: {} for name in arms})
    return run_study(load_study(write_study(folder, cards)), folder / "run")


@pytest.mark.slow("test_without_armies_no_page_holds_a_verdict_on_a_price")
def test_who_scores_as_much_is_named_beside_the_strongest_and_the_weakest(tmp_path: Path) -> None:
    """Trooper and Sentinel are the same fighter, so neither is the strongest nor the weakest alone."""
    run = run_of(tmp_path, ("trooper", "sentinel"), ("sidearm", "shotgun"))
    assert "the strongest are **Sentinel + Shotgun** and **Trooper + Shotgun**, each of which" in page_one(run)
    assert "the weakest are **Sentinel + Sidearm** and **Trooper + Sidearm** with" in page_one(run)


@pytest.mark.slow("test_without_armies_no_page_holds_a_verdict_on_a_price")
def test_of_equals_nobody_is_the_strongest_and_one_is_counted_as_one(tmp_path: Path) -> None:
    text = page_one(run_of(tmp_path / "equals", ("trooper", "sentinel"), ("sidearm",)))
    assert "Each of them wins in 50% of its duels" in text
    assert "strongest" not in text
    alone = run_of(tmp_path / "alone", ("trooper",), ("sidearm",))
    assert "The one loadout met itself. It wins in 50% of its duels" in page_one(alone)
    assert "itself included: 1 duel, solved exactly" in (whole := repr(build_document(alone)))
    assert "over the one match-up there is" in whole


def test_match_ups_are_counted_in_the_singular_and_the_plural() -> None:
    counts = {"fair": 1, "unfair": 0, "even": 2, "one-sided": 1, "not yet known": 1}
    text = match_up_callout({"verdicts": {"base": counts}, "imbalance": 0.02}).text
    assert "**1** is fair within" in text
    assert "**0** are not. " in text
    assert "**2** are even within 2.0 pp, **1** is won by one side more often. 1 is not yet known." in squeezed(text)


def squeezed(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_without_armies_no_page_holds_a_verdict_on_a_price(report: Document) -> None:
    assert "No price is judged: that takes armies of equal points" in repr(report.blocks[0])
    assert not re.search(r"too dear|too cheap|dearer than|cheaper than|in line with|overpriced", repr(report))


def test_twins_are_in_no_list_of_who_loses(run: Run) -> None:
    """Trooper and Sentinel are one fighter with other abilities: neither loses nor wins anything by itself."""
    frame = run.table("dominance")
    names = [*frame["entrant"], *(name for by in frame["witnesses"] for name in by)]
    assert frame.height > 0
    assert not [name for name in names if name.startswith(("trooper+", "sentinel+"))]
    cards = run.table("dominated_cards")
    assert not {"trooper", "sentinel"} & {*cards["card"], *(name for by in cards["by"] for name in by)}
