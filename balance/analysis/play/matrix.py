"""What play is worth: every way of playing against every other, with the same armies on the same luck.

Random legal armies X and Y are drawn, and each way plays each other (and itself) with X going first against Y and with
Y going first against X, on dice that are the same for all ways. So every two ways play the same armies from both seats,
and the effects of armies and seat cancel.

Ratings are those of a Bradley-Terry ladder with a term for going first (see `ratings`), in *rating points*: 400 / ln 10
of them to the log-odds, as chess players count, so that 50 points are a score of .571. Errors are clustered by pair of
armies, with all that was played on it. Where every battle was won, half a win and half a loss are added to each
match-up: a streak is no certainty.

A ladder cannot hold all of it: `cyclic` is the share of the matrix that is intransitive, reported with what luck alone
would show. Which ways count is said in `ways`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import log

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.scores.ratings import PRIOR_SD, Ratings, cyclic_share, fit_ratings
from balance.base.arrays import BoolArray, FloatArray, IntArray

RATING_POINTS = 400 / log(10)
"""Rating points to a log-odds of 1."""
SURE = 2.0
"""Standard errors by which a match-up is certainly won."""


@dataclass(frozen=True)
class PairSetting:
    """Which pairs meet, and how.

    `pairs`: their ids. `changes`: assignments made in every question. `choices`: how the sides play, but for the ways
    that are compared.
    """

    kind: str
    pairs: tuple[str, ...]
    changes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, repr=False)
class PlayWorth:
    """The results of w ways of playing against each other.

    * `names`: the ways, in the order of the game.
    * `scores`: `float64[w, w]`: what the row scores going first against the column.
    * `stand_offs`: `float64[w, w]`: the share of stand-offs; all nan where that is not reported.
    * `n_pairs`: `int64[w, w]`: pairs of armies played; two battles each.
    * `results`: `int8[w, w, k, 2]`: twice the score of the row going first, with army X and with army Y of each pair;
      -1 where the pair was not played.
    """

    names: tuple[str, ...]
    scores: FloatArray
    stand_offs: FloatArray
    n_pairs: npt.NDArray[np.int64]
    results: npt.NDArray[np.int8]
    seed: int
    setting: ArmySetting | PairSetting

    @classmethod
    def of_results(
        cls,
        names: tuple[str, ...],
        results: npt.NDArray[np.int8],
        stand_offs: BoolArray | None,
        seed: int,
        setting: ArmySetting | PairSetting,
    ) -> PlayWorth:
        """Return the worth of play from `results` as the attribute has them.

        `stand_offs`, `bool[w, w, k, 2]`, marks battles that nobody had won when the time was up; None where none can be
        so.
        """
        n_played = (results[..., 0] >= 0).sum(axis=2)
        scores = np.where(results >= 0, results, 0).sum(axis=(2, 3)) / (4 * n_played)
        share = np.full(scores.shape, np.nan) if stand_offs is None else stand_offs.sum(axis=(2, 3)) / (2 * n_played)
        return cls(names, scores, share, n_played.astype(np.int64), results, seed, setting)

    @property
    def n_battles(self) -> int:
        """Battles played over all match-ups, two for each pair of armies."""
        return int(2 * self.n_pairs.sum())

    @cached_property
    def mirrored_scores(self) -> FloatArray:
        """What the row scores against the column from both seats, `float64[w, w]`."""
        return np.asarray((self.scores + 1 - self.scores.T) / 2)

    @cached_property
    def mirrored_error(self) -> FloatArray:
        """Standard errors of `mirrored_scores`, clustered by pair of armies, `float64[w, w]`; a diagonal of 0."""
        errors, above = np.zeros((len(self.names),) * 2), np.array(np.triu_indices(len(self.names), 1))
        n = np.minimum(self.n_pairs, self.n_pairs.T)[*above]
        spread = np.sum(self._off(*above) ** 2, axis=1)
        errors[*above] = np.sqrt(np.maximum(spread, 1 / (4.0 * n**2)))  # a streak of one result is no certainty
        return np.asarray(errors + errors.T)

    @cached_property
    def _ladder(self) -> Ratings:
        weights = 2.0 * self.n_pairs
        return fit_ratings((self.scores * weights + 0.5) / (weights + 1), weights + 1)

    @cached_property
    def covariance(self) -> FloatArray:
        """Covariance of the ratings in points, their mean held at 0, `float64[w, w]`."""
        return _covariance(self._ladder, self.results, np.asarray(2.0 * self.n_pairs + 1)) * RATING_POINTS**2

    @cached_property
    def ratings(self) -> FloatArray:
        """Rating points, their mean 0, `float64[w]`."""
        theta = self._ladder.theta
        return np.asarray((theta - theta.mean()) * RATING_POINTS)

    @property
    def going_first(self) -> float:
        """Rating points that going first is worth."""
        return self._ladder.first_mover * RATING_POINTS

    @property
    def cyclic(self) -> float:
        """Share of the matrix, in weighted log-odds, that is intransitive, so that no ladder can hold it."""
        return cyclic_share(self._smooth)

    @property
    def _smooth(self) -> FloatArray:
        weights = 2.0 * self.n_pairs
        return np.asarray((self.scores * weights + 0.5) / (weights + 1))

    @cached_property
    def cyclic_noise(self) -> float:
        """Expected `cyclic` share from luck alone if the truth were a ladder, approximately."""
        w = len(self.names)
        above = np.array(np.triu_indices(w, 1))
        p = ((self._smooth + 1 - self._smooth.T) / 2)[*above]
        spread = p * (1 - p)
        whole = float(np.sum(spread * np.log(p / (1 - p)) ** 2))
        ways = np.eye(w)[above[0]] - np.eye(w)[above[1]]
        onto = ways @ np.linalg.pinv((ways * spread[:, None]).T @ ways, hermitian=True) @ (ways * spread[:, None]).T
        rest = (np.eye(len(p)) - onto) @ (self._off(*above) / spread[:, None])
        return min(1.0, float(np.sum(spread[:, None] * rest**2)) / whole) if whole else 0.0

    def _off(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return each pair's deviation from the mean mirrored score over their number, `float64[match-ups, k]`."""
        mask = (self.results[rows, columns, :, 0] >= 0) & (self.results[columns, rows, :, 0] >= 0)
        pair_scores = (self.results[rows, columns] + 2.0 - self.results[columns, rows]).mean(axis=2) / 4
        n = mask.sum(axis=1, keepdims=True)
        mean = np.where(mask, pair_scores, 0.0).sum(axis=1, keepdims=True) / n
        return np.asarray(np.where(mask, pair_scores - mean, 0.0) / n)

    @cached_property
    def cycles(self) -> tuple[tuple[str, str, str], ...]:
        """Triples of ways in which each significantly beats the next and the last the first; each cycle once."""
        sure = self.mirrored_scores - SURE * self.mirrored_error > 0.5
        names = self.names
        return tuple(
            (names[i], names[j], names[k])
            for i, j, k in permutations(range(len(names)), 3)
            if i == min(i, j, k) and sure[i, j] and sure[j, k] and sure[k, i]
        )


