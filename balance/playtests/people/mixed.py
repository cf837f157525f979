"""Linear mixed models by REML: a few fixed effects, and random ones of thousands of players."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_solve, solve_triangular
from scipy.optimize import nnls
from scipy.sparse.linalg import SuperLU, splu

from balance.base.arrays import FloatArray, IntArray

_STEP = 1e-6
"""Of a ratio of variances, in finite differences."""
_ENOUGH = 1e-5
"""Of twice the log likelihood, for a further step to gain."""
_LARGEST_RATIO = 1e6
_ROWS_AT_ONCE = 500
Blocks = Mapping[str, FloatArray] | Mapping[str, sp.csc_array]
"""Columns of the model, `[m, levels]`, by kind."""
Clusters = Sequence[tuple[int, sp.csc_array]]
"""Ways in which rows belong together, `[m, clusters]` of 0 and 1, each with the sign its pairs of rows count with."""


def fit_mixed(
    y: FloatArray,
    dense: Blocks,
    sparse: Blocks | None = None,
    random: Collection[str] = (),
    weights: FloatArray | None = None,
    start: Mapping[str, float] | None = None,
    max_steps: int = 40,
    clusters: Clusters = (),
) -> MixedFit:
    """Fit y = dense blocks (fixed, or `random`) + `sparse` blocks (random, of many levels) + error.

    Each random block has one variance, from 0. A row of weight n counts as n equal ones. `start` holds first `ratios`
    of variances to the error's; `max_steps` of 0 keeps them. Fixed effects that the rows cannot tell apart get the
    smallest values that fit; only their estimable contrasts mean anything.
    """
    equations = _Equations(y, dense, sparse or {}, random, np.ones(len(y)) if weights is None else weights, clusters)
    point = equations.at(np.array([(start or {}).get(kind, 0.1) for kind in equations.kinds]))
    for _ in range(max_steps if equations.kinds else 0):
        slope, information = equations.slopes(point)
        lower = np.linalg.cholesky(information)
        target, _ = nnls(lower.T, solve_triangular(lower, information @ point.ratios - slope, lower=True))
        step = np.minimum(target, _LARGEST_RATIO) - point.ratios
        steps = (equations.at(point.ratios + share * step) for share in 0.5 ** np.arange(9))
        better = next((new for new in steps if new.deviance < point.deviance), None)
        point = better or point
        if better is None or -slope @ step < _ENOUGH:
            break
    return MixedFit(equations, point)


@dataclass(frozen=True)
class _Eliminated:
    """The equations with the sparse effects solved for: what is left of the others' squares, and how to return."""

    lu: SuperLU | None
    scale: FloatArray
    log_determinant: float
    solved: FloatArray
    squares: FloatArray

    def solve(self, right: FloatArray) -> FloatArray:
        """Return what the sparse effects are for right sides of their equations, the dense ones at 0."""
        return right if self.lu is None else self.scale[:, None] * self.lu.solve(self.scale[:, None] * right)


@dataclass(frozen=True)
class _Point:
    """The equations solved at given ratios of variances; `deviance` is -2 the restricted log likelihood."""

    ratios: FloatArray
    eliminated: _Eliminated
    inverse: FloatArray
    dense_effects: FloatArray
    error_variance: float
    log_determinant: float
    deviance: float


