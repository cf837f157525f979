"""The output that pages show under their commands: made by running the commands, in order, and never typed.

A block of code of the language `console` holds commands, each after `$ `, and under each of them what it prints on a
terminal of 80 columns. `lines=12` after `console` keeps so many lines of each command, with `...` for those left out.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.transcripts import plain_terminal, screen
from tests.docs.pages import DOCS, text_of

README = "../README.md"
"""The front page, whose reader imports cards into the folder."""
PAGES = ("tutorial/five-minutes.md", "tutorial/other-games.md")
"""The pages that show the output of all their commands."""
LASTING = ("balance solve", "balance duel edadh", "balance encounter", "balance replay")
"""How commands begin whose output only the slow tests make anew."""
BLOCK = re.compile(r"^```console( lines=(\d+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def write() -> None:
    """Write the pages anew, with what their commands print now."""
    for page in (*PAGES, README):
        (DOCS / page).write_text(remade(text_of(page), page), "utf-8")


def remade(text: str, page: str = "") -> str:
    """Return a page with the output of its commands as they print it now."""
    with terminal_of(page):
        return BLOCK.sub(_remade_block, text)


@contextmanager
def terminal_of(page: str) -> Iterator[None]:
    """Stand where the reader of a page does: who reads the front page has no folder of cards yet."""
    with plain_terminal():
        if page == README:
            Path("data").unlink()
        yield


def _remade_block(block: re.Match[str]) -> str:
    typed = [line[2:] for line in block[3].splitlines() if line.startswith("$ ")]
    return f"```console{block[1] or ''}\n" + "".join(replayed(command, int(block[2] or 0)) for command in typed) + "```"


def replayed(command: str, most: int) -> str:
    """Return a command with what it prints; no more than `most` lines of it, unless that is 0."""
    printed = [line.removeprefix("2> ") for line in screen(shlex.split(command)[1:]).splitlines()]
    return "".join(f"{line}\n" for line in [f"$ {command}", *_shortened(printed, most)])


def kept(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield each command of a page, how many lines of it are kept at most (0: all), and what stands there."""
    for block in BLOCK.finditer(text):
        for part in re.findall(r"^\$ .*\n(?:(?!\$ ).*\n)*", block[3], re.MULTILINE):
            yield part.splitlines()[0][2:], int(block[2] or 0), part


def _shortened(lines: list[str], most: int) -> Iterator[str]:
    cut = most and len(lines) > most
    yield from "\n".join(lines[:most] if cut else lines).rstrip().splitlines()
    if cut:
        yield "..."
