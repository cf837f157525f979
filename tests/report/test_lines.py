"""Lines along something that is counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from matplotlib.figure import Figure

from balance.report import lines
from balance.report.canvas import NARROW, WIDE, Paper
from balance.report.document import Picture


@pytest.mark.parametrize("paper", [WIDE, NARROW])
def test_lines_reach_from_edge_to_edge(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first action stands on the frame: room left of it would read as a time before the first."""
    drawn: list[Figure] = []

    def keep(draw: Callable[[Paper], Figure]) -> Picture:
        drawn.append(draw(paper))
        return Picture("", "")

    monkeypatch.setattr(lines, "draw_picture", keep)
    lines.plot_lines([lines.Series("x", (1, 2, 5), (1.0, 0.5, 0.1))], "actions", "standing", percent=True)
    assert drawn[0].axes[0].get_xlim() == (1, 5)
