"""Which mastery points (MP) or damage of one side at the start make a duel even when both sides play as was learnt.

A duel that begins with others is a position of the same game: the value function and the answers to it cover it, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.numbers import EVEN_BAND
from balance.chance.rolls.process import take_trials
from balance.chance.solvers.processes import n_processes, shares
from balance.game.solution import CHANGE, Cell, SolutionTable
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.choices import Opponent, Worth
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import half_of, precision_of

MOST_TRIES = 4
"""Values of a number that are played, at most."""
COLUMNS = ("side", "number", "from", "to", "a scores", "a is held to", "b concedes", CHANGE)


class Start(NamedTuple):
    """A number of the start, "mp" or "damage", of side 0 for a and 1 for b; and a new value for it."""

    side: int
    number: str
    old: int
    new: int

    @property
    def assignment(self) -> str:
        """The change as `--set` takes it; it also names the dice of its duels."""
        return f"{SIDES[self.side]}.{self.number}={self.new}"

    def moves(self, moves: Moves) -> Moves:
        """Return the duel that begins so."""
        a, b = getattr(moves.duel, self.number)
        begins = (self.new, b) if self.side == 0 else (a, self.new)
        duel = replace(moves.duel, mp=begins) if self.number == "mp" else replace(moves.duel, damage=begins)
        return Moves(duel, moves.resolve)


@dataclass(frozen=True, eq=False)
class EvenStarts:
    """The search for starts of which a score, the mean of `duels` duels, lies in the even band with its interval.

    `worth` is the value function of both sides' play, `answers` those of opponents who answer side a's and side b's;
    `value` is what side a scores as the duel is.
    """

    worth: Worth
    answers: tuple[Worth, Worth]
    value: float
    duels: int
    seed: int

    def is_even(self, value: float) -> bool:
        """Return whether the whole 95 % interval of a score lies in the band."""
        half = half_of(self.duels)
        return EVEN_BAND[0] + half <= value <= EVEN_BAND[1] - half

    def tables(self) -> Iterator[SolutionTable]:
        """Yield the table of even starts; nothing where the duel is even, or no number makes it so."""
        ahead = 0 if self.value > 0.5 else 1
        ways = [(side, number) for side in (ahead, 1 - ahead) for number in ("mp", "damage")]
        is_settled = self.is_even(self.value) or not self.is_even(0.5)
        results = [] if is_settled else shares([partial(self._even_row, *way) for way in ways], n_processes())
        if rows := tuple(row for row in results if row is not None):
            low, high = (round(100 * end) for end in EVEN_BAND)
            title = (
                "Which single number of the start makes the duel even: what side a scores then by the play that was "
                "found, which knows all starts, and where it is answered by what was learnt, or by itself if that is "
                f"better. {precision_of(self.duels).capitalize()}; even is a score of {low} to {high} % with its whole "
                "interval."
            )
            yield SolutionTable("even_starts", title, COLUMNS, rows)

    def _even_row(self, side: int, number: str) -> tuple[Cell, ...] | None:
        """Play the value of a number that promises the evenest score, correct the promises by that, and so on."""
        starts, promised = self._promises(side, number)
        tried = set[int]()
        for _ in range(MOST_TRIES):
            at = int(np.abs(promised - 0.5).argmin())
            if at in tried or not self.is_even(promised[at]):
                return None
            tried.add(at)
            start, player = starts[at], LookAhead(worth=self.worth)
            value = score(start.moves(self.worth.moves), (player, player), self.duels, self.seed, start.assignment)
            if self.is_even(value):
                change = SIDES[side], number, start.old, start.new
                return *change, value, *self._answered(start, value), start.assignment
            promised += value - promised[at]
        return None

    def _promises(self, side: int, number: str) -> tuple[list[Start], FloatArray]:
        """Return all starts with another value of a number, and the scores that the value function promises there."""
        moves = self.worth.moves
        old, mp = getattr(moves.duel, number)[side], moves.duel.mp[side]
        values = np.arange(1, moves.duel.constants.score.mp_cap + 1) if number == "mp" else np.arange(mp)
        begin = take_trials(moves.start(), np.zeros(len(values), np.intp))
        promised = self.worth(moves.tidy(begin | {f"{SIDES[side]}_{number}": values.astype(np.int16)}))
        promised += self.value - self.worth(moves.start())
        return [Start(side, number, old, new) for new in values.tolist()], promised

    def _answered(self, start: Start, value: float) -> tuple[float, float]:
        """Return what side a's play is held to at a start, and side b's concedes, by what was learnt or by itself."""
        fixed, moves = LookAhead(worth=self.worth), start.moves(self.worth.moves)
        to_a, to_b = (LookAhead(worth=own, against=Opponent(at, self.worth)) for at, own in enumerate(self.answers))
        held, conceded = (
            score(moves, pair, self.duels, self.seed, f"{start.assignment} answered {side}")
            for side, pair in zip(SIDES, ((fixed, to_a), (to_b, fixed)), strict=True)
        )
        return min(value, held), max(value, conceded)
