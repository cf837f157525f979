from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import matplotlib
import pytest

from balance.base.errors import UsageError
from balance.reporting import Picture
from balance.reporting.figures.canvas import NARROW, WIDE, Paper
from balance.reporting.figures.figures import Point, Series, plot_against, plot_bars, plot_intervals, plot_lines
from balance.reporting.figures.rows import pitch_of
from tests.reporting.demo import HOSTILE

POINTS = [Point(name, place * 3.0, place * 2.0) for place, name in enumerate(HOSTILE)]
DRAWERS: list[Callable[[], Picture]] = [
    lambda: plot_lines([Series(name, (0, 1), (1.0, 0.1)) for name in HOSTILE], "actions", "standing", percent=True),
    lambda: plot_intervals(HOSTILE, range(10), range(10), range(1, 11), "points", reference=0.0),
    lambda: plot_bars(range(10), [0.1] * 10, HOSTILE[2], HOSTILE[0]),
    lambda: plot_against(POINTS[1:], range(9), HOSTILE[2], HOSTILE[0]),
]


DRAW = "from balance.reporting.figures.figures import plot_bars; plot_bars(range(10), [0.1] * 10, 'x', 'y')"


@pytest.mark.slow("test_the_same_input_gives_the_same_bytes")
def test_what_matplotlib_keeps_can_be_moved_and_a_home_that_cannot_be_written_to_is_no_warning(tmp_path: Path) -> None:
    homeless = {name: text for name, text in os.environ.items() if name not in ("MPLCONFIGDIR", "XDG_CACHE_HOME")}
    homeless |= {"HOME": os.devnull, "TMPDIR": str(tmp_path)}
    for moved in ({}, {"BALANCE_CACHE": str(tmp_path / "cache")}):
        done = subprocess.run([sys.executable, "-c", DRAW], env=homeless | moved, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    assert any((tmp_path / "cache" / "matplotlib").glob("fontlist*.json"))


@pytest.mark.parametrize("draw", DRAWERS)
def test_a_figure_is_one_well_formed_picture_without_links_or_dates(draw: Callable[[], Picture]) -> None:
    for svg in (draw().wide, draw().narrow):
        assert ET.fromstring(svg).tag.endswith("svg")
        assert not re.search(r"<script|<image|<text|<dc:date|<!--.*\d{4}-\d\d-\d\d", svg)
        assert all(link.startswith("#") for link in re.findall(r'href="([^"]*)"', svg))


@pytest.mark.parametrize("draw", DRAWERS)
def test_every_mark_stands_in_its_picture(draw: Callable[[], Picture]) -> None:
    picture = draw()
    assert picture.marks is not None
    for svg, places in ((picture.wide, picture.wide_places), (picture.narrow, picture.narrow_places)):
        size = [float(text) * 4 / 3 for text in re.findall(r'(?:width|height)="([0-9.]+)pt"', svg)[:2]]
        assert len(places) == len(picture.marks.rows) > 0
        assert all(0 <= at <= limit for place in places for at, limit in zip(place, size, strict=True))


def test_a_mark_is_told_of_where_it_is_drawn() -> None:
    picture = plot_intervals(["Ox", "Elf"], [0.1, 7.0], [0.0, 7.0], [0.2, 7.0], "points", reference=3.0)
    for svg, places in ((picture.wide, picture.wide_places), (picture.narrow, picture.narrow_places)):
        uses = [(float(x), float(y)) for x, y in re.findall(r'<use [^>]*x="([0-9.]+)" y="([0-9.]+)"', svg)]
        for x, y in places:
            assert any(abs(x * 0.75 - u) < 0.6 and abs(y * 0.75 - v) < 0.6 for u, v in uses)


@pytest.mark.parametrize("draw", DRAWERS)
def test_the_same_input_gives_the_same_bytes(draw: Callable[[], Picture]) -> None:
    assert draw() == draw()


@pytest.mark.slow("test_the_same_input_gives_the_same_bytes")
def test_the_users_own_style_changes_nothing_and_survives() -> None:
    plain = DRAWERS[2]()
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "none"}):
        assert DRAWERS[2]() == plain
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.slow("test_rows_share_the_height_of_a_page_and_a_phone_scrolls_on")
def test_a_taller_list_makes_a_taller_figure() -> None:
    def height(n: int) -> float:
        return float(
            re.search(r'height="([\d.]+)pt"', plot_intervals(["x"] * n, [0.0] * n, [0.0] * n, [1.0] * n, "x").wide)[1]
        )

    assert height(40) > height(10) + 30 * 10


@pytest.mark.slow("test_rows_share_the_height_of_a_page_and_a_phone_scrolls_on")
def test_crowded_names_are_counted_not_piled() -> None:
    crowd = [Point(f"a rather long name {i}", 1.0, 1.0) for i in range(150)]
    alone = plot_against(crowd[:1], [0], "x", "y")
    assert len(plot_against(crowd, range(150), "x", "y").wide) > len(alone.wide)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: plot_against([], [], "x", "y"), "plot_against was given nothing to draw"),
        (lambda: plot_lines([], "x", "y"), "plot_lines was given nothing to draw"),
        (lambda: plot_lines([Series("s", (), ())], "x", "y"), "plot_lines was given nothing to draw"),
        (lambda: Series("s", (0, 1), (1.0,)), "series 's' has 2 x values and 1 others"),
        (lambda: Series("s", (0, 1), (1.0, 0.5), (1.0,)), "series 's' has 2 x values and 1 others"),
        (lambda: Series("s", (0, 1), (1.0, 0.5), None, (1.0,)), "series 's' has 2 x values and 1 others"),
        (
            lambda: plot_intervals(["a"], [0.0, 1.0], [0.0], [0.0], "x"),
            "plot_intervals was given 1 names and [2, 1, 1, 1] values",
        ),
        (
            lambda: plot_intervals(["a"], [0.0], [0.0], [0.0], "x", verdicts=[]),
            "plot_intervals was given 1 names and [1, 1, 1, 0] values",
        ),
        (lambda: plot_intervals([], [], [], [], "x"), "plot_intervals was given nothing to draw"),
        (lambda: plot_bars([1], [0.5, 0.5], "x"), "plot_bars was given 1 values and 2 probabilities"),
        (lambda: plot_bars([], [], "x"), "plot_bars was given nothing to draw"),
    ],
)
def test_data_that_does_not_fit_is_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert str(caught.value) == says


@pytest.mark.parametrize(
    ("paper", "names", "inches"),
    [
        (WIDE, ["a"] * 10, 0.19),
        (WIDE, ["a"] * 60, 0.14),
        (WIDE, ["a"] * 200, 0.112),
        (NARROW, ["a"] * 200, 0.2),
        (NARROW, [*"abc", "a name of two lines on a phone"], 0.34),
    ],
)
def test_rows_share_the_height_of_a_page_and_a_phone_scrolls_on(paper: Paper, names: list[str], inches: float) -> None:
    assert pitch_of(paper, names) == pytest.approx(inches)


def test_one_point_and_one_bar_draw() -> None:
    assert plot_bars([3], [1.0], "x").wide.startswith("<svg")
    assert plot_lines([Series("s", (0,), (1.0,))], "x", "y").wide.startswith("<svg")