class _Equations:
    """Henderson's mixed model equations, effects in units of their spread, so that a variance of 0 is no special case.

    Fixed effects are coded in a basis that is orthonormal over the rows; so the likelihood depends on no coding.
    """

    def __init__(
        self,
        y: FloatArray,
        dense: Blocks,
        sparse: Blocks,
        random: Collection[str],
        weights: FloatArray,
        clusters: Clusters,
    ) -> None:
        self.y, self.weights, self.clusters = y, weights, clusters
        fixed_kinds = [kind for kind in dense if kind not in random]
        loose = [kind for kind in dense if kind in random]
        self.kinds, self.n_sparse = [*sparse, *loose], len(sparse)
        given: dict[str, FloatArray | sp.csc_array] = {**dense, **sparse}
        self.blocks = {kind: sp.csc_array(given[kind]) for kind in [*fixed_kinds, *loose, *sparse]}
        ends = np.cumsum([0, *(block.shape[1] for block in self.blocks.values())]).tolist()
        self.places = dict(zip(self.blocks, map(slice, ends, ends[1:]), strict=False))
        fixed = self._joined(fixed_kinds)
        self.basis = _orthonormal((self._weigh(fixed).T @ fixed).toarray())
        self.rank = self.basis.shape[1]
        self.freedom = max(float(weights.sum()) - self.rank, 1.0)
        self.columns = _side_by_side(len(y), [sp.csc_array(fixed @ self.basis), self._joined(loose)])
        self.dense_kind = np.concatenate([np.full(self.rank, -1, np.int64), self._kind_of_columns(loose)])
        everything = _side_by_side(len(y), [self.columns, sp.csc_array(y[:, None])])
        self.squares = (self._weigh(everything).T @ everything).toarray()
        together = self._joined(list(sparse))
        grams = self._weigh(together).T @ together + sp.eye_array(together.shape[1])
        self.order = np.argsort(_factorise(sp.csc_array(grams), "MMD_AT_PLUS_A").perm_c) if sparse else np.arange(0)
        self.sparse = together[:, self.order]
        self.sparse_kind = self._kind_of_columns(list(sparse))[self.order]
        self.grams = sp.coo_array(grams[self.order][:, self.order])
        self.grams.data[self.grams.row == self.grams.col] -= 1
        self.cross = (self._weigh(self.sparse).T @ everything).toarray()

    def _joined(self, kinds: Sequence[str]) -> sp.csc_array:
        return _side_by_side(len(self.y), [self.blocks[kind] for kind in kinds])

    def _kind_of_columns(self, kinds: Sequence[str]) -> IntArray:
        places = np.array([self.kinds.index(kind) for kind in kinds], np.int64)
        return np.repeat(places, [self.blocks[kind].shape[1] for kind in kinds])

    def _weigh(self, matrix: sp.csc_array) -> sp.csc_array:
        return sp.csc_array(sp.diags_array(self.weights) @ matrix)

    def _eliminate(self, ratios: FloatArray) -> _Eliminated:
        if not self.n_sparse:
            return _Eliminated(None, np.zeros(0), 0.0, self.cross, self.squares)
        lu, log_determinant = self._factorise(ratios)
        gone = _Eliminated(lu, np.sqrt(ratios[self.sparse_kind]), log_determinant, self.cross, self.squares)
        solved = gone.solve(self.cross)
        return replace(gone, solved=solved, squares=self.squares - self.cross.T @ solved)

    def _factorise(self, ratios: FloatArray) -> tuple[SuperLU, float]:
        """Return the factors of the sparse effects' equations at some ratios, and their log determinant."""
        scale, grams = np.sqrt(ratios[self.sparse_kind]), self.grams.copy()
        grams.data = grams.data * scale[grams.row] * scale[grams.col]
        lu = _factorise(sp.csc_array(grams + sp.eye_array(len(scale))), "NATURAL")
        return lu, float(np.log(lu.U.diagonal()).sum())

    def at(self, ratios: FloatArray, eliminated: _Eliminated | None = None) -> _Point:
        """Return the solution at some ratios of variances, from the `eliminated` sparse ones where those are known."""
        eliminated = eliminated or self._eliminate(ratios)
        scale = np.where(self.dense_kind < 0, 1.0, np.sqrt(ratios[self.dense_kind]))
        left = eliminated.squares[:-1, :-1] * scale * scale[:, None] + np.diag(1.0 * (self.dense_kind >= 0))
        factor = np.linalg.cholesky(left)
        inverse = cho_solve((factor, True), np.diag(scale)) * scale[:, None]
        effects = inverse @ eliminated.squares[:-1, -1]
        left_over = float(eliminated.squares[-1, -1] - effects @ eliminated.squares[:-1, -1])
        error_variance = max(left_over, 1e-9 * self.squares[-1, -1], 1e-12) / self.freedom
        log_determinant = eliminated.log_determinant + 2 * float(np.log(np.diag(factor)).sum())
        deviance = self.freedom * (np.log(2 * np.pi * error_variance) + 1) + log_determinant
        return _Point(ratios, eliminated, inverse, effects, error_variance, log_determinant, deviance)

    def project(self, columns: FloatArray, point: _Point) -> FloatArray:
        """Return V^-1 columns with the fixed effects taken out, variances in units of the error's."""
        gone, right = point.eliminated, (self.weights * columns.T).T
        levels = gone.solve(self.sparse.T @ right)
        dense = point.inverse @ (self.columns.T @ right - self.cross[:, :-1].T @ levels)
        return np.asarray(columns - self.columns @ dense - self.sparse @ (levels - gone.solved[:, :-1] @ dense))

    def slopes(self, point: _Point) -> tuple[FloatArray, FloatArray]:
        """Return the slope of the deviance by each ratio, and the average information (Gilmour and others 1995)."""
        slope = np.zeros(len(self.kinds))
        gone = point.eliminated
        rest = self.cross[:, :-1] - self.grams.tocsr() @ gone.solved[:, :-1]
        for at, ratio in enumerate(point.ratios):
            step = _STEP * max(1.0, ratio)
            moved = point.ratios + step * (np.arange(len(slope)) == at)
            if at < self.n_sparse:
                levels = rest[self.sparse_kind == at]
                log_determinant = self._factorise(moved)[1] - gone.log_determinant
                slope[at] = log_determinant / step - (point.inverse * (levels.T @ levels)).sum()
            else:
                slope[at] = (self.at(moved, gone).log_determinant - point.log_determinant) / step
        weighted = self.weights[:, None] * self.project(self.y[:, None], point)
        work = np.hstack([self.blocks[kind] @ (self.blocks[kind].T @ weighted) for kind in self.kinds])
        shares = (work.T @ weighted)[:, 0] / point.error_variance
        work_left = (self.weights * work.T) @ self.project(work, point) / point.error_variance
        information = work_left - np.outer(shares, shares) / self.freedom
        return slope - shares, information + (1e-9 * np.trace(information) + 1e-9) * np.eye(len(slope))


