"""What was found out about one question, exactly and by simulation, and the numbers that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from balance.base.answers import ASKED_FOR, BEHIND, Digest, Doc, Form, GameName, Opaque, RulesVersion, formula
from balance.chance.pmf import Agreement, Pmf
from balance.game.question.question import Question, Sample
from balance.game.question.spread import Spread, spread_of
from balance.game.solution import Solution


@dataclass(frozen=True)
class Policy:
    """How somebody plays."""

    value: Annotated[str, Doc("The way of playing.")]
    is_default: Annotated[bool | None, Doc("Whether that is what is played where nobody chooses.")] = field(
        default=None, metadata=ASKED_FOR
    )
    allowed: Annotated[tuple[str, ...] | None, Doc("All ways that there are.")] = field(
        default=None, metadata=ASKED_FOR
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class AboutQuestion:
    """What was asked, how it is played, what the answer cannot see, and where it comes from."""

    schema: Form
    game: GameName
    verb: str
    inputs: Annotated[
        Mapping[str, Any],
        Doc("What was asked, resolved: the sides and the situation by field, and in `set` what was changed."),
    ]
    played: Annotated[str, Doc("How it is played, in words.")]
    cannot_see: Annotated[
        tuple[str, ...], Doc("What the answer leaves out, a sentence each: no conclusion should rest on it.")
    ]
    policies: Annotated[Mapping[str, Policy], Doc("How the sides play, by name.")]
    categories: Annotated[
        Mapping[str, Mapping[int, str]], Doc("Column -> code -> name, for columns whose values are codes.")
    ]
    rules_version: RulesVersion
    catalogue_sha256: Digest
    notes: Annotated[tuple[str, ...], Doc("What the reader should know of an answer that is sound.")] = ()
    question: Annotated[Question, Opaque()] = field(metadata=BEHIND)

    @classmethod
    def of(cls, question: Question, verb: str, **parts: Any) -> Self:
        """Return an answer of this class to a question; `parts` are what it tells beyond what was asked."""
        kind, catalogue = question.kind, question.game.catalogue
        options = {name: tuple(kind.choices[name]) for name, _ in question.choices}
        about: dict[str, Any] = {
            "schema": 1,
            "game": question.game.definition.name,
            "verb": verb,
            "inputs": question.inputs,
            "played": kind.played,
            "cannot_see": tuple(kind.cannot_see),
            "policies": {
                name: Policy(value, value == options[name][0], options[name]) for name, value in question.choices
            },
            "categories": kind.categories,
            "rules_version": catalogue.rules_version,
            "catalogue_sha256": catalogue.sha256,
            "question": question,
        }
        return cls(**about | parts)


@dataclass(frozen=True, kw_only=True, repr=False)
class SolvedQuestion(Solution, AboutQuestion):
    """What a game is worth when both sides choose as well as they can: its value between bounds, and how it is played.

    Attributes
    ----------
    seconds
        How long it took.
    """

    verb: Literal["solve"]
    seconds: float = field(metadata=BEHIND)


@dataclass(frozen=True)
class FirstMover:
    """What going first is worth to a side."""

    first: Annotated[float, Doc("Its chance to win when it goes first.")]
    second: Annotated[float, Doc("Its chance to win when it goes second.")]

    @formula
    def advantage(self) -> Annotated[float, Doc("The difference, from -1 to 1.")]:
        """Return the gain in the chance to win from going first, -1 to 1."""
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
        return None if self.exact is None else self.question.beside

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
