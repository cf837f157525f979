"""Exact joint distributions of several results of the same dice, each of which counts, keeps or compares them.

Where every die adds to each result by itself, a roll adds one number that has `SHIFT` bits for each result, so that the
code for a single result does the rest, explosions included. Where results depend on the order of the dice, values are
visited from the highest down: it is then known how many dice of each side show at least as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, lcm, prod
from typing import TypeAlias

from balance.chance.dice.exact.expressions import law_of, single_roll
from balance.chance.dice.exact.patterns import decided
from balance.chance.dice.exact.pools import counts_of, die_cases
from balance.chance.dice.exact.side_by_side import Dice
from balance.chance.dice.exact.weights import Law, Work, add
from balance.chance.dice.tree import (
    SHIFT,
    Against,
    Count,
    Faces,
    Mix,
    Node,
    Pairs,
    Pattern,
    Pool,
    faces_that,
    names_in,
    places_of,
)

JointLaw: TypeAlias = dict[tuple[int, ...], int]
"""Values of several results -> weight."""
Left: TypeAlias = tuple[int, ...]
"""How many dice of each group show less than the values so far."""
Marks: TypeAlias = tuple[tuple[int, int], ...]
"""Of each pattern what is told so far, and how many values that follow one another were shown last."""
State: TypeAlias = tuple[int, Marks]
"""Sums so far, each way in digits of its own; and what is told of patterns."""


FALL, STATE = 100, 6
"""Steps that a number of dice takes that may show a value, and each state with it."""


@dataclass(frozen=True)
class CountAll(Count):
    """Several ways of counting one roll, packed into one number of `SHIFT` bits for each way."""

    ways: tuple[Count | None, ...] = ()

    def of(self, value: int) -> int:
        """Return the counts of a face in all ways, as one packed number."""
        return sum(counts_of(way)(value) << SHIFT * place for place, way in enumerate(self.ways))


def count_all(ways: Sequence[Count | None]) -> CountAll:
    """Return a count that packs several; None stands for the face itself."""
    return CountAll(Faces(""), ways=tuple(ways))


def digits_of(number: int, n_ways: int) -> tuple[int, ...]:
    """Unpack a number into its signed counts, `SHIFT` bits each, the first way lowest.

    >>> digits_of(3 - (1 << 32), 2)
    (3, -1)
    """
    half, values = 1 << SHIFT - 1, list[int]()
    for _ in range(n_ways):
        digit = (number + half) % (2 * half) - half
        values.append(digit)
        number = (number - digit) >> SHIFT
    return tuple(values)


def joint_law(nodes: Sequence[Node], work: Work, names: Sequence[str] = ()) -> JointLaw:
    """Return the joint law of several results, values to weight; dice of the same label are the same dice.

    `names` are those of the results, for comparisons of dice with one of them. Raise TooLarge beyond the limit of
    `work`.

    >>> from balance.chance.dice.text.parsing import parse
    >>> joint_law([parse("2d2 count 1").node, parse("2d2 count 2").node], Work())
    {(2, 0): 1, (1, 1): 2, (0, 2): 1}
    """
    limits = [place for place, node in enumerate(nodes) if isinstance(node, Against) and names_in(node.limit)]
    if limits:
        needed = {name for place in limits for name in names_in(_limit_of(nodes[place]))}
        last = next(place for place in limits if names[place] not in needed)
        return _against_results(nodes, last, work, names)
    if len(nodes) == 1 and not (isinstance(nodes[0], Pairs) and same_dice(nodes[0])):
        return {(value,): weight for value, weight in law_of(nodes[0], work).items()}
    linear = [node for node in nodes if isinstance(node, Pool | Mix) and not node.picks]
    labels = {label for node in nodes for label, _ in dice_of(node)}
    if len(linear) == len(nodes) and len(labels) == 1:
        law = law_of(replace(linear[0], count=count_all([node.count for node in linear])), work)
        return {digits_of(value, len(nodes)): weight for value, weight in law.items()}
    return _in_order(nodes, work)


def same_dice(node: Pairs) -> bool:
    """Return whether a comparison in pairs has the same labelled dice on both sides."""
    return bool(node.first.of) and node.first.of == node.second.of


def dice_of(node: Node) -> list[tuple[str, Pool | Mix]]:
    """Return (label, dice) for each of the dice that a result uses, without its keeping and counting.

    Raise TypeError for a part that is no dice.
    """
    if isinstance(node, Pairs):
        return [*dice_of(node.first), *dice_of(node.second)]
    if isinstance(node, Pattern | Against):
        return dice_of(node.dice) if isinstance(node.dice, Pool | Mix) else []
    if isinstance(node, Pool | Mix):
        return [(node.of, replace(node, picks=(), count=None))]
    raise TypeError(f"{node} is no dice")


# -- compared with a result of the same dice, or of dice that are rolled later --------------------------------------


def _against_results(nodes: Sequence[Node], last: int, work: Work, names: Sequence[str]) -> JointLaw:
    """Return the joint law where result number `last` compares each of its dice with other results.

    It conditions on the values of the others, one group of limits with the same effect at a time.
    """
    node, others = nodes[last], [place for place in range(len(nodes)) if place != last]
    if not isinstance(node, Against):
        raise TypeError(f"{node} compares nothing")
    before = joint_law([nodes[place] for place in others], work, [names[place] for place in others])

    def limit_at(values: Sequence[int]) -> int:
        known = {names[place]: value for place, value in zip(others, values, strict=True)}
        return next(iter(law_of(node.limit, Work(names=known))))

    totals, parts = list[int](), list[JointLaw]()
    for limits in _alike(node, {limit_at(values) for values in before}):
        counted = list(nodes)
        counted[last] = replace(node.dice, count=Count(faces_that(node.sign, limits[0])))
        law = joint_law(counted, work, names)
        totals.append(sum(law.values()))
        parts.append({v: w for v, w in law.items() if limit_at([v[place] for place in others]) in limits})
    common, weights = lcm(*totals), JointLaw()
    for total, law in zip(totals, parts, strict=True):
        for values, weight in law.items():
            weights[values] = weights.get(values, 0) + weight * (common // total)
    return weights


def _alike(node: Against, limits: Iterable[int]) -> list[list[int]]:
    """Group limits that make the same faces count, so that each group is worked out only once."""
    pools = _pools(node.dice) if isinstance(node.dice, Pool | Mix) else ()
    groups = dict[object, list[int]]()
    for limit in sorted(limits):
        count = Count(faces_that(node.sign, limit))
        is_summed = any(pool.explosion and not replace(pool, count=count).counts_rolls for pool in pools)
        values = [value for pool in pools for value, _ in pool.die.faces]
        groups.setdefault(limit if is_summed or not values else tuple(map(count.of, values)), []).append(limit)
    return list(groups.values())


def _limit_of(node: Node) -> Node:
    return node.limit if isinstance(node, Against) else node


# -- dice in order ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Equal dice of one side; `law` maps a face to the weighted law of what the rolls of a die that shows it count.

    `side` is the number of the label among the dice on the table; `drawn` means cards drawn without replacement.
    """

    side: int
    n_dice: int
    law: dict[int, Law]
    drawn: bool

    @property
    def total(self) -> int:
        """The number of equally likely ways in which all dice of the group can fall."""
        return Dice(self.n_dice, self.shown, lambda value: {}, self.drawn).total

    @cached_property
    def shown(self) -> Law:
        """The law of the face of one die, whatever its rolls count."""
        return {value: sum(counted.values()) for value, counted in self.law.items()}

    def falls(self, n_left: int, value: int, work: Work) -> list[Law]:
        """Return the weighted laws of what is counted if 0, 1, ..., `n_left` of the dice that are left show a value."""
        counted = self.law.get(value, {})
        if set(counted) <= {0}:
            dice = Dice(self.n_dice, self.shown, lambda value: {}, self.drawn)
            return [{0: ways} for ways in dice.falls(n_left, n_left, value)]
        laws: list[Law] = [{0: 1}]
        for _ in range(n_left):
            laws.append(add(laws[-1], counted, work))
        return [{number: comb(n_left, n) * ways for number, ways in law.items()} for n, law in enumerate(laws)]


