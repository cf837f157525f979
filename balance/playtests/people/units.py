"""Which units of the lists win, with players taken out: the lists as a whole first, then pooled effects, then names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np
import polars as pl
import scipy.sparse as sp
from scipy.special import ndtri
from scipy.stats import chi2

from balance.base.arrays import Array, BoolArray, FloatArray, IntArray
from balance.base.numbers import show_number
from balance.playtests.games import Games
from balance.playtests.log.lists import Lists
from balance.playtests.people.answer import ListsAnswer, UnitEffect, effect_verdict
from balance.playtests.people.mixed import MixedFit, clustered
from balance.playtests.people.naming import games_until, max_t
from balance.playtests.people.score import ScoreFit, event_places

_FEWEST_LISTS = 10
"""Lists that must hold a unit before its effect is measured by itself; fewer are pooled only."""
_N_PERMUTATIONS, _N_FOLDS = 999, 5
_FIXED = 1e4
"""The variance of players, in units of the error's, at which they are as good as fixed."""
_FIRST, _STEPS = 0.05, 3
"""Of the error's variance, what units explain where the search begins, and its steps: further ones gain < .001."""
_COLUMNS_AT_ONCE = 100
_SURE = float(ndtri(0.95) + ndtri(0.975))
"""Standard errors above chance at which a test at the level of 5 % finds what is there 39 times in 40."""
_SPREADS = np.concatenate([[0.0], np.geomspace(0.02, 50, 160)])
"""Spreads of effects that are weighed, in units of the error of one effect."""


def unit_effects(
    games: Games, lists: Lists, fit: ScoreFit, level: float = 0.95, seed: int = 1
) -> tuple[ListsAnswer, tuple[str, ...]]:
    """Return what the lists of some games tell beyond the model fitted to them, and notes on how they were read.

    A unit's covariate is its amount less the mean of its army in the patch; a side without a list counts as average.
    """
    null, columns = fit.mixed, _Columns.of(games, lists, fit)
    event = _events(fit.design.games)
    bundles = _Bundles.of(columns, event, fit.design.games.players)
    p, noise = bundles.permute(null.equations.weights * null.py, seed)
    whole = _Whole(null, columns.matrix)
    effect, error = whole.pooled(columns.contrasts(np.ones(len(columns.block), np.bool_)))
    half = float(ndtri((1 + level) / 2)) * error
    signal = float(np.median(((bundles.moved.T @ whole.left) ** 2).sum(axis=0))) / _SURE
    alone, times = _unpooled(whole, columns, bundles.n_lists >= _FEWEST_LISTS, level, seed)
    n_games = int((columns.lists.sum(axis=1).reshape(-1, 2).max(axis=1) > 0).sum())
    tells, gain = max(whole.p, p) < 1 - level, _gain(null, whole, columns.matrix, event, level)
    n_to_name = ceil(max(times, 0.0 if tells else noise / signal if signal > 0 else 0.0) * n_games)
    pooled = {"effect": effect, "low": effect - half, "high": effect + half}
    table = pl.DataFrame({**columns.names(games, lists), **pooled, **alone, **columns.usage(lists)}).fill_nan(None)
    rows = table.sort("effect", "army", "unit", "patch", descending=[True, *[False] * 3]).iter_rows(named=True)
    answer = ListsAnswer(
        tells,
        _text(tells, max(whole.p, p), whole.most_share, gain, "armies" if games.players is None else "players"),
        *(whole.p, p, whole.share, whole.most_share, *gain, n_games),
        None if fit.design.games.points is None else n_to_name or None,
        lists.measure,
        tuple(
            UnitEffect(verdict=effect_verdict(row["unpooled"], row.pop("is_named") and tells), **row) for row in rows
        ),
    )
    remarks = {
        "No patch is given: the whole log is one.": "patch" not in games.labels,
        "No player brought two lists of an army, so none can be exchanged, and no unit is named.": noise == 0,
    }
    return answer, (*lists.notes, *(note for note, holds in remarks.items() if holds))


