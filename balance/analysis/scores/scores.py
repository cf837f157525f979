"""Who scores what against whom, with how much error: what every method of comparison starts from.

A *score table* is a polars frame with one row per match-up: `one`, `other`, `score` (what `one` scores, from 0 to 1, a
draw counting half) and, where known, its error: the standard error as `error`, or the ends of a 95 % interval as `low`
and `high`, or the number of games as `n`. A row without any of these is exact. `weight` says how much a match-up
counts, 1 without it. Rows of one match-up are pooled by their games. It may come from exact duels, from simulated
battles, or from a designer's own log (`score_table` reads one).

A pair that is there in one order only says nothing of who went first. Where both orders are there, `one` is taken to go
first. A pair that never met is left out of every mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.scores.tables import N_TRIALS, duel_table
from balance.base.errors import CatalogueError, Fault, UsageError, comma_list, unknown
from balance.catalogue.tables.files import read_rows
from balance.catalogue.tables.reading import known_headers, parse_records
from balance.catalogue.tables.schema import Header, Name, Record
from balance.chance.trials.estimate import LEVEL
from balance.chance.trials.stopping import normal_width
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

Grid: TypeAlias = npt.NDArray[np.float64]
ScoreSource: TypeAlias = "LoadedGame | Runner | pl.DataFrame | Scores"
"""What scores can be read from: a game, which is played, a table of duels, or a score table."""
REQUIRED_COLUMNS, NUMBERS = ("one", "other", "score"), ("score", "low", "high", "error", "n", "weight")
OTHER_NAMES = {"a": "one", "b": "other", "n_pairs": "n"}
SURE = 5.0
"""Standard errors within which all of a thousand entrants' match-ups hold at once with 95 %."""


@dataclass(frozen=True)
class Scores:
    """The scores of n entrants against each other.

    `first`: `float64[n, n]`, from 0 to 1: what the row scores going first against the column. `error`: `float64[n, n]`:
    the standard error of each; 0 where it is exact. `weight`: `float64[n, n]`, symmetric, not negative: how much each
    match-up counts; 0 where it was not played. `share`: `float64[n]`: how much each entrant counts as an opponent.
    """

    names: tuple[str, ...]
    first: Grid
    error: Grid
    weight: Grid
    share: Grid

    @property
    def second(self) -> Grid:
        """What the row scores going second against the column, `float64[n, n]`."""
        return 1.0 - self.first.T

    @property
    def either_seat(self) -> Grid:
        """What the row scores against the column, either seat as likely, `float64[n, n]`."""
        return (self.first + self.second) / 2

    @property
    def mean(self) -> Grid:
        """`float64[n]`: the mean score of each against the whole field."""
        return np.asarray(np.average(self.either_seat, axis=1, weights=self.weight * self.share))

    @property
    def half_widths(self) -> Grid:
        """Half-widths of the 95 % intervals of `either_seat`, `float64[n, n]`; 0 where it is exact."""
        return np.asarray(SURE * np.sqrt((self.error**2 + self.error.T**2) / 4))

    def select(self, places: npt.NDArray[np.int64]) -> Scores:
        """Return the scores of the entrants at these places, in this order."""
        at = np.ix_(places, places)
        names = tuple(self.names[place] for place in places.tolist())
        return Scores(names, self.first[at], self.error[at], self.weight[at], self.share[places])

    def in_score_order(self) -> Scores:
        """Return the scores with entrants sorted by mean score, an order that depends neither on names nor on rows."""
        return self.select(np.argsort(self.mean.round(10), kind="stable"))

    def copies(self) -> npt.NDArray[np.int64]:
        """Return for each entrant the place of the first one with the same scores and errors, `int64[n]`."""
        marks = np.concatenate([self.first, self.first.T, self.error], axis=1).round(8)
        _, first, label = np.unique(marks, axis=0, return_index=True, return_inverse=True)
        return np.asarray(first[label.ravel()], np.int64)

    def counted_once(self) -> Scores:
        """Return the scores with entrants that no score tells apart counting as one opponent together."""
        copies = self.copies()
        return replace(self, share=1.0 / np.bincount(copies, minlength=len(copies))[copies])


def read_scores(source: ScoreSource, entrants: Sequence[str] | None = None) -> Scores:
    """Return the scores of a game's duels, of a table of duels (see `duel_table`), or of a score table.

    A game is played: exactly, or by simulation where its duels have no exact distribution. Raise UsageError where the
    table lacks a column, a number is out of range, or some entrants never meet the others.
    """
    if isinstance(source, LoadedGame):
        source = Runner(source)
    if isinstance(source, Runner):
        return _of_duels(duel_table(source, entrants))
    if isinstance(source, pl.DataFrame):
        source = _of_duels(source) if "p_a" in source.columns else _of_rows(source)
    if entrants is None:
        return source
    if strange := [name for name in entrants if name not in source.names]:
        raise UsageError([unknown(name, source.names, "is not in the scores") for name in strange])
    return source.select(np.array([source.names.index(name) for name in entrants], np.int64))


