"""The protocol of what can be explored, free of widgets: controls, and the answer for any values of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from balance.game.question.controls import Control, Value

Values = Mapping[Control, Value]
"""Control -> what it is set to; those that are left out stay as they are."""


@dataclass(frozen=True)
class Number:
    """A number of an answer, a chance from 0 to 1 or a mean; `name` is its key, `label` its text for people."""

    name: str
    label: str
    value: float
    is_chance: bool


@dataclass(frozen=True)
class Outcome:
    """An answer as a panel shows it: `numbers` in the order of the screen, `code` the call that gives this answer."""

    sentence: str
    numbers: tuple[Number, ...]
    code: str


class Subject(Protocol):
    """A question that is answered anew whenever one of its controls is set."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """Every control with its initial value, in the order in which a panel shows them."""
        ...

    @property
    def heads(self) -> Mapping[str, str]:
        """Headings of the columns of controls that belong to no side, by group."""
        ...

    def outcome(self, values: Values) -> Outcome:
        """Return the answer with some controls set; raise BalanceError where the rules do not allow it."""
        ...

    def restart(self, values: Values) -> Subject:
        """Return the subject that follows from the values of controls that `decides` names, with controls of its own.

        Raise BalanceError where the rules do not allow them.
        """
        ...

    def paths_that_matter(self, values: Values) -> frozenset[str]:
        """Return the paths of the controls whose other values would change the answer, given those that are set."""
        ...


def decides(control: Control) -> bool:
    """Return whether setting a control replaces the list of controls: it names an entrant or is a text of dice."""
    return control.group == "entrants"


def carry_over(values: Values, subject: Subject) -> dict[Control, Value]:
    """Return the values that another subject, made by `restart`, keeps, by path; none of a side with a new entrant."""
    new_sides = {control.side for control, value in values.items() if decides(control) and not control.is_now(value)}
    stays = {
        control.path: value
        for control, value in values.items()
        if not decides(control) and control.side not in new_sides
    }
    return {control: stays[control.path] for control in subject.controls if control.path in stays}
