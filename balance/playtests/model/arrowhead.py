"""Weighted sums over games of products of what they carry: a sparse matrix shaped like an arrowhead, and its inverse.

A game carries a handful of effects, and most effects act in the games of one block alone: the form of an entrant on an
evening, a player who came once. Such inner effects are eliminated first, in all blocks of about one size at once. What
is left is the core: entrants, what acts in all games, and who played on several evenings. No array here has a row for
each game and a column for each effect, and only the core, once its blocks are eliminated, is handled as a dense matrix.

A vector of effects ends with a number for nobody, 0, which fills up the blocks that are smaller than others.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray

FEW = 500
"""Effects of the core up to which numpy is as fast as Cholesky's method, for which scipy takes long to load."""
MOST_PAIRS = 4_000_000
"""Pairs of games of one block, over all blocks, up to which their covariances are worked out."""
MOST_COVARIANCES = 1_000_000
"""Covariances, between games or within what blocks know of the core, that are held at once (8 MB, a few times over)."""
TILE = 256
"""Rows and columns of a large matrix that are mirrored at once."""


@dataclass(frozen=True)
class _Blocks:
    """Blocks of about one size: s of them, with up to l inner effects, w effects of the core and r games.

    * `inner`: `int64[s, l]`: the inner effects. `rows`: `int64[s, r]`: the games, -1 for none.
    * `neighbours`: `int64[s, w]`: places in the core, the cut last; None where it is the whole core.
    * `start`: where the curvature of the inner effects stands in the buffer, and behind it that across.
    """

    inner: IntArray
    neighbours: IntArray | None
    rows: IntArray
    start: int
    w: int

    @property
    def shape(self) -> tuple[int, int, int]:
        return *self.inner.shape, self.w

    @property
    def end(self) -> int:
        s, n, w = self.shape
        return self.start + s * n * (n + w)

    def inner_part(self, buffer: FloatArray) -> FloatArray:
        """Return a view of the curvature among inner effects, `[k, s, l, l]`."""
        s, n, _ = self.shape
        return buffer[:, self.start : self.start + s * n * n].reshape(-1, s, n, n)

    def across_part(self, buffer: FloatArray) -> FloatArray:
        """Return a view of the curvature between inner effects and the core, `[k, s, l, w]`."""
        s, n, w = self.shape
        return buffer[:, self.start + s * n * n : self.end].reshape(-1, s, n, w)

    def slices(self) -> Iterator[slice]:
        """Yield the blocks in parts that know few enough pairs of the core."""
        at_once = max(1, MOST_COVARIANCES // self.w**2)
        return (slice(at, at + at_once) for at in range(0, len(self.inner), at_once))

    def of_core(self, core: FloatArray) -> FloatArray:
        """Return what each block knows of vectors of the core, `[k, s, w]` or, if all know all, `[k, 1, w]`."""
        return core[:, None] if self.neighbours is None else core[:, self.neighbours]

    def among_core(self, covariance: FloatArray, some: slice) -> FloatArray:
        """Return the covariance of what some blocks know of the core, `[k, s or 1, w, w]`."""
        if self.neighbours is None:
            return covariance[:, None]
        neighbours = self.neighbours[some]
        return np.asarray(covariance[:, neighbours[:, :, None], neighbours[:, None, :]])


class Arrowhead:
    """Which effects games carry, so that sums over games can be worked out again and again for other weights.

    `places` and `amounts`, `[e, m]`: the effects of each game and how much of each it carries, 0 for none; no effect
    twice. `block`, `int64[m]`: the block of a game. `home`, `int64[n]`: the only block in whose games an effect acts,
    -1 for effects of the core. `cut`: the place of the effect that no game carries but all know.
    """

    def __init__(self, places: IntArray, amounts: FloatArray, block: IntArray, home: IntArray, cut: int) -> None:
        self.places, self.amounts, self.n, self.m = places, amounts, len(home), len(block)
        self.core = np.append(np.delete(np.flatnonzero(home < 0), np.count_nonzero(home[:cut] < 0)), cut)
        self.c = len(self.core)
        self._slot = np.full(self.n, -1)
        self._slot[self.core] = np.arange(self.c)
        self._block, self._home, self._cut = block, home, cut
        self._lay_blocks(int(block.max()) + 1)
        self._lay_cells()

    # -- where everything stands --------------------------------------------------------------------------------------

    def _lay_blocks(self, n_blocks: int) -> None:
        """Divide the blocks by size, and lay out the buffer: the core, then the parts of all blocks."""
        inner = np.argsort(self._home, kind="stable")[self.c :]
        is_core = (self.amounts != 0) & (self._home[self.places] < 0)
        keys = (self._block * self.c + self._slot[self.places])[is_core]
        self._keys = _distinct(keys, n_blocks * self.c)
        rows = np.argsort(self._block, kind="stable")
        labels = self._home[inner], self._keys // self.c, self._block[rows]
        n_inner, n_neighbours, n_rows = sizes = [np.bincount(of_block, minlength=n_blocks) for of_block in labels]
        self._at, self._neighbour_at, _ = (
            _within(of_block, size) for of_block, size in zip(labels, sizes, strict=True)
        )
        self._place = np.zeros(self.n, np.int64)
        self._place[inner] = self._at
        size_class = 64 * _log2(n_inner) + _log2(n_rows)
        self.blocks: list[_Blocks] = []
        self._class, self._index = np.zeros((2, n_blocks), np.int64)
        start = self.c**2
        for number, size in enumerate(sorted(set(size_class.tolist()))):
            members = np.flatnonzero(size_class == size)
            self._class[members], self._index[members] = number, np.arange(len(members))
            width = int(n_neighbours[members].max()) + 1
            neighbours = None
            if 2 * width < self.c:
                neighbours = _fill(self._keys % self.c, n_neighbours, members, width, self.c - 1)
            part = _Blocks(
                _fill(inner, n_inner, members, int(n_inner[members].max()), self.n),
                neighbours,
                _fill(rows, n_rows, members, int(n_rows[members].max()), -1),
                start,
                self.c if neighbours is None else width,
            )
            self.blocks.append(part)
            start = part.end
        self.size = start
        self.eliminated = [part for part in self.blocks if part.inner.shape[1]]

    def _lay_cells(self) -> None:
        """Find which entries of the buffer each pair of effects of each game adds to."""
        pairs = []
        for e in range(len(self.places)):
            for f in range(e, len(self.places)):
                amount = self.amounts[e] * self.amounts[f]
                if amount.any():
                    one = other = self._position(e, f, amount != 0)
                    if e != f:
                        other = self._position(f, e, amount != 0)
                    pairs.append((np.minimum(one, other), np.maximum(one, other), amount, 1.0 if e == f else 2.0))
        low, high, amount = (np.stack([pair[at] for pair in pairs]) for at in range(3))
        self._times = np.array([pair[3] for pair in pairs])[:, None]
        self.cells = _distinct(low.ravel(), self.size)
        mirror, number = np.zeros((2, self.size), np.int64)
        mirror[low], number[self.cells] = high, np.arange(len(self.cells))
        self._mirror, self._cell, self._amount = mirror[self.cells], number[low], amount
        own, effects = np.ones(self.n, np.bool_), np.arange(self.n)
        self._diagonal = self._positions(effects, effects, self._home, own)
        self._beside_cut = self._positions(effects, np.full(self.n, self._cut), self._home, own)
        self._below_cut = np.where(self._home < 0, (self.c - 1) * self.c + self._slot, self._beside_cut)
        self._filling = np.concatenate(
            [
                part.start + np.flatnonzero((part.inner == self.n)[:, :, None] & np.eye(part.shape[1], dtype=np.bool_))
                for part in self.blocks
            ]
        )

    def _position(self, e: int, f: int, is_real: BoolArray) -> IntArray:
        """Return where the product of two effects of each game stands; of games without it, somewhere."""
        return self._positions(self.places[e], self.places[f], self._block, is_real)

    def _positions(self, first: IntArray, second: IntArray, block: IntArray, is_real: BoolArray) -> IntArray:
        first_inner, second_inner = (self._home[effect] >= 0 for effect in (first, second))
        position = np.where(is_real, self._slot[first] * self.c + self._slot[second], 0)
        for number, part in enumerate(self.blocks):
            s, n, w = part.shape
            chosen = np.flatnonzero(is_real & (first_inner | second_inner) & (self._class[block] == number))
            one, other, index = first[chosen], second[chosen], self._index[block[chosen]]
            both = first_inner[chosen] & second_inner[chosen]
            inner, core = np.where(first_inner[chosen], one, other), np.where(first_inner[chosen], other, one)
            row = part.start + (index * n + self._place[inner]) * n
            beside = self._neighbour_place(part, block[chosen], core)
            across = part.start + s * n * n + (index * n + self._place[inner]) * w + beside
            position[chosen] = np.where(both, row + self._place[core], across)
        return np.asarray(position)

    def _neighbour_place(self, part: _Blocks, block: IntArray, core: IntArray) -> IntArray:
        """Return the place of effects of the core among what their blocks know."""
        slot = self._slot[core]
        if part.neighbours is None or not len(slot):
            return slot
        at = np.minimum(np.searchsorted(self._keys, block * self.c + slot), len(self._keys) - 1)
        return np.where(core == self._cut, part.w - 1, self._neighbour_at[at])

    # -- sums ---------------------------------------------------------------------------------------------------------

    def row_sums(self, effects: FloatArray) -> FloatArray:
        """Return `[k, m]` of `[k, n]`: the effects of each game, weighted by its amounts and summed."""
        total = np.zeros((len(effects), self.m))
        for places, amounts in zip(self.places, self.amounts, strict=True):
            total += effects[:, places] * amounts
        return total

    def sum_rows(self, weights: FloatArray) -> FloatArray:
        """Return `[k, n]` of `[k, m]`: sums over the games of weight times what they carry."""
        places = self.places.ravel()
        return np.stack([np.bincount(places, (self.amounts * member).ravel(), self.n) for member in weights])

    def curvature(
        self, bend: FloatArray, tilt: FloatArray | None, cut_bend: FloatArray, precision: FloatArray, tied: int = 0
    ) -> Curvature:
        """Return the sums over games of `bend`, `[k, m]`, times products of what they carry.

        `tilt` `[k, m]` and `cut_bend` `[k]` are the same between a game and the cut, and of the cut alone; `precision`,
        `[k, n]`, is added to the diagonal, and 1 to all of the first `tied` effects of the core.
        """
        buffer = np.zeros((len(bend), self.size))
        cell = self._cell.ravel()
        for member, weights in zip(buffer, bend, strict=True):
            sums = np.bincount(cell, (self._amount * weights).ravel(), len(self.cells))
            member[self.cells], member[self._mirror] = sums, sums
        if tilt is not None:
            tilts = self.sum_rows(tilt)
            buffer[:, self._beside_cut], buffer[:, self._below_cut] = tilts, tilts
        buffer[:, self._diagonal] += precision
        buffer[:, self.c**2 - 1] += cut_bend
        buffer[:, self._filling] = 1.0
        self.top(buffer)[:, :tied, :tied] += 1.0
        return Curvature(self, buffer)

    def top(self, buffer: FloatArray) -> FloatArray:
        """Return a view of the part of the core, `[k, c, c]`."""
        return buffer[:, : self.c**2].reshape(-1, self.c, self.c)

    def row_variances(self, covariances: FloatArray) -> FloatArray:
        """Return `[k, m]` of a buffer of covariances: the variance of what each game carries."""
        variances = np.zeros((len(covariances), self.m))
        for total, member in zip(variances, covariances[:, self.cells], strict=True):
            for cell, amount, times in zip(self._cell, self._amount, self._times, strict=True):
                total += member[cell] * (times * amount)
        return variances

    @cached_property
    def neighbour_cells(self) -> list[IntArray]:
        """Where what the blocks take from the core stands in it, `[s, w, w]`; of those that know all of it, nothing."""
        parts = [np.zeros((0, 1), np.int64) if part.neighbours is None else part.neighbours for part in self.eliminated]
        return [(self.c * neighbours)[:, :, None] + neighbours[:, None, :] for neighbours in parts]

    @cached_property
    def loadings(self) -> list[FloatArray]:
        """What each game of each block carries of the effects that its block knows, `[s, r, l + w]` for each size."""
        dense = []
        for part in self.blocks:
            s, n, w = part.shape
            values = np.zeros((s, part.rows.shape[1], n + w))
            member, place = np.nonzero(part.rows >= 0)
            rows = part.rows[member, place]
            for places, amounts in zip(self.places[:, rows], self.amounts[:, rows], strict=True):
                column = np.where(
                    self._home[places] >= 0,
                    self._place[places],
                    n + self._neighbour_place(part, self._block[rows], places),
                )
                real = amounts != 0
                values[member[real], place[real], column[real]] = amounts[real]
            dense.append(values)
        return dense

    @property
    def n_pairs(self) -> int:
        """How many pairs of games of one block there are."""
        return sum(len(part.rows) * part.rows.shape[1] ** 2 for part in self.blocks)


class Curvature:
    """The curvatures of k posteriors, their inner effects eliminated; `top` is what is left of the core."""

    def __init__(self, arrowhead: Arrowhead, buffer: FloatArray) -> None:
        self.arrowhead, self._buffer = arrowhead, buffer
        self.inverses: list[FloatArray] = []
        self.links: list[FloatArray] = []
        self.top = arrowhead.top(buffer)
        reduction = np.zeros(self.top.shape)
        for part, cells in zip(arrowhead.eliminated, arrowhead.neighbour_cells, strict=True):
            across = part.across_part(buffer)
            inverse = np.asarray(np.linalg.inv(part.inner_part(buffer)), np.float64)
            link = inverse @ across
            self.inverses.append(inverse)
            self.links.append(link)
            if part.neighbours is None:
                self.top -= _merge_blocks(across).transpose(0, 2, 1) @ _merge_blocks(link)
                continue
            for member, one, other in zip(reduction, across.transpose(0, 1, 3, 2), link, strict=True):
                for some in part.slices():
                    np.add.at(member.reshape(-1), cells[some].ravel(), (one[some] @ other[some]).ravel())
        self.top -= reduction

    def of_member(self, member: int) -> Curvature:
        """Return the curvature of one of the k, whose core is inverted already."""
        one = copy(self)
        one.inverses, one.links = (
            [array[member : member + 1] for array in arrays] for arrays in (self.inverses, self.links)
        )
        one.__dict__["core_covariance"] = self.core_covariance[member : member + 1]
        return one

    @property
    def _parts(self) -> Iterator[tuple[_Blocks, FloatArray, FloatArray]]:
        return zip(self.arrowhead.eliminated, self.inverses, self.links, strict=True)

    def solve(self, vectors: FloatArray) -> FloatArray:
        """Return the solutions, `[k, n]`, of the systems with these right-hand sides, `[k, n]`."""
        a = self.arrowhead
        filled = np.concatenate([vectors, np.zeros((len(vectors), 1))], axis=1)
        core, steps = vectors[:, a.core], []
        for part, inverse, link in self._parts:
            own = filled[:, part.inner]
            reduction = (own[:, :, None, :] @ link)[:, :, 0]
            if part.neighbours is None:
                core = core - reduction.sum(axis=1)
            else:
                neighbours = part.neighbours.ravel()
                core = core - np.stack([np.bincount(neighbours, member.ravel(), a.c) for member in reduction])
            steps.append((inverse @ own[..., None])[..., 0])
        solution = self._solve_core(core)
        filled[:, a.core] = solution
        for (part, _, link), step in zip(self._parts, steps, strict=True):
            filled[:, part.inner] = step - (link @ part.of_core(solution)[..., None])[..., 0]
        return filled[:, :-1]

    def _solve_core(self, vectors: FloatArray) -> FloatArray:
        if "core_covariance" in self.__dict__:
            return np.asarray((self.core_covariance @ vectors[..., None])[..., 0])
        if self.arrowhead.c <= FEW:
            return np.asarray(np.linalg.solve(self.top, vectors[..., None])[..., 0])
        from scipy.linalg import cho_solve

        pairs = zip(self._factors, vectors, strict=True)
        return np.stack([cho_solve((factor, True), vector, check_finite=False) for factor, vector in pairs])

    @cached_property
    def _factors(self) -> list[FloatArray]:
        return [_factor(top) for top in self.top]

    @cached_property
    def core_covariance(self) -> FloatArray:
        """The inverse of what is left of the core, `[k, c, c]`: the covariance of its effects."""
        if self.arrowhead.c <= FEW:
            return np.asarray(np.linalg.inv(self.top), np.float64)
        return np.stack([_invert(factor) for factor in self._factors])

    def log_determinants(self) -> FloatArray:
        """Return the logarithms of the determinants of the whole matrices, `[k]`."""
        if self.arrowhead.c <= FEW:
            total = np.asarray(np.linalg.slogdet(self.top)[1])
        else:
            total = np.array([2 * np.log(np.diagonal(factor)).sum() for factor in self._factors])
        for part in self.arrowhead.eliminated:
            total = total + np.linalg.slogdet(part.inner_part(self._buffer))[1].sum(axis=1)
        return total

    def covariance(self, effects: IntArray) -> FloatArray:
        """Return the covariance of some effects of the core, `[k, q, q]`."""
        at = self.arrowhead._slot[effects]
        return np.asarray(self.core_covariance[:, at[:, None], at])

    @cached_property
    def _moved(self) -> list[FloatArray]:
        """Covariances between inner effects and those of the core that their blocks know, of each size."""
        core = self.core_covariance
        return [
            np.concatenate([-link[:, some] @ part.among_core(core, some) for some in part.slices()], axis=1)
            for part, _, link in self._parts
        ]

    def _own(self) -> list[FloatArray]:
        """Return the covariances among inner effects, of each size."""
        moved = zip(self.inverses, self.links, self._moved, strict=True)
        return [inverse - across @ link.transpose(0, 1, 3, 2) for inverse, link, across in moved]

    @cached_property
    def row_variances(self) -> FloatArray:
        """`[k, m]`: the variance of what each game carries."""
        a = self.arrowhead
        covariances = np.zeros((len(self.top), a.size))
        a.top(covariances)[:] = self.core_covariance
        for part, own, across in zip(a.eliminated, self._own(), self._moved, strict=True):
            part.inner_part(covariances)[:] = own
            part.across_part(covariances)[:] = across
        return a.row_variances(covariances)

    def cubes(self, weights: FloatArray) -> FloatArray:
        """Return `[k]` of `[k, m]`: the sum over pairs of games of one block of both weights and the cubed covariance.

        Of more than `MOST_PAIRS` it is taken for 0: it is small, and hardly differs between spreads that so many games
        leave open.
        """
        a = self.arrowhead
        total = np.zeros(len(weights))
        if a.n_pairs > MOST_PAIRS:
            return total
        own, moved = iter(self._own()), iter(self._moved)
        filled = np.concatenate([weights, np.zeros((len(weights), 1))], axis=1)
        for part, loadings in zip(a.blocks, a.loadings, strict=True):
            inner = (next(own), next(moved)) if part.shape[1] else None
            w = filled[:, part.rows]
            sums = np.empty(w.shape)
            at_once = max(1, MOST_COVARIANCES // (part.rows.size * part.rows.shape[1]))
            for some in part.slices():
                joint = part.among_core(self.core_covariance, some)
                if inner:
                    joint = _joined(inner[0][:, some], inner[1][:, some], joint)
                for k in (slice(at, at + at_once) for at in range(0, len(weights), at_once)):
                    shared = (loadings[some] @ joint[k]) @ loadings[some].transpose(0, 2, 1)
                    shared *= shared * shared
                    sums[k, some] = (w[k, some, None, :] @ shared)[:, :, 0] * w[k, some]
            total += sums.sum(axis=(1, 2))
        return total


def _joined(own: FloatArray, across: FloatArray, core: FloatArray) -> FloatArray:
    """Return covariances of inner effects and those of the core together, `[k, s, l + w, l + w]`."""
    k, s, n, w = across.shape
    joint = np.empty((k, s, n + w, n + w))
    joint[..., :n, :n], joint[..., n:, n:] = own, core
    joint[..., :n, n:], joint[..., n:, :n] = across, across.transpose(0, 1, 3, 2)
    return joint


def _distinct(numbers: IntArray, end: int) -> IntArray:
    """Return the distinct numbers, ascending, all of them below `end`."""
    is_there = np.zeros(end, np.bool_)
    is_there[numbers] = True
    return np.flatnonzero(is_there)


def _log2(sizes: IntArray) -> IntArray:
    """Return how often a size is to be halved until nothing is left of it."""
    return np.frexp(sizes.astype(np.float64))[1]


def _within(labels: IntArray, sizes: IntArray) -> IntArray:
    """Return the place of each of some sorted labels among its equals."""
    return np.arange(len(labels)) - (np.cumsum(sizes) - sizes)[labels]


def _fill(values: IntArray, sizes: IntArray, members: IntArray, width: int, filling: int) -> IntArray:
    """Return values that stand in order of their blocks as rows of `width`, for some blocks."""
    starts = (np.cumsum(sizes) - sizes)[members]
    at = starts[:, None] + np.arange(width)
    is_real = np.arange(width) < sizes[members][:, None]
    return np.where(is_real, np.append(values, filling)[np.minimum(at, len(values))], filling)


def _merge_blocks(blocks: FloatArray) -> FloatArray:
    """Return `[k, s, l, w]` as `[k, s * l, w]`."""
    k, s, n, w = blocks.shape
    return blocks.reshape(k, s * n, w)


def _factor(matrix: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor of a symmetric matrix; raises `LinAlgError` if it is not positive definite."""
    from scipy.linalg.lapack import dpotrf

    factor, failure = dpotrf(matrix.T, lower=1)
    if failure:
        raise np.linalg.LinAlgError("the curvature is not positive")
    return np.asarray(factor)


def _invert(factor: FloatArray) -> FloatArray:
    """Return the inverse of the symmetric positive matrix with this Cholesky factor."""
    from scipy.linalg.lapack import dpotri

    half = np.asarray(dpotri(factor, lower=1)[0])
    inverse = np.empty(half.shape)
    for at in range(0, len(half), TILE):
        end = at + TILE
        square = np.tril(half[at:end, at:end])
        inverse[at:end, at:end] = square + np.tril(square, -1).T
        inverse[end:, at:end] = half[end:, at:end]
        inverse[at:end, end:] = half[end:, at:end].T
    return inverse
