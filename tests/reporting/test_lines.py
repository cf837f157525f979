"""Lines along something that is counted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from matplotlib.figure import Figure

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks
from balance.reporting.figures import lines
from balance.reporting.figures.canvas import NARROW, WIDE, Paper
from balance.reporting.figures.theme import CATEGORIES
from tests.reporting.in_words import pictures_in_words


@pytest.mark.parametrize("paper", [WIDE, NARROW])
def test_lines_reach_from_edge_to_edge(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first action stands on the frame: room left of it would read as a time before the first."""
    drawn: list[Figure] = []

    def keep(draw: Callable[[Paper], Figure], marks: Marks) -> Picture:
        drawn.append(draw(paper))
        return Picture("", "", marks)

    monkeypatch.setattr(lines, "draw_picture", keep)
    lines.plot_lines([lines.Series("x", (1, 2, 5), (1.0, 0.5, 0.1))], "actions", "standing", percent=True)
    assert drawn[0].axes[0].get_xlim() == (1, 5)


@pytest.mark.slow("test_equal_ends_are_named_by_the_mean_of_their_lines_then_in_their_order")
@pytest.mark.parametrize(("n", "title"), [(60, ""), (61, "1 of 61 names left out for want of room")])
def test_of_very_many_lines_sixty_are_named(n: int, title: str) -> None:
    many = [lines.Series(f"name {place}", (0, 1), (1.0, place / n)) for place in range(n)]
    with pictures_in_words():
        picture = lines.plot_lines(many, "x", "y")
    assert "6.6 by 10.18 inches" in picture.wide
    assert "3.55 by 13.01 inches" in picture.narrow
    for drawn in (picture.wide, picture.narrow):
        assert len(re.findall(r"(?:text|key:.*) 'name (\d+)'", drawn)) == 60
        assert (f"title {title!r}" in drawn) == bool(title)
        assert "'name 0'" not in drawn or n == 60


def test_equal_ends_are_named_by_the_mean_of_their_lines_then_in_their_order() -> None:
    ends = {"low": (0.2, 0.5), "high": (0.9, 0.5), "top": (0.0, 0.6), "as high": (0.9, 0.5)}
    series = [lines.Series(name, (0, 1), y) for name, y in ends.items()]
    assert [series[place].name for place in lines._from_the_top(series)] == ["top", "high", "as high", "low"]


def test_lines_are_told_apart_by_colour_and_then_by_dashes() -> None:
    styles = [lines._style(place) for place in range(32)]
    assert [style["color"] for style in styles] == list(CATEGORIES) * 4
    assert len({(style["color"], str(style["linestyle"])) for style in styles}) == 32
    assert [styles[place]["linestyle"] for place in (0, 1, 8, 16)] == [
        *("solid", (0, (5, 1.6)), (0, (5, 1.6))),
        (0, (1.2, 1.4)),
    ]