def _of_duels(duels: pl.DataFrame) -> Scores:
    names = tuple(duels["a"].unique(maintain_order=True))
    scores = np.asarray(duels["p_a"].to_numpy() + duels["p_draw"].to_numpy() / 2, np.float64)
    first = scores.reshape(len(names), len(names))
    error = np.zeros_like(first)
    if N_TRIALS in duels.columns:
        error = np.sqrt((0.25 / duels[N_TRIALS].cast(pl.Float64)).fill_null(0.0).to_numpy().reshape(first.shape))
    return Scores(names, first, error, np.ones_like(first), np.ones(len(names)))


def duel_matrix(game: ScoreSource, entrants: Sequence[str] | None = None, first: str = "random") -> pl.DataFrame:
    """Return how the entrant of the row fares against that of the column, a draw counting half.

    `first` goes first: "random" (rows and columns then add up to 1), "a" (the row) or "b" (the column). The columns are
    `entrant`, and one Float64 column per opponent, null where the two never met.

    >>> from balance.game.loaded import load
    >>> matrix = duel_matrix(load("warforged"), ["trooper+sidearm", "nexus+shotgun"])
    >>> matrix["trooper+sidearm"][0]
    0.5
    """
    scores = read_scores(game, entrants)
    grids = {"a": scores.first, "b": scores.second, "random": scores.either_seat}
    if first not in grids:
        raise UsageError(f"first must be one of {', '.join(grids)}, found {first!r}")
    grid = np.where(scores.weight, grids[first], np.nan)
    frame = pl.DataFrame({"entrant": list(scores.names), **dict(zip(scores.names, grid.T, strict=True))})
    return frame.fill_nan(None)


def first_mover_advantage(game: ScoreSource, entrants: Sequence[str] | None = None) -> pl.DataFrame:
    """Return one row per unordered match-up that was played, mirror matches included: what going first is worth in it.

    The columns are `a`, `b`, `p_first` (what a scores going first), `p_second` and `advantage` (their difference, the
    same seen from b).

    >>> from balance.game.loaded import load
    >>> first_mover_advantage(load("warforged"), ["trooper+shotgun"])["advantage"].item() > 0
    True
    """
    scores = read_scores(game, entrants)
    rows, columns = np.nonzero(np.triu(scores.weight))
    first, second = scores.first[rows, columns], scores.second[rows, columns]
    ids = {"a": [scores.names[i] for i in rows.tolist()], "b": [scores.names[j] for j in columns.tolist()]}
    return pl.DataFrame({**ids, "p_first": first, "p_second": second, "advantage": first - second})


def _of_rows(table: pl.DataFrame) -> Scores:
    match_ups = _pool_match_ups(_check_table(table))
    names = tuple(pl.concat([match_ups["one"], match_ups["other"]]).unique(maintain_order=True))
    place = {name: at for at, name in enumerate(names)}
    rows, columns = (np.array([place[name] for name in match_ups[axis]]) for axis in ("one", "other"))
    first, error, weight = np.full((3, len(names), len(names)), np.nan)
    for grid, column in ((first, "score"), (error, "error"), (weight, "weight")):
        grid[rows, columns] = match_ups[column].to_numpy()
    np.fill_diagonal(weight, np.where(np.isnan(first.diagonal()), 1.0, weight.diagonal()))
    np.fill_diagonal(error, np.where(np.isnan(first.diagonal()), 0.0, error.diagonal()))
    np.fill_diagonal(first, np.where(np.isnan(first.diagonal()), 0.5, first.diagonal()))
    alone = ~np.isnan(first) & np.isnan(first.T)  # one number told of both seats: its error counts twice
    error[alone] *= 2**0.5
    mirror_mask = alone.T
    first[mirror_mask], error[mirror_mask], weight[mirror_mask] = (
        1.0 - first.T[mirror_mask],
        error.T[mirror_mask],
        weight.T[mirror_mask],
    )
    weight = np.nan_to_num(weight)
    scores = Scores(
        names, np.nan_to_num(first, nan=0.5), np.nan_to_num(error), (weight + weight.T) / 2, np.ones(len(names))
    )
    _check_connected(scores)
    return scores


