"""What every figure shares: a fixed style, a deterministic SVG, and texts that cannot be clipped or misread as markup.

Letters are drawn as outlines, so a figure looks the same in a browser and on paper whatever fonts are installed. The
style starts from matplotlib's own defaults, not from the user's configuration; nothing global is changed.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.errors import UsageError
from balance.report.theme import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PAGE_WIDTH", "demand_data", "draw_text", "make_axes", "styled", "to_svg"]

PAGE_WIDTH = 6.6

_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8.0,
    "axes.labelsize": 8.0,
    "axes.labelcolor": LIGHT.page.ink,
    "axes.edgecolor": LIGHT.quiet,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": "#e4e5e7",
    "grid.linewidth": 0.6,
    "xtick.color": LIGHT.quiet,
    "ytick.color": LIGHT.quiet,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "text.color": LIGHT.page.ink,
    "text.parse_math": False,
    "figure.facecolor": "#ffffff",
    "svg.fonttype": "path",
    "svg.hashsalt": "balance",
    "path.simplify": False,
}


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Draw in our style inside the block, and leave matplotlib as it was."""
    import matplotlib

    style: dict[Any, Any] = dict(matplotlib.rcParamsDefault)
    for name in ("backend", "backend_fallback"):
        style.pop(name, None)
    style.update(_STYLE)
    with warnings.catch_warnings(), matplotlib.rc_context():
        warnings.simplefilter("ignore")
        matplotlib.rcParams.update(style)
        yield


def demand_data(n: int, what: str) -> None:
    """Raise UsageError when a figure was given nothing to draw."""
    if n == 0:
        raise UsageError(f"{what} was given nothing to draw")


def make_axes(height: float, width: float = PAGE_WIDTH) -> tuple[Figure, Axes]:
    """Return a figure of a size in inches, laid out so that every text keeps inside it, and its axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(visible=True)
    axes.tick_params(length=2.5)
    return figure, axes


def to_svg(figure: Figure) -> str:
    """Return a figure as SVG text without a date or a creator."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def draw_text(axes: Axes, x: float, y: float, text: str, **style: Any) -> Any:
    """Write a text near a data point, literally, on a white ground, and return matplotlib's handle of it."""
    ground = {"facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.8, "pad": 0.4}
    return axes.annotate(text, (x, y), textcoords="offset points", parse_math=False, bbox=ground, **style)
