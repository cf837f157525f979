"""The pages of the documentation as tests read them: their blocks of code, their commands, their links."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[str]:
    """Return the path of every page below `docs`."""
    return sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def text_of(page: str) -> str:
    """Return a page as it is written."""
    return (DOCS / page).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code of a language.

    >>> blocks("```console\\n$ balance games\\n```\\n", "console")
    ['$ balance games\\n']
    """
    return [code for name, code in FENCE.findall(text) if name == language]


def commands(text: str) -> list[str]:
    """Return the commands that a text shows, in order, without the sign of the prompt.

    >>> commands("```console\\n$ balance games\\nBattleLore\\n```\\n")
    ['balance games']
    """
    return [line[2:] for block in blocks(text, "console") for line in block.splitlines() if line.startswith("$ ")]


def links(text: str) -> list[str]:
    """Return the links of a text that stay within the documentation, pictures included.

    >>> links("See [dice](dice.md#dice), [Sphinx](https://www.sphinx-doc.org) and `[a](b)`.")
    ['dice.md#dice']
    """
    plain = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", plain) if "://" not in link]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a text, as GitHub and MyST make them.

    >>> anchors("# What is `balance rate`?")
    {'what-is-balance-rate'}
    """
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
