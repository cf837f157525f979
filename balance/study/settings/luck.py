"""Where a study asks how much of a result is luck: one `[[luck]]` table for each field or list of pairs.

[[luck]]
id = "duels"
title = "duels"
kind = "duel"
among = ["nexus+*", "trooper+*"]
pairs = [["nexus+shotgun", "trooper+shotgun"]]

Of a field it is told what decides a result before the first die, and what is chance; of pairs which dice it comes from,
and how it comes about.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from balance.analysis.luck.question import N_GROUPS
from balance.base.limits import MOST_NAMED
from balance.game.words import Text
from balance.study.settings.table_ids import TableWithId, check_unique_ids

Name = Annotated[str, Field(min_length=1, max_length=200)]
Pair = Annotated[list[Name], Field(min_length=2, max_length=2)]


class LuckStudy(TableWithId):
    """One `[[luck]]` table.

    * `kind`: the kind of question; the plainest that somebody wins without it.
    * `set`: assignments such as `situation.distance_cells=6`.
    * `choices`: what sides choose, such as how they play: `{ policy_a = "careful" }`; the side named first is a.
    * `among`: who is in the field, by id or pattern; the entrants of the study without it, where they take part. With
      `pairs` alone there is no field.
    * `play`: whether either side of the field plays in any of the ways that are quick to play.
    * `pairs`: who meets whom, told by dice; the most even ones of the field without it.
    * `even`: how many of the most even ones.
    * `groups`: groups of games that share dice, for shares that have to be simulated.
    """

    title: Text
    kind: str = ""
    set: list[str] = Field(default=[])
    choices: dict[str, str] = Field(default={})
    among: Annotated[list[Name], Field(max_length=MOST_NAMED)] = Field(default=[])
    play: bool = False
    pairs: Annotated[list[Pair], Field(max_length=24)] = Field(default=[])
    even: Annotated[int, Field(ge=0, le=24)] = 3
    groups: Annotated[int, Field(ge=2, le=1_000_000)] = N_GROUPS


LuckStudies = Annotated[list[LuckStudy], Field(max_length=8), AfterValidator(check_unique_ids)]
