"""Where a study asks what play is worth and which prices hold: one `[[battles]]` table for each.

[[battles]]
id = "medium"
title = "medium battles"
kind = "battle"
budgets = [[200, 6], [300, 6]]
over = { "situation.map" = ["open", "dense"] }
scales = [[150, 4], [250, 7]]

Ways of playing meet at the budgets of the table; prices are judged by those that count, over everything that `over`
and `scales` name. With `metrics = ["battles"]` a study works out nothing else.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from balance.analysis.play.playing import N_PAIRS, N_SLOW
from balance.analysis.play.ways import NEAR_POINTS
from balance.analysis.prices.fits.battle_prices import N_BATTLES
from balance.game.words import Text
from balance.study.settings.economies import Scales
from balance.study.settings.table_ids import TableWithId, check_unique_ids

Values = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1, max_length=12)]


class BattleStudy(TableWithId):
    """One `[[battles]]` table.

    * `kind`: the kind of question in which armies meet; the first of the game without it.
    * `set` and `choices`: assignments such as `situation.rounds=8`, and what sides choose beside how they play.
    * `budgets`: from the first to the last of which armies are drawn, in points, each with its unit limit; as the rules
      pair them without any.
    * `ways`: ways of playing that meet; those that are quick to play without any.
    * `pairs` and `slow`: pairs of armies for each match-up of ways, and for those that are not quick to play.
    * `near`: rating points that a way may be behind the best and count.
    * `over` and `scales`: what verdicts must hold over: path -> values; and budgets with unit limits.
    * `battles` and `precision`: battles in each setting for prices, at most, and the share of its cost to which each
      shall be known; with 0 battles no price is judged.
    """

    title: Text
    kind: str = ""
    set: list[str] = Field(default=[])
    choices: dict[str, str] = Field(default={})
    budgets: Scales = Field(default=[])
    ways: Annotated[list[str], Field(max_length=24)] = Field(default=[])
    pairs: Annotated[int, Field(ge=8, le=1_000_000)] = N_PAIRS
    slow: Annotated[int, Field(ge=8, le=1_000_000)] = N_SLOW
    near: Annotated[float, Field(ge=0, le=10_000)] = NEAR_POINTS
    over: Annotated[dict[str, Values], Field(max_length=6)] = Field(default={})
    scales: Scales = Field(default=[])
    battles: Annotated[int, Field(ge=0, le=100_000_000)] = 2 * N_BATTLES
    precision: Annotated[float, Field(gt=0, le=1)] = 0.05


BattleStudies = Annotated[list[BattleStudy], Field(max_length=8), AfterValidator(check_unique_ids)]
