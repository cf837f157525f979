"""Text as runs: the one small parser of marked text, and the cleaning every string passes through.

Marked text knows ``**bold**``, `` `code` `` and a backslash before ``*``, a backtick or a backslash. Anything else,
an unclosed mark included, is the characters themselves; so no name can smuggle in markup of HTML or Typst, because the
renderers are handed runs and escape each of them.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["text", "bold", "code"]
Run: TypeAlias = tuple[Style, str]

# Controls, lone surrogates, bidirectional overrides and non-characters: they draw nothing and can reorder a page.
_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17))
    + "]"
)
_SPACE = re.compile("[ \t\r\n\x0b\x0c\x85\u2028\u2029]+")
_ESCAPE = re.compile(r"\\([*`\\])")
_MARK = re.compile(
    r"\\([*`\\])"
    r"|\*\*((?:\\[*`\\]|\\(?![*`\\])|[^*`\\]|\*(?!\*))+)\*\*"
    r"|`((?:\\[*`\\]|\\(?![*`\\])|[^`\\])+)`"
)


def clean(text: str) -> str:
    r"""Return `text` on one line, each character that must not be printed replaced by U+FFFD.

    >>> clean("two  words\n and a bell \x07")
    'two words and a bell �'
    """
    return _UNFIT.sub("\ufffd", _SPACE.sub(" ", text))


def literal(text: str) -> str:
    r"""Return `text` so that marked text shows it character by character.

    >>> literal("**not bold**")
    '\\*\\*not bold\\*\\*'
    """
    return re.sub(r"([*`\\])", r"\\\1", text)


def parse_runs(text: str) -> tuple[Run, ...]:
    """Return marked text as (style, characters) runs, cleaned, never empty ones.

    >>> parse_runs("a **b** and `c`, 2 ** 3")
    (('text', 'a '), ('bold', 'b'), ('text', ' and '), ('code', 'c'), ('text', ', 2 ** 3'))
    """
    runs: list[Run] = []
    start = 0
    source = clean(text)
    for match in _MARK.finditer(source):
        _append(runs, "text", source[start : match.start()])
        escape, bold, code = match.groups()
        if escape is not None:
            _append(runs, "text", escape)
        elif bold is not None:
            _append(runs, "bold", _ESCAPE.sub(r"\1", bold))
        else:
            _append(runs, "code", _ESCAPE.sub(r"\1", code))
        start = match.end()
    _append(runs, "text", source[start:])
    return tuple(runs)


def _append(runs: list[Run], style: Style, characters: str) -> None:
    """Add a run of characters, joined to the last one if that has the same style."""
    if not characters:
        return
    if runs and runs[-1][0] == style:
        characters = runs.pop()[1] + characters
    runs.append((style, characters))


def plain(text: str) -> str:
    """Return marked text without its marks.

    >>> plain("**12** of `rules.toml`")
    '12 of rules.toml'
    """
    return "".join(characters for _, characters in parse_runs(text))


def shorten(text: str, limit: int = 34) -> str:
    """Return a label cleaned and, if it has more than `limit` characters, with its middle left out.

    >>> shorten("Nexus with an Assault Rifle and a Sidearm", 21)
    'Nexus with… a Sidearm'
    """
    line = clean(text)
    if len(line) <= limit:
        return line
    head = (limit - 1) // 2
    return f"{line[:head].rstrip()}…{line[len(line) - (limit - 1 - head) :]}"


def slug(text: str) -> str:
    """Return the end of a link: lower-case letters, digits and hyphens.

    >>> slug("Weapons & armour (0–6)")
    'weapons-armour-0-6'
    >>> slug("!!!")
    'part'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "part"
