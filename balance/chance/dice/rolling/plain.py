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
from balance.base.limits import MOST_DICE_ROLLS
from balance.chance.dice import tree
from balance.chance.dice.exact.expressions import COMPARE, law_of
from balance.chance.dice.exact.joint import dice_of, same_dice
from balance.chance.dice.exact.pools import counts_of
from balance.chance.dice.exact.single_die import explodes_on
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.exact.wounds import symbols_left, symbols_shown

Table: TypeAlias = list[tuple[tree.Pool, list[list[int]]]]
"""Dice that lie there: of each pool, all rolls of each die."""


class PlainRoller:
    """Rolls parts of expressions with one generator, and remembers what it worked out of them for the next trial.

    Symbols are packed into one number, as in exact laws. `n_rolls` counts dice; DistributionError is raised beyond
    `MOST_DICE_ROLLS`.

    >>> from balance.chance.dice.text.parsing import parse
    >>> roller = PlainRoller(Random(0))
    >>> [roller.run(parse("3d6").node) for _ in range(3)]
    [14, 9, 10]
    """

    def __init__(self, random: Random) -> None:
        self.random, self.n_rolls = random, 0
        self._memory: dict[tuple[Any, ...], tuple[object, Any]] = {}

    def roll(self, nodes: Sequence[tree.Node], names: Sequence[str] = ()) -> tuple[int, ...]:
        """Return results of one trial: of one part, or of several that use the same labelled dice.

        Their `names` are needed where one of them is compared with others.
        """
        if len(nodes) == 1 and not (isinstance(nodes[0], tree.Pairs) and same_dice(nodes[0])):
            return (self._result(nodes[0]),)
        dice = self._kept(nodes, (), lambda: {label: part for node in nodes for label, part in dice_of(node)})
        tables = {label: self._table(part) for label, part in dice.items()}
        pending = dict(zip(names or map(str, range(len(nodes))), nodes, strict=True))
        order, known = tuple(pending), dict[str, int]()
        while pending:
            name = next(name for name, node in pending.items() if not _limits(node) & pending.keys())
            known[name] = _read(pending.pop(name), tables, known)
        return tuple(known[name] for name in order)

    def run(self, program: tree.Node | tree.Program) -> int:
        """Return the result of a part, or the last one of a program, in one trial."""
        if not isinstance(program, tree.Program):
            return self._result(program)
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
            self._memory[key] = part, make()  # the part too, so that no other takes its identity
        return self._memory[key][1]

    # -- totals -------------------------------------------------------------------------------------------------------

    def _result(self, node: tree.Node) -> int:
        match node:
            case tree.Pool():
                n_dice, n_skipped = self._size(node)
                return n_skipped + _sum(node, [(node, self._dice(node, n_dice))])
            case tree.Mix() if not node.picks:
                pools = self._kept(node, (), lambda: [replace(pool, count=node.count) for pool in node.parts])
                return sum(map(self._result, pools))
            case tree.KeptDice():
                return self._kept_dice(node)
            case tree.Against():
                limit = self._result(node.limit)
                return self._result(self._kept(node, (limit,), lambda: _counting(node, limit)))
            case tree.Mix() | tree.Pattern():
                return _read(node, {label: self._table(dice) for label, dice in dice_of(node)}, {})
            case tree.Pairs():
                return _pairs(node, self._table(node.first), self._table(node.second))
            case tree.Less():
                return next(iter(symbols_left({self._result(node.first): 1}, {self._result(node.second): 1}, Work())))
            case tree.Shown():
                return symbols_shown(self._result(node.of), node.faces.symbols)
            case tree.WoundsLeft():
                return self._wounds_left(node)
            case _:
                return self._arithmetic(node)

    def _arithmetic(self, node: tree.Node) -> int:
        match node:
            case tree.Number():
                return node.value
            case tree.Sum():
                return sum(sign * self._result(term) for sign, term in node.terms)
            case tree.Product():
                return prod(map(self._result, node.factors))
            case tree.Quotient():
                return int(node.of(self._result(node.over)))
            case tree.Applied():
                return int(node.function.of(self._result(node.of)))
            case tree.Best():
                return sum(sorted(map(self._result, node.parts), reverse=node.highest)[: node.n_totals])
            case tree.Contest():
                return self._result(node.first) - self._result(node.second)
            case _:
                return self._chosen(node)

    def _chosen(self, node: tree.Node) -> int:
        match node:
            case tree.Comparison():
                total, other = self._result(node.first), node.second
                if isinstance(other, tree.Span):
                    return int((other.low <= total <= other.high) == (node.sign == "="))
                return int(COMPARE[node.sign](total, self._result(other)))
            case tree.Logic():
                return int((all if node.word == "and" else any)(self._result(part) for part in node.parts))
            case tree.Not():
                return int(self._result(node.of) == 0)
            case tree.If():
                return self._result(node.then if self._result(node.condition) else node.otherwise)
            case tree.Gives():
                return self._result(node.branch(self._result(node.of)))
            case tree.LookUp():
                return node.chart.at(*map(self._result, node.places))
            case _:
                raise TypeError(f"{node} has no value here")

    def _wounds_left(self, node: tree.WoundsLeft) -> int:
        wounds, n_hits = max(0, self._result(node.wounds)), self._result(node.hits)
        figure = max(1, wounds if node.figure is None else self._result(node.figure))
        for _ in range(n_hits):
            if not wounds:
                break
            struck = wounds if node.figure is None else (wounds - 1) % figure + 1
            wounds -= min(struck, max(0, self._result(node.damage)))
        return wounds

    # -- dice ---------------------------------------------------------------------------------------------------------

    def _table(self, dice: tree.Pool | tree.Mix) -> Table:
        pools = dice.parts if isinstance(dice, tree.Mix) else (dice,)
        return [(pool, self._dice(pool, self._size(pool)[0])) for pool in pools]

    def _size(self, pool: tree.Pool) -> tuple[int, int]:
        """Return the number of dice, and how many successes skip the roll and count without one."""
        if isinstance(pool.n_dice, int):
            return pool.n_dice, 0
        number, count = self._result(pool.n_dice), getattr(pool.n_dice, "count", None)
        return (number % tree.PASS, number // tree.PASS) if count and count.skip else (number, 0)

    def _dice(self, pool: tree.Pool, n: int) -> list[list[int]]:
        """Return all rolls of each of n dice."""
        if pool.drawn:
            values, n_cards = zip(*pool.die.faces, strict=True)
            return [[card] for card in self.random.sample(values, n, counts=n_cards)]
        faces = self._once(pool, n)
        if pool.reroll is not None and pool.reroll.max_dice is not None:
            places = [place for place, face in enumerate(faces) if pool.reroll.faces.has(face)]
            for place in sorted(places, key=faces.__getitem__)[: pool.reroll.max_dice]:
                faces[place] = self._rolled_on(faces[place], pool.reroll, pool)
        return [self._exploded(face, pool.explosion, pool) for face in faces]

    def _once(self, pool: tree.Pool, n: int = 1) -> list[int]:
        """Return n rolls with their re-rolls, except where these are limited to some dice of the pool."""
        self.n_rolls += n
        if self.n_rolls > MOST_DICE_ROLLS:
            raise DistributionError(f"more than {MOST_DICE_ROLLS:,} dice would be rolled")
        die, reroll = pool.die, pool.reroll
        if die.inner is not None:
            faces = [self._result(die.inner) for _ in range(n)]
        else:
            values, ends = self._kept(die, (), lambda: _ends(die))
            faces = self.random.choices(values, cum_weights=ends, k=n)
        if reroll is None or reroll.max_dice is not None:
            return faces
        again = self._kept(pool, (), lambda: replace(pool, reroll=None))
        return [self._rolled_on(face, reroll, again) for face in faces]

    def _rolled_on(self, face: int, reroll: tree.Reroll | None, pool: tree.Pool) -> int:
        while reroll is not None and reroll.faces.has(face):
            (face,) = self._once(pool)
            reroll = reroll if reroll.always else None
        return face

    def _exploded(
        self, face: int, explosion: tree.Explosion | None, pool: tree.Pool, reroll: tree.Reroll | None = None
    ) -> list[int]:
        """Return all rolls of a die that shows a face; `reroll` is applied to each roll once more."""
        rolls = [face]
        if explosion is not None:
            top = self._kept(pool, (0,), lambda: _top(pool))
            most = MOST_DICE_ROLLS if explosion.max_times is None else explosion.max_times
            while len(rolls) <= most and explodes_on(explosion, rolls[-1], top):
                rolls.append(self._rolled_on(self._once(pool)[0], reroll, pool))
        return rolls

    def _kept_dice(self, node: tree.KeptDice) -> int:
        """Return what the dice that stay give, re-rolled, exploded, clipped and counted afterwards."""
        pool, counts = node.pool, counts_of(node.count)
        is_summed = node.each is not None or (node.explosion is not None and node.explosion.together)
        results = []
        for face in _stay(pool, self._table(pool)):
            rolls = self._exploded(self._rolled_on(face, node.reroll, pool), node.explosion, pool, node.reroll)
            results += [_within(node.each, sum(rolls))] if is_summed else rolls
        return sum(map(counts, results))


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
    counts = counts_of(node.count)
    if node.picks:
        return sum(map(counts, _stay(node, table)))
    total = 0
    for pool, dice in table:
        if pool.explosion is not None and replace(pool, count=node.count).adds_rolls:
            total += sum(counts(face) for rolls in dice for face in rolls)
        else:
            total += sum(counts(_within(pool.each, sum(rolls))) for rolls in dice)
    return total


def _counting(node: tree.Against, limit: int) -> tree.Pool | tree.Mix | tree.KeptDice:
    return replace(node.dice, count=tree.Count(tree.faces_that(node.sign, limit)))


def _limits(node: tree.Node) -> frozenset[str]:
    return tree.names_in(node.limit) if isinstance(node, tree.Against) else frozenset()


def _read(node: tree.Node, tables: Mapping[str, Table], known: Mapping[str, int]) -> int:
    """Return a result of dice that lie there, by their label; limits are worked out from results that are `known`."""
    match node:
        case tree.Pool() | tree.Mix():
            return _sum(node, tables[node.of])
        case tree.Pattern():
            return _pattern(node, _stay(node.dice, tables[node.dice.of]))
        case tree.Pairs():
            return _pairs(node, tables[node.first.of], tables[node.second.of])
        case tree.Against():
            return _read(_counting(node, next(iter(law_of(node.limit, Work(names=known))))), tables, known)
        case _:
            raise TypeError(f"{node} is no dice")


def _pairs(node: tree.Pairs, first: Table, second: Table) -> int:
    return sum(map(COMPARE[node.sign], _stay(node.first, first), _stay(node.second, second)))


def _pattern(node: tree.Pattern, faces: Sequence[int]) -> int:
    result, run, before = 0, 0, 0
    for value, group in groupby(faces):
        run = run + 1 if run and before == value + 1 else 1
        result, before = node.add(result, len(list(group)), run), value
    return result
