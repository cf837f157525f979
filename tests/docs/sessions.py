"""The Python sessions of pages, after `>>> `: what they show is made by running them, and never typed."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from doctest import DocTestParser, Example
from typing import Any

from tests.docs.pages import DOCS, blocks, pages, text_of
from tests.docs.screens import README

BLOCK = re.compile(r"(?<=^```pycon\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


def write() -> None:
    """Write the pages with sessions anew, with what they show now."""
    for page in (*pages(), README):
        if blocks(text_of(page), "pycon"):
            (DOCS / page).write_text(remade(text_of(page)), "utf-8")


def remade(text: str) -> str:
    """Return a page with its sessions as they run now, one after the other with the same names."""
    known: dict[str, Any] = {}
    return BLOCK.sub(lambda block: "".join(_run(part, known) for part in DocTestParser().parse(block[1])), text)


def _run(part: str | Example, known: dict[str, Any]) -> str:
    """Return an example with what it shows now; an error, and what is told by `...`, stays as it stands."""
    if isinstance(part, str):
        return part
    first, *more = part.source.splitlines(keepends=True)
    typed = f">>> {first}" + "".join(f"... {line}" for line in more)
    if part.exc_msg is not None or "..." in part.want:
        return typed + part.want
    shown = io.StringIO()
    with redirect_stdout(shown):
        exec(compile(part.source, "<session>", "single"), known)
    return typed + shown.getvalue()
