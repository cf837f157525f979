"""The dials of a page about two cards: each number, ability, condition and rule option, with a few values.

The same dial sets the same thing in every kind of question: "precision" of the first card is `attacker.precision` of an
attack and `a.precision` of a duel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from balance.game.question.controls import Control, Value, controls_of
from balance.game.question.question import Question

Place = tuple[int, int]
"""A dial that is turned, and to which of its values: places in the list of dials and in its values."""
Setting = tuple[Place, ...]
"""All dials that are turned, those of lower places first; without any the cards are as they are."""
MENU_VALUES = 12
"""Options of a menu that a page offers, at most."""


@dataclass(frozen=True)
class Dial:
    """One thing that can be turned.

    * `key`: what names it, whatever kind of question is asked.
    * `side`: the place of the side whose it is: 0, 1, or None for nobody's.
    * `label`, `unit`, `description`: for people; the label of an ability is that ability.
    * `values` and `base`: what it may be, and the place of what it is now. An ability is False or True.
    * `option`: which of several options it turns on and off; empty for any other control.
    * `controls`: kind of question -> its control there.
    """

    key: str
    group: str
    side: int | None
    label: str
    unit: str
    description: str
    values: tuple[Value, ...]
    base: int
    option: str
    controls: Mapping[str, Control]

    @property
    def form(self) -> str:
        """Kind of control that draws it: `slider`, `switch` or `menu`."""
        if all(isinstance(value, bool) for value in self.values):
            return "switch"
        return "menu" if any(isinstance(value, str) for value in self.values) else "slider"

    @property
    def other_places(self) -> tuple[int, ...]:
        """The places of all values but the present one."""
        return tuple(place for place in range(len(self.values)) if place != self.base)


def dials_of(questions: Mapping[str, Question], reach: int) -> list[Dial]:
    """Return the dials of some questions about the same two cards; a number may move up and down by `reach` steps."""
    dials: dict[str, Dial] = {}
    for kind, question in questions.items():
        for control in controls_of(question):
            if control.matters and control.group != "entrants" and control.kind != "text":
                for dial in _dials(question, kind, control, reach):
                    known = dials.setdefault(dial.key, dial)
                    if known is not dial and known.values == dial.values:
                        dials[dial.key] = replace(known, controls={**known.controls, **dial.controls})
    return list(dials.values())


def _dials(question: Question, kind: str, control: Control, reach: int) -> Iterator[Dial]:
    """Yield the dials of a control: one, or one switch for each of several options; none without its present value."""
    side = question.kind.sides.index(control.side) if control.side else None
    path = control.path.partition(".")[2] if side is not None else control.path
    is_of_kind = control.group in ("first", "choices")
    key = f"{kind}:{path}" if is_of_kind else path if side is None else f"{side}.{path}"
    dial = Dial(key, control.group, side, control.name, control.unit, control.description, (), 0, "", {kind: control})
    if control.kind == "several":
        now = control.value if isinstance(control.value, tuple) else ()
        for option in control.options:
            words = option.replace("_", " ")
            label = words if side is not None else f"{control.name}: {words}"
            yield replace(
                dial, key=f"{key}={option}", label=label, values=(False, True), base=int(option in now), option=option
            )
    elif (values := _values(control, reach)) and control.value in values:
        yield replace(dial, values=values, base=values.index(control.value))


def _values(control: Control, reach: int) -> tuple[Value, ...]:
    if control.kind == "switch":
        return (False, True)
    if control.kind == "menu":
        return control.options if len(control.options) <= MENU_VALUES else ()
    now, (low, high) = control.value, control.reach
    if not isinstance(now, int | float):
        return ()
    if control.step == 1:
        return tuple(range(max(int(low), int(now) - reach), min(int(high), int(now) + reach) + 1))
    step = (high - low) / 10
    near = (round(now + number * step, 10) for number in range(-reach, reach + 1))
    return tuple(now if value == now else value for value in near if low <= value <= high)


def values_of(setting: Setting, dials: Sequence[Dial], kind: str) -> dict[Control, Value]:
    """Return control -> value of a kind of question for a setting; dials that the kind does not have set nothing."""
    values: dict[Control, Value] = {}
    for place, value_place in setting:
        dial = dials[place]
        if kind in dial.controls:
            control = dial.controls[kind]
            value = dial.values[value_place]
            if dial.option:
                now = values.get(control, control.value)
                words = now if isinstance(now, tuple) else ()
                value = tuple(word for word in control.options if (word in words) ^ (word == dial.option))
            values[control] = value
    return values
