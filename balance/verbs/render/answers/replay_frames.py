"""One trial of a simulation as polars frames and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from balance.game.question.replay import Replay

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def frames_of(replay: Replay) -> Mapping[str, pl.DataFrame]:
    """Return `lines`, a row per step from 1, and `left`, the counters after each step, with step 0 as the start."""
    narration = replay.narration
    lines = [
        {"step": step, "when": entry.moment, "who": entry.actor, "text": entry.text, "dice": "; ".join(entry.dice)}
        for step, entry in enumerate(narration.lines, start=1)
    ]
    remaining_counts = [narration.begun_with, *(entry.remaining_counts for entry in narration.lines)]
    columns = {name: [row[at] for row in remaining_counts] for at, name in enumerate(narration.counters)}
    return {"lines": pl.DataFrame(lines), "left": pl.DataFrame({"step": list(range(len(remaining_counts))), **columns})}


def plot_left(replay: Replay, title: str) -> Figure:
    """Draw each counter of the narration, such as a hero's health, as a staircase over the steps."""
    from balance.answers.media.drawing import Drawing

    remaining_counts = frames_of(replay)["left"]
    figure = Drawing(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for name in remaining_counts.columns[1:]:
        axes.step(remaining_counts["step"].to_list(), remaining_counts[name].to_list(), where="post", label=name)
    axes.set_xlabel("step")
    axes.set_ylabel("left")
    axes.legend(fontsize=7)
    axes.set_title(title, loc="left", fontsize=9)
    return figure
