"""What the first page says of prices, from runs of tug of war, whose fair costs are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from balance.game.registry import GAMES
from balance.reporting import Callout, Section, Table
from balance.reporting.build import build_document
from balance.reporting.sections.common.price_verdicts import PriceVerdict, count_verdicts
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


@pytest.mark.slow("test_the_first_setting_leads_and_others_are_told_where_they_say_otherwise")
def test_a_fair_catalogue_is_called_fair_and_nothing_is_to_change(tmp_path: Path) -> None:
    page, _ = first_page(tmp_path, FAIR)
    assert callout_of(page).title == "No price needs to change"
    assert re.match(r"\*\*Yes\.\*\* Of 5 entrants, 5 are fair\. Of 6 cards, 6 are fair\. ", callout_of(page).text)
    assert (
        "Judged on dry ground; fair is within 10% of the cost, or nearer than the next cost." in callout_of(page).text
    )
    assert not [block for block in page.blocks if isinstance(block, Table)]


def test_a_card_that_is_off_leads_with_what_it_should_cost(tmp_path: Path) -> None:
    page, _ = first_page(tmp_path, [*FAIR, ("cow", 40, 200)])
    assert callout_of(page).title == "What to change"
    loadouts, cards = (rf"Of {n} {{}}, \*\*1 is too dear\*\* and {n - 1} are fair\." for n in (6, 7))
    counts = rf"\*\*No\.\*\* {loadouts.format('entrants')} {cards.format('cards')}"
    assert re.match(rf"{counts} A typical match-up of armies of equal points is \d\d:\d\d\. ", callout_of(page).text)
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


def rows(*words: str, **more: object) -> PriceVerdict:
    """Return a price of several settings, each with its word; `more` is said where the first leads."""
    ends = {"cost_points": 20.0, "fair_points": 15.0, "low": 14.0, "high": 16.0}
    found = {f"setting {at}": ends | {"verdict": word} for at, word in enumerate(words)}
    return PriceVerdict("Ox", 20.0, found | {"setting 0": found["setting 0"] | more})


LINE = "lineup: fair, 18 to 22"
BESIDE = ["lineup: too dear, 12 to 14", LINE]


@pytest.mark.parametrize(
    ("price", "verdict", "elsewhere"),
    [
        (rows("too dear"), "too dear", ""),
        (rows("too dear", "too dear"), "too dear", ""),
        (rows("too dear", "too dear", "fair"), "too dear", "setting 2: fair"),
        (rows("fair", "not yet known", in_every_setting=True), "fair", "setting 1: not yet known"),
        (rows("too dear", in_every_setting=True, elsewhere=BESIDE[:1]), "too dear", "in every setting"),
        (rows("too dear", in_every_setting=False, elsewhere=BESIDE), "too dear", LINE),
        (rows("too dear", "too dear", in_every_setting=True), "too dear", "in every setting"),
        (rows("fair", in_every_setting=None, elsewhere=None), "fair", ""),
        (rows("too dear", in_every_setting=True, elsewhere=[]), "too dear", ""),
    ],
)
def test_the_first_setting_leads_and_others_are_told_where_they_say_otherwise(
    price: PriceVerdict, verdict: str, elsewhere: str
) -> None:
    assert (price.verdict, price.elsewhere) == (verdict, elsewhere)


def test_how_far_it_is_off_is_what_its_range_leaves() -> None:
    assert rows("too dear", "fair").off == pytest.approx(0.2)
    assert rows("too dear", high=19.0).off == pytest.approx(0.05)
    assert PriceVerdict("Ox", 15.0, rows("fair").rows).off == 0
    assert PriceVerdict("Ox", 10.0, rows("too cheap").rows).off == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["fair"], "Of 1 card, 1 is fair."),
        (["fair", "too dear", "fair"], "Of 3 cards, **1 is too dear** and 2 are fair."),
        (
            ["depends on play", "not yet known", "depends on play", "depends on the map"],
            "Of 4 cards, 2 depend on play, 1 depends on the map and 1 is not yet known.",
        ),
    ],
)
def test_verdicts_are_counted_with_what_they_depend_on(words: list[str], text: str) -> None:
    assert count_verdicts(list(map(rows, words)), "card", "cards") == text