def _side_by_side(n_rows: int, blocks: Sequence[sp.csc_array]) -> sp.csc_array:
    return sp.csc_array(sp.hstack([sp.csc_array((n_rows, 0)), *blocks]))


def _factorise(matrix: sp.csc_array, order: Literal["NATURAL", "MMD_AT_PLUS_A"]) -> SuperLU:
    lu: SuperLU = splu(matrix, permc_spec=order, diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    return lu


def _orthonormal(squares: FloatArray) -> FloatArray:
    """Return combinations of columns that are orthonormal and span them, from the columns' products."""
    lengths = np.sqrt(np.diag(squares))
    lengths[lengths == 0] = 1.0
    values, vectors = np.linalg.eigh(squares / lengths / lengths[:, None])
    kept = values > 1e-9 * max(1, len(values))
    return np.asarray(vectors[:, kept] / lengths[:, None] / np.sqrt(values[kept]))


class MixedFit:
    """A fitted mixed model; variances, effects and their errors by kind, which is the name of a block."""

    def __init__(self, equations: _Equations, point: _Point) -> None:
        self.equations, self._point = equations, point
        self.error_variance = point.error_variance
        self.ratios = dict(zip(equations.kinds, point.ratios.tolist(), strict=True))
        self.variances = {kind: ratio * self.error_variance for kind, ratio in self.ratios.items()}
        self.log_likelihood = -point.deviance / 2

    @cached_property
    def effects(self) -> dict[str, FloatArray]:
        """By kind: the estimate of each column; for random kinds the posterior mean."""
        equations, point, gone = self.equations, self._point, self._point.eliminated
        levels = gone.solved[:, -1] - gone.solved[:, :-1] @ point.dense_effects
        joined = np.r_[self._coding @ point.dense_effects, levels[np.argsort(equations.order)]]
        return {kind: joined[columns] for kind, columns in equations.places.items()}

    @cached_property
    def py(self) -> FloatArray:
        """`float64[m]`: V^-1 (y - fixed part): what is left of each row's y, in units of its precision."""
        return self.project(self.equations.y[:, None])[:, 0]

    def project(self, columns: FloatArray) -> FloatArray:
        """Return P columns: V^-1 columns with the fixed effects taken out, as score tests of a variance read them."""
        return self.equations.project(columns, self._point) / self.error_variance

    def again(
        self,
        ratios: Mapping[str, float],
        rows: IntArray | None = None,
        blocks: Mapping[str, sp.csc_array] | None = None,
        max_steps: int = 0,
    ) -> MixedFit:
        """Return the model of some rows, with further random `blocks`, from its own ratios or those given."""
        was, kept = self.equations, np.arange(len(self.equations.y)) if rows is None else rows
        dense = {kind: sp.csc_array(block[kept]) for kind, block in {**was.blocks, **(blocks or {})}.items()}
        sparse = {kind: dense.pop(kind) for kind in was.kinds[: was.n_sparse]}
        clusters = [(sign, sp.csc_array(members[kept])) for sign, members in was.clusters]
        random, start = [*was.kinds, *(blocks or {})], {**self.ratios, **ratios}
        return fit_mixed(was.y[kept], dense, sparse, random, was.weights[kept], start, max_steps, clusters)

    def covary(self, columns: FloatArray) -> FloatArray:
        """Return V columns, the inverse of `project` but for fixed effects."""
        noise = self.error_variance * (columns.T / self.equations.weights).T
        blocks = ((self.variances[kind], self.equations.blocks[kind]) for kind in self.equations.kinds)
        return np.asarray(sum((variance * (block @ (block.T @ columns)) for variance, block in blocks), noise))

    @cached_property
    def ratio_covariance(self) -> FloatArray:
        """The covariance of the estimated `ratios`, in their order, by average information."""
        return np.asarray(2 * np.linalg.inv(self.equations.slopes(self._point)[1]), np.float64)

    def covariance(self, kind: str, contrasts: FloatArray | None = None) -> FloatArray:
        """Return the model's covariance of a dense kind's effects, or of `contrasts` of them."""
        coded = self._coded(kind, contrasts)
        return np.asarray(self.error_variance * coded @ self._point.inverse @ coded.T)

    def clustered(self, kind: str, contrasts: FloatArray | None = None) -> FloatArray:
        """Return `covariance` of a fixed kind with each standard error the larger of the model's and the clusters'."""
        model, coded = self.covariance(kind, contrasts), self._coded(kind, contrasts)[:, : self.equations.rank]
        ratio = np.einsum("ij,jk,ik->i", coded, self._meat, coded) / np.maximum(np.diag(model), 1e-300)
        inflation = np.sqrt(np.maximum(ratio, 1.0))
        return np.asarray(model * inflation * inflation[:, None])

    def _coded(self, kind: str, contrasts: FloatArray | None) -> FloatArray:
        """Return how effects of a kind, or `contrasts`, are made of the effects that the equations solve for."""
        coded = self._coding[self.equations.places[kind]].toarray()
        return coded if contrasts is None else np.asarray(contrasts @ coded)

    @cached_property
    def _coding(self) -> sp.csr_array:
        loose = sp.eye_array(len(self.equations.dense_kind) - self.equations.rank)
        return sp.csr_array(sp.block_diag([self.equations.basis, loose]))

    @cached_property
    def _meat(self) -> FloatArray:
        """The covariance of the coded fixed effects by their rows' influence, summed where rows share a cluster."""
        equations, point, rank = self.equations, self._point, self.equations.rank
        rest = equations.columns - equations.sparse @ point.eliminated.solved[:, :-1]
        residual = equations.y - equations.columns[:, :rank] @ point.dense_effects[:rank]
        influence = (equations.weights * residual)[:, None] * (rest @ point.inverse[:, :rank])
        return clustered(influence, equations.clusters)

    def expect(self, blocks: Mapping[str, sp.csc_array]) -> FloatArray:
        """Return the mean of rows with such blocks; a block left out counts as 0."""
        return np.asarray(sum(block @ self.effects[kind] for kind, block in blocks.items()))

    def variance_of(self, blocks: Mapping[str, sp.csc_array]) -> FloatArray:
        """Return the variance of the rows' means about `expect`; the error's is not in it."""
        equations, gone = self.equations, self._point.eliminated
        n_rows = next(iter(blocks.values())).shape[0]
        given = [blocks.get(kind, sp.csc_array((n_rows, old.shape[1]))) for kind, old in equations.blocks.items()]
        n_dense = len(given) - equations.n_sparse
        dense = sp.csr_array(_side_by_side(n_rows, given[:n_dense]) @ self._coding)
        sparse = sp.csr_array(_side_by_side(n_rows, given[n_dense:])[:, equations.order])
        variance = np.zeros(n_rows)
        for at in range(0, n_rows, _ROWS_AT_ONCE):
            rows = slice(at, at + _ROWS_AT_ONCE)
            levels = sparse[rows].toarray()
            free = dense[rows].toarray() - levels @ gone.solved[:, :-1]
            variance[rows] = (levels.T * gone.solve(levels.T)).sum(axis=0) + (free @ self._point.inverse * free).sum(
                axis=1
            )
        return self.error_variance * variance


def clustered(influence: FloatArray, clusters: Clusters) -> FloatArray:
    """Return the covariance of estimates by their rows' influence, summed where rows share a cluster."""
    sums = [(sign, members.T @ influence) for sign, members in clusters]
    n_clusters = min((len(total) for sign, total in sums if sign > 0), default=2)
    meat = sum((sign * total.T @ total for sign, total in sums), np.zeros((influence.shape[1],) * 2))
    return np.asarray(meat * n_clusters / max(n_clusters - 1, 1))


def crossed_clusters(event: IntArray | None, players: IntArray | None) -> Clusters:
    """Return the clusters of rows that share an event or a player; -1 is one that is like no other.

    Pairs of rows are counted once, by inclusion and exclusion: players, less pairs of players, and so within events.
    """
    whole = None if event is None else _apart(event)[:, None]
    ways = [] if whole is None else [(1, _members(whole))]
    if players is not None:
        each = np.sort(_apart(players), axis=1)
        pair = each[:, :1] * (each.max() + 1) + each[:, 1:]
        ways += [(1, _members(each)), (-1, _members(pair))]
        if whole is not None:
            within = ((sign, labels * (whole.max() + 1) + whole) for sign, labels in ((-1, each), (1, pair)))
            ways += [(sign, _members(labels)) for sign, labels in within]
    return ways


def _apart(labels: IntArray) -> IntArray:
    unknown = labels < 0
    return np.where(unknown, labels.max() + np.cumsum(unknown).reshape(labels.shape), labels)


def _members(labels: IntArray) -> sp.csc_array:
    """Return 1 for each row and each cluster among its `labels`, `[m, 1 or 2]`."""
    place = np.unique(labels, return_inverse=True)[1].ravel()
    rows = np.repeat(np.arange(len(labels)), labels.shape[1])
    return sp.csc_array(sp.csc_array((np.ones(place.size), (rows, place))) > 0, dtype=np.float64)