def _in_order(nodes: Sequence[Node], work: Work) -> JointLaw:
    """Return the joint law of results that depend on the order of dice: kept dice, patterns, pairs."""
    dice = dict(pair for node in nodes for pair in dice_of(node))
    sides = {label: side for side, label in enumerate(dice)}
    table = _Table(tuple(nodes), sides)
    cases: list[tuple[int, list[Group]]] = [(1, [])]
    for label, side in sides.items():
        by_roll = {
            way: node.count
            for way, node in enumerate(nodes)
            if isinstance(node, Pool | Mix) and node.counts_rolls and node.of == label
        }
        for pool in _pools(dice[label]):
            more = _groups(pool, side, by_roll, work)
            cases = [(weight * times, [*groups, *others]) for weight, groups in cases for times, others in more]
    totals = [prod(group.total for group in groups) for _, groups in cases]
    common, joint = lcm(*totals), JointLaw()
    for (weight, groups), total in zip(cases, totals, strict=True):
        for values, ways in table.law(groups, work).items():
            joint[values] = joint.get(values, 0) + weight * (common // total) * ways
    return joint


def _pools(node: Pool | Mix) -> tuple[Pool, ...]:
    return node.parts if isinstance(node, Mix) else (node,)


def _groups(pool: Pool, side: int, by_roll: dict[int, Count | None], work: Work) -> list[tuple[int, list[Group]]]:
    """Return the cases of how a pool may be made up: the weight of each, and its groups of equal dice.

    `by_roll` lists, by number of the result, the counts that every roll of an exploding die adds to by itself.
    """
    roll = single_roll(pool, work)
    n_dice_law = {pool.n_dice: 1} if isinstance(pool.n_dice, int) else law_of(pool.n_dice, work)
    counts = count_all([None, *by_roll.values()]) if by_roll else None
    cases = [(n, weight, die_cases(pool, roll, n, counts, work)) for n, weight in n_dice_law.items()]
    scale = lcm(*(sum(times for times, _ in groups) for _, _, groups in cases))
    return [
        (
            weight * times * (scale // sum(ways for ways, _ in more)),
            [Group(side, m, _by_value(law, list(by_roll)), pool.drawn) for m, law in groups],
        )
        for _, weight, more in cases
        for times, groups in more
    ]


def _by_value(law: Law, ways: Sequence[int]) -> dict[int, Law]:
    """Split a packed law into face to law of what is counted, moving each count to the bits of its result."""
    by_value: dict[int, Law] = {}
    for number, weight in law.items():
        value, *counted = digits_of(number, len(ways) + 1) if ways else (number,)
        shift = sum(count << SHIFT * way for way, count in zip(ways, counted, strict=True))
        into = by_value.setdefault(value, {})
        into[shift] = into.get(shift, 0) + weight
    return by_value


@dataclass(frozen=True)
class _Table:
    """The results that are asked of dice on the table; `sides` numbers the dice by their label."""

    nodes: tuple[Node, ...]
    sides: dict[str, int]

    def law(self, groups: Sequence[Group], work: Work) -> JointLaw:
        """Return the joint law by dynamic programming over values, from the highest down.

        The state is the number of dice of each group still below, the packed sums, and the progress of each pattern.
        """
        bits = prod(group.total for group in groups).bit_length()
        n_values = max(1, len(set().union(*(group.law for group in groups))) - 1)
        n_falls = n_values * prod((group.n_dice + 1) * (group.n_dice + 2) / 2 for group in groups)
        if work.n_steps + n_falls * FALL > work.limit and not any(group.drawn for group in groups):
            work.spend(n_falls * FALL, bits)  # told before they are gone through
        patterns = tuple((0, 0) for node in self.nodes if isinstance(node, Pattern))
        start = tuple(group.n_dice for group in groups)
        weights: dict[Left, dict[State, int]] = {start: {(0, patterns): 1}}
        n_dice = self._n_shown(groups, start)
        before: int | None = None
        for value in sorted(set().union(*(group.law for group in groups)), reverse=True):
            next_weights = dict[Left, dict[State, int]]()
            for left, states in weights.items():
                taken = [n - m for n, m in zip(n_dice, self._n_shown(groups, left), strict=True)]
                for more_left, counted in _shown(groups, left, value, work):
                    work.spend(FALL + STATE * len(states) * len(counted), bits)
                    moved = [n - m for n, m in zip(n_dice, self._n_shown(groups, more_left), strict=True)]
                    shift = self._shift(value, n_dice, taken, moved)
                    stays = self._stay(n_dice, taken, moved)
                    into = next_weights.setdefault(more_left, {})
                    for (number, marks), weight in states.items():
                        marks_now = self._marks(marks, stays, follows=before == value + 1)
                        for more, ways in counted.items():
                            state = number + shift + more, marks_now
                            into[state] = into.get(state, 0) + weight * ways
            work.hold_states(sum(map(len, next_weights.values())))
            weights, before = next_weights, value
        last = next((states for left, states in weights.items() if not any(left)), {})
        return self._results(last)

    def _n_shown(self, groups: Sequence[Group], left: Left) -> list[int]:
        """Sum the dice that are left in each group by side."""
        sizes = [0] * len(self.sides)
        for group, n_left in zip(groups, left, strict=True):
            sizes[group.side] += n_left
        return sizes

    def _shift(self, value: int, n_dice: Sequence[int], taken: Sequence[int], moved: Sequence[int]) -> int:
        """Return the packed increase of all results when this value comes up.

        `taken` and `moved` are the dice of each side that show a higher value, and at least this one.
        """
        shift = 0
        for way, node in enumerate(self.nodes):
            if isinstance(node, Pairs):
                shift += self._pairs_won(node, n_dice, taken, moved) << SHIFT * way
            elif isinstance(node, Pool | Mix) and not node.counts_rolls:
                n_stay = self._n_stay(node, n_dice, taken, moved)
                shift += n_stay * counts_of(node.count)(value) << SHIFT * way
        return shift

    def _n_stay(self, dice: Pool | Mix, n_dice: Sequence[int], taken: Sequence[int], moved: Sequence[int]) -> int:
        """Return how many of the dice with this value (places `taken` to `moved`, the highest first) are kept."""
        side = self.sides[dice.of]
        first, last = places_of(n_dice[side], dice.picks)
        return max(0, min(moved[side], last) - max(taken[side], first))

    def _stay(self, n_dice: Sequence[int], taken: Sequence[int], moved: Sequence[int]) -> list[tuple[Pattern, int]]:
        return [
            (node, self._n_stay(node.dice, n_dice, taken, moved)) for node in self.nodes if isinstance(node, Pattern)
        ]

    def _pairs_won(self, node: Pairs, n_dice: Sequence[int], taken: Sequence[int], moved: Sequence[int]) -> int:
        """Return how many of the pairs decided by this value, the higher of the two dice, satisfy the comparison."""
        moves, sizes = list[tuple[int, int]](), list[int]()
        for dice in (node.first, node.second):
            side = self.sides[dice.of]
            first, last = places_of(n_dice[side], dice.picks)
            moves.append((taken[side] - first, moved[side] - first))
            sizes.append(last - first)
        numbers = decided(moves[0], moves[1], min(sizes))
        return sum(n for n, is_counted in zip(numbers, node.signs, strict=True) if is_counted)

    @staticmethod
    def _marks(marks: Marks, stays: Sequence[tuple[Pattern, int]], *, follows: bool) -> Marks:
        """Return the progress of each pattern and the length of its current run after one more value."""
        after = list[tuple[int, int]]()
        for (told, run), (node, n_shown) in zip(marks, stays, strict=True):
            run_now = (run if follows else 0) + 1 if node.kind == "longest run" and n_shown else 0
            after.append((node.add(told, n_shown, run_now), run_now))
        return tuple(after)

    def _results(self, states: dict[State, int]) -> JointLaw:
        joint: JointLaw = {}
        for (number, marks), weight in states.items():
            values, told = list(digits_of(number, len(self.nodes))), iter(marks)
            for way, node in enumerate(self.nodes):
                if isinstance(node, Pattern):
                    values[way] = next(told)[0]
            key = tuple(values)
            joint[key] = joint.get(key, 0) + weight
        return joint


def _shown(groups: Sequence[Group], left: Left, value: int, work: Work) -> Iterator[tuple[Left, Law]]:
    """Yield the dice left in each group after some show `value`, with the weighted law of what their rolls count."""
    if not groups:
        yield (), {0: 1}
        return
    falls = groups[0].falls(left[0], value, work)
    for more_left, counted in _shown(groups[1:], left[1:], value, work):
        for n, law in enumerate(falls):
            yield (left[0] - n, *more_left), _sum_of(counted, law, work)


def _sum_of(law_a: Law, law_b: Law, work: Work) -> Law:
    if len(law_b) == 1 and 0 in law_b:
        return {number: ways * law_b[0] for number, ways in law_a.items()}
    return add(law_a, law_b, work)
