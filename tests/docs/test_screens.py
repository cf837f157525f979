"""The output that the tutorial shows is what its commands print."""

from __future__ import annotations

import pytest

from tests.cli.transcripts import plain_terminal
from tests.docs import screens
from tests.docs.pages import commands, text_of

SLOW = pytest.mark.slow("test_every_command_shows_its_output")
KEPT = [
    pytest.param(command, most, shown, marks=[SLOW] * command.startswith(screens.LASTING), id=f"{page}-{number}")
    for page in screens.PAGES
    for number, (command, most, shown) in enumerate(screens.kept(text_of(page)))
]


@pytest.mark.parametrize(("command", "most", "shown"), KEPT)
def test_a_command_prints_what_is_shown(command: str, most: int, shown: str) -> None:
    with plain_terminal():
        assert screens.replayed(command, most) == shown, "if that is meant: python -m tests.docs"


def test_every_command_shows_its_output() -> None:
    for page in screens.PAGES:
        kept = [*screens.kept(text_of(page))]
        assert [command for command, _, _ in kept] == commands(text_of(page))
        assert all(len(shown.splitlines()) > 2 for _, _, shown in kept)


def test_a_long_screen_is_cut_and_says_so() -> None:
    text = "```console lines=2\n$ balance dice 1d4\nold\n$ balance dice 1d4 --more\n```\n"
    remade = screens.remade(text)
    (first, most, shown), (second, _, _) = screens.kept(remade)
    assert (first, most, second) == ("balance dice 1d4", 2, "balance dice 1d4 --more")
    assert shown.endswith("\n...\n")
    assert "old" not in remade
