"""The first answer and the present one side by side, as HTML."""

from __future__ import annotations

import html

from balance.base.errors import BalanceError
from balance.base.numbers import show_fixed, show_probability, show_probability_change, show_signed
from balance.verbs.call.explore.subject import Number, Outcome

DECIMALS = 3
"""Decimals of a mean."""
RIGHT = "text-align:right;padding:0 .75em"
GREY, BLUE = "#9a9a9a", "#1f6fb2"
ROUNDING = 5e-7
"""Differences below this are the rounding of the machine."""


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