def _text(tells: bool, p: float, most_share: float, gain: tuple[float, float, float], known: str) -> str:
    """Return in words whether the lists as a whole tell anything beyond what is `known`."""
    if not tells:
        most = f"at most {100 * most_share:.1f} % of the variance"
        return f"What lists tell could not be told from nothing (p = {show_number(p, 2)}); it is {most}."
    of_variance = "{} % of the variance in new events, {} to {}".format(*(f"{100 * share:.1f}" for share in gain))
    return f"Lists tell something beyond {known} (p = {show_number(p, 2)}; gain {of_variance})."


def _events(games: Games) -> IntArray:
    """Return the event of each game, its own where none is known."""
    places = event_places(games)
    known = np.full(len(games.rows), -1) if places is None else places
    return np.unique(np.where(known >= 0, known, known.max() + 1 + np.arange(len(known))), return_inverse=True)[1]


@dataclass(frozen=True)
class _Columns:
    """A column for each unit of an army in a patch; `lists` are `[2 m, k]`, side a of a game above side b.

    `matrix` is side a less side b, each less the mean of its army; `block` is the army in the patch.
    """

    lists: sp.csr_array
    matrix: sp.csc_array
    list_block: IntArray
    block: IntArray
    keys: IntArray

    @classmethod
    def of(cls, games: Games, lists: Lists, fit: ScoreFit) -> _Columns:
        label, n_armies = games.labels.get("patch"), len(games.names)
        patch = np.zeros(len(games.rows), np.int64) if label is None else label.places + 1
        blocks = (patch[:, None] * n_armies + np.stack([games.side_a, games.side_b], axis=1)).ravel()
        row = 2 * lists.game + lists.side
        keys, column = np.unique(blocks[row] * len(lists.names) + lists.unit, return_inverse=True)
        amounts = sp.csr_array((lists.amount, (row, column)), shape=(len(blocks), len(keys)))
        known = np.isfinite(games.points).all(axis=1) if games.points is not None else np.ones(len(patch), np.bool_)
        kept = np.repeat(known, 2)
        amounts, blocks = amounts[kept], np.where(np.diff(amounts.indptr) > 0, blocks, -1)[kept]
        block = keys // len(lists.names)
        listed = np.flatnonzero(blocks >= 0)
        shape = (len(blocks), int(max(blocks.max(), block.max())) + 1)
        member = sp.csr_array((np.ones(len(listed)), (listed, blocks[listed])), shape=shape)
        mean = np.asarray(amounts.sum(axis=0)) / np.maximum(member.sum(axis=0)[block], 1)
        means = sp.csr_array((mean, (block, np.arange(len(keys)))), shape=(shape[1], len(keys)))
        centred = sp.csr_array(amounts - member @ means)
        return cls(amounts, sp.csc_array(centred[0::2] - centred[1::2]), blocks, block, keys)

    def contrasts(self, kept: BoolArray) -> FloatArray:
        """Return the contrasts of the `kept` columns to the mean of their army, weighed by how much each is used."""
        used, block = np.asarray(self.lists.sum(axis=0))[kept], self.block[kept]
        weight = used / np.bincount(block, used)[block]
        return np.asarray(np.eye(len(used)) - weight * (block[:, None] == block))

    def names(self, games: Games, lists: Lists) -> dict[str, list[str]]:
        """Return the army, unit and patch of each column."""
        patch, army = np.divmod(self.block, len(games.names))
        patches = ("", *(games.labels["patch"].names if "patch" in games.labels else ()))
        places = {
            "army": (games.names, army),
            "unit": (lists.names, self.keys % len(lists.names)),
            "patch": (patches, patch),
        }
        return {kind: [names[at] for at in where] for kind, (names, where) in places.items()}

    def usage(self, lists: Lists) -> dict[str, Array]:
        """Return in how many lists each unit stands, in which share of its army's, and its mean cost there."""
        held = sp.csc_array(self.lists)
        n, n_of_army = (
            np.diff(held.indptr),
            np.bincount(self.list_block[self.list_block >= 0], minlength=self.block.max() + 1),
        )
        cost = 100 * np.asarray(held.sum(axis=0)) / np.maximum(n, 1)
        cost = cost if lists.measure == "100 points" else np.full(len(n), np.nan)
        return {"n_lists": n, "pick_rate": n / np.maximum(n_of_army[self.block], 1), "mean_cost": cost}


