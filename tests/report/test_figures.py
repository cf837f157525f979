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

from balance.errors import UsageError
from balance.report import Picture
from balance.report.figures import Point, Series, plot_bars, plot_intervals, plot_lines, plot_scatter_front
from tests.report.demo import HOSTILE

POINTS = [Point(name, place * 3.0, place * 2.0) for place, name in enumerate(HOSTILE)]
DRAWERS: list[Callable[[], Picture]] = [
    lambda: plot_scatter_front(POINTS, [True, False] * 5, "cost (points)", "damage per action"),
    lambda: plot_lines([Series(name, (0, 1), (1.0, 0.1)) for name in HOSTILE], "actions", "standing", percent=True),
    lambda: plot_intervals(HOSTILE, range(10), range(10), range(1, 11), "points", reference=0.0),
    lambda: plot_bars(range(10), [0.1] * 10, HOSTILE[2], HOSTILE[0]),
]


DRAW = "from balance.report.figures import plot_bars; plot_bars(range(10), [0.1] * 10, 'x', 'y')"


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
def test_the_same_input_gives_the_same_bytes(draw: Callable[[], Picture]) -> None:
    assert draw() == draw()


def test_the_users_own_style_changes_nothing_and_survives() -> None:
    plain = DRAWERS[3]()
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "none"}):
        assert DRAWERS[3]() == plain
        assert matplotlib.rcParams["font.size"] == 30


def test_a_taller_list_makes_a_taller_figure() -> None:
    def height(n: int) -> float:
        return float(
            re.search(r'height="([\d.]+)pt"', plot_intervals(["x"] * n, [0.0] * n, [0.0] * n, [1.0] * n, "x").wide)[1]
        )

    assert height(40) > height(10) + 30 * 10


def test_crowded_names_are_counted_not_piled() -> None:
    crowd = [Point(f"a rather long name {i}", 1.0, 1.0) for i in range(150)]
    alone = plot_scatter_front(crowd[:1], [True], "x", "y")
    assert len(plot_scatter_front(crowd, [False] * 150, "x", "y").wide) > len(alone.wide)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: plot_scatter_front([], [], "x", "y"), "nothing to draw"),
        (lambda: plot_scatter_front(POINTS, [True], "x", "y"), "10 points and 1 front"),
        (lambda: plot_lines([], "x", "y"), "nothing to draw"),
        (lambda: Series("s", (0, 1), (1.0,)), "2 x values and 1"),
        (lambda: plot_intervals(["a"], [0.0, 1.0], [0.0], [0.0], "x"), "1 names"),
        (lambda: plot_intervals([], [], [], [], "x"), "nothing to draw"),
        (lambda: plot_bars([1], [0.5, 0.5], "x"), "1 values and 2"),
    ],
)
def test_data_that_does_not_fit_is_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        make()


def test_one_point_and_one_bar_draw() -> None:
    assert plot_bars([3], [1.0], "x").wide.startswith("<svg")
    assert plot_lines([Series("s", (0,), (1.0,))], "x", "y").wide.startswith("<svg")
