"""What was found out about one question, exactly and by simulation, and the numbers that follow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from balance.base.errors import BalanceError
from balance.chance.pmf import Agreement, Pmf
from balance.game.question.question import Question, Sample, ask
from balance.game.question.spread import Spread, spread_of


@dataclass(frozen=True)
class FirstMover:
    """A side's chance to win when it goes first, and when it goes second."""

    first: float
    second: float

    @property
    def advantage(self) -> float:
        """The gain in the chance to win from going first, -1 to 1."""
        return self.first - self.second


@dataclass(frozen=True)
class Findings:
    """A question with its exact distribution, its simulation, and the statistics that follow; base of `Answer`."""

    question: Question
    exact: Pmf | None
    simulated: Sample | None = None
    partial: bool = False
    seed: int = 0

    @property
    def distribution(self) -> Pmf | None:
        """The exact distribution, else that of the simulated trials; None without either."""
        return self.exact if self.simulated is None or self.exact is not None else self.simulated.distribution

    @cached_property
    def sd(self) -> dict[str, float | None]:
        """The standard deviation of each column of `distribution`; None where it is not measurable, see `spread_of`."""
        return {column: spread.sd for column, spread in self._spreads.items()}

    @cached_property
    def swing(self) -> dict[str, float | None]:
        """The swing of each column, its standard deviation over its mean; None where it is not measurable.

        >>> from balance.game.loaded import load
        >>> from balance.game.question.answer import answer
        >>> shot = answer(load("warforged").attack("nexus+assault_rifle", "trooper"))
        >>> shot.exact.mean("damage"), round(shot.sd["damage"], 3), round(shot.swing["damage"], 3)
        (3.6, 1.766, 0.491)
        """
        return {column: spread.swing for column, spread in self._spreads.items()}

    @cached_property
    def _spreads(self) -> dict[str, Spread]:
        if (distribution := self.distribution) is None:
            return {}
        kind, is_exact = self.question.kind, self.exact is not None
        return {column: spread_of(kind, distribution, column, is_exact) for column in distribution.columns}

    @property
    def agreement(self) -> Agreement | None:
        """The test of the simulated trials against the exact distribution; None without both."""
        return self.simulated.agreement if self.simulated is not None and self.exact is not None else None

    @cached_property
    def kill(self) -> Question | None:
        """The question of how many actions the target takes to fall; None without one or an exact answer."""
        question, beside = self.question, self.question.kind.beside
        if not beside or self.exact is None:
            return None
        try:
            return ask(question.game, beside, question.entrants, question.changes)
        except BalanceError:
            return None

    @cached_property
    def going_first(self) -> dict[str, Question]:
        """The question with each side going first; empty without such a choice, a winner or an exact answer."""
        question, sides = self.question, self.question.kind.sides
        if self.exact is None or not question.kind.winners or not set(sides) <= set(question.kind.turn_orders):
            return {}
        return {side: question.again(first=side) for side in sides}

    @cached_property
    def first_movers(self) -> dict[str, FirstMover]:
        """The chances of each side going first and second; empty without such a choice or an exact answer."""
        chances = {side: question.p_win() for side, question in self.going_first.items()}
        return {
            side: FirstMover(chances[side][side], chances[other_side][side])
            for side, other_side in zip(chances, reversed(chances), strict=True)
        }
