"""How duels end: what becomes of either side, by what the game's settings declare, and what that earns.

[[endings]]
label = "eliminated"
column = "figures"
value = 0
points = 1

A side has met this end if its own column, `a_figures` or `b_figures`, has that value, and it met none of those declared
before; the other side has then earned so many points. Two rankings follow, by score and by points won less points lost,
and they need not agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from pydantic import Field

from balance.analysis.scores.tables import round_floats
from balance.base.errors import StudyError, unknown
from balance.catalogue.toml_model import Frozen
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

FILE = "report.toml"


class Ending(Frozen):
    """One way for a side to end a duel, such as eliminated.

    `label`: what it is called, as an adjective of the side that met it. `column` and `value`: a column of that side,
    without its prefix, and the value that says the side met this end. `points`: what the other side earns by it.
    """

    label: Annotated[str, Field(min_length=1, max_length=60)]
    column: Annotated[str, Field(min_length=1, max_length=60)]
    value: int
    points: int = 0


def ending_table(
    runner: Runner, entrants: Sequence[str], endings: Sequence[Ending], changes: Sequence[str] = ()
) -> pl.DataFrame:
    """Return one row per entrant and ending, over all opponents and both seats; of several endings the first counts.

    `changes`, such as `rules.faces=0-9`, are made in every question. The columns are `entrant`, `ending`, `dealt` (the
    share of duels in which the other side met it), `met` (in which this side did), and `net_points` (points won less
    points lost by it, per duel). Raise StudyError for an ending in a column that duels do not have.
    """
    asker, names = runner, list(entrants)
    _check(asker.game, endings)
    duel = asker.game.definition.name_about("winner")
    asks = [Query(duel, a, b, tuple(changes), "a") for a in names for b in names]
    chances = np.array(asker(asks, EndingsOf(tuple(endings)), "how duels end"), np.float64)
    grid = chances.reshape(len(names), len(names), len(endings), 2)
    met_chances = (grid[..., 0].mean(axis=1) + grid[..., 1].mean(axis=0)) / 2
    dealt_chances = (grid[..., 1].mean(axis=1) + grid[..., 0].mean(axis=0)) / 2
    rows = [
        {"entrant": name, "ending": ending.label, "dealt": float(dealt_chances[i, e]), "met": float(met_chances[i, e])}
        | {"net_points": ending.points * float(dealt_chances[i, e] - met_chances[i, e])}
        for i, name in enumerate(names)
        for e, ending in enumerate(endings)
    ]
    numbers = dict.fromkeys(("dealt", "met", "net_points"), pl.Float64)
    return round_floats(pl.DataFrame(rows, schema={"entrant": pl.String, "ending": pl.String, **numbers}))


def _check(game: LoadedGame, endings: Sequence[Ending]) -> None:
    duel = game.definition.kind_about("winner")
    columns = [] if duel is None else [column.of for column in duel.columns.values() if column.side == duel.sides[0]]
    strangers = [ending.column for ending in endings if ending.column not in columns]
    if faults := [
        unknown(name, columns, "is no column of a side of a duel", FILE, field="endings") for name in strangers
    ]:
        raise StudyError(faults)


@dataclass(frozen=True)
class EndingsOf:
    """A measure for `Runner`: question -> for each ending the chances that side a and side b met it."""

    endings: tuple[Ending, ...]

    def __call__(self, question: Question) -> list[list[float]]:
        """Return [chance of side a, chance of side b] for each ending, exact or else simulated."""
        (distribution, _), kind = question.known_distribution(), question.kind
        chances = []
        for side in kind.sides:
            before = np.zeros(len(distribution), bool)
            for ending in self.endings:
                now = (distribution[kind.column_of(side, ending.column)] == ending.value) & ~before
                chances.append(float(distribution.p[now].sum()))
                before |= now
        return np.array(chances).reshape(len(kind.sides), -1).T.tolist()
