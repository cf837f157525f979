"""Where a study asks what would bring a field to one half in which everybody costs the same: `[even_field]`.

[even_field]
fields = ["dice", "figures"]
most_cost = 3
line = "skirmish"
units = ["situation.a_units", "situation.b_units"]
undervalued = ["*bow"]
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.analysis.changes.handicaps.even_field import MOST_CHANGES, MOST_UNITS
from balance.catalogue.toml_model import Frozen
from balance.game.words import Text


class EvenFieldStudy(Frozen):
    """What may change.

    * `fields`: numbers of a side that may move, such as `dice`.
    * `line` and `units`: the kind of question in which several meet, and the paths that say how many of each side;
      without it nobody may cost more, and all are asked about one against one.
    * `most_cost`: the most that anybody may cost.
    * `most_changes`: how many may change.
    * `undervalued`: ids and patterns of those worth more than duels show, who are not made stronger.
    """

    fields: Annotated[list[Text], Field(min_length=1, max_length=12)]
    line: str = ""
    units: Annotated[list[str], Field(max_length=2)] = Field(default=[])
    most_cost: Annotated[int, Field(ge=1, le=MOST_UNITS)] = 1
    most_changes: Annotated[int, Field(ge=1, le=MOST_CHANGES)] = MOST_CHANGES
    undervalued: Annotated[list[Text], Field(max_length=100)] = Field(default=[])

    @model_validator(mode="after")
    def _lines(self) -> EvenFieldStudy:
        if bool(self.line) != (len(self.units) == 2):
            raise ValueError("line and units go together: how many of side a, and how many of side b")
        if self.most_cost > 1 and not self.line:
            raise ValueError("most_cost needs a line: who costs more meets several")
        return self
