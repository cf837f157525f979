"""No text of a figure meets another, a line or a dot, or leaves its canvas, wide or narrow, whatever the data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

import pytest
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from balance.answers.blocks.document import Picture
from balance.reporting.build import build_document
from balance.reporting.figures import canvas
from balance.reporting.figures.figures import Point, Series, plot_against, plot_bars, plot_intervals, plot_lines
from balance.reporting.figures.theme import VERDICT_KEYS
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.demo import HOSTILE, figures, loadouts, value

NAMES = (*loadouts(79), *HOSTILE)
ENDS = [value(i) * 8 - 4 for i in range(len(NAMES))]
CROWD = [Point(name, 8 + 34 * value(i), 4 * value(i + 50), y_low=3.8 * value(i + 50), y_high=4.1 * value(i + 50))
         for i, name in enumerate(NAMES)]  # fmt: skip
FRONT = [at for at, p in enumerate(CROWD) if not any(o.x <= p.x and o.y >= p.y and o is not p for o in CROWD)]
SAME = [Point(name, 3.0, 7.0) for name in NAMES[:2]]
WORDS = list(VERDICT_KEYS)

HARD: dict[str, Callable[[], object]] = {
    "demo": lambda: figures.__wrapped__(),
    "89 points": lambda: plot_against(CROWD, FRONT, "cost " * 18, "damage of one action " * 4),
    "two points at one place": lambda: plot_against(SAME, [0, 1], "cost", "damage"),
    "89 lines": lambda: plot_lines([Series(n, (0, 9), (1, e)) for n, e in zip(NAMES, ENDS, strict=True)], "x", "y"),
    "lines that end together": lambda: plot_lines([Series(n, (0, 9), (1, 0)) for n in HOSTILE], "x " * 50, "y " * 40,
                                                  percent=True),
    "89 intervals": lambda: plot_intervals(NAMES, ENDS, [e - 1 for e in ENDS], [e + 1 for e in ENDS], "x " * 60),
    "equal intervals": lambda: plot_intervals(HOSTILE, [1.0] * 10, [1.0] * 10, [1.0] * 10, "x", reference=1.0,
                                              verdicts=(WORDS * 3)[:10]),
    "bars far apart": lambda: plot_bars([0, 0.1, 1e5], [0.5, 0.2, 0.3], "x " * 60),
    "many bars": lambda: plot_bars(range(1000, 1060), [1 / 60] * 60, "damage"),
    "equal bars": lambda: plot_bars([2, 2], [0.5, 0.5], "damage"),
}  # fmt: skip


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Return the list that every figure is put on when it is drawn."""
    kept: list[Figure] = []
    whole = canvas._to_svg
    monkeypatch.setattr(canvas, "_to_svg", lambda figure: kept.append(figure) or whole(figure))
    return kept


def texts(figure: Figure) -> list[tuple[str, Bbox]]:
    """Draw a figure; return every text with its box, a little smaller than the letters, in pixels."""
    found: list[tuple[str, Bbox]] = []

    def note(text: Text, renderer: RendererBase) -> None:
        box = Text.get_window_extent(text, renderer)
        if text.get_visible() and text.get_text().strip():
            found.append((text.get_text(), box.padded(-0.1 * min(box.width, box.height))))

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(Text, "draw", note)
        figure.canvas.draw()
    return found


def marks(figure: Figure) -> Iterator[Bbox]:
    """Yield the boxes of the upright or level strokes, dots and bars; the thin leads of names are none."""
    for axes in figure.axes:
        for line in axes.lines:
            if line.get_zorder() < 1.3 or line.get_transform() is axes.transAxes:
                continue
            points = line.get_transform().transform_path(line.get_path()).vertices
            ends = pairwise(points) if len(points) > 1 else [(points[0], points[0])]
            yield from (Bbox([one, other]).padded(0.2) for one, other in ends if 0 in (one - other).round(6))
        yield from (patch.get_window_extent() for patch in axes.patches)


def meets(one: Bbox, other: Bbox) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def holds(mark: Bbox, box: Bbox) -> bool:
    """Return whether a text stands within a bar, which is its ground."""
    return mark.x0 <= box.x0 and box.x1 <= mark.x1 and mark.y0 <= box.y0 and box.y1 <= mark.y1


def faults(figure: Figure) -> list[str]:
    """Return what is wrong with the room of a figure's texts."""
    words, canvas_box = texts(figure), figure.bbox
    out = [f"{name!r} leaves the canvas" for name, box in words if not (
        box.x0 >= -1 and box.y0 >= -1 and box.x1 <= canvas_box.x1 + 1 and box.y1 <= canvas_box.y1 + 1)]  # fmt: skip
    out += [f"{a!r} meets {b!r}" for (a, one), (b, other) in combinations(words, 2) if meets(one, other)]
    strokes = [
        Bbox.from_extents(min(b.x0, b.x1), min(b.y0, b.y1), max(b.x0, b.x1), max(b.y0, b.y1)) for b in marks(figure)
    ]
    struck = [name for name, box in words if any(meets(box, mark) and not holds(mark, box) for mark in strokes)]
    return out + [f"{name!r} is struck through" for name in struck]


@pytest.mark.parametrize("case", HARD)
def test_hard_data_leaves_every_text_its_room(case: str, drawn: list[Figure]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        HARD[case]()
    assert len(drawn) >= 2
    assert [faults(figure) for figure in drawn] == [[]] * len(drawn)


@pytest.mark.slow("test_hard_data_leaves_every_text_its_room")
@pytest.mark.parametrize("game", ["warforged", "battlelore", "edadh"])
def test_the_shipped_figures_leave_every_text_its_room(game: str, drawn: list[Figure]) -> None:
    build_document(load_run(ROOT / "reports" / game))
    assert [faults(figure) for figure in drawn] == [[]] * len(drawn)
    assert drawn or game != "warforged"


def test_what_meets_is_found(drawn: list[Figure]) -> None:
    def draw(paper: canvas.Paper) -> Figure:
        figure, axes = canvas.make_axes(paper, 2.0)
        axes.plot([0, 1], [0.5, 0.5])
        axes.text(0.5, 0.5, "struck")
        axes.text(0.5, 0.5, "struck")
        axes.annotate("far outside", (30, 0.5), xycoords="axes fraction").set_in_layout(False)
        return figure

    assert isinstance(canvas.draw_picture(draw), Picture)
    found = " ".join(faults(drawn[0]))
    assert all(word in found for word in ("'struck' meets 'struck'", "struck through", "'far outside' leaves"))
