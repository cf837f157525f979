"""What a game is given when it is asked: who fights on each side, the situation and the rules, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from balance.catalogue import Catalogue, Record, leaf_columns
from balance.catalogue.overrides import field_paths
from balance.chance.rolls.rolls import Policy

RulesT = TypeVar("RulesT", bound=Record)
SituationT = TypeVar("SituationT", bound=Record)
StanceT = TypeVar("StanceT", bound=Record)
SideT = TypeVar("SideT", bound="HasInputs")
T = TypeVar("T")


class HasInputs(Protocol):
    """A side as a kind of entrant reads it."""

    def inputs(self) -> Mapping[str, object]:
        """Return what was asked of it, resolved, as plain values."""
        ...


@dataclass(frozen=True)
class AskedSide(Generic[RulesT, StanceT]):
    """One side as it was typed, for the kind of entrant to read.

    Attributes
    ----------
    catalogue, rules
        The tables, and the rule options in force.
    root, text
        What the side is called, and the id of who fights on it.
    fields
        What is set of it: field -> text, as `Overrides.take` gives it.
    stance
        What it brings that its cards do not print, as by default.
    """

    catalogue: Catalogue
    rules: RulesT
    root: str
    text: str
    fields: Mapping[str, str]
    stance: StanceT

    @property
    def place(self) -> str:
        """The place that errors name."""
        return f"--set {self.root}"

    @property
    def stance_fields(self) -> tuple[str, ...]:
        """What may be set of the stance, to be named beside the fields of the cards when there is no such field."""
        return tuple(leaf_columns(type(self.stance)))

    def split(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return what is set of the stance, and what is set of the cards."""
        field_types = field_paths(type(self.stance)) if self.fields else {}
        own_fields = {path: text for path, text in self.fields.items() if path in field_types}
        return own_fields, {path: text for path, text in self.fields.items() if path not in own_fields}


@dataclass(frozen=True)
class Asked(Generic[RulesT, SituationT, SideT]):
    """A question, read and checked: what a game's `setup` makes a setup of.

    Attributes
    ----------
    entrants
        The ids as they were typed.
    catalogue, rules, situation
        The tables, the rule options in force, and what it depends on beside the sides.
    sides
        Name of a side -> what its kind of entrant read; each can say what was asked of it by `inputs()`.
    first
        Who goes first; empty where there is no such choice.
    choices, policies
        Name of each decision -> the option chosen; side -> the policy that this stands for, where the game says so.
    """

    entrants: tuple[str, str]
    catalogue: Catalogue
    rules: RulesT
    situation: SituationT
    sides: Mapping[str, SideT]
    first: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, Policy] = field(default_factory=dict)

    def inputs(self, resolved_sides: Mapping[str, object] | None = None, **beside: object) -> dict[str, Any]:
        """Return what was asked as plain values, for people and for JSON.

        Parameters
        ----------
        resolved_sides
            Fields of the situation that it leaves to be worked out.
        beside
            What else is worth telling.
        """
        sides = {name: side.inputs() for name, side in self.sides.items()}
        situation = {**self.situation.model_dump(mode="json"), **(resolved_sides or {})}
        inputs = {**sides, "situation": situation, "rules": self.rules.model_dump(mode="json"), **beside}
        inputs |= {"first": self.first} if self.first else {}
        return inputs | ({"choices": dict(self.choices)} if self.choices else {})


@dataclass(frozen=True)
class Setup(Generic[T]):
    """A question ready to be played.

    Attributes
    ----------
    play
        What the game made of it.
    inputs
        What was asked, resolved, for people and for JSON.
    beside
        What fixes its numbers beside the catalogue and what was typed, such as the digest of a file it plays on.
    """

    play: T
    inputs: Mapping[str, Any]
    beside: str = ""


@dataclass(frozen=True)
class QuestionValues(Generic[RulesT, SituationT, SideT]):
    """What a game plays by that prepares nothing: of what was asked, all that can change a result; as in `Asked`."""

    rules: RulesT
    constants: Record
    situation: SituationT
    sides: Mapping[str, SideT]
    first: str
    policies: Mapping[str, Policy]

    def __hash__(self) -> int:
        """Tell equal ones by their content, so that they are worked out once."""
        return hash(
            (self.rules, self.constants, self.situation, *self.sides.items(), self.first, *self.policies.items())
        )


def ready(question: Asked[Any, Any, Any]) -> Setup[QuestionValues[Any, Any, Any]]:
    """Return what was asked as the setup that it is for a game that prepares nothing."""
    constants = question.catalogue.constants
    setup_values = QuestionValues(
        question.rules, constants, question.situation, question.sides, question.first, question.policies
    )
    return Setup(setup_values, question.inputs())
