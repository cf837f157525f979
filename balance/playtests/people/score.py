"""What a game's points tell of armies, with the players taken out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.optimize import brentq
from scipy.special import ndtri
from scipy.stats import ncx2

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.playtests.games import Games
from balance.playtests.people.mixed import MixedFit, crossed_clusters, fit_mixed
from balance.playtests.people.naming import max_t

_DENSE_PAIRS = 400
"""Pairs of armies up to which they are no sparse block: solved for with the players they are ten times slower."""
_FEWEST_GAMES = 10


@dataclass(frozen=True)
class Effect:
    """An effect in points of half the margin, its interval by errors clustered by event and player."""

    estimate: float
    se: float
    low: float
    high: float


@dataclass(frozen=True)
class ArmyEffect(Effect):
    """An army against the mean of all by usage; the simultaneous interval and `p` hold for all armies together."""

    name: str
    n_games: float
    pick_rate: float
    simultaneous_low: float
    simultaneous_high: float
    p: float
    named: bool


@dataclass(frozen=True)
class Share:
    """The part of the margin's variance that a source has where players meet at random."""

    source: str
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class ScoreDesign:
    """The blocks of columns of a log's games; rows of it keep all columns, so that a fit foretells others.

    `y` is half the margin in points; without points, the score less a half. `games` are those whose margin is known.
    """

    games: Games
    y: FloatArray
    dense: Mapping[str, sp.csc_array]
    sparse: Mapping[str, sp.csc_array]

    @property
    def blocks(self) -> dict[str, sp.csc_array]:
        """All columns, by kind."""
        return {**self.dense, **self.sparse}

    def select_rows(self, keep: BoolArray) -> ScoreDesign:
        """Return the rows where `keep`, with all columns."""
        dense, sparse = ({kind: block[keep] for kind, block in blocks.items()} for blocks in (self.dense, self.sparse))
        return ScoreDesign(self.games.select_rows(keep), self.y[keep], dense, sparse)

    def fit(
        self, random: tuple[str, ...] = ("army pair",), start: Mapping[str, float] | None = None, max_steps: int = 40
    ) -> MixedFit:
        """Return the mixed model of the rows."""
        clusters = crossed_clusters(event_places(self.games), self.games.players)
        return fit_mixed(self.y, self.dense, self.sparse, random, self.games.count, start, max_steps, clusters)


@dataclass(frozen=True)
class ScoreFit:
    """What the points tell; `mixed` holds every effect, variance and residual, by the kinds in `design`.

    `first_mover` is None where nobody says who went first, `listed_first` where only the first in a row ever does.
    """

    level: float
    design: ScoreDesign
    mixed: MixedFit
    n_games_left_out: int

    @cached_property
    def armies(self) -> tuple[ArmyEffect, ...]:
        """Each army that was played, strongest first."""
        games = self.design.games
        n_sides = np.bincount(np.r_[games.side_a, games.side_b], np.tile(games.count, 2), len(games.names))
        usage = n_sides / n_sides.sum()
        played = np.flatnonzero(usage)
        contrasts = np.eye(len(usage))[played] - usage
        estimates = contrasts @ self.mixed.effects["army"]
        named = max_t(estimates, self.mixed.clustered("army", contrasts), self.level)
        columns = (
            *(estimates, named.se, named.low, named.high),
            *(np.array(games.names)[played], n_sides[played], usage[played]),
            *(named.simultaneous_low, named.simultaneous_high, named.p, named.named),
        )
        rows = zip(*(np.asarray(column).tolist() for column in columns), strict=True)
        return tuple(sorted((ArmyEffect(*row) for row in rows), key=lambda army: (-army.estimate, army.name)))

    def _single(self, kind: str) -> Effect | None:
        if kind not in self.design.dense:
            return None
        estimate, se = float(self.mixed.effects[kind][0]), float(self.mixed.clustered(kind)[0, 0] ** 0.5)
        half = float(ndtri((1 + self.level) / 2)) * se
        return Effect(estimate, se, estimate - half, estimate + half)

    @property
    def first_mover(self) -> Effect | None:
        """What going first is worth."""
        return self._single("first mover")

    @property
    def listed_first(self) -> Effect | None:
        """What the one that a row names first has more."""
        return self._single("listed first")

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """The margin's variance by source: armies, then error and the random kinds with delta intervals."""
        n, count = self.design.games.n_games, self.design.games.count
        sizes = np.array([count @ self.design.blocks[kind].power(2).sum(axis=1) / n for kind in self.mixed.ratios])
        parts = np.r_[1.0, sizes * np.array([*self.mixed.ratios.values()])]
        armies, upper = np.array(self._army_variance()) / self.mixed.error_variance
        total = parts.sum() + armies
        shares = [Share("army", float(armies / total), 0.0, float(upper / (total - armies + upper)))]
        for at, (kind, part) in enumerate(zip(["error", *self.mixed.ratios], parts / total, strict=True)):
            slope = sizes * ((np.arange(len(sizes)) == at - 1) - part) / total
            half = ndtri((1 + self.level) / 2) * np.sqrt(max(slope @ self.mixed.ratio_covariance @ slope, 0.0))
            shares.append(Share(kind, *(float(max(min(end, 1.0), 0.0)) for end in (part, part - half, part + half))))
        return tuple(shares)

    def _army_variance(self) -> tuple[float, float]:
        """Return the variance of the armies' part of the margin, less what error alone gives, and an upper bound."""
        block, count = self.design.dense["army"], self.design.games.count
        squares = (block.T @ sp.csc_array(sp.diags_array(count) @ block)).toarray() / count.sum()
        effects, noise = self.mixed.effects["army"], squares @ self.mixed.clustered("army")
        seen, mean, spread = effects @ squares @ effects, np.trace(noise), np.trace(noise @ noise)
        if mean <= 0:
            return 0.0, 0.0
        scale, freedom, tail = spread / mean, mean**2 / spread, (1 - self.level) / 2

        def excess(variance: float) -> float:
            return float(ncx2.cdf(seen / scale, freedom, variance / scale)) - tail

        low, high = 1e-12 * mean, seen + 20 * (seen + mean)
        return max(seen - mean, 0.0), float(brentq(excess, low, high)) if excess(low) > 0 else 0.0


