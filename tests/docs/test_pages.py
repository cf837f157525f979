"""The documentation hangs together: every page is listed, every link leads somewhere, no folder is crowded."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from tests.docs import command_pages
from tests.docs.pages import DOCS, ROOT, anchors, blocks, commands, links, pages, text_of

MOST_ENTRIES = 12
MADE = {"commands": command_pages.commands_page, "kinds": command_pages.kinds_table}
INSIDE = "tests", "balance", "data", "notebooks", "reports", "requirements"
DEEP = {"tutorial/adding-a-game.md": {"balance.game", "balance.games"}}
"""Pages that import more than `balance` itself: who writes a game needs what games are made of."""


def listed(page: str) -> set[str]:
    """Return the pages that a page and those listed by it list."""
    here = PurePosixPath(page).parent
    names = [
        name
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```$", text_of(page), re.S | re.M)
        for name in tree.split()
        if not name.startswith(":")
    ]
    found = {(here / f"{name}.md").as_posix() for name in names}
    return found.union(*map(listed, found)) if found else found


def whole(page: str | Path) -> str:
    """Return a page with what is made from the code in its place."""
    text = text_of(str(page))
    for name, made in MADE.items():
        text = text.replace(f"<!-- made: {name} -->", made()) if f"made: {name} " in text else text
    return text


def test_every_page_is_listed() -> None:
    assert {"index.md", *listed("index.md")} == set(pages())


def test_no_folder_is_crowded() -> None:
    folders = [DOCS, *(path for path in DOCS.rglob("*") if path.is_dir() and path.name != "__pycache__")]
    crowded = {folder.name: len([*folder.iterdir()]) for folder in folders}
    assert {name: number for name, number in crowded.items() if number > MOST_ENTRIES} == {}


@pytest.mark.parametrize("page", pages())
def test_links_lead_to_a_file_and_a_heading(page: str) -> None:
    missing = []
    for link in links(text_of(page)):
        path, _, anchor = link.partition("#")
        target = (DOCS / page).parent / path if path else DOCS / page
        if not target.is_file() or (anchor and anchor not in anchors(whole(target.resolve().relative_to(DOCS)))):
            missing.append(link)
    assert missing == []


@pytest.mark.parametrize("page", pages())
def test_paths_that_are_named_are_there(page: str) -> None:
    """A path of the checkout in backticks is one of a file or a folder."""
    named = re.findall(rf"`((?:{'|'.join(INSIDE)})/[a-z0-9_./*-]+)`", text_of(page))
    assert [path for path in named if not [*ROOT.glob(path.rstrip("/"))]] == []


@pytest.mark.parametrize("page", pages())
def test_commands_stand_in_console_blocks_alone(page: str) -> None:
    """So that the tests that run them find all of them."""
    text = text_of(page)
    assert commands(text) == re.findall(r"^ *\$ (.*)$", text, re.MULTILINE)
    assert [line for block in blocks(text, "") for line in block.splitlines() if line.startswith("balance ")] == []


@pytest.mark.parametrize("page", pages())
def test_python_imports_nothing_deeper_than_the_front_door(page: str) -> None:
    code = "\n".join(blocks(text_of(page), "python"))
    imported = set(re.findall(r"^(?:from|import) (balance[\w.]*)", code, re.MULTILINE)) - {"balance"}
    assert imported == DEEP.get(page, set())


def test_links_and_anchors_that_lead_nowhere_are_seen() -> None:
    assert links("[a](gone.md#x) and ![b](b.png)") == ["gone.md#x", "b.png"]
    assert anchors("## One, *two* & `three`\n") == {"one-two--three"}


def test_contributing_leads_somewhere_and_is_short() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [link for link in links(text) if not (ROOT / link.partition("#")[0]).is_file()] == []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", text.partition("## House rules")[0])) - targets <= {"test-all"}
    assert [path for path in re.findall(r"tests/[\w/]+\.py", text) if not (ROOT / path).is_file()] == []
    modules = re.findall(r"python -m (tests[\w.]*)", text)
    assert [name for name in modules if not [*ROOT.glob(f"{name.replace('.', '/')}*")]] == []
    assert len(text.splitlines()) <= 100
