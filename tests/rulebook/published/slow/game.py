"""A whole game file read and played slowly: the law of one attack, of one activation, and a duel by a plain loop."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.rulebook.published.references.chances import Law, become, sure, then
from tests.rulebook.published.references.duels import MOST_ROUNDS, at_once, take_turns
from tests.rulebook.published.slow.cards import cards_of
from tests.rulebook.published.slow.evaluating import Evaluator
from tests.rulebook.published.slow.parsing import COMPARISONS, MODIFIERS, Parser, Part, tokens_of
from tests.rulebook.published.slow.rolling import every_way, number

Values = tuple[tuple[str, Any], ...]
"""Name -> value, sorted by name."""
NAME = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)?")


@dataclass(frozen=True)
class SlowGame:
    """A game file, as `tomllib` reads it."""

    data: Mapping[str, Any]

    @classmethod
    def read(cls, path: Path) -> SlowGame:
        """Return the game of a file."""
        return cls(tomllib.loads(path.read_text("utf-8")))

    @cached_property
    def health(self) -> str:
        return str(self.data.get("health", ""))

    @cached_property
    def fields(self) -> dict[str, dict[str, int]]:
        """Unit -> all that follows `me.` -> its value at the start."""
        units = cards_of(self.data)
        keywords = {word for card in units.values() for word in words_of(card)} | {*self.data.get("keywords", {})}
        fields = {}
        for unit, card in units.items():
            numbers = {name: value for name, value in card.items() if isinstance(value, int)}
            fields[unit] = {
                **numbers,
                **{f"{name}_at_start": value for name, value in numbers.items()},
                **{keyword: int(keyword in words_of(card)) for keyword in keywords},
                **self.data.get("tokens", {}),
            }
        return fields

    @cached_property
    def changing(self) -> tuple[str, ...]:
        """Names that follow `me.` and change: what steps assign, the health, and tokens."""
        steps = [name for section in ("attack", "turn", "after") for name in self.data.get(section, {})]
        names = {name.partition(".")[2] for name in steps if "." in name} | {*self.data.get("tokens", {})}
        return tuple(sorted(names | ({self.health} if self.health else set())))

    @cached_property
    def constants(self) -> dict[str, int]:
        options = {name: option["value"] for name, option in self.data.get("options", {}).items()}
        return {**self.data.get("numbers", {}), **options}

    @cached_property
    def tables(self) -> dict[str, Callable[..., int]]:
        return {name: look_up(table) for name, table in self.data.get("tables", {}).items()}

    def steps(self, section: str, me: Mapping[str, int], foe: Mapping[str, int]) -> Iterator[tuple[str, str]]:
        """Yield (name, expression) of a section with what keywords of both units, and first options, change.

        What is done with dice, or stands instead of a step, comes first; then what becomes of its result.
        """
        for name, text in self.data.get(section, {}).items():
            results = []
            for change in self.changes(name, me, foe):
                first = tokens_of(change)[0]
                if first in MODIFIERS:
                    text = f"{text} {change}"
                elif first in ("+", "-", "*", "//", *COMPARISONS):
                    results.append((name, f"{name} {change}"))
                elif name in NAME.findall(change):
                    results.append((name, change))
                else:
                    text = change
            yield name, text
            yield from results

    def changes(self, name: str, me: Mapping[str, int], foe: Mapping[str, int]) -> Iterator[str]:
        """Yield what keywords change of one step, in the order of the file."""
        for keyword, changes in self.data.get("keywords", {}).items():
            if me[keyword] and name in changes:
                yield changes[name]
            if foe[keyword] and name in changes.get("attacked", {}):
                yield changes["attacked"][name]
        for choice in self.data.get("choices", {}).values():
            usual = next(iter(choice.values()))
            if name in usual:
                yield usual[name]

    def section(self, section: str, me: Mapping[str, int], foe: Mapping[str, int]) -> Law[Values]:
        """Return the law of all that a section leaves of `me.` and `foe.` names, and of its own."""
        values = {f"me.{name}": value for name, value in me.items()}
        values |= {f"foe.{name}": value for name, value in foe.items()} | self.constants
        steps = list(self.steps(section, me, foe))
        law: Law[Values] = sure(())
        dice = {*self.data.get("dice", {})}
        kept = {"acts", "passes", *(f"{side}.{name}" for side in ("me", "foe") for name in self.changing)}
        names = {*values, *(name for name, _ in steps)}
        for place, (name, text) in enumerate(steps):
            part = Parser(text, names, dice).program()
            later = kept | {word for _, more in steps[place + 1 :] for word in NAME.findall(more)}
            law = then(law, lambda known: self._step(name, part, {**values, **dict(known)}, known, later))  # noqa: B023
        return law

    def _step(self, name: str, part: Part, values: dict[str, Any], known: Values, later: set[str]) -> Law[Values]:
        """Return the law of what is known after one step, without what no later step reads."""
        law = every_way(lambda choose: Evaluator(values, self.data.get("dice", {}), self.tables, choose).value(part))

        def after(value: Any) -> Values:
            value = max(0, number(value)) if "." in name else value
            return tuple(sorted((key, old) for key, old in {**dict(known), name: value}.items() if key in later))

        return become(law, after)

    # -- what is asked ------------------------------------------------------------------------------------------------

    def attack(self, me: str, foe: str) -> Law[Values]:
        """Return the law of what one attack leaves of each name that it assigns, between fresh units."""
        return self.section("attack", self.fields[me], self.fields[foe])

    def act(self, units: tuple[str, str]) -> Callable[[int, Values, Values], Law[tuple[Values, Values]]]:
        """Return what one activation does: steps at its start, its attacks, steps at its end."""

        def moved(law: Law[tuple[Values, Values]], side: int, section: str) -> Law[tuple[Values, Values]]:
            return then(law, lambda both: become(self.run(units, side, section, both), lambda state: state[0]))

        def act(side: int, mine: Values, theirs: Values) -> Law[tuple[Values, Values]]:
            def attacks(begun: tuple[tuple[Values, Values], int]) -> Law[tuple[Values, Values]]:
                law = sure(begun[0])
                for _ in range(begun[1]):
                    law = then(
                        law, lambda both: sure(both) if any(map(self.out, both)) else moved(sure(both), side, "attack")
                    )
                return moved(law, side, "after")

            return then(self.run(units, side, "turn", (mine, theirs)), attacks)

        return act

    def run(
        self, units: tuple[str, str], side: int, section: str, both: tuple[Values, Values]
    ) -> Law[tuple[tuple[Values, Values], int]]:
        """Return the joint law of both states after a section, and how many attacks are made."""
        me = {**self.fields[units[side]], **dict(both[0])}
        foe = {**self.fields[units[1 - side]], **dict(both[1])}

        def after(values: Values) -> tuple[tuple[Values, Values], int]:
            new = dict(values)
            states = (
                tuple((name, new.get(f"{who}.{name}", old[name])) for name in self.changing)
                for who, old in (("me", me), ("foe", foe))
            )
            mine, theirs = states
            return (mine, theirs), int(new.get("acts", 1))

        return become(self.section(section, me, foe), after)

    def out(self, state: Values) -> bool:
        """Return whether a unit is out."""
        text = self.data.get("ends", {}).get("out", f"me.{self.health} = 0")
        values = {f"me.{name}": value for name, value in state} | self.constants
        missing = {word for word in NAME.findall(text) if word.startswith("me.")} - {*values}
        assert not missing, f"`out` reads what does not change: {missing}"
        (value,) = every_way(
            lambda choose: Evaluator(values, {}, self.tables, choose).number(Parser(text, {*values}, set()).program())
        )
        return bool(value)

    def duel(self, first: str, second: str) -> dict[str, float]:
        """Return who wins a duel of two units in which the first acts first, or both at once if the file says so."""
        one, other = (tuple((name, self.fields[unit][name]) for name in self.changing) for unit in (first, second))
        play = at_once if self.data.get("turns", {}).get("order") == "simultaneous" else take_turns
        rounds = self.data.get("ends", {}).get("rounds", MOST_ROUNDS)
        results = play(one, other, self.act((first, second)), self.out, rounds)
        undecided = results.pop("open", 0.0)
        return {**results, "draw": results.get("draw", 0.0) + undecided}


def words_of(card: Mapping[str, Any]) -> list[str]:
    """Return the keywords of a card."""
    words = card.get("keywords", "")
    return [word.strip() for word in (words.split(";") if isinstance(words, str) else words) if word.strip()]


def look_up(table: Any) -> Callable[..., int]:
    """Return a look-up table as a function of its place or places."""
    if isinstance(table, list):
        return lambda place: int(table[place - 1])
    if "values" in table:
        rows, columns = table["rows"], table["columns"]
        cells = {
            (r, c): v for r, line in zip(rows, table["values"], strict=True) for c, v in zip(columns, line, strict=True)
        }
        return lambda row, column: int(cells.get((row, column), table.get("else")))

    def at(place: int) -> int:
        for band, value in table.items():
            sign = re.match(r"\s*(<=|>=|<|>)\s*(-?\d+)", band)
            least, _, most = band.partition("..")
            if sign:
                bound = int(sign[2])
                if {"<=": place <= bound, ">=": place >= bound, "<": place < bound, ">": place > bound}[sign[1]]:
                    return int(value)
            elif int(least) <= place <= int(most or least):
                return int(value)
        raise KeyError(place)

    return at
