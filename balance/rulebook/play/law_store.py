"""The joint laws of a script for everything that has come up, found in a table by what tells trials apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from threading import RLock
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import BalanceError, DistributionError
from balance.chance.rolls.rolls import RandomRolls
from balance.game.armies.armies import MOST_UNITS
from balance.rulebook.play.rules import SIDES
from balance.rulebook.play.script import Script, beyond
from balance.rulebook.play.script_laws import Env, script_laws
from balance.rulebook.play.units import CARD, Fight

SPARE = 16
"""By how much values other than health may grow beyond the largest at the start and still have a law."""
MOST_CODES = 2**17
"""Combinations up to which laws are kept: of more, few would come up twice."""
MOST_EACH = 4096
"""Ways in which the dice of a section may fall for its law to be worth the work."""
N_TRIED = 16
"""Pairs of cards whose laws at the start of a fight say whether those of a script are worth the work."""
PARTS, UNSURE = 256, 255
"""Equal parts of a law: in most of them all draws give the same outcome, whose number within the law is a byte."""
UNMET, NONE = -1, -2
"""In place of a law: one that is not worked out yet, and one that is not to be had."""


class LawStore:
    """The laws of a script by what tells trials apart: the cards of both units, and values that change.

    `parts`: (owner, name) of each, as the script needs them; a card stands for all that is printed on it.
    """

    def __init__(self, fight: Fight, script: Script) -> None:
        self.fight, self.script, self._lock = fight, script, RLock()
        spans = dict(part for need in script.needed_parts for part in self._parts_of(*need))
        self.parts, self._spans = tuple(spans), tuple(spans.values())
        n_codes = prod(self._spans) if script.results else MOST_CODES + 1
        self.has_laws = n_codes <= MOST_CODES
        self._places: IntArray = np.full(n_codes if self.has_laws else 0, UNMET, np.int32)
        self._begins, self._lasts, self._ends = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        self._of_parts = np.zeros(0, np.uint8)
        self._results: list[IntArray] = [np.zeros(0, np.int16) for _ in script.results]
        is_lost = fight.rules.book.armies.excess == "lost"  # what is beyond the health of a target
        self._columns = [
            (name, at) for at, name in enumerate(script.results) if not (is_lost and name.endswith(beyond("")))
        ]
        if self.has_laws and script.has_dice:
            self.has_laws = self._is_worth_the_work()

    def _parts_of(self, need: str, owner: str, name: str) -> list[tuple[tuple[str, str], int]]:
        """Return the part that a name belongs to and how many values it has; nothing for a number of the game."""
        fight, book = self.fight, self.fight.rules.book
        if need == "round":
            return [((owner, name), (book.ends.rounds or SPARE) + 2)]
        if owner not in SIDES:
            return [((owner, name), 2)] if owner in book.choices else []
        if fight.is_printed(name):
            return [((owner, CARD), len(fight.armies.cards[fight.sides[0]]) + 1)]  # and nobody
        if name not in fight.rules.values:
            return [((owner, name), MOST_UNITS + 1 if name == "units" else 2)]
        most = int(fight.printed[fight.sides[0], name].max())
        return [((owner, name), most + 1 + (SPARE if name != book.health else 0))]

    def _is_worth_the_work(self) -> bool:
        """Return whether pairs of cards, as they are at the start, have laws."""
        side = self.fight.sides[0]
        cards = {"me": np.arange(N_TRIED) // 4, "foe": np.arange(N_TRIED) % 4}
        columns = []
        for (owner, name), span in zip(self.parts, self._spans, strict=True):
            card = cards.get(owner, cards["me"]) % len(self.fight.armies.cards[side])
            is_value = name in self.fight.rules.values
            columns.append(card if name == CARD else self.fight.printed[side, name][card] if is_value else card * 0 + 1)
            columns[-1] = columns[-1] % span
        try:
            return bool((self.find(columns, N_TRIED) >= 0).all())
        except BalanceError:
            return True  # what never comes up may make no sense

    def find(self, columns: Sequence[Any], m: int) -> IntArray:
        """Return the place of the law of each of m trials, `int[m]`, from the values of `parts`; `NONE` without one."""
        if not self.has_laws:
            return np.full(m, NONE)
        code, too_large = np.zeros(m, np.int32), None
        for (_, name), column, span in zip(self.parts, columns, self._spans, strict=True):
            if name != CARD and isinstance(column, np.ndarray) and column.max(initial=0) >= span:
                too_large = column >= span if too_large is None else too_large | (column >= span)
                column = np.minimum(column, span - 1)
            code *= span
            code += column
        places = self._places.take(code)
        if (places == UNMET).any():
            self._meet(np.unique(code[places == UNMET]))
            places = self._places.take(code)
        return places if too_large is None else np.where(too_large, NONE, places)

    def draw(self, places: IntArray, rolls: RandomRolls | None, rows: IntArray, name: str) -> Env:
        """Return what the script sets, drawn from the laws at these places in trials `rows`, `int[m]`."""
        index: IntArray = self._begins.take(places)
        if self.script.has_dice and rolls is not None:
            stream = rolls.stream(f"{name} {self.script.name}")
            luck = rolls.take(stream.random(rolls.n_drawn))[rows] if rolls.is_paired else stream.random(len(rows))
            number = self._of_parts.take(places * PARTS + (luck * PARTS).astype(np.int32))
            index += number
            if len(rest := (number == UNSURE).nonzero()[0]):
                at = places[rest]
                index[rest] = np.minimum(self._ends.searchsorted(at + luck[rest], side="right"), self._lasts[at])
        return {column: self._results[number].take(index) for column, number in self._columns}

    def _meet(self, codes: IntArray) -> None:
        """Work out the laws of combinations that come up for the first time."""
        with self._lock:  # trials may be played by several threads
            codes = codes[self._places[codes] == UNMET]
            rest, columns = codes, dict[tuple[str, str], IntArray]()
            for part, span in zip(reversed(self.parts), reversed(self._spans), strict=True):
                columns[part], rest = rest % span, rest // span
            values = [np.broadcast_to(self._number(columns, *need), len(codes)) for need in self.script.needed_parts]
            self._add(codes, list(zip(*(column.tolist() for column in values), strict=True)) or [()] * len(codes))

    def _number(self, columns: dict[tuple[str, str], IntArray], need: str, owner: str, name: str) -> Any:
        if owner in SIDES and self.fight.is_printed(name):
            return self.fight.printed_on(self.fight.sides[0], name)[columns[owner, CARD]]
        return columns.get((owner, name), self.fight.numbers.get(need, 0))

    def _add(self, codes: IntArray, rows: list[tuple[int, ...]]) -> None:
        """Add laws; those that are too large count as `NONE`, each for itself, whatever was asked beside it."""
        if not rows or (all_laws := script_laws(self.script)) is None:
            return
        try:
            laws = all_laws.work_out(rows, MOST_EACH)
        except DistributionError:
            half = len(rows) // 2
            if half == 0:
                self._places[codes] = NONE
            else:
                self._add(codes[:half], rows[:half])
                self._add(codes[half:], rows[half:])
            return
        n_laws, n_outcomes = len(self._begins), len(self._ends)
        edges = laws.ends.searchsorted(np.arange(len(rows) * PARTS + 1) / PARTS, side="right")
        numbers = edges[:-1] - laws.begins.repeat(PARTS)
        is_sure = (edges[:-1] == edges[1:]) & (numbers < UNSURE)
        self._of_parts = np.concatenate([self._of_parts, np.where(is_sure, numbers, UNSURE).astype(np.uint8)])
        self._results = [np.concatenate(pair) for pair in zip(self._results, laws.results, strict=True)]
        self._ends = np.concatenate([self._ends, n_laws + laws.ends])
        self._lasts = np.concatenate([self._lasts, n_outcomes + laws.begins + laws.sizes - 1])
        self._begins = np.concatenate([self._begins, n_outcomes + laws.begins])
        self._places[codes] = n_laws + np.arange(len(codes))
