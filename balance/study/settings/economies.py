"""Where the prices of a study are judged: how armies of equal points meet, one `[[armies]]` table for each setting.

[[armies]]
id = "pool"
title = "actions shared by an army"
set = ["situation.actions=pool"]

What a price comes to may hang on how actions are counted, so a game names the *economies* that it can be played in; a
verdict that is not the same in all of them is told as such. Without any, armies meet as the game has it by default;
with `armies = []` none do.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field

from balance.analysis.armies.budgets import sufficient_budgets
from balance.game.armies.armies import MOST_UNITS
from balance.game.loaded import LoadedGame
from balance.game.words import Text
from balance.study.settings.table_ids import TableWithId, check_unique_ids

BATTLES = 2000
"""Battles of the last round for each member that plays in a way of its own."""
Scale = Annotated[list[Annotated[float, Field(ge=1, le=1e6)]], Field(min_length=2, max_length=2)]
"""A budget in points, and how many units it may buy."""


def _check_rising(scales: list[Scale]) -> list[Scale]:
    if any(later[0] <= earlier[0] for earlier, later in pairwise(scales)):
        raise ValueError("holds budgets that do not rise")
    if any(units > MOST_UNITS for _, units in scales):
        raise ValueError(f"holds a unit limit above {MOST_UNITS}")
    return scales


Scales = Annotated[list[Scale], Field(max_length=12), AfterValidator(_check_rising)]


class Economy(TableWithId):
    """One setting in which armies of equal points meet.

    * `kind`: the kind of question in which they meet; the game as its rulebook prints it without one.
    * `set` and `choices`: assignments such as `situation.actions=pool`, and how sides play.
    * `budgets`: from the first to the last of which armies are drawn, in points, each with its unit limit; as the rules
      pair them without any.
    * `checked`: at which the prices found are checked by playing; between the budgets without any.
    * `battles`: of the last round, for each member that plays in a way of its own.
    """

    title: Text
    kind: str = ""
    set: list[str] = Field(default=[])
    choices: dict[str, str] = Field(default={})
    budgets: Scales = Field(default=[])
    checked: Scales = Field(default=[])
    battles: Annotated[int, Field(ge=100, le=1_000_000)] = BATTLES


Economies = Annotated[list[Economy], Field(max_length=8), AfterValidator(check_unique_ids)]


def usual_economies(game: LoadedGame) -> tuple[Economy, ...]:
    """Return the game's own way for armies to meet, as a single setting; () where they do not.

    >>> from balance.game.loaded import load
    >>> usual_economies(load("edadh"))
    ()
    """
    kind = next((kind for kind in game.definition.kinds.values() if kind.armies is not None), None)
    kind = game.definition.kinds.get(game.definition.priced_in, kind)
    if kind is None or len(names := game.entrants_of(kind.name)) < 2:
        return ()
    if min(float(game.cost_points(name)) for name in names) <= 0:
        return ()
    usual = list(kind.armies.scales(game.catalogue)) if kind.armies is not None else []
    sufficient = sufficient_budgets(game, kind.name, usual) if usual else []
    if sufficient != usual:
        budgets = [list(scale) for scale in sufficient]
        return (Economy(id="armies", title="as the rules have it, at budgets that buy everybody", budgets=budgets),)
    return (Economy(id="armies", title="as the rules have it"),)
