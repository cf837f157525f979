"""What every figure shares: a fixed style, a deterministic SVG, and texts that cannot be clipped or misread as markup.

Each figure is drawn twice, wide for a page and narrow for a phone, so that nothing has to shrink until it cannot be
read. Letters are drawn as outlines, so a figure looks the same in a browser and on paper whatever fonts are installed.
The style starts from matplotlib's own defaults, not from the user's configuration.
"""

from __future__ import annotations

import contextlib
import io
import logging
import math
import os
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks
from balance.answers.blocks.text import shorten
from balance.base.errors import UsageError
from balance.reporting.figures.theme import LIGHT, figure_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Paper:
    """What a figure is drawn on: its width in inches, the size of its type in points, and whether it is narrow.

    On narrow paper there is no room beside the axes for names.
    """

    width: float
    type: float
    narrow: bool


WIDE = Paper(6.6, 7.5, narrow=False)
SCREEN_DPI = 96
"""Pixels that an inch has in a browser."""
NARROW = Paper(3.55, 8.25, narrow=True)

_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "axes.labelcolor": LIGHT.page.ink,
    "axes.edgecolor": LIGHT.quiet,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": LIGHT.grid,
    "grid.linewidth": 0.6,
    "xtick.color": LIGHT.quiet,
    "ytick.color": LIGHT.quiet,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "text.color": LIGHT.page.ink,
    "text.parse_math": False,
    "figure.facecolor": LIGHT.page.ground,
    "axes.facecolor": LIGHT.page.ground,
    "svg.fonttype": "path",
    "svg.hashsalt": "balance",
    "path.simplify": False,
}


def _place_cache() -> None:
    """Put matplotlib's font cache into the folder of our own cache, if one is set, and silence its warnings."""
    if folder := os.environ.get("BALANCE_CACHE"):
        os.environ.setdefault("MPLCONFIGDIR", str(Path(folder) / "matplotlib"))
    logging.getLogger("matplotlib").setLevel(logging.ERROR)


@contextlib.contextmanager
def _figure_style(paper: Paper) -> Iterator[None]:
    """Apply our style to matplotlib inside the block, and restore its settings after it."""
    _place_cache()
    import matplotlib

    style: dict[Any, Any] = dict(matplotlib.rcParamsDefault)
    for name in ("backend", "backend_fallback"):
        style.pop(name, None)
    sizes = {"font.size": 0.5, "axes.labelsize": 0.5, "xtick.labelsize": 0.0, "ytick.labelsize": 0.0}
    style.update(_STYLE | {name: paper.type + more for name, more in sizes.items()})
    with warnings.catch_warnings(), matplotlib.rc_context():
        warnings.simplefilter("ignore")
        matplotlib.rcParams.update(style)
        yield


HASH_ID = r"(?<=[\"#])(?:[mph]|C\w+_)[0-9a-f]{10}(?=[\")])"
"""Names that matplotlib gives to markers, clips, hatches and paths of a collection in an SVG."""


def draw_picture(draw: Callable[[Paper], Figure], marks: Marks | None = None) -> Picture:
    """Return what `draw` draws on each kind of paper, with its numbers and where their marks stand.

    `marks` has places in the units of the first axes of the figure.
    """
    pictures, places = [], []
    for paper in (WIDE, NARROW):
        with _figure_style(paper):
            figure = draw(paper)
            pictures.append(_to_svg(figure))
            places.append(_pixels(figure, marks))
    return Picture(pictures[0], pictures[1], marks, places[0], places[1])


def _pixels(figure: Figure, marks: Marks | None) -> tuple[tuple[int, ...], ...]:
    """Return where each mark of a drawn figure stands, in pixels from left and top, and half its width if any."""
    if marks is None or not marks.places:
        return ()

    def shown(places: Sequence[Sequence[float]]) -> list[list[float]]:
        pixels: list[list[float]] = (figure.axes[0].transData.transform(places) / figure.dpi * SCREEN_DPI).tolist()
        return pixels

    height = figure.get_figheight() * SCREEN_DPI
    middles = shown([(x, y) for x, y, *_ in marks.places])
    ends = shown([(x + sum(half), y) for x, y, *half in marks.places])
    return tuple(
        (round(x), round(height - y), *(round(end - x) for _ in half))
        for (x, y), (end, _), (_, _, *half) in zip(middles, ends, marks.places, strict=True)
    )


def demand_data(n: int, caller: str) -> None:
    """Raise `UsageError`, in the name of `caller`, if there are no things to draw."""
    if n == 0:
        raise UsageError(f"{caller} was given nothing to draw")


