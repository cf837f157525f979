"""The panel of a result where there can be one; else a sentence on why not, and the table."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance.base.numbers import show_many
from balance.base.parts import how_to_add, is_there
from balance.verbs.call.explore.subject import Subject
from balance.verbs.call.watch import in_notebook

if TYPE_CHECKING:
    from balance.verbs.call.result import Result

MOST_SECONDS = 1.0
"""An answer that takes longer does not follow a slider."""
NO_NOTEBOOK = "Sliders need a notebook, such as `jupyter lab` opens; here is the table."
NO_WIDGETS = f"Sliders need ipywidgets, which is not installed (`{how_to_add('ipywidgets')}`); here is the table."


@dataclass(frozen=True, repr=False)
class Instead:
    """What `explore` shows where there can be no panel: the reason, and the first screen of the answer."""

    reason: str
    result: Result[Any]

    def __str__(self) -> str:
        """Return the reason, an empty line, and the first screen."""
        return f"{self.reason}\n\n{self.result}"

    def __repr__(self) -> str:
        """Return the same as `str`, for this is what a prompt shows."""
        return str(self)

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.reason)}</p>{self.result._repr_html_()}"


def explore(result: Result[Any], subject: Callable[[], Subject]) -> Any:
    """Return a `Panel`, or an `Instead` outside of notebooks, without ipywidgets, or if an answer takes over a second.

    `subject` is called only where a panel is possible.
    """
    if not in_notebook():
        return Instead(NO_NOTEBOOK, result)
    if not is_there("ipywidgets"):
        return Instead(NO_WIDGETS, result)
    explored, start = subject(), time.perf_counter()
    explored.outcome({})
    if (seconds := time.perf_counter() - start) > MOST_SECONDS:
        reason = f"An answer takes {show_many(round(seconds + 0.5), 'second')}, too long to follow a slider"
        return Instead(f"{reason}; here is the table, and set= and trials= ask for others.", result)
    from balance.verbs.call.explore.panel import Panel

    return Panel(explored)
