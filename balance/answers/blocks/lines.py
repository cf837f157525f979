"""What screens show beside tables, pages as well: paragraphs, titles, lines to copy, lists of facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from balance.answers.blocks.text import literal

Role: TypeAlias = Literal["text", "strong", "aside"]


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of marked text.

    `role` is `strong` for what heads the rest, `aside` for what matters less; `gap` sets off what follows. Of what
    `is_cut` a terminal shows no more than fits into a line.
    """

    text: str
    role: Role = "text"
    gap: bool = False
    is_cut: bool = False


def plain(text: str, role: Role = "text", *, gap: bool = False, is_cut: bool = False) -> Paragraph:
    r"""Return a paragraph that shows a text as it is, whatever it contains.

    >>> plain("2 * 3 rounds").text
    '2 \\* 3 rounds'
    """
    return Paragraph(literal(text), role, gap, is_cut)


@dataclass(frozen=True)
class Title:
    """What stands above everything else, with details after it that matter less; all of it plain."""

    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verbatim:
    """Plain lines that are neither wrapped nor cut, and keep their spaces: commands, armies, columns."""

    lines: tuple[str, ...]
    gap: bool = False


@dataclass(frozen=True)
class Facts:
    """A definition list of (label, value), both plain; a row without a label goes on with the one before it."""

    rows: tuple[tuple[str, str], ...]
    gap: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list of marked sentences; `gap` sets off what follows."""

    items: tuple[str, ...]
    gap: bool = False
