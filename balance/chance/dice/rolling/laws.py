"""The results of a step in every trial: rolled die by die, or drawn from the exact law for the values that it uses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from math import prod
from threading import RLock
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import BalanceError
from balance.chance.budget import MOST_CELLS, spend
from balance.chance.dice.exact.arithmetic import values_of
from balance.chance.dice.rolling.falls import StepDice, dice_of_step, same_quantile
from balance.chance.dice.rolling.roller import Roller
from balance.chance.dice.rolling.step_law import StepLaw
from balance.chance.dice.tree import Count as CountedFaces
from balance.chance.dice.tree import Node, Pool, parts_of, symbols_shown
from balance.chance.pmf.arrays import LARGEST, WeightArray
from balance.chance.rolls.dice import MOST_ROLLED, Count
from balance.chance.rolls.requests import Falls, Request, Source, Weighting, WrittenExample, one_of

Values: TypeAlias = "IntArray | int"
"""A number for all trials, or one for each, `int[n]`."""
IDLE = 0
"""The place of the law of trials in which nothing is done."""
SPARE_CELLS = 1024
MOST_FACES = 2_000_000
"""Faces of dice of one step that are rolled at once: of more, some trials after the others."""
FEW = 256
"""So many trials are looked up one by one sooner than together."""


@dataclass(frozen=True, eq=False)
class LawArrays:
    """Laws as arrays, their outcomes concatenated: L laws with T outcomes of c results in all.

    * `begins` and `sizes`: index of the first outcome of each law, and its number of outcomes, `int64[L]`.
    * `outcomes`: the results of each outcome, `int16[T, c]`.
    * `weights` and `totals`: weight of each outcome, and sum of weights of each law: whole numbers, `int64` or
      `object`, or else chances.
    * `p` and `ends`: probability of each outcome; its cumulative probability within the law plus the number of the law,
      `float64[T]`.
    """

    begins: IntArray
    sizes: IntArray
    outcomes: IntArray
    weights: WeightArray
    totals: WeightArray

    @classmethod
    def of(cls, laws: Sequence[Mapping[tuple[int, ...], float]]) -> LawArrays:
        """Return laws (results to weight) as arrays; weights are whole if all are, else chances."""
        totals = [sum(law.values()) for law in laws]
        is_whole = all(isinstance(total, int) for total in totals)
        if not is_whole:  # whole numbers of very many digits fit no float, but their shares do
            laws = [shares_of(law) for law in laws]
            totals = [sum(law.values()) for law in laws]
        sizes = np.array([len(law) for law in laws])
        dtype: type = object if is_whole and max(totals) > LARGEST else np.int64 if is_whole else np.float64
        outcomes = np.array([values for law in laws for values in law], np.int16)
        weights: WeightArray = np.array([weight for law in laws for weight in law.values()], dtype)
        return cls(sizes.cumsum() - sizes, sizes, outcomes, weights, np.array(totals, dtype))

    def with_more(self, other: LawArrays) -> LawArrays:
        """Return these laws followed by others; with chances for weights if either has them."""
        pair = (self, other)
        if any(laws.weights.dtype.kind == "f" for laws in pair):
            pair = (self._in_chances, other._in_chances)
        sizes = np.concatenate([laws.sizes for laws in pair])
        outcomes = np.concatenate([laws.outcomes for laws in pair])
        weights: WeightArray = np.concatenate([laws.weights for laws in pair])
        totals: WeightArray = np.concatenate([laws.totals for laws in pair])
        both = LawArrays(sizes.cumsum() - sizes, sizes, outcomes, weights, totals)
        both.__dict__["p"] = np.concatenate([self.p, other.p])  # rather than all of them anew for each few
        return both

    @property
    def _in_chances(self) -> LawArrays:
        """The same laws with chances for weights and totals of 1."""
        return replace(self, weights=self.p, totals=np.ones(len(self.totals)))

    @cached_property
    def results(self) -> IntArray:
        """The outcomes, transposed: `int16[c, T]`."""
        return np.ascontiguousarray(self.outcomes.T)

    @cached_property
    def p(self) -> FloatArray:
        """The probability of each outcome within its law, `float64[T]`."""
        return np.asarray(self.weights / self.totals.repeat(self.sizes), np.float64)

    @cached_property
    def ends(self) -> FloatArray:
        """Number of the law plus cumulative probability of the outcome, `float64[T]`.

        One binary search for (number + a uniform draw) then inverts any law.
        """
        laws = np.split(self.p, self.begins[1:])
        return np.concatenate([place + np.cumsum(law) for place, law in enumerate(laws)])


def shares_of(law: Mapping[tuple[int, ...], float]) -> dict[tuple[int, ...], float]:
    """Return a law with probabilities for weights.

    >>> shares_of({(1,): 3, (2,): 1})
    {(1,): 0.75, (2,): 0.25}
    """
    total = sum(law.values())
    return {values: weight / total for values, weight in law.items()}


class LawTable(ABC):
    """Laws of some results for every combination of the values that they depend on, worked out once and cached.

    `name`: name of the requests, and of their random stream. `columns`: names of the results. `uses`: names of the
    values that they depend on.
    """

    def __init__(self, name: str, columns: tuple[str, ...], uses: tuple[str, ...]) -> None:
        self.name, self.columns, self.uses = name, columns, uses
        self._place_of = dict[tuple[int, ...], int]()
        self._values: list[tuple[int, ...]] = [()]
        self._arrays = self._no_laws(1)
        self._lock = RLock()

    @abstractmethod
    def work_out(self, rows: Sequence[tuple[int, ...]]) -> LawArrays:
        """Return the law for each row of values; `DistributionError` if they would take too much work or memory."""

    @abstractmethod
    def get_ready(self, rows: Sequence[tuple[int, ...]]) -> None:
        """Prepare new rows of values for rolling, without working out their laws, which may never be needed."""

    def _no_laws(self, n: int) -> LawArrays:
        """Return n laws of results that are 0."""
        return LawArrays.of([{(0,) * len(self.columns): 1}] * n)

    def by_values(self, places: Iterable[int]) -> list[int]:
        """Return places sorted by their values, so that results do not depend on the order of earlier requests."""
        return sorted(places, key=self._values.__getitem__)

    @property
    def arrays(self) -> LawArrays:
        """The laws of all values met so far; where new ones have none, the error is of whoever asks for them again."""
        if len(self._arrays.begins) < len(self._values):
            with self._lock:
                new_rows = self._values[len(self._arrays.begins) :]
                try:
                    if new_rows:
                        self._arrays = self._arrays.with_more(self.work_out(new_rows))
                except BalanceError:
                    self._arrays = self._arrays.with_more(self._no_laws(len(new_rows)))
                    for row in new_rows:
                        self._place_of.pop(row, None)
                    raise
        return self._arrays

    def places(self, values: Sequence[Values], is_active: BoolArray | None = None) -> Values:
        """Return the place of the law of each trial, `int64[n]`; one for all where all values are and nothing is idle.

        `is_active`, `bool[n]`, are the trials in which the step is done; in the others it gives 0. It depends on the
        values alone, never on the state of trials: enumeration relies on that.
        """
        if all(isinstance(value, int) for value in values):
            place = self._place(tuple(map(int, values)))
            return place if is_active is None else np.where(is_active, place, IDLE)
        if is_active is None:
            return self._places_of(values)
        rows = np.flatnonzero(is_active)
        if len(rows) == len(is_active):
            return self._places_of(values)
        places: IntArray = np.full(len(is_active), IDLE)
        if len(rows):
            places[rows] = self._places_of([value if isinstance(value, int) else value[rows] for value in values])
        return places

    def _places_of(self, values: Sequence[Values]) -> IntArray:
        """Return the place of each trial's law; of many trials, values are packed into one key each."""
        n = max(len(value) for value in values if not isinstance(value, int))
        if n <= FEW:
            rows = list(zip(*(repeat(v, n) if isinstance(v, int) else v.tolist() for v in values), strict=True))
            try:
                return np.array([self._place_of[row] for row in rows])
            except KeyError:
                self._know(sorted({*rows}))
                return np.array([self._place_of[row] for row in rows])
        lows = [value if isinstance(value, int) else int(value.min()) for value in values]
        highs = [value if isinstance(value, int) else int(value.max()) for value in values]
        spans = [high - low + 1 for high, low in zip(highs, lows, strict=True)]
        key: IntArray = np.zeros(n, np.int64)
        for value, low, span in zip(values, lows, spans, strict=True):
            if span > 1:
                key = key * span + (np.asarray(value, np.int64) - low)
        n_keys = prod(spans)
        if n_keys <= 4 * len(key) + SPARE_CELLS:
            is_there = np.zeros(n_keys, bool)
            is_there[key] = True
            distinct_keys = np.flatnonzero(is_there)
            place_of_key = np.zeros(n_keys, np.int64)
            place_of_key[distinct_keys] = self._places_at(distinct_keys, lows, spans)
            return place_of_key[key]
        distinct_keys, which = np.unique(key, return_inverse=True)
        return np.array(self._places_at(distinct_keys, lows, spans))[which]

    def _places_at(self, keys: IntArray, lows: Sequence[int], spans: Sequence[int]) -> list[int]:
        digits = list[list[int]]()
        for low, span in zip(reversed(lows), reversed(spans), strict=True):
            digits.append((keys % span + low).tolist())
            keys = keys // span
        rows = list(zip(*reversed(digits), strict=True))
        self._know(rows)
        return [self._place_of[row] for row in rows]

    def _place(self, values: tuple[int, ...]) -> int:
        self._know([values])
        return self._place_of[values]

    def _know(self, rows: Sequence[tuple[int, ...]]) -> None:
        """Assign places to combinations of values that are new, under a lock."""
        if all(row in self._place_of for row in rows):
            return
        with self._lock:  # trials may be played by several threads
            new_rows = [row for row in rows if row not in self._place_of]
            self.get_ready(new_rows)
            for row in new_rows:
                self._place_of[row] = len(self._values)
                self._values.append(row)


