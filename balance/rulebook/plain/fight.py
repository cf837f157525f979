"""Two units that fight on plain numbers: their state, and what acts, turns and rounds make of it.

A state is a tuple: the values of a that change, whether a is out, the same of b, and the round if it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.script import Script

State: TypeAlias = tuple[int, ...]
SIDES = ("a", "b")


@dataclass(frozen=True, eq=False)
class Fight:
    """A fight of one unit against another."""

    game: PlainGame
    cards: tuple[Card, Card]

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Value of a unit -> its place among those of its side."""
        return {name: place for place, name in enumerate(self.game.rules.values)}

    @property
    def width(self) -> int:
        """How many numbers of a state belong to each side."""
        return len(self.game.rules.values) + 1

    def start(self) -> State:
        """Return the state that a fight starts with."""
        rules = self.game.rules
        values = [[*(self.game.printed(card, name) for name in rules.values), 0] for card in self.cards]
        has_round = "round" in rules.names or rules.book.ends.rounds is not None
        return (*values[0], *values[1], *([1] if has_round else []))

    def start_value(self, name: str) -> int:
        """Return the value of a name such as `foe.wounds` before an attack of a; 0 for the result of a step."""
        owner, _, own_name = name.partition(".")
        return self.game.printed(self.cards[owner == "foe"], own_name) if own_name else 0

    def values_at_start(self, script: Script) -> State:
        """Return the values that a script needs where a faces b as printed."""
        return self.reader(script, 0)(self.start(), {})

    def reader(self, script: Script, side: int) -> Callable[[State, Mapping[str, int]], State]:
        """Return what gives the values that a script needs for side 0 or 1, from a state and the options chosen."""
        readers = [self._reader_of(*part, side) for part in script.needed_parts]
        return lambda state, flags: tuple([read(state, flags) for read in readers])

    def _reader_of(self, need: str, owner: str, name: str, side: int) -> Callable[[State, Mapping[str, int]], int]:
        if need == "round":
            return lambda state, flags: state[-1]
        if owner not in ("me", "foe"):
            number = self.game.numbers.get(need, 0)
            return lambda state, flags: flags.get(need, number)
        who = side if owner == "me" else 1 - side
        if name == "attacker":
            return lambda state, flags: 1 - who
        if name == "units":
            out_at = who * self.width + self.width - 1
            return lambda state, flags: 1 - state[out_at]
        if name in self.place_of:
            at = who * self.width + self.place_of[name]
            return lambda state, flags: state[at]
        printed = 0 if self._is_near(name) else self.game.printed(self.cards[who], name)
        return lambda state, flags: printed

    def _is_near(self, name: str) -> bool:
        """Return whether a name is 1 while another unit of the army with a keyword is not out: here there is none."""
        return any(name == f"{keyword}_near" for keyword in self.game.book.keywords)
