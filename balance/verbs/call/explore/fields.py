"""A widget for each control: sliders, switches, menus. Wants `ipywidgets`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import ipywidgets as untyped

from balance.game.question.controls import Control, Value

widgets: Any = untyped
AS_PRINTED = "as the cards say"
WIDE = {"description_width": "8em"}
WIDTH = "24em"


@dataclass(eq=False)
class Field:
    """A control with its widget, which `read` and `write` translate from and to values of the control.

    `parts` are the widgets whose value a user changes, `widget` or some that it consists of.
    """

    control: Control
    widget: Any
    read: Callable[[], Value]
    write: Callable[[Value], None]
    parts: Sequence[Any] = field(repr=False)

    @property
    def value(self) -> Value:
        """The value that its widget shows; assigning it moves the widget."""
        return self.read()

    @value.setter
    def value(self, value: Value) -> None:
        self.write(value)

    def on_change(self, call: Callable[[], None]) -> None:
        """Call a function without arguments whenever the value of one of the `parts` changes."""
        for part in self.parts:
            part.observe(lambda _: call(), names="value")


def field_of(control: Control) -> Field:
    """Return the widget that fits the kind of a control, at its present value."""
    if control.kind == "several":
        return _switches(control)
    if control.value is None and control.kind != "menu":
        return _optional(control)
    widget = _widget(control, control.value)
    return Field(control, widget, lambda: _plain(widget.value), partial(_write, widget), [widget])


def _write(widget: Any, value: Value) -> None:
    """Set a widget; the upper end of a slider rises to a number beyond it."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value > widget.max:
        widget.max = value
    widget.value = value


def _plain(value: Any) -> Value:
    """Return the value of a widget, as text where it is neither number, truth value nor None."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _widget(control: Control, value: Value) -> Any:
    """Return a slider, checkbox, dropdown or text field for a control with a single value."""
    common = {"description": control.name, "tooltip": _hint(control), "style": WIDE}
    if control.kind == "number":
        return _slider(control, value, common)
    if control.kind == "switch":
        return widgets.Checkbox(value=bool(value), indent=False, **common)
    if control.kind == "menu":
        options: list[tuple[str, Value]] = [(AS_PRINTED, None)] if control.is_optional else []
        options += [(option_text(control, option), option) for option in control.options]
        return widgets.Dropdown(options=options, value=value, layout={"width": WIDTH}, **common)
    return widgets.Text(value=str(value or ""), continuous_update=False, layout={"width": WIDTH}, **common)


def _hint(control: Control) -> str:
    return " ".join(filter(None, [control.description, f"In {control.unit}." if control.unit else ""]))


def option_text(control: Control, option: str) -> str:
    """Return the text of an option in a menu: the name of an entrant, the option as it is typed in any other group."""
    names = dict(zip(control.options, control.meanings, strict=True)) if control.group == "entrants" else {}
    return names.get(option) or option


def _slider(control: Control, value: Value, common: dict[str, Any]) -> Any:
    """Return a slider over a control's reach; its upper end doubles, within the limit, when it is dragged there."""
    low, high = control.reach
    whole = control.step == 1
    now = float(value) if isinstance(value, int | float) else low
    numbers = {"min": low, "max": high, "step": control.step, "value": now}
    kind = widgets.IntSlider if whole else widgets.FloatSlider
    slider = kind(
        **({name: int(number) for name, number in numbers.items()} if whole else numbers),
        layout={"width": WIDTH},
        **common,
    )

    def reach_further(_: object) -> None:
        max_value = 2 * slider.max if control.high is None else min(2 * slider.max, control.high)
        if slider.value == slider.max < max_value:
            slider.max = int(max_value) if whole else max_value

    slider.observe(reach_further, names="value")
    return slider


def _switches(control: Control) -> Field:
    """Return a checkbox for each option of a control of the kind "several"."""
    value_options = control.value if isinstance(control.value, tuple) else ()
    boxes = {
        option: widgets.Checkbox(
            value=option in value_options, description=option.replace("_", " "), indent=False, layout={"width": "auto"}
        )
        for option in control.options
    }

    def read() -> Value:
        options = tuple(option for option, box in boxes.items() if box.value)
        return control.value if control.is_now(options) or (control.value is None and not options) else options

    def write(value: Value) -> None:
        for option, box in boxes.items():
            box.value = isinstance(value, tuple) and option in value

    label = widgets.Label(control.name, tooltip=_hint(control))
    switch_row = widgets.Box([*boxes.values()], layout={"flex_flow": "row wrap", "max_width": WIDTH})
    return Field(control, widgets.VBox([label, switch_row]), read, write, [*boxes.values()])


def _optional(control: Control) -> Field:
    """Return a widget with a checkbox beside it, for a value that may be None: unticked, it is left to the cards."""
    inner = _widget(control, None)
    switch = widgets.Checkbox(value=False, description="set", indent=False, layout={"width": "auto"})

    def read() -> Value:
        return _plain(inner.value) if switch.value else None

    def write(value: Value) -> None:
        if value is not None:
            _write(inner, value)
        switch.value = value is not None

    return Field(control, widgets.HBox([inner, switch]), read, write, [inner, switch])
