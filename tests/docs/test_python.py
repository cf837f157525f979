"""The Python of the documentation runs, and prints what is shown."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.docs import sessions
from tests.docs.pages import blocks, pages, text_of

ELSEWHERE = {
    "how-to/people.md": "tests/playtests/test_people_answer.py",
    "how-to/playtests.md": "tests/cli/test_rating.py",
    "how-to/robustness.md": "tests/cli/test_tornado.py",
    "how-to/scores.md": "tests/analysis/test_scores.py",
    "tutorial/adding-a-game.md": "tests/test_adding_a_game.py",
}
"""Pages whose Python another test runs, as it knows what must come out."""
CLUSTERS = ("how-to/scaling.md",)
"""Pages whose Python needs a cluster: it is only compiled."""


@pytest.mark.parametrize("page", [page for page in pages() if blocks(text_of(page), "python")])
def test_python_runs(page: str) -> None:
    known: dict[str, object] = {}
    for block in blocks(text_of(page), "python"):
        code = compile(block, page, "exec")
        if page not in {*ELSEWHERE, *CLUSTERS}:
            exec(code, known)


@pytest.mark.parametrize("page", [page for page in pages() if blocks(text_of(page), "pycon")])
def test_sessions_print_what_is_shown(page: str) -> None:
    session = "\n".join(blocks(text_of(page), "pycon"))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags)
    printed: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(session, {}, page, page, 0), out=printed.append)
    assert printed == [], "".join(printed)


def test_a_session_that_shows_something_else_is_seen() -> None:
    runner, printed = doctest.DocTestRunner(), list[str]()
    runner.run(doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "x", "x", 0), out=printed.append)
    assert re.search(r"Expected:\s+3\nGot:\s+2", "".join(printed))


def test_a_session_is_run_anew() -> None:
    text = "```pycon\n>>> half = 0.5\n>>> 3 * half\n0\n```\nThen\n"
    text += "```pycon\n>>> for n in (1, 2):\n...     print(half)\n```\n"
    assert sessions.remade(text) == text.replace("half\n0\n", "half\n1.5\n").replace("(half)\n", "(half)\n0.5\n0.5\n")
    kept = "```pycon\n>>> 1 / 0\nTraceback (most recent call last):\n    ...\nZeroDivisionError: ...\n```\n"
    assert sessions.remade(kept) == kept
