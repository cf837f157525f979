"""Which nodes a grid of mastery points (MP) has: those of least squared interpolation error where duels go.

Duels are played, and the positions met remembered (`Reach`). Lines of worths through some of them, by the MP of one
side, are looked at closely; the best nodes for such lines are found by dynamic programming. More nodes err less and
cost more: how many is decided by how often duels come there, and by how many configurations would have them. So a few
cards with many duels to come get a node at nearly every number, a rare arrangement only some. Where no duel came, the
MP met elsewhere in the group tell at which MP an opponent who knows the play would come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.process import Policy, State, take_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.solvers.team import n_processes, shares
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import CAP, Nodes, hats
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.moves import POSITION_COLUMNS, Rows
from balance.games.edadh.solving.training import trajectories

MIN_OFFSET = -3
"""MP above the damage on a side below which no node is: it has lost."""
OFFSETS = np.arange(MIN_OFFSET, CAP + 1)
SAMPLE_OFFSETS = np.array([*range(MIN_OFFSET, 24), *range(24, 40, 2), *range(40, CAP + 1, 5)])
"""Where worths are looked at: they hardly bend with more MP than that above the damage."""
MOST_NODES = 36
DUELS, SHARED = 2000, 2
"""Duels of each meeting of players, and the parts in which they are played."""
DEFAULT_OFFSETS = (10, 20, 30)
"""MP that are looked at where no duel came to the whole group."""
SAMPLE = 48
"""Positions through which lines of worths are looked at, of each grade of a group and number of turns left."""
GROUP_SHARE, EVEN_SHARE = 0.35, 0.3
"""The shares of the weight that lie on the MP with which duels come to the whole group, and on all MP alike: an
opponent who knows the play leads it to configurations where duels seldom go, with MP that are not unusual."""
CLIFF = ((0, 1), (0,))
"""Nodes that there are whatever they cost, without and with a turn left: a side loses there by its damage or its MP.
Play that does not see that edge walks over it."""
STEPS = tuple(range(13))
"""MP that are nodes at the end of a Period whatever they cost: what a side can afford there goes by steps, and whoever
knows the play stops on one that lies between two nodes, also where no duel came before."""
EDGE = 3
"""MP above the damage at which that edge ends."""
BEYOND = 4
"""MP above those met that have nodes too, where every number has one."""
RARE = 0.1
"""Visits a duel that the rarest group counts as having."""
GOLDEN = (5**0.5 - 1) / 2
"""Steps of it around a circle come everywhere alike, in no order."""
BLUR = np.array([1, 2, 3, 4, 3, 2, 1]) / 16
"""MP met count for those around them too."""


class Places(NamedTuple):
    """Positions that duels came to, of one group and number of turns left.

    * `rows`: the configurations met, among all with as many turns left, `int[k]`.
    * `mp`: MP of side a and of side b, `[k]` each.
    * `offset`: the same above the damage on the side; at the end of a Period as they are.
    * `around`: the same of all positions met of the whole group, `[n]` each.
    * `visits`: mean number of visits per duel.
    """

    rows: Rows
    mp: tuple[IntArray, IntArray]
    offset: tuple[IntArray, IntArray]
    around: tuple[IntArray, IntArray]
    visits: float

    def weights(self, side: int) -> FloatArray:
        """Return the weights of a side's MP by `OFFSETS`, 1 in all: of MP met here, in the group, and of all alike."""
        even = np.full(len(OFFSETS), 1 / len(OFFSETS))
        around = _shares(self.around[side], even)
        own_shares = _shares(self.offset[side], around)
        return np.asarray((1 - GROUP_SHARE - EVEN_SHARE) * own_shares + GROUP_SHARE * around + EVEN_SHARE * even)


