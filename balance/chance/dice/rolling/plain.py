"""Roll expressions die by die in plain Python, one trial at a time: in browsers, and where numpy is not loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, groupby
from math import prod
from random import Random
from typing import Any, TypeAlias

from balance.base.errors import DistributionError
from balance.chance.dice import tree
from balance.chance.dice.exact.expressions import COMPARE, law_of
from balance.chance.dice.exact.joint import dice_of, same_dice
from balance.chance.dice.exact.pools import counts_of
from balance.chance.dice.exact.single_die import explodes_on
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.exact.wounds import symbols_left, symbols_shown

Table: TypeAlias = list[tuple[tree.Pool, list[list[int]]]]
"""Dice that lie there: of each pool, all rolls of each die."""
MOST_ROLLS = 500_000
"""Of single dice for one result, which take some seconds."""
MOST_KEPT = 10_000
"""Parts of which something is remembered."""


class PlainRoller:
    """Rolls parts of expressions with one generator, and remembers what it worked out of them for the next trial.

    Symbols are packed into one number, as in exact laws. DistributionError is raised beyond `MOST_ROLLS`.
    """

    def __init__(self, random: Random) -> None:
        self.random, self.n_rolls = random, 0
        self._memory: dict[tuple[Any, ...], tuple[object, Any]] = {}

    def roll(self, nodes: Sequence[tree.Node], names: Sequence[str] = ()) -> tuple[int, ...]:
        """Return results of one trial: of one part, or of several that use the same labelled dice.

        Their `names` are needed where one of them is compared with others.
        """
        self.n_rolls = 0
        if len(nodes) == 1 and not (isinstance(nodes[0], tree.Pairs) and same_dice(nodes[0])):
            return (self.result(nodes[0]),)
        dice = self._kept(nodes, (), lambda: {label: part for node in nodes for label, part in dice_of(node)})
        tables = {label: self.table(part) for label, part in dice.items()}
        pending = dict(zip(names or map(str, range(len(nodes))), nodes, strict=True))
        order, known = tuple(pending), dict[str, int]()
        while pending:
            name = next(name for name, node in pending.items() if not _limits(node) & pending.keys())
            known[name] = _read(pending.pop(name), tables, known)
        return tuple(known[name] for name in order)

    def run(self, program: tree.Node | tree.Program) -> int:
        """Return the result of a part, or the last one of a program, in one trial."""
        if not isinstance(program, tree.Program):
            return self.roll([program])[0]
        values = dict[str, int]()
        for statement in program.statements:
            used = tuple(values[name] for name in statement.uses)
            nodes = self._kept(statement, used, partial(statement.nodes, used))
            values |= zip(statement.columns, self.roll(nodes, statement.columns), strict=True)
        return values[program.statements[-1].columns[-1]]

    def _kept(self, part: object, numbers: tuple[int, ...], make: Callable[[], Any]) -> Any:
        """Return what was made of a part before, for the same numbers, or make it."""
        key = id(part), numbers
        if key not in self._memory:
            if len(self._memory) > MOST_KEPT:
                self._memory.clear()
            self._memory[key] = part, make()  # the part too, so that no other takes its identity
        return self._memory[key][1]

    def result(self, node: tree.Node) -> int:
        """Return the result of a part in one trial."""
        return int(RESULTS[type(node)](self, node))

    def _pool(self, pool: tree.Pool) -> int:
        n_dice, n_skipped = self._size(pool)
        return n_skipped + _sum(pool, [(pool, self._dice(pool, n_dice))])

    def _against(self, node: tree.Against) -> int:
        limit = self.result(node.limit)
        return self.result(self._kept(node, (limit,), partial(_counting, node, limit)))

    def _kept_dice(self, node: tree.KeptDice) -> int:
        """Return what the dice that stay give, re-rolled, exploded, clipped and counted afterwards."""
        pool, explosion, rolled = node.pool, node.explosion, list[int]()

        def once() -> int:
            return _again(self._once(pool)[0], node.reroll, lambda: self._once(pool)[0])

        for face in _stay(pool, self.table(pool)):
            rolls = self._exploded(_again(face, node.reroll, lambda: self._once(pool)[0]), explosion, pool, once)
            is_summed = node.each is not None or (explosion is not None and explosion.together)
            rolled += [_within(node.each, sum(rolls))] if is_summed else rolls
        return sum(map(counts_of(node.count), rolled))

    def _wounds_left(self, node: tree.WoundsLeft) -> int:
        wounds, n_hits = max(0, self.result(node.wounds)), self.result(node.hits)
        figure = max(1, wounds if node.figure is None else self.result(node.figure))
        for _ in range(n_hits):
            struck = wounds if node.figure is None else (wounds - 1) % figure + 1
            wounds -= min(struck, max(0, self.result(node.damage))) if wounds else 0
        return wounds

    # -- dice ---------------------------------------------------------------------------------------------------------

    def table(self, dice: tree.Pool | tree.Mix) -> Table:
        """Roll dice, with nothing kept or counted."""
        pools = dice.parts if isinstance(dice, tree.Mix) else (dice,)
        return [(pool, self._dice(pool, self._size(pool)[0])) for pool in pools]

    def _size(self, pool: tree.Pool) -> tuple[int, int]:
        """Return the number of dice, and how many successes skip the roll and count without one."""
        if isinstance(pool.n_dice, int):
            return pool.n_dice, 0
        number, count = self.result(pool.n_dice), getattr(pool.n_dice, "count", None)
        return (number % tree.PASS, number // tree.PASS) if count and count.skip else (number, 0)

    def _dice(self, pool: tree.Pool, n: int) -> list[list[int]]:
        """Return all rolls of each of n dice."""
        if pool.drawn:
            values, n_cards = zip(*pool.die.faces, strict=True)
            return [[card] for card in self.random.sample(values, min(n, sum(n_cards)), counts=n_cards)]
        faces, reroll = self._once(pool, n), pool.reroll
        if reroll is not None and reroll.max_dice is not None:
            places = [place for place, face in enumerate(faces) if reroll.faces.has(face)]
            for place in sorted(places, key=faces.__getitem__)[: reroll.max_dice]:
                faces[place] = _again(faces[place], reroll, lambda: self._once(pool)[0])
        return [self._exploded(face, pool.explosion, pool, lambda: self._once(pool)[0]) for face in faces]

    def _once(self, pool: tree.Pool, n: int = 1) -> list[int]:
        """Return n rolls with their re-rolls, except where these are limited to some dice of the pool."""
        faces, reroll = self._faces(pool.die, n), pool.reroll
        if reroll is None or reroll.max_dice is not None:
            return faces
        return [_again(face, reroll, lambda: self._faces(pool.die, 1)[0]) for face in faces]

    def _faces(self, die: tree.Die, n: int) -> list[int]:
        self.n_rolls += n
        if self.n_rolls > MOST_ROLLS:
            raise DistributionError(f"more than {MOST_ROLLS:,} dice are rolled for one result")
        if die.inner is not None:
            return [self.result(die.inner) for _ in range(n)]
        values, ends = self._kept(die, (), partial(_ends, die))
        return self.random.choices(values, cum_weights=ends, k=n)

    def _exploded(
        self, face: int, explosion: tree.Explosion | None, pool: tree.Pool, once: Callable[[], int]
    ) -> list[int]:
        """Return all rolls of a die that shows a face; `once` rolls it again."""
        rolls = [face]
        if explosion is not None:
            top = self._kept(pool, (), partial(_top, pool))
            most = MOST_ROLLS if explosion.max_times is None else explosion.max_times
            while len(rolls) <= most and explodes_on(explosion, rolls[-1], top):
                rolls.append(once())
        return rolls


RESULTS: dict[type, Callable[[PlainRoller, Any], int]] = {
    tree.Number: lambda roller, it: it.value,
    tree.Sum: lambda roller, it: sum(sign * roller.result(term) for sign, term in it.terms),
    tree.Product: lambda roller, it: prod(map(roller.result, it.factors)),
    tree.Quotient: lambda roller, it: it.of(roller.result(it.over)),
    tree.Applied: lambda roller, it: it.function.of(roller.result(it.of)),
    tree.Best: lambda roller, it: sum(sorted(map(roller.result, it.parts), reverse=it.highest)[: it.n_totals]),
    tree.Comparison: lambda roller, it: _compared(it, roller.result),
    tree.Contest: lambda roller, it: roller.result(it.first) - roller.result(it.second),
    tree.Logic: lambda roller, it: (all if it.word == "and" else any)(map(roller.result, it.parts)),
    tree.Not: lambda roller, it: roller.result(it.of) == 0,
    tree.If: lambda roller, it: roller.result(it.then if roller.result(it.condition) else it.otherwise),
    tree.Gives: lambda roller, it: roller.result(it.branch(roller.result(it.of))),
    tree.LookUp: lambda roller, it: it.chart.at(*map(roller.result, it.places)),
    tree.Pool: PlainRoller._pool,
    tree.Mix: lambda roller, it: _sum(it, roller.table(it)),
    tree.KeptDice: PlainRoller._kept_dice,
    tree.Against: PlainRoller._against,
    tree.Pattern: lambda roller, it: _pattern(it, _stay(it.dice, roller.table(it.dice))),
    tree.Pairs: lambda roller, it: _pairs(it, roller.table(it.first), roller.table(it.second)),
    tree.Less: lambda roller, it: next(
        iter(symbols_left({roller.result(it.first): 1}, {roller.result(it.second): 1}, Work()))
    ),
    tree.Shown: lambda roller, it: symbols_shown(roller.result(it.of), it.faces.symbols),
    tree.WoundsLeft: PlainRoller._wounds_left,
}
"""How each kind of part is rolled."""


def _compared(node: tree.Comparison, result: Callable[[tree.Node], int]) -> bool:
    total, other = result(node.first), node.second
    if isinstance(other, tree.Span):
        return (other.low <= total <= other.high) == (node.sign == "=")
    return COMPARE[node.sign](total, result(other))


def _again(face: int, reroll: tree.Reroll | None, once: Callable[[], int]) -> int:
    """Return the face after a re-roll; `once` rolls the die."""
    while reroll is not None and reroll.faces.has(face):
        face, reroll = once(), reroll if reroll.always else None
    return face


def _ends(die: tree.Die) -> tuple[list[int], list[int]]:
    """Return the faces of a die, and the sum of weights up to each."""
    return [value for value, _ in die.faces], [*accumulate(weight for _, weight in die.faces)]


def _top(pool: tree.Pool) -> int:
    """Return the highest face that a die may end on, after a re-roll that goes on until another face comes up."""
    always = pool.reroll if pool.reroll and pool.reroll.always and pool.reroll.max_dice is None else None
    return max((face for face, _ in pool.die.faces if always is None or not always.faces.has(face)), default=0)


def _within(each: tree.Each | None, value: int) -> int:
    return value if each is None else each.of(value)


def _stay(node: tree.Pool | tree.Mix, table: Table) -> list[int]:
    """Return what the dice that are kept show, the highest first."""
    faces = sorted((_within(pool.each, sum(rolls)) for pool, dice in table for rolls in dice), reverse=True)
    first, last = tree.places_of(len(faces), node.picks)
    return faces[first:last]


def _sum(node: tree.Pool | tree.Mix, table: Table) -> int:
    """Return the sum or count of dice that lie there; where each roll of a die counts by itself, of all rolls."""
    if node.picks:
        return sum(map(counts_of(node.count), _stay(node, table)))
    counted = list[int]()
    for pool, dice in table:
        by_roll = pool.explosion is not None and replace(pool, count=node.count).adds_rolls
        for rolls in dice:
            counted += rolls if by_roll else [_within(pool.each, sum(rolls))]
    return sum(map(counts_of(node.count), counted))


def _counting(node: tree.Against, limit: int) -> tree.Pool | tree.Mix | tree.KeptDice:
    return replace(node.dice, count=tree.Count(tree.faces_that(node.sign, limit)))


def _limits(node: tree.Node) -> frozenset[str]:
    return tree.names_in(node.limit) if isinstance(node, tree.Against) else frozenset()


def _read(node: Any, tables: Mapping[str, Table], known: Mapping[str, int]) -> int:
    """Return a result of dice that lie there, by their label; limits are worked out from results that are `known`."""
    if isinstance(node, tree.Against):
        return _read(_counting(node, next(iter(law_of(node.limit, Work(names=known))))), tables, known)
    if isinstance(node, tree.Pattern):
        return _pattern(node, _stay(node.dice, tables[node.dice.of]))
    if isinstance(node, tree.Pairs):
        return _pairs(node, tables[node.first.of], tables[node.second.of])
    return _sum(node, tables[node.of])


def _pairs(node: tree.Pairs, first: Table, second: Table) -> int:
    return sum(map(COMPARE[node.sign], _stay(node.first, first), _stay(node.second, second)))


def _pattern(node: tree.Pattern, faces: Sequence[int]) -> int:
    result, run, before = 0, 0, 0
    for value, group in groupby(faces):
        run = run + 1 if run and before == value + 1 else 1
        result, before = node.add(result, len(list(group)), run), value
    return result
