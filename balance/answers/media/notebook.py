"""What a command prints, as plain text and as HTML: outside of a terminal, such as in a notebook."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from balance.answers.media.terminal import Rows, Shortened, Whole
from balance.base.text import one_line

WIDTH = 100
"""Columns of a text that no terminal wraps."""
FOLD = (
    "<style>@media (max-width:42rem){.balance-rows,.balance-rows tbody{display:block}.balance-rows thead{display:none}"
    ".balance-rows tr{display:block;padding:.4rem 0}.balance-rows td{display:inline-block;padding:0 1rem 0 0;"
    "text-align:left!important;white-space:normal}.balance-rows td:first-child{display:block;font-weight:600}"
    ".balance-rows td:empty{display:none}.balance-rows td[data-head]::before{content:attr(data-head) ': ';opacity:.7}}"
    "</style>"
)
"""On a phone a row is a card: its name, then each value behind its head."""


def as_text(parts: Iterable[RenderableType], width: int = WIDTH) -> str:
    """Return parts of a screen as text `width` columns wide, without blanks at the ends of lines."""
    out = Console(
        file=io.StringIO(),
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
        color_system=None,
        force_jupyter=False,  # or it would show what it catches in a notebook as well
    )
    with out.capture() as capture:
        for part in parts:
            out.print(part, soft_wrap=isinstance(part, Whole))
    return "\n".join(row.rstrip() for row in capture.get().split("\n")).strip("\n")


def as_html(parts: Iterable[RenderableType]) -> str:
    """Return parts of a screen as HTML: tables as tables, sentences as paragraphs.

    What a command shows with --more is shown by `explain()` where there is no command.

    >>> as_html([Text("5 < 6"), Text("--more shows everything.")])
    '<p>5 &lt; 6</p><p>explain() shows everything.</p>'
    """
    return "".join(_html(part) for part in parts)


def _html(part: RenderableType) -> str:
    if isinstance(part, Padding):
        return _html(part.renderable)
    if isinstance(part, Rows):
        return _table(part)
    if isinstance(part, Whole):
        return f"<pre>{html.escape(part.plain)}</pre>"
    plain = part.text if isinstance(part, Shortened) else part.plain if isinstance(part, Text) else None
    text = as_text([part]) if plain is None else one_line(plain).replace("--more", "explain()")
    return f"<p>{html.escape(text)}</p>" if text.strip() else ""


def _table(rows: Rows) -> str:
    sides = ["right" if header in rows.right else "left" for header in rows.headers]

    def cell(tag: str, side: str, text: object, more: str = "") -> str:
        return f'<{tag} style="text-align:{side}"{more}>{html.escape(one_line(text))}</{tag}>'

    heads = "".join(cell("th", *pair) for pair in zip(sides, rows.headers, strict=True))
    titles = ["", *map(one_line, rows.headers[1:])]
    named = [f' data-head="{html.escape(title)}"' if title else "" for title in titles]
    lines = ("".join(cell("td", *parts) for parts in zip(sides, row, named, strict=True)) for row in rows.rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    caption = f"<p>{html.escape(rows.caption)}</p>" if rows.caption else ""
    return f'{caption}{FOLD}<table class="balance-rows"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'
