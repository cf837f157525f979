"""Rolled dice of many trials of which several results are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.base.arrays import BoolArray
from balance.chance.dice.exact.arithmetic import values_of
from balance.chance.dice.exact.rows import Values, counter_of, pairs_of, stays_of, tally
from balance.chance.dice.tree import Against, Count, KeptDice, Mix, Node, Pairs, Pattern, Pool, faces_that, names_in


@dataclass(frozen=True, eq=False)
class Table:
    """Dice in rows, one row for each trial.

    `faces`: what each die shows with all its rolls, the highest first, `int64[n, k]`. `has_die`: which of these dice
    exist, `bool[n, k]`. `rolls`: every round of rolls by itself: the trials, and the faces rolled in them.
    """

    faces: Values
    has_die: BoolArray
    rolls: Sequence[tuple[Values, Values]]

    def results(self, node: Pool | Mix | Pattern) -> Values:
        """Return one result of the dice, `int64[n]`: their sum, count or pattern."""
        pools = node.parts if isinstance(node, Mix) else (node,) if isinstance(node, Pool) else ()
        is_symbolic = any(pool.die.symbolic for pool in pools)
        if isinstance(node, Pattern) or not (node.counts_rolls or is_symbolic):
            return tally(node, self.faces, self.has_die)
        counts, n = counter_of(node.count), len(self.has_die)
        sums = (np.bincount(trials, counts(faces), minlength=n) for trials, faces in self.rolls)
        return np.asarray(sum(sums), np.int64)

    def kept(self, node: Pool | Mix) -> tuple[Values, BoolArray]:
        """Return the faces, `int64[n, k]`, the highest first, and which of them are kept."""
        if not node.picks:
            return self.faces, self.has_die
        return self.faces, stays_of(node.picks, self.has_die, self.has_die.sum(axis=1))


def results_of(nodes: Sequence[Node], names: Sequence[str], tables: Mapping[str, Table]) -> list[Values]:
    """Return several results of labelled dice, `int64[n]` each; limits are worked out before their comparisons.

    `names` are those of the results. Raise TypeError for a part that is no dice.
    """
    known, labels = dict[str, Values](), list(names) or [str(place) for place in range(len(nodes))]
    pending = dict(zip(labels, nodes, strict=True))
    while pending:
        name = next(
            name
            for name, node in pending.items()
            if not isinstance(node, Against) or not names_in(node.limit) & pending.keys()
        )
        known[name] = _result(pending.pop(name), known, tables)
    return [known[name] for name in labels]


def _result(node: Node, known: Mapping[str, Values], tables: Mapping[str, Table]) -> Values:
    match node:
        case Pool() | Mix():
            return tables[node.of].results(node)
        case Pattern():
            return tables[node.dice.of].results(node)
        case Pairs():
            return pairs_of(node, tables[node.first.of].kept(node.first), tables[node.second.of].kept(node.second))
        case Against() if not isinstance(node.dice, KeptDice):
            table = tables[node.dice.of]
            limits = np.broadcast_to(values_of(node.limit, known), len(table.has_die))
            results = np.zeros(len(limits), np.int64)
            for limit in np.unique(limits).tolist():
                counted = replace(node.dice, count=Count(faces_that(node.sign, limit)))
                results = np.where(limits == limit, table.results(counted), results)
            return results
        case _:
            raise TypeError(f"{node} is no dice")
