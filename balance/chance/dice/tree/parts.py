"""What is done with any part of an expression, and results with names that follow one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from balance.chance.dice.tree import nodes
from balance.chance.dice.tree.faces import SHIFT


def parts_of(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """Return the direct subparts, those of dice included: their number, inner die and limit."""
    match node:
        case nodes.Number() | nodes.Name():
            return ()
        case nodes.Pool():
            inner = () if node.die.inner is None else (node.die.inner,)
            return inner if isinstance(node.n_dice, int) else (node.n_dice, *inner)
        case nodes.Mix() | nodes.Best():
            return node.parts
        case nodes.KeptDice():
            return (node.pool,)
        case nodes.Against():
            return node.dice, node.limit
        case nodes.Pattern():
            return (node.dice,)
        case nodes.Sum():
            return tuple(term for _, term in node.terms)
        case nodes.Applied():
            return (node.of,)
        case nodes.Product():
            return node.factors
        case nodes.Quotient():
            return (node.over,)
        case nodes.Comparison():
            return (node.first,) if isinstance(node.second, nodes.Span) else (node.first, node.second)
        case nodes.Contest():
            return node.first, node.second
        case nodes.Logic():
            return node.parts
        case nodes.Not():
            return (node.of,)
        case nodes.If():
            return node.condition, node.then, node.otherwise
        case nodes.Gives():
            return node.of, *(branch for _, branch in node.branches)
        case nodes.LookUp():
            return node.places
        case nodes.Pairs() | nodes.Less():
            return node.first, node.second
        case nodes.Shown():
            return (node.of,)
        case nodes.WoundsLeft():
            return tuple(part for part in (node.wounds, node.hits, node.damage, node.figure) if part is not None)


def with_parts(node: nodes.Node, change: Callable[[nodes.Node], nodes.Node]) -> nodes.Node:
    """Replace each direct subpart by `change` of it, in the order of `parts_of`; dice stay as they are."""
    match node:
        case nodes.Sum():
            return replace(node, terms=tuple((sign, change(term)) for sign, term in node.terms))
        case nodes.Product():
            return replace(node, factors=tuple(map(change, node.factors)))
        case nodes.Best() | nodes.Logic():
            return replace(node, parts=tuple(map(change, node.parts)))
        case nodes.Quotient():
            return replace(node, over=change(node.over))
        case nodes.Applied() | nodes.Not():
            return replace(node, of=change(node.of))
        case nodes.Comparison():
            second = node.second if isinstance(node.second, nodes.Span) else change(node.second)
            return replace(node, first=change(node.first), second=second)
        case nodes.Contest():
            return nodes.Contest(change(node.first), change(node.second))
        case nodes.If():
            return nodes.If(change(node.condition), change(node.then), change(node.otherwise))
        case nodes.Gives():
            of = change(node.of)
            return nodes.Gives(of, tuple((faces, change(branch)) for faces, branch in node.branches))
        case nodes.LookUp():
            return replace(node, places=tuple(map(change, node.places)))
        case _:
            return node


def names_in(node: nodes.Node) -> frozenset[str]:
    """Return the names of results that a part uses, at any depth."""
    own = frozenset({node.text}) if isinstance(node, nodes.Name) else frozenset[str]()
    return own.union(*map(names_in, parts_of(node)))


def symbols_shown(node: nodes.Node) -> int:
    """Return the number of kinds of symbols up to the last that the dice of a part show."""
    dice = [node.die] if isinstance(node, nodes.Pool) else []
    own = max(
        (max(value for value, _ in die.faces).bit_length() // SHIFT + 1 for die in dice if die.symbolic), default=0
    )
    return max([own, *map(symbols_shown, parts_of(node))])


class Statement(Protocol):
    """One named result of a program, whose part depends on the values of earlier results.

    `columns`: names of its results: its own, or those of the counts of its dice. `uses`: names of earlier results that
    it depends on.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its results."""
        ...

    @property
    def uses(self) -> tuple[str, ...]:
        """Names of the earlier results that it depends on."""
        ...

    def nodes(self, values: tuple[int, ...]) -> tuple[nodes.Node, ...]:
        """Return the part of each result for values of the names used, in their order."""
        ...


@dataclass(frozen=True)
class Program:
    """Named results in sequence; the last is the answer."""

    text: str
    statements: tuple[Statement, ...]

    @property
    def last(self) -> nodes.Node:
        """The part of the answer when all names are 0, for its kind only."""
        statement = self.statements[-1]
        return statement.nodes((0,) * len(statement.uses))[-1]

    def __str__(self) -> str:
        return self.text
