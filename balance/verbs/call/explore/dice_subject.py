"""Expressions of dice as what can be explored: their texts, and each whole number in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from balance.chance.dice import Odds
from balance.game.question.controls import Control
from balance.verbs.call.explore.code import call_text
from balance.verbs.call.explore.subject import Number, Outcome, Subject, Values, decides

if TYPE_CHECKING:
    from balance.verbs.call.result import Result

NUMBER = re.compile(r"(?:(?<![\w.])|(?<=(?<![^\W\d_])d))\d+(?![.\d])", re.IGNORECASE)
"""A whole number by itself, or behind the d of dice; no part of a name or of a fraction."""
LEAST_REACH = 20
"""A slider goes so far at least."""
MOST_VALUES = 30
"""A distribution of up to so many values is told value by value."""


@dataclass(frozen=True)
class DiceSubject:
    """Expressions of dice, explored by their texts and numbers; `ask` is `balance.dice`."""

    expressions: tuple[str, ...]
    ask: Callable[..., Result[Any]]

    @cached_property
    def _numbers(self) -> Mapping[Control, tuple[int, int]]:
        """Control of a number -> (index of its expression, offset of its first digit there)."""
        return {
            _number_control(text, match, f"{place + 1}: " if len(self.expressions) > 1 else ""): (place, match.start())
            for place, text in enumerate(self.expressions)
            for match in NUMBER.finditer(text)
        }

    @cached_property
    def controls(self) -> tuple[Control, ...]:
        """The text of each expression, then each whole number in it."""
        n = len(self.expressions)
        names = [f"expression {place}" for place in range(1, n + 1)] if n > 1 else ["expression"]
        texts = [Control("entrants", name, "text", text) for name, text in zip(names, self.expressions, strict=True)]
        return (*texts, *self._numbers)

    @property
    def heads(self) -> Mapping[str, str]:
        """Heading of the column of numbers, by the group of its controls."""
        return {"choices": "its numbers" if len(self.expressions) == 1 else "their numbers"}

    def _texts(self, values: Values) -> tuple[str, ...]:
        texts = list(self.expressions)
        for control, (place, start) in reversed(list(self._numbers.items())):
            end = start + len(str(control.value))
            texts[place] = f"{texts[place][:start]}{values.get(control, control.value)}{texts[place][end:]}"
        return tuple(texts)

    def outcome(self, values: Values) -> Outcome:
        """Return the odds with numbers set; raise BalanceError where an expression makes no sense or is too large."""
        texts = self._texts(values)
        result = self.ask(*texts, quiet=True)
        sentence = f"{texts[0]}: {result.sentence}" if len(texts) == 1 else result.sentence
        return Outcome(sentence, tuple(_numbers_of(result.value.rows)), call_text("dice", texts, {}))

    def restart(self, values: Values) -> Subject:
        """Return a subject with the texts of expressions that are set; raise BalanceError where one makes no sense."""
        texts = tuple(str(values.get(control, control.value)) for control in self.controls if decides(control))
        self.ask(*texts, quiet=True)
        return DiceSubject(texts, self.ask)

    def paths_that_matter(self, values: Values) -> frozenset[str]:
        """Return the paths of all controls, for every number may change the odds."""
        return frozenset(control.path for control in self.controls)


def _number_control(text: str, match: re.Match[str], head: str) -> Control:
    value = int(match[0])
    path = f"{head}{text[: match.start()]}[{value}]{text[match.end() :]}"
    return Control("choices", path, "number", value, low=0, reach=(0.0, float(max(LEAST_REACH, 2 * value))))


def _numbers_of(rows: tuple[Odds, ...]) -> Iterator[Number]:
    """Yield the numbers of odds: of a comparison its chance, of a contest its results, else mean, spread and values."""
    for place, odds in enumerate(rows):
        head = f"{odds.expression}: " if len(rows) > 1 else ""
        if odds.kind == "contest":
            for name, chance in odds.results.items():
                yield Number(f"{place} {name}", f"{head}{name}", chance, is_chance=True)
            continue
        for column in odds.columns:
            name = f"{head}{column} " if len(odds.columns) > 1 else head
            yield from _numbers_of_column(odds, column, f"{place} {column}", name, len(rows) == 1)


def _numbers_of_column(odds: Odds, column: str, key: str, head: str, tells_values: bool) -> Iterator[Number]:
    if odds.kind == "chance":
        yield Number(key, f"{head}chance", odds.mean(column), is_chance=True)
        return
    yield Number(f"{key} mean", f"{head}mean", odds.mean(column), is_chance=False)
    yield Number(f"{key} sd", f"{head}standard deviation", odds.sd(column), is_chance=False)
    chances = odds.chances(column)
    if tells_values and len(chances) <= MOST_VALUES:
        for value, chance in chances.items():
            yield Number(f"{key} {value}", f"{head}{value}", chance, is_chance=True)
