"""`balance.matchups`: every match-up of a field in one call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from balance.analysis.scores.matrix import SCORE, MatchUp, MatchUps
from balance.base.errors import UsageError, suggestion
from balance.base.numbers import SURE
from balance.verbs.call import parameters
from balance.verbs.call.means import means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    FIRST,
    Names,
    changes_of,
    choices_of,
    names_of,
    open_game,
    who_begins,
    who_is_nobody,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from balance.engine.query import Query
    from balance.game.loaded import LoadedGame
    from balance.game.question.question import Question

TRIALS = 4096
"""Trials of a match-up without an exact distribution."""


@dataclass(frozen=True)
class Reader:
    """Reads one number off a question with its 95 % interval: the mean of `column`, or with "" the first side's score.

    `trials` and `seed` are for questions without an exact distribution.
    """

    column: str
    trials: int
    seed: int

    def __call__(self, question: Question) -> dict[str, float]:
        """Return `mean`, `low` and `high`, the ends of the interval equal to the mean where it is exact."""
        exact = not question.why_no_distribution
        distribution = question.distribution if exact else question.simulate(self.trials, seed=self.seed).distribution
        if self.column:
            mean, variance = distribution.mean(self.column), distribution.variance(self.column)
        else:
            chance = question.p_win(distribution)
            draw, wins = chance.get("draw", 0.0), chance[question.kind.sides[0]]
            mean = wins + draw / 2
            variance = wins + draw / 4 - mean * mean
        error = 0.0 if exact else SURE * max(variance / self.trials, 0.0) ** 0.5
        return {"mean": mean, "low": mean - error, "high": mean + error}


@verb
def matchups(
    game: parameters.Game,
    kind: parameters.Kind = "",
    *,
    among: Annotated[Names, Parameter("The first sides (default: all of the game).", "IDS")] = None,
    against: Annotated[Names, Parameter("The second sides (default: the first sides).", "IDS")] = None,
    measure: Annotated[
        str,
        Parameter(
            "A column whose mean is read off, such as damage (default: what the first side scores, a draw counting "
            "half, or where nobody wins the mean of what the question is about).",
            "COLUMN",
        ),
    ] = "",
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    trials: Annotated[int, Parameter("Of match-ups that have no exact distribution.", "N", is_count=True)] = TRIALS,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[MatchUps]:
    """Ask one question of every pair of a field: a matrix of match-ups as a frame, in one call.

    Returns
    -------
    Result
        Its `value` is a `MatchUps`, such as `result.value.exact`; its tables are `matrix`, one column per opponent, and
        `matchups`, one row per pair.

    Raises
    ------
    BalanceError
        There is no such question, entrant or column.

    Examples
    --------
    >>> import balance
    >>> field = ["nexus+assault_rifle", "trooper+shotgun"]
    >>> balance.matchups("warforged", among=field).to_polars().columns
    ['one', 'nexus+assault_rifle', 'trooper+shotgun']
    """
    from balance.chance.rolls.streams import check_seed

    opened_game = open_game(game, catalogue)
    kind_name = opened_game.kind(kind).name if kind else _plainest(opened_game)
    column = _column(opened_game, kind_name, measure)
    queries = _queries(opened_game, kind_name, _ids(among), _ids(against), first)
    choices, changes = tuple(choices_of(choose).items()), changes_of(set)
    queries = [replace(query, changes=changes, choices=choices) for query in queries]
    reader = Reader(column, trials, check_seed(seed))
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        rows = runner(queries, reader, "match-ups", skip_illegal=True)
    read = opened_game.catalogue
    field = MatchUps(
        1,
        opened_game.definition.name,
        "matchups",
        kind_name,
        column or SCORE,
        tuple(MatchUp(query.side_a, query.side_b, **(row or {})) for query, row in zip(queries, rows, strict=True)),
        read.rules_version,
        read.sha256,
    )
    from balance.answers.form import Terms
    from balance.answers.words.matchups import WORDS

    return as_result("matchups", field, WORDS, Terms.of(opened_game, kind_name), drawing=_draw)


def _ids(names: Names) -> list[str] | None:
    """Return ids; one in a list may hold commas itself, as armies and parties do, one in a text may not."""
    return names_of(names) if names is None or isinstance(names, str) else list(names)


def _plainest(game: LoadedGame) -> str:
    """Return the first kind of question with a winner, or the first of all."""
    kinds = game.definition.kinds.values()
    return next((kind.name for kind in kinds if kind.winners), next(iter(kinds)).name)


def _column(game: LoadedGame, kind: str, measure: str) -> str:
    """Return the column whose mean is read off, empty for the score; raise UsageError for an unknown measure."""
    question_kind = game.kind(kind)
    if measure in ("", SCORE) and question_kind.winners:
        return ""
    column = measure or question_kind.column("effect") or next(iter(question_kind.columns))
    if column not in question_kind.columns:
        columns = [*([SCORE] if question_kind.winners else []), *question_kind.columns]
        tip = suggestion(column, columns)
        raise UsageError(f"{kind} has no column {column!r}; there are {', '.join(columns)}", tip)
    return column


def _queries(
    game: LoadedGame, kind: str, among: list[str] | None, against: list[str] | None, first: str
) -> list[Query]:
    """Return a query for each pair of both lists, which default to all; raise UsageError for names of nobody.

    A named field meets itself where its members can be second sides, else all second sides of the game.
    """
    from balance.engine.query import Query

    sides_a = game.entrants_of(kind) if among is None else among
    able = game.others_of(kind)
    second = game.kind(kind).takes[1]
    meets_itself = among is not None and all(name in able or game.kind_of(name) == second for name in among)
    sides_b = against if against is not None else sides_a if meets_itself else able
    if faults := who_is_nobody(game, [*(among or ()), *(against or ())]):
        raise UsageError(faults)
    begins = who_begins(game, kind, first)
    return [Query(kind, side_a, side_b, first=begins) for side_a in sides_a for side_b in sides_b]


def _draw(result: Result[MatchUps], table: str) -> Figure:
    """Return the matrix as a heat map; any other table as every verb draws it."""
    from balance.answers.media.plot import plot_matrix, plot_table

    draw = plot_matrix if table in ("", "matrix") else plot_table
    return draw(result.to_polars(table), result.sentence)
