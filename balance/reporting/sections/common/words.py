"""What a run's sections share: names for people, the game's words, and small tables of means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from balance.analysis.scores.equivalence import TIE
from balance.analysis.scores.tables import N_TRIALS
from balance.answers.blocks.tables import Better
from balance.answers.words.lists import list_some
from balance.base.numbers import show_many, show_points
from balance.game.words import Words
from balance.reporting import HeatMap, literal
from balance.reporting.sections.common.columns import TableColumn, plain
from balance.study.run.folder import Run


@dataclass(frozen=True)
class Pages:
    """A run and the names its pages use."""

    run: Run

    @cached_property
    def words(self) -> Words:
        """The words of this game for units, points and the like."""
        return self.run.settings.words

    @cached_property
    def labels(self) -> dict[str, str]:
        """Id -> displayed name of entrants, arms and groups."""
        names: dict[str, str] = {}
        for ids, texts in (("entrant", "label"), ("arm", "arm_label"), ("group", "group_label")):
            names |= dict(self.run.table("entrants").select(ids, texts).iter_rows())
        return names

    def name(self, entry: str) -> str:
        """Return a displayed name, plain, for cells and labels."""
        names = self.labels | self.run.settings.names
        return names.get(entry, entry.replace("_", " ").capitalize())

    def names(self, head: str, column: str) -> TableColumn:
        """Return a column of displayed names of the ids in a column of the frame."""
        return plain(head, lambda row: self.name(row[column]))

    def marked_name(self, entry: str) -> str:
        """Return a displayed name, escaped for marked text."""
        return literal(self.name(entry))

    @cached_property
    def has_prices(self) -> bool:
        """Whether entrants differ in cost, so that a price can be right or wrong."""
        return self.run.table("entrants")["cost_points"].n_unique() > 1

    def all_of_them(self) -> str:
        """Return the number of entrants with their noun, as marked text."""
        return literal(show_many(int(self.run.summary["n_entrants"]), self.words.entrant, self.words.entrants))

    @cached_property
    def ends(self) -> tuple[list[str], list[str]]:
        """The ids of all who score highest, and of all who score lowest; equal where nothing tells them apart."""
        scores = self.run.table("prices").select("entrant", "score")
        high, low = (
            scores.filter((pl.col("score") - end).abs() <= TIE)["entrant"].to_list()
            for end in (scores["score"].max(), scores["score"].min())
        )
        return high, low

    def list_bold(self, entrants: Sequence[str]) -> str:
        """Return entrants as marked text, the first few of very many."""
        return list_some([f"**{self.marked_name(name)}**" for name in entrants])

    def points(self, value: float) -> str:
        """Return a cost with the game's word for points."""
        return show_points(value, self.words.points)

    def n_simulated(self, name: str) -> int:
        """Return how many rows of a table rest on trials because their exact distributions could not be had."""
        frame = self.table(name)
        return 0 if frame is None or N_TRIALS not in frame.columns else frame[N_TRIALS].drop_nulls().len()

    def table(self, name: str) -> pl.DataFrame | None:
        """Return a table of the run, or None where it is missing or empty."""
        frame = self.run.table(name) if self.run.has(name) else None
        return frame if frame is not None and frame.height else None


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    caption: str,
    *,
    titles: tuple[str, str],
    signed: bool = False,
    top: float | None = None,
    legend: tuple[str, ...] = (),
    note: str = "",
    better: Better = "more",
    unit: str = "",
    source: str = "",
) -> HeatMap:
    """Return a heat map shaded by value: from 0 to the largest (or `top`), or around 1/2 if `signed`.

    r rows of c numbers of at least 0, None for no shade; `signed` ones are shares of 1, else they have a `unit`.
    `texts` are printed, `titles` say what rows and columns are, `legend` runs along the colour bar, the lowest first,
    and `better` says whether more or less is good for the row.
    """
    numbers = [value for row in values for value in row if value is not None]
    scale_top = top or max(numbers, default=1.0) or 1.0

    def shade(value: float | None) -> float | None:
        if value is None:
            return None
        return max(-1.0, min(1.0, 2 * value - 1)) if signed else max(0.0, min(1.0, value / scale_top))

    return HeatMap(
        row_labels=tuple(rows),
        column_labels=tuple(columns),
        cells=tuple(tuple(row) for row in texts),
        shades=tuple(tuple(shade(value) for value in row) for row in values),
        caption=caption,
        palette="diverging" if signed else "sequential",
        row_title=titles[0],
        column_title=titles[1],
        legend=legend,
        note=note,
        better=better,
        numbers=tuple(tuple((value, None, None) for value in row) for row in values),
        unit="share" if signed else unit,
        source=source,
    )
