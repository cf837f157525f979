"""Whether the sizes of a party win alike: the headline, the chart and the tables say what the run says."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest

from balance.reporting import Figure, Paragraph, Table
from balance.reporting.figures.strips import Strip, plot_strips
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.fights.scaling import (
    Scaling,
    headline,
    scaling_page,
    scaling_sections,
    scalings_of,
    verdict,
)
from balance.study.frames.report_settings import load_settings
from tests.study.test_scaling import FRAMES, GAME, LEVEL, NO_STEP, SHIPPED, planted

Frames = dict[str, pl.DataFrame]


def pages_of(frames: Frames) -> Pages:
    """Return the pages of a run with these tables."""
    run = SimpleNamespace(settings=load_settings(GAME), has=frames.__contains__, table=frames.__getitem__)
    return Pages(run)  # type: ignore[arg-type]


def scaling_in(frames: Frames) -> Scaling:
    """Return what these tables say."""
    return scalings_of(pages_of(frames))[0]


def whole(shares: list[float]) -> list[str]:
    """Return shares in whole per cent."""
    return [f"{100 * share:.0f}" for share in shares]


def test_the_headline_says_what_its_table_holds() -> None:
    text, changes = headline(scaling_in(FRAMES)), FRAMES["scaling_changes"]
    today, then = changes["median"].to_list(), changes["then_median"].to_list()
    numbers = re.findall(r"\d+", text.split("wins")[1])
    widest = changes.sort(pl.col("best") - pl.col("worst")).row(-1, named=True)
    assert numbers[:4] == whole(today)
    assert numbers[4:6] == [apart(today), f"{100 * SHIPPED.band:.0f}"]
    assert numbers[6:9] == [str(widest["size"]), *whole([widest["worst"], widest["best"]])]
    assert numbers[9] == apart(then)
    assert text.startswith("Ambush, rank I:")
    ways = [FRAMES["scaling_ways"][name].to_list() for name in ("median", "then_median")]
    assert numbers[-2:] == list(map(apart, ways))


def apart(shares: list[float]) -> str:
    """Return how far whole per cents lie apart: what a reader of them works out."""
    shown = [int(text) for text in whole(shares)]
    return str(max(shown) - min(shown))


def test_the_headline_turns_with_what_is_planted() -> None:
    alike, helpless = (
        headline(scaling_in(frames)) for frames in (planted(dict.fromkeys(LEVEL, 0.6)), planted(LEVEL, NO_STEP))
    )
    assert "changes below" not in alike
    assert "No change that was offered brings them nearer." in helpless


@pytest.mark.parametrize(
    ("sure", "word"), [(0.02, "No"), (0.03, "Not yet known"), (0.97, "Not yet known"), (0.98, "Yes")]
)
def test_a_verdict_is_firm_only_where_the_dice_allow_it(sure: float, word: str) -> None:
    assert verdict(sure) == word


def test_the_first_page_has_a_chart_and_at_most_five_rows() -> None:
    page = scaling_page(pages_of(FRAMES))
    assert page is not None
    assert page.chart is not None
    assert page.change is not None
    assert len(page.change.rows) == 4
    assert [row[2].text for row in page.change.rows] == [text or "none" for text in FRAMES["scaling_changes"]["change"]]
    for row, told in zip(FRAMES["scaling_changes"].iter_rows(named=True), page.change.rows, strict=True):
        median, *ends = whole([row["then_median"], row["then_worst"], row["then_best"]])
        assert re.findall(r"\d+", told[3].text) == ([median] if len({*ends}) == 1 else [median, *ends])
    assert "4 heroes, changed" in page.chart.alt
    assert page.cannot_see == SHIPPED.cannot_see
    assert "_" not in page.headline + page.change.caption + page.chart.caption


def test_the_section_has_every_case() -> None:
    (section,) = scaling_sections(pages_of(FRAMES))
    (overview,) = [block for block in section.blocks if isinstance(block, Table)]
    assert [row[0].text for row in overview.rows] == FRAMES["scaling_sizes"]["case"].to_list()
    assert not [block for block in section.blocks if isinstance(block, Figure)]
    assert all("_" not in cell.text for row in overview.rows for cell in row)
    assert "attack the weakest in reach" in overview.caption


def test_a_case_is_as_wide_in_its_section_as_on_the_first_page() -> None:
    """From 36 to 80 are 44 points on both, though what is rounded lies 43.4 apart."""
    medians = {2: 0.64, 3: 0.7972, 4: 0.3632, 5: 0.56}
    frames = FRAMES | {
        name: FRAMES[name].with_columns(median=pl.col("size").replace_strict(medians))
        for name in ("scaling_sizes", "scaling_changes")
    }
    assert "64, 80, 36 and 56 %, 44 points apart" in headline(scaling_in(frames))
    assert "Ambush, rank I: 44 points, easiest with 3, hardest with 4;" in paragraphs(frames)


def test_sizes_whose_medians_read_the_same_share_an_end() -> None:
    medians = {2: 0.501, 3: 0.499, 4: 0.2, 5: 0.2}
    sizes = FRAMES["scaling_sizes"].with_columns(median=pl.col("size").replace_strict(medians))
    assert "easiest with 2 and 3 alike, hardest with 4 and 5 alike" in paragraphs(FRAMES | {"scaling_sizes": sizes})


def paragraphs(frames: Frames) -> str:
    (section,) = scaling_sections(pages_of(frames))
    return " ".join(block.text for block in section.blocks if isinstance(block, Paragraph))


def test_a_run_without_parties_says_nothing_of_them() -> None:
    pages = pages_of({})
    assert scaling_page(pages) is None
    assert scaling_sections(pages) == []


def test_a_strip_draws_every_value() -> None:
    strips = [Strip("2 heroes", (20.0, 50.0, 90.0), 50.0, "fair", "in the band"), Strip("3 heroes", (70.0,), 70.0)]
    one, other = (
        plot_strips(part, "chance, in per cent", band=(45.0, 55.0))
        for part in (strips, [replace(strips[0], values=(20.0, 90.0)), strips[1]])
    )
    assert one.wide.count("<use") == other.wide.count("<use") + 1
    assert cast("str", one.narrow).startswith("<svg")


def test_every_mark_of_a_strip_names_who_it_is() -> None:
    page = scaling_page(pages_of(FRAMES))
    assert page is not None and page.chart is not None and page.chart.picture.marks is not None
    marks = page.chart.picture.marks
    assert marks.columns[:2] == ("name", "of")
    told = {(name, round(chance, 6)) for name, _, chance, _ in marks.rows if name != "median"}
    case = FRAMES["scaling_groups"].filter(case=SHIPPED.cases[0].label)
    assert told == {(name, round(100 * chance, 6)) for name, chance in case.select("name", "chance").iter_rows()}