def make_axes(paper: Paper, height: float) -> tuple[Figure, Axes]:
    """Return a figure, `height` inches high, whose layout keeps every text inside, and its axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(paper.width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(visible=True)
    axes.tick_params(length=2.5)
    return figure, axes


def label_axes(figure: Figure, axes: Axes, paper: Paper, x_label: str, y_label: str = "") -> None:
    """Write what the axes measure, wrapped to the room there is; texts too long are shortened."""
    width, height = figure.get_size_inches()
    letters = 72 / (0.66 * (paper.type + 0.5))
    axes.set_xlabel(textwrap.fill(shorten(x_label, 90), round(0.72 * width * letters)))
    axes.set_ylabel(textwrap.fill(shorten(y_label, 60), round(0.72 * height * letters)))


def ticks_along(axes: Axes, paper: Paper, values: Sequence[float]) -> None:
    """Choose as many ticks along x as there is room for their labels; whole ones if all `values` are.

    The limits along x must be settled before.
    """
    from matplotlib.ticker import MaxNLocator

    whole = all(float(value).is_integer() for value in values)
    low, high = axes.get_xlim()
    for max_ticks in range(11, 0, -1):
        axes.xaxis.set_major_locator(MaxNLocator(integer=whole, nbins=max_ticks))
        ticks = axes.xaxis.get_majorticklocs()
        longest = max(map(len, axes.xaxis.get_major_formatter().format_ticks(list(ticks))))
        pitch = 0.72 * 72 * paper.width * (ticks[1] - ticks[0]) / (high - low) if len(ticks) > 1 else 0.0
        if pitch > longest * 0.66 * paper.type + 6:
            break


def round_ticks(axis: Any, low: float, high: float, max_ticks: int = 8) -> None:
    """Choose at most `max_ticks` round ticks along a logarithmic axis from `low` to `high`, evenly spread."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        ticks = [step * 10.0**decade for decade in decades for step in steps if low <= step * 10.0**decade <= high]
        if len(ticks) <= max_ticks:
            break
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(NullLocator())


def _to_svg(figure: Figure) -> str:
    """Return a figure as SVG text without a date or a creator."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = file.getvalue()
    return number_ids(text[text.index("<svg") :])


def number_ids(svg: str) -> str:
    """Return an SVG with ids numbered in their order.

    matplotlib names them by a hash of their coordinates, whose last digits differ between processors.

    >>> number_ids('<use href="#m0123456789"/><path id="m0123456789"/>')
    '<use href="#i0"/><path id="i0"/>'
    """
    names: dict[str, str] = {}
    return re.sub(HASH_ID, lambda match: names.setdefault(match[0], f"i{len(names)}"), svg)


def for_both_schemes(svg: str) -> str:
    """Return an SVG for a page, with CSS variables as colours, which follow the reader's light or dark scheme.

    >>> for_both_schemes('<svg><path style="fill: #ffffff"/></svg>')[-41:]
    '<path style="fill: var(--ffffff)"/></svg>'
    """
    pairs = figure_colours()
    light, dark = (
        ";".join(f"--{key[1:]}:{pair[side]}" for key, pair in zip(pairs, pairs.items(), strict=True)) for side in (0, 1)
    )
    style = f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    head = svg.find(">", svg.find("<svg")) + 1
    return svg[:head] + style + re.sub("|".join(pairs), lambda match: f"var(--{match[0][1:]})", svg[head:])


def with_dark(svg: str) -> str:
    """Return an SVG that stands alone, with dark colours by media query; viewers without such show it light.

    >>> "prefers-color-scheme:dark" in with_dark("<svg><path/></svg>")
    True
    """
    rules = (
        f'[style*="{attribute}: {light}"]{{{attribute}:{dark}!important}}'
        for light, dark in figure_colours().items()
        for attribute in ("fill", "stroke")
    )
    head = svg.find(">", svg.find("<svg")) + 1
    return f"{svg[:head]}<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>{svg[head:]}"


def draw_text(axes: Axes, x: float, y: float, text: str, **style: Any) -> Any:
    """Write a text near a data point on the colour of the page, without parsing it, and return matplotlib's handle.

    `style` holds options of matplotlib's `annotate`, such as `xytext`, the offset from the point.
    """
    ground = {"facecolor": LIGHT.page.ground, "edgecolor": "none", "pad": 0.4}
    return axes.annotate(text, (x, y), textcoords="offset points", parse_math=False, bbox=ground, **style)
