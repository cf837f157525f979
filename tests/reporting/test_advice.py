"""What the first page says of prices, from runs of tug of war, whose fair costs are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from balance.game.registry import GAMES
from balance.reporting import Callout, Section, Table
from balance.reporting.build import build_document
from balance.reporting.sections.common.price_verdicts import PriceVerdict
from balance.study import load_study, run_study
from tests.tug import write_catalogue

Bodies = Sequence[tuple[str, float, int]]
FAIR: Bodies = (("ant", 10, 100), ("elk", 20, 200), ("ox", 30, 300), ("bear", 40, 400), ("boar", 25, 250))
STUDY = """game = "tug"
catalogue = "cards"
metrics = ["cards"]
[check]
match_ups = 1
trials = 64
[verdicts]
draws = 100
[[armies]]
id = "dry"
title = "on dry ground"
battles = 6000
"""


def first_page(folder: Path, bodies: Bodies) -> tuple[Section, str]:
    """Return the first page, and the whole report as text."""
    write_catalogue(folder / "cards", bodies, [("rope", 0, 100)])
    path = folder / "study.toml"
    path.write_text(STUDY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "tug", "tests.tug.game:GAME")
        patch.setattr("balance.analysis.play.playing.N_PAIRS", 128)
        document = build_document(run_study(load_study(path), folder / "run"))
    page = document.blocks[0]
    assert isinstance(page, Section)
    return page, repr(document)


def callout_of(page: Section) -> Callout:
    callout = page.blocks[0]
    assert isinstance(callout, Callout)
    return callout


@pytest.mark.slow("test_a_verdict_that_another_setting_turns_is_none")
def test_a_fair_catalogue_is_called_fair_and_nothing_is_to_change(tmp_path: Path) -> None:
    page, _ = first_page(tmp_path, FAIR)
    assert callout_of(page).title == "No price needs to change"
    assert re.match(r"Of \d cards, \d are fair\. Fair is what scores one half at equal", callout_of(page).text)
    assert not [block for block in page.blocks if isinstance(block, Table)]


def test_a_card_that_is_off_leads_with_what_it_should_cost(tmp_path: Path) -> None:
    page, _ = first_page(tmp_path, [*FAIR, ("cow", 40, 200)])
    assert callout_of(page).title == "What to change"
    assert re.match(r"Of \d cards, \*\*1 is too dear\*\* and \d are fair\.", callout_of(page).text)
    (table,) = (block for block in page.blocks if isinstance(block, Table))
    ((name, verdict, cost, proposed, fair),) = (tuple(cell.text for cell in row) for row in table.rows)
    assert (name, verdict, cost) == ("Cow", "too dear", "40")
    low, high = map(float, fair.split(" to "))
    assert low < 20 < high < 24
    assert abs(int(proposed) - 20) <= 2, "within the tolerance of what is fair"


@pytest.mark.slow("test_a_card_that_is_off_leads_with_what_it_should_cost")
def test_costs_that_rise_too_slowly_are_a_scale_error(tmp_path: Path) -> None:
    bodies = [(f"b{at}", round(12 * strength**0.5), 100 * strength) for at, strength in enumerate(range(1, 11))]
    page, text = first_page(tmp_path, bodies)
    assert callout_of(page).title == "What to change"
    assert re.search(
        r"\*\*Is a point worth the same in dear and in cheap ones\?\*\* [^*]*what is dear is too cheap\.", text
    )


def rows(**verdicts: str) -> PriceVerdict:
    ends = {"cost_points": 20.0, "fair_points": 15.0, "low": 14.0, "high": 16.0}
    return PriceVerdict("Ox", 20.0, {name: ends | {"verdict": verdict} for name, verdict in verdicts.items()})


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("too dear", "too dear", "too dear"),
        ("too dear", "fair", "depends on the setting"),
        ("too dear", "too cheap", "depends on the setting"),
        ("too dear", "not yet known", "not yet known"),
        ("fair", "not yet known", "not yet known"),
        ("depends on play", "fair", "depends on play"),
        ("depends on play", "depends on the map", "depends on play and the map"),
        ("depends on play", "not yet known", "depends on play"),
        ("not measurable here", "fair", "fair"),
        ("not measurable here", "not measurable here", "not measurable here"),
        ("not measurable here", "depends on play", "depends on play"),
    ],
)
def test_a_verdict_that_another_setting_turns_is_none(one: str, other: str, together: str) -> None:
    assert rows(a=one, b=other).verdict == rows(a=other, b=one).verdict == together


def test_how_far_it_is_off_is_what_is_certain_in_every_setting() -> None:
    found = rows(a="too dear")
    assert found.off == pytest.approx(0.2)
    wider = {**found.rows["a"], "high": 19.0}
    assert PriceVerdict("Ox", 20.0, {"a": found.rows["a"], "b": wider}).off == pytest.approx(0.05)
    assert PriceVerdict("Ox", 15.0, found.rows).off == 0
    assert PriceVerdict("Ox", 10.0, found.rows).off == pytest.approx(0.4)