def knows_enough(games: Games) -> bool:
    """Whether there are games enough for `score_model`: ten whose margin is known, and two for each army."""
    known = score_design(games).games
    return len(known.side_a) >= max(_FEWEST_GAMES, 2 * len(np.unique([known.side_a, known.side_b])))


def score_model(games: Games, level: float = 0.95) -> ScoreFit:
    """Fit half the margin by players, players within events, armies, pairs of armies, first move and place in the row.

    What the log does not tell is left out of the model; an unknown player counts as an average one.
    """
    design = score_design(games)
    return ScoreFit(level, design, design.fit(), len(games.side_a) - len(design.y))


def score_design(games: Games) -> ScoreDesign:
    """Return the columns of the model for the games whose margin is known."""
    if games.points is not None:
        games = games.select_rows(np.asarray(np.isfinite(games.points).all(axis=1)))
    points = games.points if games.points is not None else np.stack([games.score, 1 - games.score], axis=1)
    a, b, n = games.side_a, games.side_b, len(games.names)
    dense: dict[str, sp.csc_array] = {}
    if games.knows_mover:
        dense["first mover"] = sp.csc_array(games.mover[:, None].astype(np.float64))
    if len(np.unique(games.mover)) > 1 or not games.knows_mover:
        dense["listed first"] = sp.csc_array(np.ones((len(a), 1)))
    dense["army"] = _difference(np.stack([a, b], axis=1), n)
    pairs = _numbered(np.where(a == b, -1, np.minimum(a, b) * n + np.maximum(a, b)))
    pair = _difference(np.stack([pairs, np.full(len(a), -1)], axis=1)) * np.sign(b - a)[:, None]
    sparse = {}
    if games.players is not None:
        sparse["player"] = _difference(games.players, len(games.player_names))
        event = event_places(games)
        if event is not None and len(np.unique(event)) > 1:
            known = (games.players >= 0) & (event >= 0)[:, None]
            within = np.where(known, games.players * (event.max() + 1) + event[:, None], -1)
            sparse["player x event"] = _difference(_numbered(within))
    (dense if pair.shape[1] <= _DENSE_PAIRS else sparse)["army pair"] = sp.csc_array(pair)
    return ScoreDesign(games, (points[:, 0] - points[:, 1]) / 2, dense, sparse)


def event_places(games: Games) -> IntArray | None:
    """Return the event of each row, -1 where unknown: what the log calls one, else its sessions."""
    return games.labels["event"].places if "event" in games.labels else games.session


def _numbered(labels: IntArray) -> IntArray:
    """Return labels as numbers from 0, -1 where below 0."""
    return np.asarray(np.unique(np.r_[-1, labels.ravel()], return_inverse=True)[1][1:].reshape(labels.shape) - 1)


def _difference(places: IntArray, n_columns: int | None = None) -> sp.csc_array:
    """Return 1 in the column of each row's first place and -1 in that of its second; -1 is none."""
    rows, sides = np.nonzero(places >= 0)
    shape = (len(places), int(places.max(initial=-1)) + 1 if n_columns is None else n_columns)
    block = sp.csc_array((1.0 - 2.0 * sides, (rows, places[rows, sides])), shape=shape)
    block.eliminate_zeros()
    return block
