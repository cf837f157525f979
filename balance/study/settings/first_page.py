"""What the first page of a game's report shows, where no prices say it: the `[first_page]` of `report.toml`.

[first_page]
headline = "The heroes win {by_size.cell[Ambush][4 heroes]} of the ambushes, with two of them {cell[Ambush][2 heroes]}."
answer = "by_size"
chart = { table = "by_size", axis = "chance that the heroes win, in per cent", fair = [0.4, 0.6] }
change = "handicaps"
cannot_see = "players who plan, and what comes between two encounters."

The page has, in this order: the headline in a box, the chart, the table that answers the question, the table "What to
change", and one sentence on what it cannot see. A part that is not named, or whose table a run lacks, is left out.
In games with prices, or whose parties are scaled, `headline` stands after what those say; the rest is theirs.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.catalogue.toml_model import Frozen
from balance.game.words import Text
from balance.study.settings.table_ids import Id


class Chart(Frozen):
    """A report table drawn with a mark, and its interval, for each row.

    * `axis`: what the numbers are, with their unit: the label of the axis. Shares are drawn in per cent.
    * `column`: the label of the column that is drawn; without it a mark for each cell, if the table has several
      columns.
    * `fair`: between which two numbers, as the table has them, a row is fair; the band is shaded, and a row has a
      verdict: `too_low`, "fair" or `too_high` where its whole interval says so, else "not yet known".
    * `too_low` and `too_high`: what a row below and above that band is called.
    * `solution`: id of a solution, whose value is drawn above the rows, between what the best answers found leave of
      it.
    * `solution_label`: what that row is called.
    """

    table: Id
    axis: Text
    column: str = ""
    fair: Annotated[list[float], Field(min_length=2, max_length=2)] = Field(default=[])
    too_low: Text = "too low"
    too_high: Text = "too high"
    solution: Id | None = None
    solution_label: Text = "Good play, as far as found"

    @model_validator(mode="after")
    def _upwards(self) -> Chart:
        if self.fair and not self.fair[0] < self.fair[1]:
            raise ValueError(f"fair goes from {self.fair[0]:g} to {self.fair[1]:g}: the lower end comes first")
        return self


class FirstPage(Frozen):
    """What a game without prices shows on its first page.

    * `headline`: the verdict in one or two sentences, marked text with the fields of a finding. A field names its table
      before a dot, as in `{by_size.cell[ROW][COLUMN]}`; without one it speaks of the table of the chart. `{ID.value}`
      says what a solution of that id is worth, `{ID.remedy}` which change makes it even.
    * `title`: what stands over it.
    * `answer`: id of the report table that answers the question: its first eight rows stand under the chart.
    * `chart`: the one picture of the page.
    * `change`: id of the report table of what to change, each row one change: the five rows that come nearest to even
      are shown if its numbers are shares or scores, else the first five. Or id of a solution, for the single numbers
      that make it even.
    * `cannot_see`: what none of this can see, as the end of a sentence; without it the first thing that each kind of
      question on this page cannot see.
    """

    headline: str = ""
    title: Text = "The verdict"
    answer: Id | None = None
    chart: Chart | None = None
    change: Id | None = None
    cannot_see: str = ""

    @property
    def own_table(self) -> str:
        """The table meant by fields of the headline that name none: that of the chart."""
        return self.chart.table if self.chart else ""