class _Whole:
    """All effects of units together, normal with one spread: its likelihood, test, and the effects it implies.

    `base` is the model without them, at the ratios of variances that it has beside them; `scale` of its error is left.
    Spreads are weighed by their likelihood, all variances alike beforehand, so that intervals allow for it.
    """

    def __init__(self, null: MixedFit, matrix: sp.csc_array) -> None:
        squares = max(float(matrix.power(2).sum()) / matrix.shape[0], 1e-12)
        full = null.again({"unit": _FIRST / squares}, blocks={"unit": matrix}, max_steps=_STEPS)
        gain, variance = 2 * (full.log_likelihood - null.log_likelihood), full.variances["unit"]
        self.p = float(chi2.sf(gain, 1) / 2) if gain > 1e-6 else 1.0
        self.base = null.again({kind: full.ratios[kind] for kind in null.ratios})
        del full
        self.left, self.products, self.score = _project(self.base, matrix)
        values, self.vectors = np.linalg.eigh(self.products)
        self.values, turned = np.maximum(values, 0), self.vectors.T @ self.score
        spreads = _SPREADS[:, None] / np.sqrt(max(float(self.values.mean()), 1e-12))
        shrunk = spreads**2 / (1 + spreads**2 * self.values)
        freedom, self.means = null.equations.freedom, shrunk * turned
        scale = 1 - (self.means @ turned) / freedom
        likelihood = -(freedom * np.log(scale) + np.log1p(spreads**2 * self.values).sum(axis=1)) / 2
        weight = np.exp(likelihood - likelihood.max()) * np.gradient(spreads[:, 0] ** 2)
        self.weight, self.variances = weight / weight.sum(), scale[:, None] * shrunk
        self.scale = float(self.weight @ scale)
        spread = spreads[:, 0] * np.sqrt(scale)
        squares /= float(np.var(null.equations.y))
        self.spread, self.share = float(self.weight @ spread), variance * squares
        near = likelihood > likelihood.max() - chi2.isf(0.1, 1) / 2
        self.most_share = min(float(spread[near].max() ** 2 * squares), 1.0)

    def shrink(self, score: FloatArray, share: float) -> FloatArray:
        """Return pooled effects for the score of a share of the rows."""
        return np.asarray(self.vectors @ ((self.vectors.T @ score) / (self.spread**-2 + share * self.values)))

    def pooled(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means and errors of contrasts, over all spreads by how likely each is."""
        turned = contrasts @ self.vectors
        means = turned @ self.means.T
        mean, within = means @ self.weight, turned**2 @ (self.weight @ self.variances)
        return mean, np.sqrt(within + (means - mean[:, None]) ** 2 @ self.weight)


@dataclass(frozen=True)
class _Bundles:
    """Lists of one player with one army at one event: what a permutation exchanges, within the player and the patch."""

    of_list: IntArray
    group: IntArray
    amounts: sp.csr_array

    @classmethod
    def of(cls, columns: _Columns, event: IntArray, players: IntArray | None) -> _Bundles:
        listed = np.flatnonzero(columns.list_block >= 0)
        player = np.full(len(columns.list_block), -1) if players is None else players.ravel()
        own = np.where(player < 0, np.arange(len(player)), -1)
        keys = np.stack([columns.list_block, player, own, np.repeat(event, 2)], axis=1)[listed]
        bundles, place = np.unique(keys, axis=0, return_inverse=True)
        of_list = np.full(len(player), -1)
        of_list[listed] = place.ravel()
        mean = sp.csr_array(
            (1 / np.bincount(place.ravel())[place.ravel()], (place.ravel(), listed)), shape=(len(bundles), len(player))
        )
        return cls(
            of_list,
            np.unique(bundles[:, :2], axis=0, return_inverse=True)[1].ravel(),
            sp.csr_array(mean @ columns.lists),
        )

    @property
    def n_lists(self) -> IntArray:
        """In how many different lists each unit stands."""
        return np.diff(sp.csc_array(self.amounts).indptr)

    @property
    def moved(self) -> sp.csr_array:
        """What a permutation moves: amounts less their group's mean, side a less side b of each game."""
        member = sp.csr_array((np.ones(len(self.group)), (self.group, np.arange(len(self.group)))))
        mean = sp.diags_array(1 / np.bincount(self.group)) @ (member @ self.amounts)
        listed = np.flatnonzero(self.of_list >= 0)
        shape = (len(self.of_list), len(self.group))
        place = sp.csr_array((np.ones(len(listed)), (listed, self.of_list[listed])), shape=shape)
        each = sp.csr_array(place @ (self.amounts - member.T @ mean))
        return sp.csr_array(each[0::2] - each[1::2])

    def permute(self, residual: FloatArray, seed: int) -> tuple[float, float]:
        """Return how often permuted lists fit what the model leaves of results as well as the true ones do.

        Then the spread of how well they do: the squares of the units' scores, summed.
        """
        listed, signed = self.of_list >= 0, np.stack([residual, -residual], axis=1).ravel()
        sums = np.bincount(self.of_list[listed], signed[listed], len(self.group))
        total = sums - (np.bincount(self.group, sums) / np.bincount(self.group))[self.group]
        rng, rank = np.random.default_rng(seed), np.argsort(np.argsort(total, kind="stable"))
        base, permuted = np.argsort(self.group, kind="stable"), np.empty((len(total), _N_PERMUTATIONS + 1))
        permuted[:, 0] = total
        for at in range(1, _N_PERMUTATIONS + 1):
            permuted[base, at] = total[np.lexsort((rng.random(len(total))[rank], self.group))]
        fits = ((self.amounts.T @ permuted) ** 2).sum(axis=0)
        return float(np.mean(fits >= fits[0] * (1 - 1e-9))), float(fits[1:].std())


def _project(fit: MixedFit, matrix: sp.csc_array) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P Z with weights, Z'P Z and Z'P y of the columns Z, some at a time."""
    left, weights = np.empty(matrix.shape), fit.equations.weights
    for at in range(0, matrix.shape[1], _COLUMNS_AT_ONCE):
        some = slice(at, at + _COLUMNS_AT_ONCE)
        left[:, some] = weights[:, None] * fit.project(matrix[:, some].toarray())
    products = np.asarray(matrix.T @ left)
    return left, (products + products.T) / 2, np.asarray(matrix.T @ (weights * fit.py))


def _alone(
    products: FloatArray, score: FloatArray, kept: BoolArray, spread: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return estimates of the `kept` effects, their covariance, and how the rest, pooled, follow from them."""
    rest = products[np.ix_(~kept, ~kept)] * spread**2 + np.eye(int((~kept).sum()))
    share = spread**2 * np.linalg.solve(rest, products[np.ix_(~kept, kept)])
    information = products[np.ix_(kept, kept)] - products[np.ix_(kept, ~kept)] @ share
    inverse = np.linalg.pinv(information, rcond=1e-9, hermitian=True)
    return np.asarray(inverse @ (score[kept] - share.T @ score[~kept])), np.asarray(inverse), np.asarray(share)


def _unpooled(
    whole: _Whole, columns: _Columns, often: BoolArray, level: float, seed: int
) -> tuple[dict[str, Array], float]:
    """Return each effect that can be measured by itself, all others pooled, and how many times the games name 1 point.

    An effect is named only if players as fixed effects give its sign.
    """
    kept = often & (np.diag(whole.products) > 1e-9 * np.diag(whole.products).max())
    contrasts = columns.contrasts(kept)
    estimate, covariance = _clustered(whole, kept, contrasts)
    names = max_t(estimate, covariance, level, seed)
    within, error = estimate, names.se
    if "player" in whole.base.ratios:
        _, products, score = _project(whole.base.again({"player": _FIXED}), columns.matrix)
        effects, inverse, _ = _alone(products, score, kept, whole.spread)
        within, error = contrasts @ effects, np.sqrt(whole.scale * np.diag(contrasts @ inverse @ contrasts.T))
    table = {"unpooled": estimate, "error": names.se, "within_players": np.sign(within)}
    every = {name: np.full(len(kept), np.nan) for name in table} | {"is_named": np.zeros(len(kept), np.bool_)}
    for name, values in {**table, "is_named": names.named & (np.sign(estimate) == np.sign(within))}.items():
        every[name][kept] = values
    errors = np.maximum(names.se, error)[names.se > 0]
    return every, games_until(1.0, float(np.median(errors)), 1e6, names.critical) / 1e6 if len(errors) else 0.0


def _clustered(whole: _Whole, kept: BoolArray, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return unpooled contrasts, and their covariance with errors the larger of the model's and the clusters'."""
    effects, inverse, share = _alone(whole.products, whole.score, kept, whole.spread)
    equations, made_of = whole.base.equations, np.zeros((len(kept), len(effects)))
    residual = whole.base.covary(equations.weights * whole.base.py - whole.left[:, kept] @ effects)[:, None]
    made_of[kept] = inverse @ contrasts.T
    made_of[~kept] = -share @ made_of[kept]
    covariance = whole.scale * contrasts @ made_of[kept]
    variances = np.zeros(len(effects))
    for at in range(0, len(effects), _COLUMNS_AT_ONCE):
        some = slice(at, at + _COLUMNS_AT_ONCE)
        variances[some] = np.diag(clustered(residual * (whole.left @ made_of[:, some]), equations.clusters))
    inflation = np.sqrt(np.maximum(variances / np.maximum(np.diag(covariance), 1e-300), 1))
    return contrasts @ effects, covariance * inflation * inflation[:, None]


def _gain(
    null: MixedFit, whole: _Whole, matrix: sp.csc_array, event: IntArray, level: float
) -> tuple[float, float, float]:
    """Return what units add to R2 in events left out of the fit, with an interval by event.

    Variances, and how well the design tells effects apart, are those of the whole log.
    """
    size = np.bincount(event, np.abs(null.py))
    fold = (np.argsort(np.argsort(size, kind="stable")) % _N_FOLDS)[event]
    y, less, by_row = null.equations.y, np.zeros(len(event)), sp.csr_array(matrix)
    for at in range(_N_FOLDS if len(size) >= _N_FOLDS else 0):
        rows, left_out = np.flatnonzero(fold != at), np.flatnonzero(fold == at)
        fit, blocks = null.again({}, rows), {kind: block[left_out] for kind, block in null.equations.blocks.items()}
        effects = whole.shrink(by_row[rows].T @ (fit.equations.weights * fit.py), len(rows) / len(y))
        before, change = _foretell(fit, np.stack([y[rows], by_row[rows] @ effects], axis=1), blocks).T
        error = y[left_out] - before
        less[left_out] = error**2 - (error - by_row[left_out] @ effects + change) ** 2
    total, gain = float(((y - y.mean()) ** 2).sum()), float(less.sum())
    half = float(ndtri((1 + level) / 2)) * float(np.sqrt((np.bincount(event, less - less.mean()) ** 2).sum()))
    return gain / total, (gain - half) / total, (gain + half) / total


def _foretell(fit: MixedFit, columns: FloatArray, blocks: Mapping[str, sp.csc_array]) -> FloatArray:
    """Return what a model, fitted to each of the columns as results, foretells of rows with such blocks."""
    kinds, known = fit.equations.kinds, fit.equations.blocks
    fixed = [kind for kind in known if kind not in kinds]
    projected = fit.equations.weights[:, None] * fit.project(columns)
    design = sp.hstack([known[kind] for kind in fixed]).toarray()
    effects = np.linalg.lstsq(design, columns - fit.covary(projected), rcond=None)[0]
    mean = sp.hstack([blocks[kind] for kind in fixed]) @ effects
    return np.asarray(sum((fit.variances[kind] * (blocks[kind] @ (known[kind].T @ projected)) for kind in kinds), mean))