def _covariance(ladder: Ratings, results: npt.NDArray[np.int8], weights: FloatArray) -> FloatArray:
    """Return the covariance of strengths, their mean held at 0: a sandwich with pairs of armies as clusters."""
    p, w = ladder.predict(), len(results)
    mask = results >= 0
    off = np.where(mask, results / 2 - p[:, :, None, None], 0.0).sum(axis=3)
    slack = np.vstack([off.sum(axis=1) - off.sum(axis=0), off.sum(axis=(0, 1))[None, :]])
    meat, spread = slack @ slack.T, weights * p * (1 - p)
    for i, j in product(range(w), repeat=2):  # half a win and half a loss were added to each match-up
        way = np.zeros(w + 1)
        way[i] += 1.0
        way[j] -= 1.0
        way[w] = 1.0
        meat += (p[i, j] ** 2 + (1 - p[i, j]) ** 2) / 2 * np.outer(way, way)
    total_spread = spread + spread.T
    curvature = np.empty((w + 1, w + 1))
    curvature[:w, :w] = np.diag(total_spread.sum(axis=1)) - total_spread
    curvature[:w, w] = curvature[w, :w] = spread.sum(axis=1) - spread.sum(axis=0)
    curvature[w, w] = spread.sum()
    inverse = np.linalg.inv(curvature + np.eye(w + 1) / PRIOR_SD**2)
    centring = np.eye(w) - 1 / w
    return np.asarray(centring @ (inverse @ meat @ inverse)[:w, :w] @ centring)