def _check_table(table: pl.DataFrame) -> pl.DataFrame:
    """Return a score table with all its columns, numbers as floats; raise UsageError with every fault."""
    frame = table.rename({old: new for old, new in OTHER_NAMES.items() if new not in table.columns}, strict=False)
    if missing_columns := [name for name in REQUIRED_COLUMNS if name not in frame.columns]:
        reason = (
            f"a score table needs the columns {', '.join(REQUIRED_COLUMNS)}; {', '.join(missing_columns)} is missing"
        )
        raise UsageError(reason, f"its columns are {comma_list(frame.columns)}")
    try:
        frame = frame.select(
            pl.col("one", "other").cast(pl.String),
            *(pl.col(name) if name in frame.columns else pl.lit(None).alias(name) for name in NUMBERS),
        ).with_columns(pl.col(NUMBERS).cast(pl.Float64))
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"a score table holds numbers: {str(error).splitlines()[0][:120]}") from None
    frame = frame.with_columns(pl.when(pl.col("n") > 0).then(pl.col("n")), pl.col("weight").fill_null(1.0))
    wrong = {
        "is no score from 0 to 1": ~pl.col("score").is_between(0, 1).fill_null(value=False),
        "is an interval the wrong way round": pl.col("low") > pl.col("high"),
        "has a negative error or weight": (pl.col("error") < 0) | (pl.col("weight") < 0),
        "names nobody": pl.any_horizontal(pl.col("one", "other").is_null()),
    }
    faults = [
        Fault(message, "score table", row + 1)
        for message, test in wrong.items()
        for row in frame.select(test.fill_null(value=False).arg_true()).to_series().to_list()
    ]
    if faults or frame.is_empty():
        raise UsageError(faults or "the score table is empty")
    return frame


def _pool_match_ups(frame: pl.DataFrame) -> pl.DataFrame:
    """Return one row per match-up, pooled by games: `score`, `error` (null where exact) and `weight`."""
    games, own_error = pl.col("n").fill_null(1.0), pl.coalesce("error", (pl.col("high") - pl.col("low")) / 2 / _Z)
    total = games.sum()
    totals = frame.group_by("one", "other", maintain_order=True).agg(
        ((games * pl.col("score")).sum() / total).alias("score"),
        pl.col("weight").mean(),
        total.alias("n"),
        ((games * own_error).pow(2).sum().sqrt() / total).alias("own"),
        own_error.is_not_null().all().alias("has_own"),
        pl.col("n").is_not_null().any().alias("counted"),
    )
    # Two games won and two lost more, so that a score of 0 or 1 in a few games is not taken for certain.
    share = (pl.col("score") * pl.col("n") + 2) / (pl.col("n") + 4)
    counting_error = pl.when("counted").then((share * (1 - share) / (pl.col("n") + 4)).sqrt()).otherwise(0.0)
    return totals.with_columns(pl.when("has_own").then("own").otherwise(counting_error).alias("error"))


_Z = normal_width(LEVEL)


def _check_connected(scores: Scores) -> None:
    from scipy.sparse.csgraph import connected_components

    n_parts, label = connected_components(scores.weight, directed=False)
    if n_parts > 1:
        first, second = (scores.names[int(np.flatnonzero(label == part)[0])] for part in (0, 1))
        message = f"{first} and {second} never met, nor did any that they met: nothing compares them"
        raise UsageError(message, "give each part of the table by itself, or play a match-up between them")


def known_costs(
    source: ScoreSource, names: Sequence[str], costs: Mapping[str, float] | None, otherwise: float | None = None
) -> list[float]:
    """Return what entrants cost in points: by `costs`, else by the game, else `otherwise` unless that is None.

    Raise UsageError where somebody has no cost.
    """
    game = source.game if isinstance(source, Runner) else source
    cost_of = dict[str, float]()
    if isinstance(game, LoadedGame):
        cost_of = {name: float(game.cost_points(name)) for name in names}
    elif costs is None and otherwise is not None:
        cost_of = dict.fromkeys(names, otherwise)
    cost_of |= costs or {}
    if missing := [name for name in names if name not in cost_of]:
        message = f"nobody said what these cost: {comma_list(missing)}"
        raise UsageError(message, "give costs, a mapping from entrant to points; rating_table needs none")
    return [float(cost_of[name]) for name in names]


class _Row(Record):
    """One row of a score table on disk, with the headers that it may have instead."""

    one: Annotated[Name, Header(aliases=("a", "uno", "primo"))]
    other: Annotated[Name, Header(aliases=("b", "altro", "secondo"))]
    score: Annotated[float, Header(aliases=("punteggio", "risultato"))]
    low: Annotated[float | None, Header(aliases=("minimo",))] = None
    high: Annotated[float | None, Header(aliases=("massimo",))] = None
    error: Annotated[float | None, Header(aliases=("errore",))] = None
    n: Annotated[int | None, Header(aliases=("games", "partite"))] = None
    weight: Annotated[float | None, Header(aliases=("peso",))] = None


def score_table(path: Path | str) -> pl.DataFrame:
    """Read a score table from a CSV file, as spreadsheets write it: separators, decimal commas and Italian headers.

    Raises
    ------
    CatalogueError
        With every fault of the file.
    """
    faults: list[Fault] = []
    rows = [row.model_dump() for _, row in parse_records(_Row, read_rows(Path(path), known_headers(_Row)), faults)]
    if faults or not rows:
        raise CatalogueError(faults or Fault("the table has a header but no rows", str(path)))
    kinds = dict.fromkeys(NUMBERS, pl.Float64) | {"one": pl.String, "other": pl.String}
    return pl.DataFrame(rows, schema_overrides=kinds)