@dataclass(frozen=True, eq=False)
class Reach:
    """Positions that `n_duels` duels came to: columns, MP among them, and configurations.

    `rows` number the configurations among all with as many turns left.
    """

    configurations: Configurations
    state: State
    rows: Rows
    n_duels: int

    @classmethod
    def of(cls, configurations: Configurations, players: Sequence[Policy], seed: int) -> Reach:
        """Play duels of each player against itself and against the next, the last against the first."""
        meetings = [(first, second) for first, next_ in pairwise([*players, players[0]]) for second in (first, next_)]
        return cls.of_meetings(configurations, meetings, seed)

    @classmethod
    def of_meetings(cls, configurations: Configurations, meetings: Sequence[tuple[Policy, Policy]], seed: int) -> Reach:
        """Play duels of each pair of players for side a and side b, half of the sides with fewer MP than usual."""
        names = [*(f"{side}_{name}" for side in SIDES for name in POSITION_COLUMNS), "turns", "over"]

        def play_part(number: int) -> State:
            rolls = RandomRolls(seed, "solve reach", number, DUELS // SHARED)
            parts = [
                trajectory.state for trajectory in trajectories(configurations.moves, meetings[number // SHARED], rolls)
            ]
            return {name: np.concatenate([part[name] for part in parts]) for name in names}

        states = shares([partial(play_part, number) for number in range(len(meetings) * SHARED)], n_processes())
        state = {name: np.concatenate([part[name] for part in states]) for name in names}
        return cls._of(configurations, state, DUELS * len(meetings))

    @classmethod
    def _of(cls, configurations: Configurations, state: State, n_duels: int) -> Reach:
        return cls(configurations, state, configurations.rows(state, end_codes(state) < 0), n_duels)

    def places(self, rows: slice, turns: int, among: slice | None = None) -> Places:
        """Return the positions met of some configurations with so many turns left.

        `among` is the group that they are a part of; these alone if it is None.
        """
        visited = np.flatnonzero(self.state["turns"] == turns)
        near = visited[within(self.rows[visited], rows if among is None else among)]
        around = self._offsets(near, turns)
        inside = within(self.rows[near], rows)
        chosen_rows = near[inside]
        mp = self.state["a_mp"][chosen_rows], self.state["b_mp"][chosen_rows]
        offset = around[0][inside], around[1][inside]
        return Places(self.rows[chosen_rows], mp, offset, around, len(chosen_rows) / self.n_duels)

    def _offsets(self, rows: Rows, turns: int) -> tuple[IntArray, IntArray]:
        """Return the MP of both sides above the damage on them; at the end of a Period as they are."""
        state = take_trials(self.state, rows)
        a_offset, b_offset = (state[f"{side}_mp"] - state[f"{side}_damage"] * (turns > 0) for side in SIDES)
        return a_offset, b_offset

    @property
    def visits(self) -> tuple[FloatArray, ...]:
        """For 0, 1 ... turns left: mean visits of a duel to each configuration, `float64[n]`."""
        return tuple(
            np.bincount(self.rows[self.state["turns"] == turns], minlength=len(columns["over"])) / self.n_duels
            for turns, columns in enumerate(self.configurations.columns)
        )

    def beside(self, addition: Reach) -> Reach:
        """Return the positions of both, numbered as these are, whatever the order of the other's configurations."""
        state = {name: np.concatenate([column, addition.state[name]]) for name, column in self.state.items()}
        return Reach._of(self.configurations, state, self.n_duels + addition.n_duels)

    def in_grades(self) -> Reach:
        """Return the same positions, their configurations sorted by visits and cut into grades."""
        return Reach._of(self.configurations.in_grades(self.visits), self.state, self.n_duels)


def _shares(offsets: IntArray, unless_met: FloatArray) -> FloatArray:
    """Return the smoothed distribution of MP met, by `OFFSETS`, 1 in all; `unless_met` where none were."""
    if not len(offsets):
        return unless_met
    places = np.clip(offsets, MIN_OFFSET, CAP).astype(np.intp) - MIN_OFFSET
    counts = np.convolve(np.bincount(places, minlength=len(OFFSETS)), BLUR, mode="same")
    return np.asarray(counts / counts.sum())


def within(rows: Rows, part: slice) -> Rows:
    """Return the indices of those rows that a slice contains."""
    return np.flatnonzero((rows >= part.start) & (rows < part.stop))


def sample_places(places: Places, side: int, rows: slice) -> tuple[Rows, IntArray]:
    """Return a sample of positions met: their configurations, and the offsets of MP of side 0 or 1 there.

    Where no duel came, some of `rows`, with MP that the side has elsewhere in the group; few of them several times.
    """
    if n_visited := len(places.rows):
        sample = np.linspace(0, n_visited - 1, min(SAMPLE, n_visited)).astype(np.intp)
        return places.rows[sample], np.clip(places.offset[side][sample], 0, CAP)
    sample = rows.start + np.arange(SAMPLE) * (rows.stop - rows.start) // SAMPLE
    around = places.around[side] if len(places.around[side]) else np.array(DEFAULT_OFFSETS)
    offset = np.quantile(around, np.arange(len(sample)) * GOLDEN % 1, method="nearest")
    return sample, np.clip(offset, 0, CAP)


def every_node(places: Places, min_node: int) -> tuple[Nodes, Nodes]:
    """Return a node for each number of MP from `min_node` to `BEYOND` above the most met, for side a and side b."""
    a_nodes, b_nodes = (
        tuple(sorted({*range(min_node, min(int(offset.max(initial=BEYOND)) + BEYOND, CAP) + 1), CAP}))
        for offset in places.offset
    )
    return a_nodes, b_nodes


def nodes_beside(nodes: Nodes) -> Nodes:
    """Return every other node and those halfway to every other next one, and all at the edge where a side loses.

    A best response on these sees both what the play does at its nodes and what it does between, where it errs most.

    >>> nodes_beside((-2, 0, 1, 3, 9, 21, 60))
    (-2, 0, 1, 3, 6, 9, 40, 60)
    """
    halfway = [(lower + upper) // 2 for lower, upper in pairwise(nodes)]
    edge = [node for node in nodes if node <= EDGE]
    return tuple(sorted({*nodes[::2], *halfway[1::2], *edge, nodes[-1]}))


def chosen_nodes(
    places: Places, lines: Sequence[FloatArray], n_rows: int, price: float, min_node: int = MIN_OFFSET
) -> tuple[Nodes, Nodes]:
    """Return the nodes of side a and of side b that minimise squared error times visits plus the price of positions.

    `lines` are worths by the MP of side a, and of side b, at each of `OFFSETS`, `float64[s, o]`; `n_rows`
    configurations have these nodes, and each position costs `price`, in squared errors of worths times visits. No node
    lies below `min_node`.
    """
    least_errors = _least_errors(places, lines, min_node)
    error = (places.visits + RARE) * (least_errors[0].error[:, None] + least_errors[1].error)
    k = np.arange(1, MOST_NODES + 1)
    cost = price * n_rows * (k[:, None] * k)
    numbers = np.unravel_index((error + cost).argmin(), error.shape)
    steps = STEPS if min_node == 0 else ()
    a_nodes, b_nodes = (
        _with_edge(best.nodes(int(n) + 1), min_node, steps) for best, n in zip(least_errors, numbers, strict=True)
    )
    return a_nodes, b_nodes


def fine_nodes(
    places: Places, lines: Sequence[FloatArray], number: int, min_node: int = MIN_OFFSET
) -> tuple[Nodes, Nodes]:
    """Return `number` nodes of least squared error for side a and for side b, those at the edges aside.

    `lines` are worths by the MP of side a, and of side b, at each of `OFFSETS`, `float64[s, o]`.
    """
    a_nodes, b_nodes = (_with_edge(best.nodes(number), min_node) for best in _least_errors(places, lines, min_node))
    return a_nodes, b_nodes


def _least_errors(places: Places, lines: Sequence[FloatArray], min_node: int) -> list[LeastError]:
    return [least_error(side_lines, places.weights(side), min_node) for side, side_lines in enumerate(lines)]


def _with_edge(nodes: Nodes, min_node: int, steps: Nodes = ()) -> Nodes:
    return tuple(sorted({*CLIFF[min_node < 0], CAP, *steps, *nodes}))


def node_weights(places: Places, nodes: tuple[Nodes, Nodes]) -> FloatArray:
    """Return the weights of all pairs of nodes, by how often duels come near, `float64[k * l]`, 1 in all."""
    a_weights, b_weights = (
        places.weights(side) @ hats(OFFSETS, np.array(side_nodes)) for side, side_nodes in enumerate(nodes)
    )
    return np.outer(a_weights, b_weights).ravel()


class LeastError(NamedTuple):
    """The best nodes for some lines: least error with 1, 2 ... nodes, the last of them, and the best before each."""

    error: FloatArray
    last: npt.NDArray[np.intp]
    before: npt.NDArray[np.intp]

    def nodes(self, k: int) -> Nodes:
        """Trace back the best k nodes (fewer where no more are of use), rising."""
        places = [int(self.last[k - 1])]
        for number in range(k - 1, 0, -1):
            places.append(int(self.before[number, places[-1]]))
        return tuple(sorted({int(OFFSETS[place]) for place in places}))


def least_error(lines: FloatArray, weights: FloatArray, min_node: int = MIN_OFFSET) -> LeastError:
    """Return, by dynamic programming, the nodes of least squared error of interpolation, constant beyond the ends.

    `lines` are `float64[s, o]` by `OFFSETS`, of which each counts by `weights`, `float64[o]`; no node is below
    `min_node`.

    >>> bent = np.abs(OFFSETS - 20.0)[None]
    >>> found = least_error(bent, np.full(len(OFFSETS), 1 / len(OFFSETS)))
    >>> found.nodes(3), bool(found.error[2] < 1e-9 < found.error[1])
    ((-3, 20, 60), True)
    """
    between, below, above = _errors(lines, weights)
    below[: min_node - MIN_OFFSET] = np.inf
    best, before = below, np.zeros((MOST_NODES, len(OFFSETS)), np.intp)
    error, last = np.empty(MOST_NODES), np.empty(MOST_NODES, np.intp)
    for number in range(MOST_NODES):
        if number:
            total = best[:, None] + between
            before[number], best = total.argmin(axis=0), total.min(axis=0)
        last[number] = (best + above).argmin()
        error[number] = (best + above)[last[number]]
    return LeastError(error, last, before)


def _errors(lines: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return weighted squared errors: of straight lines between two nodes `[o, o]`, of level ones below and above one.

    inf where the second does not lie above the first. All that counts of the lines is the mean of the product of their
    worths at any two offsets, and sums up to each offset tell what lies between two nodes: a line there gives its worth
    at the upper one a share that grows from 0 to 1, and the rest to that at the lower one.
    """
    n, at = len(OFFSETS), np.arange(len(OFFSETS))
    product = lines.T @ lines / len(lines)
    square, count, once, twice = (_up_to(weights * factor) for factor in (product[at, at], at**0, at, at**2))
    with_, moment = (_up_to((weights * factor)[:, None] * product) for factor in (at**0, at))
    i, j = np.triu_indices(n, 1)
    weight, first, second = (sums[j] - sums[i] for sums in (count, once, twice))
    upper, upper2 = (first - i * weight) / (j - i), (second - 2 * i * first + i**2 * weight) / (j - i) ** 2
    lower2, cross = weight - 2 * upper + upper2, upper - upper2
    of_i, of_j = ((moment[j, u] - moment[i, u] - i * (with_[j, u] - with_[i, u])) / (j - i) for u in (i, j))
    between = np.full((n, n), np.inf)
    between[i, j] = square[j] - square[i] - 2 * (with_[j, i] - with_[i, i] - of_i + of_j)
    between[i, j] += lower2 * product[i, i] + upper2 * product[j, j] + 2 * cross * product[i, j]
    below = square[:-1] - 2 * with_[at, at] + count[:-1] * product[at, at]
    above = square[-1] - square[:-1] - 2 * (with_[-1] - with_[at, at]) + (count[-1] - count[:-1]) * product[at, at]
    return np.maximum(between, 0), np.maximum(below, 0), np.maximum(above, 0)


def _up_to(terms: FloatArray) -> FloatArray:
    """Return cumulative sums along the first axis, from 0 to the total."""
    return np.concatenate([np.zeros_like(terms[:1]), terms.cumsum(axis=0)])
