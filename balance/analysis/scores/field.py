"""How strong an entrant is against opponents that nobody knows yet, with how much doubt.

Which opponents an entrant will meet is uncertain: the field is taken as a sample of groups of opponents (all loadouts
of a unit are one group, since they resemble each other). Each draw gives the groups random weights (the Bayesian
bootstrap, Rubin 1981) and measures every rating again against the field so weighted. Exact duels have no error of
sampling; where scores were simulated or counted at a table, each draw also adds noise of their standard error to every
rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.scores.ratings import Ratings, fit_ratings, ratings_against, strength_errors
from balance.analysis.scores.scores import Scores, ScoreSource, read_scores
from balance.base.arrays import FloatArray
from balance.chance.rolls.streams import stream

FEWEST_ENTRANTS = 5
"""Entrants below which no interval is given; nor are fewer groups taken as a sample of groups."""


@dataclass(frozen=True)
class FieldDraws:
    """Weights and errors of `n` random fields of opponents, for the Bayesian bootstrap."""

    seed: int = 0
    n: int = 1000

    def weights(self, n_groups: int) -> FloatArray:
        """Return the weight of each group in each field: independent exponentials, `float64[n, n_groups]`."""
        draws = stream(self.seed, "analysis/prices", 0, "field").exponential(size=(self.n, n_groups))
        return np.asarray(draws + 1e-9)

    def noise(self, n_entrants: int) -> FloatArray:
        """Return standard normal errors for each entrant in each field, `float64[n, n_entrants]`."""
        return stream(self.seed, "analysis/prices", 0, "scores").standard_normal(size=(self.n, n_entrants))


def group_of(entrant: str) -> str:
    """Return the first part of an id: the unit of a loadout.

    >>> group_of("nexus+shotgun")
    'nexus'
    """
    return entrant.partition("+")[0]


def groups_of(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the number of each entrant's group, `int64[n]`; each is its own where there are too few groups."""
    groups = [group_of(name) for name in names]
    numbers = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    if len(numbers) < FEWEST_ENTRANTS:
        return np.arange(len(names))
    return np.array([numbers[name] for name in groups])


def draw_ratings(
    scores: Scores, ladder: Ratings, draws: FieldDraws, by_id: bool = True
) -> tuple[FloatArray, FloatArray]:
    """Return ratings against k random fields and the weight of each opponent in them, `float64[k, n]` both.

    Opponents keep the strengths of `ladder`. Scores that are not exact get errors of their size, in each field anew.
    Entrants that share one place in the field (see `Scores.counted_once`) are drawn together; so are, with `by_id`,
    those with the same first part of an id.
    """
    n = len(scores.names)
    alike = np.unique(scores.copies(), return_inverse=True)[1] if (scores.share < 1).any() else np.arange(n)
    groups = groups_of(scores.names) if by_id else alike
    weights = draws.weights(int(groups.max()) + 1)[:, groups] * scores.share
    weights = weights * (scores.share.sum() / weights.sum(1, keepdims=True))
    theta = np.concatenate([
        ratings_against(scores.first, scores.second, ladder.theta, ladder.first_mover, part, scores.weight)
        for part in np.array_split(weights, max(1, weights.size * n // 2_000_000))
    ])  # fmt: skip
    if scores.error.any():
        theta = theta + strength_errors(scores.error, ladder, scores.weight * scores.share) * draws.noise(n)[:, alike]
    return theta, weights


def simultaneous(estimates: FloatArray, draws: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return the ends of intervals that hold for all estimates at once: estimate -+ c sd, c from the largest |t|.

    Estimates are `float64[n]`, draws `float64[k, n]`, k at least 2; a column that never varies gets no width.
    """
    spread = draws.std(axis=0, ddof=1)
    t = np.abs(draws - estimates) / np.where(spread, spread, np.inf)
    half = float(np.quantile(t.max(axis=1), level)) * spread
    return estimates - half, estimates + half


def rating_table(
    game: ScoreSource, entrants: Sequence[str] | None = None, seed: int = 0, *, once: bool = False
) -> pl.DataFrame:
    """Return how strong each entrant is, by one number, best first.

    Parameters
    ----------
    game, entrants
        The field, all of it by default: of a game, or of a score table (see `read_scores`).
    seed
        Of the random weights of the field.
    once
        Whether entrants that no score tells apart count as one opponent, so that a copy of a card changes nothing.

    Returns
    -------
    polars.DataFrame
        `entrant`, `rating` (logits: of two entrants d apart the better scores 1 / (1 + exp(-d))), `low`, `high` and
        `score` (mean against the field). Intervals are simultaneous at 95 % and null with fewer than five entrants.

    Examples
    --------
    >>> table = pl.DataFrame({"one": ["elf", "elf"], "other": ["orc", "ogre"], "score": [0.6, 0.3]})
    >>> rating_table(table)["entrant"].to_list()
    ['ogre', 'elf', 'orc']
    """
    scores = read_scores(game, entrants)
    by_id = not isinstance(game, pl.DataFrame | Scores)
    field = scores.counted_once() if once else scores
    field = field if by_id else field.in_score_order()
    ladder = fit_ratings(field.first, field.weight, field.share)
    ends: list[FloatArray] = [np.full(len(field.names), np.nan)] * 2
    if len(field.names) >= FEWEST_ENTRANTS:
        ends = list(simultaneous(ladder.theta, draw_ratings(field, ladder, FieldDraws(seed), by_id)[0]))
    values = {"rating": ladder.theta, "low": ends[0], "high": ends[1], "score": field.mean}
    frame = pl.DataFrame({"entrant": field.names, **values}).with_columns(pl.col(pl.Float64).round(9).fill_nan(None))
    table = pl.DataFrame({"entrant": scores.names}).join(frame, on="entrant", how="left", maintain_order="left")
    return table.sort("rating", descending=True, maintain_order=True)
