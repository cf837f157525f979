"""Common random numbers for a step: trials that share its luck, though they roll different numbers or read other faces.

Equal dice that add to a total by themselves are shared die by die: each trial reads the first so many of the same dice.
Of whatever else is rolled, all trials have the result at one quantile of their own distribution (inverse transform).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import lcm, prod
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import DistributionError
from balance.chance.dice.bounds import is_arithmetic
from balance.chance.dice.exact.expressions import law_of, single_roll
from balance.chance.dice.exact.pools import counts_of, rolled_law
from balance.chance.dice.exact.weights import Law, Work
from balance.chance.dice.tree import Node, Number, Pool, parts_of, with_parts
from balance.chance.rolls.requests import Answer, Request, Source, Weighting, WrittenExample
from balance.chance.rolls.shared import shared_dice

MOST_WAYS = 512
"""Ways in which dice may fall that are told apart, each with a row for every state and every way of all else."""
MOST_PLACES = 100_000
"""Places of distributions that are told apart."""
Nodes = tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class EqualDice:
    """Equal dice that a step rolls under each of its laws (one law for each combination of values that it uses).

    Attributes
    ----------
    law
        The law of one roll, face to weight.
    n_dice
        Number of dice under each law, `int[laws]`.
    adds
        What a face adds to each total, `int[totals, laws, faces]`.
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
class StepDice:
    """All dice of a step, and its results as functions of their totals.

    Attributes
    ----------
    dice
        Equal dice, in the order in which they are written.
    nodes
        The parts of the results under each law, None where nothing is rolled.
    """

    dice: tuple[EqualDice, ...]
    nodes: tuple[Nodes | None, ...]

    @property
    def most_dice(self) -> int:
        """The largest number of equal dice that a law rolls; 0 for none."""
        return max((int(dice.n_dice.max(initial=0)) for dice in self.dice), default=0)

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


@dataclass(frozen=True, eq=False)
class _Listed(Request[Any]):
    """A request that is only enumerated; random and written answers come from the request behind it."""

    behind: Request[Any]
    place: IntArray

    def at_random(self, source: Source) -> Any:
        """Answer as the request behind does, without sharing."""
        return self.behind.at_random(source)

    def as_written(self, fixed_rolls: WrittenExample) -> Any:
        """Answer as the request behind does."""
        return self.behind.as_written(fixed_rolls)


@dataclass(frozen=True, eq=False)
class SameDice(_Listed):
    """A request enumerated by the fall of its dice: in one way, every trial reads the first few of the same dice."""

    step: StepDice
    columns: tuple[str, ...]
    dice: tuple[Request[dict[str, IntArray]], ...]

    def n_ways(self) -> int:
        """Return the number of falls of all dice that differ for some trial, a product over groups of equal dice."""
        return prod(self._sizes)

    @property
    def _sizes(self) -> list[int]:
        return [int(request.n_ways()) for request in self.dice]

    def _numbers(self, number: IntArray) -> Sequence[IntArray]:
        return np.unravel_index(number, self._sizes)

    def way(self, number: IntArray) -> dict[str, IntArray]:
        """Return the results of each trial from the fall of this number."""
        numbers = self._numbers(number)
        answers = [request.way(own) for request, own in zip(self.dice, numbers, strict=True)]
        totals = [np.asarray(total, np.int64) for answer in answers for total in answer.values()]
        place = np.broadcast_to(self.place, number.shape)
        return dict(zip(self.columns, self.step.results(place, totals), strict=True))

    def weigh(self, number: IntArray) -> Weighting:
        """Weigh a fall by its multiplicity."""
        numbers = self._numbers(number)
        weighed = [request.weigh(own) for request, own in zip(self.dice, numbers, strict=True)]
        total = prod(int(each) for _, each in weighed)
        weights = prod(np.asarray(each, object) for each, _ in weighed)
        return np.asarray(weights) if total > 2**62 else np.asarray(weights, np.int64), total


def same_dice(
    request: Request[Answer], place: IntArray, step: StepDice, columns: tuple[str, ...], before: Request[Any] | None
) -> Request[Any]:
    """Return a request enumerated by the falls of its dice; raise DistributionError if there are more than 512.

    `place` is the law of each trial, `int[n]`; `before` is what this returned for the same request of more trials,
    whose numbering is kept.
    """
    requests = list[Request[Any]]()
    for number, dice in enumerate(step.dice):
        adds = {f"{total}": table[place] for total, table in enumerate(dice.adds)}
        _few_ways(2 ** len({*dice.n_dice[place].tolist()} - {0}))  # at least, before they are listed
        known = before.dice[number] if isinstance(before, SameDice) else None
        requests.append(shared_dice(request, dice.n_dice[place], list(dice.law.values()), adds, known))
    listed = SameDice(request.name, request, place, step, columns, tuple(requests))
    _few_ways(listed.n_ways())
    return listed


@dataclass(frozen=True, eq=False)
class SamePlace(_Listed):
    """A request enumerated by quantiles: in one way, every trial has the outcome at that place of its own distribution.

    Attributes
    ----------
    cuts
        Upper end of each way, on a scale of whole numbers that all totals of weights divide.
    outcome_at
        Law to the number of its outcome in each way.
    """

    cuts: tuple[int, ...]
    outcome_at: dict[int, IntArray]

    def n_ways(self) -> int:
        """Return the number of intervals between cuts."""
        return len(self.cuts)

    def way(self, number: IntArray) -> Any:
        """Return the outcome of each trial in the interval of this number."""
        place = np.broadcast_to(self.place, number.shape)
        outcomes = np.zeros(number.shape, np.int64)
        for law, outcome_at in self.outcome_at.items():
            rows = place == law
            outcomes[rows] = outcome_at[number[rows]]
        return self.behind.way(outcomes)

    def weigh(self, number: IntArray) -> Weighting:
        """Weigh an interval by its width."""
        widths = [end - begin for begin, end in zip((0, *self.cuts), self.cuts, strict=False)]
        dtype: type = np.int64 if self.cuts[-1] < 2**62 else object
        return np.array(widths, dtype)[number], self.cuts[-1]


def same_place(
    request: Request[Answer], place: IntArray, weights_of: dict[int, list[int]], before: Request[Any] | None
) -> Request[Any]:
    """Return a request, of which a way is an outcome, enumerated by quantiles of the distributions.

    `place` is the law of each trial, `int[n]`, `weights_of` the whole weights of its outcomes; `before` is what this
    returned for the same request of more trials, whose cuts are kept. Raise DistributionError for more than 100,000
    places.
    """
    scale = before.cuts[-1] if isinstance(before, SamePlace) else lcm(*map(sum, weights_of.values()))
    ends = {law: [end * (scale // sum(ways)) for end in accumulate(ways)] for law, ways in weights_of.items()}
    cuts = (
        before.cuts if isinstance(before, SamePlace) else tuple(sorted({end for own in ends.values() for end in own}))
    )
    _few_ways(len(cuts), MOST_PLACES)
    outcome_at: dict[int, IntArray] = {law: np.array(_outcomes(cuts, own)) for law, own in ends.items()}
    return SamePlace(request.name, request, place, cuts, outcome_at)


def _few_ways(n_ways: int, most: int = MOST_WAYS) -> None:
    if n_ways > most:
        raise DistributionError(f"{n_ways:,} ways are too many to list", "simulate this one")


def _outcomes(cuts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Return the number of the outcome that covers each interval; `ends` are the cumulative weights of the outcomes."""
    outcomes, number = list[int](), 0
    for cut in cuts:
        while ends[number] < cut:
            number += 1
        outcomes.append(number)
    return outcomes