class StepLaws(LawTable):
    """The laws of one step, and `nodes`, the parts of its results for each law.

    `step`: the parsed step, and `law` its law for any values.
    """

    def __init__(self, law: StepLaw) -> None:
        super().__init__(law.step.name, law.step.columns, law.step.uses)
        self.step, self.law = law.step, law
        self.nodes: list[tuple[Node, ...]] = [()]

    def get_ready(self, rows: Sequence[tuple[int, ...]]) -> None:
        """Make the parts of the step's results for each row of values; `GameError` names those that make no sense."""
        self.nodes += [self.law.nodes(values) for values in rows]

    def work_out(self, rows: Sequence[tuple[int, ...]]) -> LawArrays:
        """Return the law of the step for each row of values, in whole numbers.

        Raises `GameError`, which names these values, if a result is too large, and `DistributionError` if that would be
        too much work, or too much to keep.
        """
        laws, n_cells = list[Mapping[tuple[int, ...], float]](), 0.0
        for values in rows:
            law = self.law.weights(values)
            total = sum(law.values())
            n_bits = total.bit_length() if isinstance(total, int) else 0
            cells = len(law) * (2 + len(self.columns) / 2 + (n_bits // 12 if n_bits > 62 else 0))
            spend(0, cells)
            n_cells += cells
            laws.append(shares_of(law) if n_cells > MOST_CELLS else law)  # more than any exact answer may keep
        return LawArrays.of(laws)

    def formula_values(self, numbers: Mapping[str, Values], n: int, is_active: BoolArray | None = None) -> IntArray:
        """Return the value of a step without dice in each trial, `int16[n]`; 0 where `is_active` says it is not done.

        Each of `numbers` is for all trials or for each. Raises `GameError` if a look-up table has nothing for some
        value, or a result is too large.
        """
        if self.step.formula is None:
            raise TypeError(f"{self.step.text} has no formula")
        used = {name: np.asarray(numbers[name]) for name in self.uses}
        if is_active is not None and is_active.all():
            is_active = None
        if is_active is not None:
            used = {name: value[is_active] if value.ndim else value for name, value in used.items()}
        try:
            values = values_of(self.step.formula, used)
        except BalanceError as error:
            raise self.law.formula_error(error) from error
        if not self.law.is_flag:
            self.check_rolled(values)
        if is_active is None:
            narrow = values.astype(np.int16)
            return narrow if narrow.shape == (n,) else np.broadcast_to(narrow, n)
        results = np.zeros(n, np.int16)
        results[is_active] = values
        return results

    def check_rolled(self, values: IntArray) -> None:
        """Raise GameError if rolled results go beyond 16 bits."""
        self.law.check_size(int(values.max(initial=0)), int(values.min(initial=0)))


@dataclass(frozen=True, eq=False)
class Results(Request[dict[str, IntArray]]):
    """The results of a step in each trial, by name, `int16[n]`; `place` is the law of each trial.

    With `is_rolled` random answers roll dice one by one, and weights are whole numbers; otherwise a trial draws from
    its law, and weights are probabilities.
    """

    laws: LawTable
    place: Values
    n: int
    is_rolled: bool

    def at_random(self, source: Source) -> dict[str, IntArray]:
        """Roll the dice of each trial, or draw by inversion; paired runs share dice or uniform numbers."""
        if self.is_rolled and isinstance(self.laws, StepLaws):
            if not source.is_paired:
                return self._roll(self.laws, source)
            if (step := self._dice(self.laws)) is not None and step.most_dice <= MOST_ROLLED:
                laws = np.broadcast_to(np.asarray(self.place, np.int64), self.n)
                totals = [total for dice in step.dice for total in dice.roll(laws, source, self.name)]
                return dict(zip(self.laws.columns, step.results(laws, totals), strict=True))
        arrays, place = self.laws.arrays, self.place
        luck = source.take(source.stream(self.name).random(source.n_drawn))
        index = np.searchsorted(arrays.ends, place + luck, side="right")
        last = (arrays.begins + arrays.sizes - 1)[place]
        return self._results(np.minimum(index, last))

    def _dice(self, laws: StepLaws) -> StepDice | None:
        """Return the dice of the step under the laws that occur; None if they cannot be shared die by die."""
        places = {*np.unique(self.place).tolist()} - {IDLE}
        return dice_of_step(
            [laws.nodes[place] if place in places else None for place in range(max(places, default=0) + 1)]
        )

    def falls(self, number: IntArray) -> Falls:
        """Return the place of each trial's outcome among those of all laws, and the chances of two on the same dice."""
        return np.asarray(self.laws.arrays.begins[self.place] + number), self._joint

    def _joint(self, outcomes: IntArray) -> FloatArray:
        """Return the chances that two trials that share dice, or else a quantile, have two of these outcomes."""
        arrays = self.laws.arrays
        laws = np.searchsorted(arrays.begins, outcomes, side="right") - 1
        if laws[0] == laws[-1]:
            return np.diag(arrays.p[outcomes])
        step = self._dice(self.laws) if self.is_rolled and isinstance(self.laws, StepLaws) else None
        if step is not None and step.most_dice <= MOST_ROLLED:
            return step.joint(laws, arrays.outcomes[outcomes])
        ends = arrays.ends[outcomes] - laws
        return same_quantile(ends - arrays.p[outcomes], ends)

    @property
    def is_certain(self) -> bool:
        """Whether every law that occurs has a single outcome."""
        return bool((self.laws.arrays.sizes[self.place] == 1).all())

    def _roll(self, laws: StepLaws, source: Source) -> dict[str, IntArray]:
        places = laws.by_values(np.unique(self.place).tolist())
        if (counted := self._count(laws, places)) is not None:
            return {self.laws.columns[0]: counted.at_random(source).astype(np.int16)}
        results = [np.zeros(source.n_drawn, np.int16) for _ in range(len(self.laws.columns))]
        rng = source.stream(self.name)
        for place in places:
            if place == IDLE:
                continue
            all_rows = np.arange(source.n_drawn) if isinstance(self.place, int) else np.flatnonzero(self.place == place)
            nodes = laws.nodes[place]
            roller = Roller(rng, max(map(symbols_shown, nodes)))
            size = max(1, MOST_FACES // max(1, max(map(_dice_in, nodes))))
            for rows in (all_rows[begin : begin + size] for begin in range(0, len(all_rows), size)):
                rolled = roller.roll_together(nodes, len(rows), laws.columns)
                for result, values in zip(results, rolled, strict=True):
                    laws.check_rolled(values)
                    result[rows] = values
        return dict(zip(self.laws.columns, results, strict=True))

    def _count(self, laws: StepLaws, places: Sequence[int]) -> Request[IntArray] | None:
        """Return a `Count` request, many times as fast, if the step only counts faces of equal dice once each."""
        pools = [laws.nodes[place][0] for place in places if place != IDLE]
        if len(self.laws.columns) > 1 or not pools or not all(map(_counts_faces, pools)):
            return None
        faces = {len(pool.die.faces) for pool in pools if isinstance(pool, Pool)}
        if len(faces) > 1:
            return None
        (n_faces,) = faces
        n_dice, success = np.zeros(max(places) + 1, np.int64), np.zeros((max(places) + 1, n_faces), bool)
        for place in places:
            pool = laws.nodes[place][0] if place != IDLE else None
            if isinstance(pool, Pool) and isinstance(pool.n_dice, int) and pool.count is not None:
                n_dice[place] = pool.n_dice
                success[place] = [pool.count.faces.has(face) for face in range(1, n_faces + 1)]
        most = int(n_dice.max())
        if isinstance(self.place, int):
            return Count(self.name, n_faces, most, (np.flatnonzero(success[self.place]) + 1).tolist()) if most else None
        one_success = len({tuple(row) for row in success[[p for p in places if p != IDLE]].tolist()}) == 1
        flags: Sequence[int] | BoolArray = success[self.place]
        if one_success:
            flags = (np.flatnonzero(success[max(places)]) + 1).tolist()
        return Count(self.name, n_faces, most, flags, n_dice[self.place])

    def as_written(self, fixed_rolls: WrittenExample) -> dict[str, IntArray]:
        """Return the next results written under this name; each must be possible under the law."""
        place = int(np.max(self.place))
        begin, size = int(self.laws.arrays.begins[place]), int(self.laws.arrays.sizes[place])
        outcomes = self.laws.arrays.outcomes[begin : begin + size]
        return {
            name: np.array([one_of(fixed_rolls, self.name, (), sorted({*column.tolist()}))], np.int16)
            for name, column in zip(self.laws.columns, outcomes.T, strict=True)
        }

    def n_ways(self) -> int | IntArray:
        """Return the number of outcomes of each trial's law."""
        sizes = self.laws.arrays.sizes
        return int(sizes[self.place]) if isinstance(self.place, int) else sizes[self.place]

    def way(self, number: IntArray) -> dict[str, IntArray]:
        """Return the outcome of this number within the law of each trial."""
        return self._results(self.laws.arrays.begins[self.place] + number)

    def weigh(self, number: IntArray) -> Weighting:
        """Return the weight of each outcome and the total of its law; probabilities and 1 unless `is_rolled`."""
        arrays = self.laws.arrays
        index = arrays.begins[self.place] + number
        if not self.is_rolled:
            return arrays.p[index], 1
        totals = arrays.totals[self.place]
        return arrays.weights[index], int(totals) if isinstance(self.place, int) else np.asarray(totals, object)

    def _results(self, index: IntArray) -> dict[str, IntArray]:
        results = self.laws.arrays.results
        return {name: values.take(index) for name, values in zip(self.laws.columns, results, strict=True)}


def _dice_in(node: Node) -> int:
    """Return how many dice a part rolls, not counting those whose number is itself rolled."""
    own_dice = node.n_dice if isinstance(node, Pool) and isinstance(node.n_dice, int) else 0
    return own_dice + sum(map(_dice_in, parts_of(node)))


def _counts_faces(node: Node) -> bool:
    """Whether a part is a fixed number of plain dice with faces 1, 2, ..., of which some count 1."""
    if not isinstance(node, Pool) or not isinstance(node.n_dice, int) or node.count is None:
        return False
    plain = node.die.inner is None and node.reroll is None and node.explosion is None and not node.picks
    once = node.count == CountedFaces(node.count.faces)
    faces = tuple((face, 1) for face in range(1, len(node.die.faces) + 1))
    return plain and once and node.die.faces == faces and not node.die.symbolic
