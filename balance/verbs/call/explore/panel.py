"""All controls of a subject with the answer that follows them. Wants `ipywidgets`."""

from __future__ import annotations

import html
import textwrap
import time
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any

from balance.base.errors import BalanceError
from balance.base.numbers import show_fixed, show_probability, show_probability_change, show_signed
from balance.game.question.controls import Control, Value
from balance.verbs.call.explore.fields import Field, field_of, option_text, widgets
from balance.verbs.call.explore.subject import Number, Outcome, Subject, carry_over, decides

ABOVE = ("entrants", "first")
"""Groups that stand above all others."""
MORE = "More to set"
CODE = "The code of what is shown:"
CODE_HEIGHT = "7em"
PATIENCE_SECONDS = 0.5
PATIENCE_TEXT = "Working it out; the last answer took {seconds:.0f} s."
AT_REST = "The sliders are there while the notebook runs."
LONGEST_REPR = 160
"""Letters of the sentence in a short form."""
DECIMALS = 3
"""Decimals of a mean."""
RIGHT = "text-align:right;padding:0 .75em"
GREY, BLUE = "#9a9a9a", "#1f6fb2"
ROUNDING = 5e-7
"""Differences below this are the rounding of the machine."""


class Panel:
    """Sliders, switches and menus, with the answer at once, the first one beside it, and the code of what is shown.

    `fields`: path of a control -> its widget. `answer` and `code`: the widgets that show the answer and its code.
    `box`: the outermost widget, which a notebook shows. `outcome`: the answer to the present values; None where the
    rules do not allow these.
    """

    def __init__(self, subject: Subject) -> None:
        """Build all widgets and show the answer to the subject as it is."""
        self._first_subject = self._subject = subject
        self._first: Outcome = subject.outcome({})
        self.outcome: Outcome | None = self._first
        self._seconds = 0.0
        self.fields: dict[str, Field] = {}
        self.answer = widgets.HTML()
        self.code = widgets.Textarea(layout={"width": "98%", "height": CODE_HEIGHT})
        self._controls = widgets.VBox()
        again = widgets.Button(description="Start again", tooltip="Set everything as it was at first.")
        again.on_click(lambda _: self._begin(self._first_subject, {}))
        self.box = widgets.VBox([self.answer, self._controls, widgets.Label(CODE), self.code, again])
        self._begin(subject, {})

    @property
    def values(self) -> dict[Control, Value]:
        """The controls whose value differs from the one in the question, with their present value."""
        values = {field.control: field.value for field in self.fields.values()}
        return {control: value for control, value in values.items() if not control.is_now(value)}

    def __repr__(self) -> str:
        """Return the sentence of the answer, cut to 160 characters."""
        sentence = self.outcome.sentence if self.outcome is not None else "not allowed by the rules"
        return f"<explored: {textwrap.shorten(sentence, LONGEST_REPR, placeholder=' ...')}>"

    def _repr_mimebundle_(self, **formats: Any) -> dict[str, Any]:
        """Return the widgets for a live notebook, and the answer alone as HTML for one that is only read."""
        bundle = self.box._repr_mimebundle_(**formats)
        return {**bundle, "text/plain": repr(self), "text/html": f"{self.answer.value}<p>{AT_REST}</p>"}

    def _begin(self, subject: Subject, values: Mapping[Control, Value]) -> None:
        """Build widgets for all controls of a subject, set some of them, and show the answer."""
        self._subject = subject
        self.fields = {control.path: field_of(control) for control in subject.controls}
        for control, value in values.items():
            self.fields[control.path].value = value
        for field in self.fields.values():
            field.on_change(partial(self._follow, field.control))
        self._arrange({control.path for control in subject.controls if control.matters})
        self._show()

    def _follow(self, control: Control) -> None:
        """Answer anew after a control was set; another entrant or expression brings other controls too."""
        if decides(control):
            self._restart()
            return
        self._show()
        if control.kind != "number" and self.outcome is not None:
            self._arrange(self._subject.paths_that_matter(self.values))

    def _restart(self) -> None:
        values = self.values
        try:
            subject = self._subject.restart(values)
        except BalanceError as error:
            self._refuse(error)
        else:
            self._begin(subject, carry_over(values, subject))

    def _show(self) -> None:
        """Show the answer to the present values; if the last one took over half a second, first a note that says so."""
        if self._seconds > PATIENCE_SECONDS:
            self.answer.value = f"<p>{html.escape(PATIENCE_TEXT.format(seconds=self._seconds))}</p>"
        start = time.perf_counter()
        try:
            self.outcome = self._subject.outcome(self.values)
        except BalanceError as error:
            self._refuse(error)
        else:
            self.answer.value = answer_html(self._first, self.outcome)
            self.code.value = self.outcome.code
        self._seconds = time.perf_counter() - start

    def _refuse(self, error: BalanceError) -> None:
        self.outcome = None
        self.answer.value = error_html(error)
        self.code.value = ""

    def _arrange(self, matters: Collection[str]) -> None:
        """Show the controls of these paths side by side, and all others folded away."""
        above = [field.widget for field in self.fields.values() if field.control.group in ABOVE]
        below = [field for field in self.fields.values() if field.control.group not in ABOVE]
        rest = [field for field in below if field.control.path not in matters]
        columns = self._columns(field for field in below if field.control.path in matters)
        fold = [widgets.Accordion([_rows(self._columns(rest))], titles=(f"{MORE} ({len(rest)})",))] if rest else []
        self._controls.children = [_rows(above), _rows(columns), *fold]

    def _columns(self, fields: Iterable[Field]) -> list[Any]:
        """Return a column of widgets for each side, and one for each other group, with its name on top."""
        members: dict[str, list[Any]] = {}
        for field in fields:
            members.setdefault(field.control.side or self._subject.heads[field.control.group], []).append(field.widget)
        return [widgets.VBox([self._head(name), *column]) for name, column in members.items()]

    def _head(self, name: str) -> Any:
        """Return the heading of a column: its name, and for a side the name of its entrant too."""
        side = self.fields.get(name)
        text = name if side is None else f"{name}: {option_text(side.control, str(side.value))}"
        return widgets.HTML(f"<b>{html.escape(text)}</b>")


