"""Probes that prepare a question with one setting changed: the same, a different one, or not allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from balance.base.errors import BalanceError
from balance.game.question.controls.control import Control, Value
from balance.game.question.controls.settings import Settings
from balance.game.question.idle import is_prepared_alike
from balance.game.question.question import Question

MOST_TRIED = 41
"""Values that are tried to find out what the cards say of a number that is left to them."""
MOST_OPTIONS = 12
"""Options that are tried to find out whether any makes a difference."""


def is_same(question: Question, control: Control, value: Value) -> bool | None:
    """Return whether setting a control leaves the prepared question unchanged; None if rules forbid the value.

    The question is prepared and never played.
    """
    unsettled = replace(control, value=None) if value is not None else control  # also what it is now is set
    try:
        return is_prepared_alike(question, Settings.of(question).with_values({unsettled: value}).ask(question))
    except BalanceError:
        return None


def can_be_set(question: Question, control: Control) -> bool:
    """Return whether a control sets the field it claims to: setting the present value must change nothing.

    One that is left to the cards must allow some value instead.
    """
    if control.value is None:
        return any(is_same(question, control, value) is not None for value in _other_values(control))
    return is_same(question, control, control.value) is True


def as_the_cards_say(question: Question, control: Control) -> Control:
    """Return a control left to the cards with their value: the one value that changes nothing, if it is unique."""
    idle_values = [value for value in islice(_values(control), MOST_TRIED) if is_same(question, control, value)]
    return replace(control, value=idle_values[0]) if len(idle_values) == 1 else control


def _values(control: Control) -> Iterator[Value]:
    """Yield all values of a control that has few enough of them: at most 41 numbers, a switch or a menu."""
    low, high = control.reach
    if control.kind == "number" and control.step == 1 and high - low < MOST_TRIED:
        yield from range(int(low), int(high) + 1)
    elif control.kind == "switch":
        yield from (False, True)
    elif control.kind == "menu":
        yield from control.options


def makes_a_difference(question: Question, control: Control) -> bool:
    """Return whether any of a few other values is known to change the prepared question."""
    return any(is_same(question, control, value) is False for value in _other_values(control))


def _other_values(control: Control) -> Iterable[Value]:
    """Yield a few values other than the present one: neighbours and ends of a number, options of a menu."""
    value, (low, high) = control.value, control.reach
    if control.kind == "number":
        if not isinstance(value, int | float):
            return (low, high) if control.step < 1 else (int(low), int(high))
        near = [value + control.step, value - control.step, low, high]
        whole = [number if control.step < 1 else int(number) for number in near]
        return [number for number in whole if low <= number <= high and number != value]
    if control.kind == "switch":
        return (not value,)
    if control.kind == "menu":
        return [option for option in control.options if option != value][:MOST_OPTIONS]
    if control.kind == "several" and isinstance(value, tuple):
        return [tuple(sorted({*value} ^ {option})) for option in control.options[:MOST_OPTIONS]]
    if isinstance(value, str) and value.isdecimal():
        return (str(int(value) + 1),)
    return ()
