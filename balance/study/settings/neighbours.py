"""Where a study asks what every small change of a card does: one `[[neighbours]]` table for some cards each.

[[neighbours]]
id = "guns"
title = "two guns"
cards = ["shotgun", "trooper+sidearm"]
among = ["nexus+*"]
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from balance.base.limits import MOST_NAMED
from balance.game.words import Text
from balance.study.settings.table_ids import TableWithId, check_unique_ids

Name = Annotated[str, Field(min_length=1, max_length=200)]


class NeighbourStudy(TableWithId):
    """One `[[neighbours]]` table.

    * `cards`: cards, or entrants that hold several.
    * `among`: whom they meet, by id or pattern; without it twelve of the entrants of the study, drawn by the seed.
    * `set`: assignments such as `situation.distance_cells=6`, made in every duel.
    * `points`: whether each change is told in points, too, where armies are bought; a minute a card or more.
    """

    title: Text
    cards: Annotated[list[Name], Field(min_length=1, max_length=24)]
    among: Annotated[list[Name], Field(max_length=MOST_NAMED)] = Field(default=[])
    set: list[str] = Field(default=[])
    points: bool = False


NeighbourStudies = Annotated[list[NeighbourStudy], Field(max_length=8), AfterValidator(check_unique_ids)]
