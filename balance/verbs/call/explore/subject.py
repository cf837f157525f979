"""What can be explored, free of widgets: controls, and what comes out for any values of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from balance.game.question.controls import Control, Value

Values = Mapping[Control, Value]
"""Control -> what it is set to; those that are left out stay as they are."""


@dataclass(frozen=True)
class Number:
    """A number of an answer, a chance from 0 to 1 or a mean: its name, what it is called, and its value."""

    name: str
    label: str
    value: float
    is_chance: bool


@dataclass(frozen=True)
class Outcome:
    """An answer as it is shown.

    Attributes
    ----------
    sentence
        The answer in one sentence.
    numbers
        Its numbers, in the order of the screen.
    code
        The call that gives this answer.
    """

    sentence: str
    numbers: tuple[Number, ...]
    code: str


class Subject(Protocol):
    """What can be explored."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """All that can be set."""
        ...

    @property
    def heads(self) -> Mapping[str, str]:
        """Group of controls that is no side's -> what stands over it."""
        ...

    def outcome(self, values: Values) -> Outcome:
        """Return what comes out with some controls set.

        Parameters
        ----------
        values
            What is set.

        Raises
        ------
        BalanceError
            The rules do not allow it.
        """
        ...

    def restart(self, values: Values) -> Subject:
        """Return the same with those values set for good that decide what else there is to set.

        Parameters
        ----------
        values
            What is set.

        Raises
        ------
        BalanceError
            The rules do not allow it.
        """
        ...

    def paths_that_matter(self, values: Values) -> frozenset[str]:
        """Return the paths of the controls that make a difference with some controls set.

        Parameters
        ----------
        values
            What is set.
        """
        ...


def decides(control: Control) -> bool:
    """Return whether a control decides what else there is to set, such as who takes part."""
    return control.group == "entrants"


def carry_over(values: Values, subject: Subject) -> dict[Control, Value]:
    """Return values for the controls of another subject: of those that both have, but of no side whose cards are new.

    Parameters
    ----------
    values, subject
        What is set of one subject, and another.
    """
    new_sides = {control.side for control, value in values.items() if decides(control) and not control.is_now(value)}
    stays = {
        control.path: value
        for control, value in values.items()
        if not decides(control) and control.side not in new_sides
    }
    return {control: stays[control.path] for control in subject.controls if control.path in stays}
