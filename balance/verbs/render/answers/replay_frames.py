"""One trial of a simulation as polars frames and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from balance.game.question.replay import Replay

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["frames_of", "plot_left"]


def frames_of(replay: Replay) -> Mapping[str, pl.DataFrame]:
    """Return what happened, a row a step, and what was left after each: its numbers begin with step 0, the start."""
    told = replay.told
    lines = [
        {"step": step, "when": each.when, "who": each.who, "text": each.text, "dice": "; ".join(each.dice)}
        for step, each in enumerate(told.lines, start=1)
    ]
    left = [told.begun_with, *(each.left for each in told.lines)]
    columns = {name: [row[at] for row in left] for at, name in enumerate(told.counted)}
    return {"lines": pl.DataFrame(lines), "left": pl.DataFrame({"step": list(range(len(left))), **columns})}


def plot_left(replay: Replay, title: str) -> Figure:
    """Draw what was left of each thing that is counted, step by step."""
    from balance.verbs.render.drawing import Drawing

    left = frames_of(replay)["left"]
    figure = Drawing(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for name in left.columns[1:]:
        axes.step(left["step"].to_list(), left[name].to_list(), where="post", label=name)
    axes.set_xlabel("step")
    axes.set_ylabel("left")
    axes.legend(fontsize=7)
    axes.set_title(title, loc="left", fontsize=9)
    return figure
