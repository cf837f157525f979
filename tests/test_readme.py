"""The README is true, and one page: its commands and its Python print what it shows, its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import screens
from tests.docs.pages import blocks, commands, text_of
from tests.docs.sessions import remade

ROOT = Path(__file__).parents[1]
README = text_of(screens.README)
LONGEST = 7000
LASTING = ("balance price",)
"""How commands begin that take minutes; the slow tests run them."""
KEPT = [*screens.kept(README)]


def test_it_is_one_page_with_five_doors_and_an_output_under_every_command() -> None:
    assert len(README.encode()) <= LONGEST
    assert [command for command, _, _ in KEPT] == commands(README)
    assert len(KEPT) == 1 + 3 + 2 + 3 + 3 + 1
    assert all(len(shown.splitlines()) > 1 for _, _, shown in KEPT)


def test_the_quick_commands_print_what_is_shown() -> None:
    with screens.terminal_of(screens.README):
        for command, most, shown in KEPT:
            if not command.startswith(LASTING):
                assert screens.replayed(command, most) == shown, "if that is meant: python -m tests.docs"


@pytest.mark.slow("test_the_quick_commands_print_what_is_shown")
def test_all_commands_print_what_is_shown() -> None:
    assert screens.remade(README, screens.README) == README


def test_the_python_prints_what_is_shown_and_imports_nothing_deep() -> None:
    (session,) = blocks(README, "pycon")
    assert remade(README) == README
    assert re.findall(r"^>>> (?:import|from) (.*)$", session, re.M) == ["balance"]
    assert len(re.findall(r"^>>> ", session, re.M)) <= 6


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 8
    for link in links:
        assert (ROOT / link).exists(), link


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:`|^    )make ([a-z-]+)", README, re.M))
    assert {"report", "test"} <= named <= targets
