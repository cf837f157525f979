"""A figure that a notebook shows by itself."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

DOTS_PER_INCH = 100


class Drawing(Figure):
    """A figure of matplotlib, shown at the end of a cell whether or not `matplotlib.pyplot` was imported before."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=DOTS_PER_INCH)
        return file.getvalue()
