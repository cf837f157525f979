"""How an expression was read, in words: `roll 5 ten-sided dice; count those showing 7 or more`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from balance.base.errors import UsageError
from balance.chance.dice.text.parser import Expression
from balance.chance.dice.text.steps import SAMPLES, Step
from balance.chance.dice.text.tokens import Token, number_of
from balance.chance.dice.tree import NamedNumber, Node, Program
from balance.chance.dice.words import clause_of, phrase_of


@dataclass(frozen=True)
class Reading:
    """The words for one result of an expression or step.

    `name`: what it is called; empty for what is asked. `words`: what is done, as a clause: `roll 2 six-sided dice and
    add them`. `changes`: (flag, the words for what is done instead where that flag is not 0).
    """

    name: str
    words: str
    changes: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: {self.words}" if self.name else self.words


def reading_of(expression: Expression) -> str:
    """Return how an expression was read, in words; named results are separated by a full stop.

    >>> from balance.chance.dice import parse
    >>> reading_of(parse("5d10 count >=7"))
    'roll 5 ten-sided dice; count those showing 7 or more'
    >>> reading_of(parse("x = 2d6; x + if(x = 12, d6, 0)"))
    'x: roll 2 six-sided dice and add them. x + (if x = 12: (one six-sided die); otherwise: 0)'
    """
    if not isinstance(expression.node, Program):
        return clause_of(expression.node)
    steps = [step for step in expression.node.statements if isinstance(step, Step)]
    return ". ".join(map(str, readings_of(steps)))


def readings_of(steps: Sequence[Step]) -> tuple[Reading, ...]:
    """Return how each step was read, in words, with names as they were written.

    Where dice of an earlier result are counted again, that result is named.

    >>> from balance.chance.dice.text.steps import StepReader
    >>> from balance.chance.dice.text.tokens import Vocabulary
    >>> reader = StepReader(Vocabulary(frozenset({"me.dice"})))
    >>> _ = reader.add("roll", "me.dice d6"), reader.add("hits", "(roll count 5+) - (roll count 1)")
    >>> roll, hits = readings_of(reader.steps(["hits"]))
    >>> print(roll)
    roll: roll me.dice six-sided dice
    >>> print(hits)
    hits: (the number of the dice of roll showing 5 or more) - (the number of the dice of roll showing 1)
    """
    words_of = {column: words for step in steps for column, words in _columns(step).items()}
    return tuple(_reading(step, words_of) for step in steps)


def _columns(step: Step) -> dict[str, str]:
    """Return, by column, the words for what later steps count of this step's dice; the name of its total has none."""
    nodes = _open(step, {})
    names = [label.partition("·")[0] for label in step.labels] or [step.name] * len(step.columns)
    columns = zip(step.columns, nodes or [None] * len(step.columns), names, strict=True)
    words = {
        column: phrase_of(node, name) if node is not None else column
        for column, node, name in columns
        if column != name
    }
    return {column: _named(text, words) for column, text in words.items()}


def _named(text: str, words: dict[str, str]) -> str:
    """Replace columns in a text by their words in brackets, the longest name first."""
    for column in sorted(words, key=len, reverse=True):
        text = text.replace(column, f"({words[column]})")
    return text


def _reading(step: Step, words_of: dict[str, str]) -> Reading:
    is_added = step.name in step.columns
    if step.members:
        return Reading(step.name, " and ".join(_dice(step, member.tokens, words_of) for member in step.members))
    words = _dice(step, step.tokens, words_of, is_added=is_added)
    changes = list[tuple[str, str]]()
    for change in step.changes:
        before = () if change.is_instead else step.tokens[:-1]
        tokens = *before, *change.tokens, step.tokens[-1]
        changes.append((change.flag, _dice(step, tokens, words_of, is_added=is_added)))
    return Reading(step.name, words, tuple(changes))


def _dice(step: Step, tokens: Sequence[Token], words_of: dict[str, str], *, is_added: bool = False) -> str:
    """Return the words for some tokens of a step, without what later steps do with its dice; else its text."""
    own = replace(step, tokens=tuple(tokens), ways=((),), changes=(), members=(), labels=())
    nodes = _open(own, words_of)
    return clause_of(nodes[0], is_added=is_added) if nodes else step.text


def _open(step: Step, words_of: dict[str, str]) -> tuple[Node, ...]:
    """Return the parts of a step whose names are numbers that print as names.

    Numbers that make no sense for the step are tried in turn; empty if none does.
    """
    for value in SAMPLES:
        with suppress(UsageError):
            return step.made_of(lambda token, of=value: _as_name(token, of, words_of), {})  # type: ignore[misc]
    return ()


def _as_name(token: Token, value: int, words_of: dict[str, str]) -> Token:
    return number_of(token, NamedNumber(value, words_of.get(token.text, token.text)))
