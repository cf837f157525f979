"""Common random numbers for a step: trials that share its luck, though they roll different numbers or read other faces.

Equal dice that add to a total by themselves are shared die by die: each trial reads the first so many of the same dice.
Of whatever else is rolled, all trials have the result at one quantile of their own distribution (inverse transform).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import DistributionError
from balance.chance.dice.bounds import is_arithmetic
from balance.chance.dice.exact.expressions import law_of, single_roll
from balance.chance.dice.exact.pools import counts_of, rolled_law
from balance.chance.dice.exact.weights import Law, Work
from balance.chance.dice.tree import Node, Number, Pool, parts_of, with_parts
from balance.chance.rolls.requests import Source

MOST_FALLS = 2048
"""Falls of dice that are told apart, each two of which have a chance."""
Nodes = tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class EqualDice:
    """Equal dice that a step rolls under each of its laws (one law for each combination of values that it uses).

    `law`: the law of one roll, face to weight. `n_dice`: number of dice under each law, `int[laws]`. `adds`: what a
    face adds to each total, `int[totals, laws, faces]`.
    """

    law: Law
    n_dice: IntArray
    adds: IntArray

    def roll(self, place: IntArray, source: Source, name: str) -> list[IntArray]:
        """Return each total of trials that share their dice, `int64[n]`: every trial reads the first `n_dice` of them.

        `place` is the law of each trial, `int[n]`; `name` that of the random stream.
        """
        k = int(self.n_dice.max(initial=0))
        luck = source.take(source.stream(name).random((source.n_drawn, k)))
        ends = np.cumsum(np.array(list(self.law.values()), np.float64) / sum(self.law.values()))
        faces = np.minimum(np.searchsorted(ends, luck, side="right"), len(ends) - 1)
        has_die = np.arange(k) < self.n_dice[place][:, None]
        return [(table[place[:, None], faces] * has_die).sum(axis=1) for table in self.adds]


@dataclass(frozen=True, eq=False)
class _Falls:
    """All falls of the first n of some equal dice, up to the most that a law rolls, as far as laws tell them apart.

    `reads`: `int[laws, totals]`: which of c readings each total of a law is. `sums`: the sum of each reading, `int[f,
    c]`, of f falls; the last counts the dice. `p`, `float[f]`: the chance that so many dice fall so.
    """

    dice: EqualDice
    reads: IntArray
    sums: IntArray
    p: FloatArray

    @classmethod
    def of(cls, dice: EqualDice, laws: IntArray) -> _Falls:
        """List the falls for some laws, `int[laws]`; `DistributionError` if there are more than `MOST_FALLS`."""
        n_totals, _, n_faces = dice.adds.shape
        readings, which = np.unique(
            dice.adds.transpose(1, 0, 2)[laws].reshape(-1, n_faces), axis=0, return_inverse=True
        )
        reads = np.zeros((len(dice.n_dice), n_totals), np.int64)
        reads[laws] = which.reshape(len(laws), n_totals)
        faces = np.concatenate([readings, np.ones((1, n_faces), np.int64)]).T
        chances = np.array(list(dice.law.values()), np.float64) / sum(dice.law.values())
        sums: list[IntArray] = [np.zeros((1, faces.shape[1]), np.int64)]
        p: list[FloatArray] = [np.ones(1)]
        for _ in range(int(dice.n_dice[laws].max())):
            further = (sums[-1][:, None] + faces).reshape(-1, faces.shape[1])
            distinct, place = np.unique(further, axis=0, return_inverse=True)
            sums.append(distinct)
            p.append(np.asarray(np.bincount(place.ravel(), np.outer(p[-1], chances).ravel()), np.float64))
            _few_falls(len(distinct))
        return cls(dice, reads, np.concatenate(sums), np.concatenate(p))

    def of_law(self, law: int) -> IntArray:
        """Return the places of the falls of as many dice as a law rolls."""
        return np.flatnonzero(self.sums[:, -1] == self.dice.n_dice[law])

    def totals(self, law: int, places: IntArray) -> list[IntArray]:
        """Return each total of a law in the falls at these places."""
        return [self.sums[places, reading] for reading in self.reads[law]]

    def joint(self, places: IntArray) -> FloatArray:
        """Return the chances of two of some falls, the dice of one among those of the other, `float64[k, k]`."""
        spans = 2 * (self.sums.max(axis=0) - self.sums.min(axis=0)) + 1
        keys = self.sums @ np.cumprod([1, *spans[:-1]])
        order = np.argsort(keys)
        further = keys[places] - keys[places][:, None]  # how the dice that only the other rolls must fall
        at = np.minimum(np.searchsorted(keys[order], further), len(keys) - 1)
        chances = np.where(keys[order][at] == further, self.p[order][at], 0.0) * self.p[places][:, None]
        return np.maximum(chances, chances.T)


def _few_falls(n: int) -> None:
    if n > MOST_FALLS:
        raise DistributionError(
            f"more than {MOST_FALLS:,} falls of dice would have to be told apart", "simulate this one"
        )


@dataclass(frozen=True, eq=False)
class StepDice:
    """All dice of a step, and its results as functions of their totals.

    `dice`: equal dice, in the order in which they are written. `nodes`: the parts of the results under each law, None
    where nothing is rolled.
    """

    dice: tuple[EqualDice, ...]
    nodes: tuple[Nodes | None, ...]

    @property
    def most_dice(self) -> int:
        """The largest number of equal dice that a law rolls; 0 for none."""
        return max((int(dice.n_dice.max(initial=0)) for dice in self.dice), default=0)

    def joint(self, laws: IntArray, outcomes: IntArray) -> FloatArray:
        """Return the chances that two trials on the same dice have two of some outcomes, `float64[k, k]`.

        `laws`, `int64[k]`, and `outcomes`, `int[k, results]`, are one by one; `DistributionError` for too many falls.
        """
        place = {key: at for at, key in enumerate(zip(laws.tolist(), map(tuple, outcomes.tolist()), strict=True))}
        rows, falls = list[IntArray](), list[IntArray]()
        groups = [_Falls.of(dice, np.unique(laws)) for dice in self.dice]
        for law in np.unique(laws).tolist():
            of_law = [group.of_law(law) for group in groups]
            mesh = [each.ravel() for each in np.meshgrid(*of_law, indexing="ij")]
            _few_falls(sum(map(len, rows)) + len(mesh[0]))
            totals = [total for group, at in zip(groups, mesh, strict=True) for total in group.totals(law, at)]
            results = self.results(np.full(len(mesh[0]), law), totals)
            keys = zip(*(column.tolist() for column in results), strict=True)
            rows.append(np.array([place.get((law, key), -1) for key in keys]))
            falls.append(np.stack(mesh))
        all_rows, all_falls = np.concatenate(rows), np.concatenate(falls, axis=1)
        chances = prod(group.joint(at) for group, at in zip(groups, all_falls, strict=True))
        table = np.zeros((len(laws), len(all_rows)))
        happens = np.flatnonzero(all_rows >= 0)
        table[all_rows[happens], happens] = 1
        return np.asarray(table @ chances @ table.T)

    def results(self, place: IntArray, totals: Sequence[IntArray]) -> list[IntArray]:
        """Return the results, `int16[n]`, from the law of each trial and the totals of its dice."""
        n_results = max(len(nodes) for nodes in self.nodes if nodes is not None)
        if all(isinstance(node, Pool) for nodes in self.nodes for node in nodes or ()):
            return [total.astype(np.int16) for total in totals[:n_results]]
        rows, row_of = np.unique(np.stack([place, *totals], axis=1), axis=0, return_inverse=True)
        values = np.array([self._result(law, tuple(each)) for law, *each in rows.tolist()], np.int16)
        return [values[row_of.ravel()]]

    def _result(self, law: int, totals: tuple[int, ...]) -> int:
        nodes = self.nodes[law]
        if nodes is None:
            return 0
        left = iter(totals)
        return next(iter(law_of(_with_totals(nodes[0], left), Work())))


def _with_totals(node: Node, totals: Any) -> Node:
    """Replace the dice of a part by numbers, taken from the iterator `totals` in written order."""
    if isinstance(node, Pool):
        return Number(next(totals))
    return with_parts(node, lambda part: _with_totals(part, totals))


def dice_of_step(nodes_by_law: Sequence[Nodes | None]) -> StepDice | None:
    """Return the dice of a step, given the parts of its results under each law (None where nothing is rolled).

    Return None unless every die under every law adds to a total by itself: no explosion, keeping or skipping, a fixed
    number.
    """
    rolled = [nodes for nodes in nodes_by_law if nodes is not None]
    if not rolled or any(pool.of for nodes in rolled for node in nodes for pool in _pools_in(node)):
        return None
    if len(rolled[0]) > 1:
        rows = [[] if nodes is None else [nodes] for nodes in nodes_by_law]
    else:
        rows = [[] if nodes is None else [(pool,) for pool in _pools_in(nodes[0])] for nodes in nodes_by_law]
    if any(not _adds_by_itself(node) for row in rows for pools in row for node in pools):
        return None
    if any(not _is_plain(node) for nodes in rolled for node in nodes):
        return None
    dice = [
        _equal([row[number] if number < len(row) else None for row in rows]) for number in range(max(map(len, rows)))
    ]
    return StepDice(tuple(same for same in dice if same), tuple(nodes_by_law)) if all(dice) and dice else None


def _pools_in(node: Node) -> list[Pool]:
    if isinstance(node, Pool):
        return [node]
    return [pool for part in parts_of(node) for pool in _pools_in(part)]


def _is_plain(node: Node) -> bool:
    """Whether a part is a pool, or arithmetic on such parts."""
    if isinstance(node, Pool):
        return True
    return is_arithmetic(with_parts(node, lambda part: Number(0))) and all(map(_is_plain, parts_of(node)))


def _adds_by_itself(node: Node) -> bool:
    if not isinstance(node, Pool) or not isinstance(node.n_dice, int) or (node.die.symbolic and node.count is None):
        return False
    skips = node.count is not None and node.count.skip is not None
    return node.are_alike and node.explosion is None and not node.picks and not skips


def _equal(nodes_by_law: Sequence[Nodes | None]) -> EqualDice | None:
    """Return the dice that stand at one position under every law; None if their die differs from law to law."""
    pools = [[node for node in nodes or () if isinstance(node, Pool)] for nodes in nodes_by_law]
    laws = [rolled_law(pool, single_roll(pool, Work())) for row in pools for pool in row if pool.n_dice]
    if not laws or any(law != laws[0] for law in laws):
        return None
    faces, n_totals = sorted(laws[0]), max(map(len, pools))
    n_dice = np.zeros(len(pools), np.int64)
    adds = np.zeros((n_totals, len(pools), len(faces)), np.int64)
    for law, row in enumerate(pools):
        for number, pool in enumerate(row):
            counts, each = counts_of(pool.count), pool.each
            n_dice[law] = pool.n_dice if isinstance(pool.n_dice, int) else 0
            adds[number, law] = [counts(face if each is None else each.of(face)) for face in faces]
    return EqualDice({face: laws[0][face] for face in faces}, n_dice, adds)


def same_quantile(begins: FloatArray, ends: FloatArray) -> FloatArray:
    """Return the chances of two outcomes at one quantile, `float64[k, k]`, each from `begins` to `ends` of its law.

    >>> same_quantile(np.array([0, 0.5, 0]), np.array([0.5, 1, 0.25])).tolist()[2]
    [0.25, 0.0, 0.25]
    """
    return np.asarray(np.maximum(0, np.minimum.outer(ends, ends) - np.maximum.outer(begins, begins)))