def _rows(members: list[Any]) -> Any:
    return widgets.Box(members, layout={"flex_flow": "row wrap", "column_gap": "1em"})


def answer_html(first: Outcome, now: Outcome) -> str:
    """Return the present sentence, the first one, and a table of both their numbers with bars, as escaped HTML."""
    sentences = f"<p><b>{html.escape(now.sentence)}</b></p>"
    if now.sentence != first.sentence:
        sentences += f"<p>Before: {html.escape(first.sentence)}</p>"
    before = {number.name: number for number in first.numbers}
    rows = [_row(number, before.get(number.name)) for number in now.numbers]
    heads = "".join(f'<th scope="col" style="{RIGHT}">{name}</th>' for name in ("before", "now", "change"))
    return f"{sentences}<table><thead><tr><td></td>{heads}<td></td></tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(now: Number, before: Number | None) -> str:
    cells = [_number_text(before) if before is not None else "", _number_text(now), _change(before, now)]
    texts = "".join(f'<td style="{RIGHT}">{text}</td>' for text in cells)
    bars = _bars(before, now) if now.is_chance else ""
    return f'<tr><th scope="row" style="text-align:left">{html.escape(now.label)}</th>{texts}<td>{bars}</td></tr>'


def _bars(before: Number | None, now: Number) -> str:
    """Return a chance as it was and as it is as two bars, for the eye alone: the numbers stand beside them."""
    shares = [(before.value, GREY)] if before is not None else []
    bars = (
        f'<div style="height:.4em;width:{100 * share:.1f}%;background:{colour}"></div>'
        for share, colour in [*shares, (now.value, BLUE)]
    )
    return f'<div aria-hidden="true" style="width:12em">{"".join(bars)}</div>'


def _number_text(number: Number) -> str:
    return show_probability(number.value, 2) if number.is_chance else show_fixed(number.value, DECIMALS)


def _change(before: Number | None, now: Number) -> str:
    difference = now.value - before.value if before is not None else 0.0
    if abs(difference) < ROUNDING:
        return ""
    return show_probability_change(difference, 2) if now.is_chance else show_signed(difference)


def error_html(error: BalanceError) -> str:
    """Return what is wrong with the values as HTML: each fault on a line of its own."""
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in str(error).splitlines())
    return f'<div role="alert" style="border-left:4px solid #b3261e;padding:.1em 1em">{lines}</div>'
