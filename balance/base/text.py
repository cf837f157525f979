"""Texts as ids, on one line, and short."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_BETWEEN = re.compile(r"[\W_]+")


@lru_cache(maxsize=16_384)
def slug(text: str) -> str:
    """Return `text` as an id: lower case, without accents, words joined by underscores.

    >>> slug(" Assault-Rifle "), slug("Velocità")
    ('assault_rifle', 'velocita')
    """
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return _BETWEEN.sub("_", plain).strip("_")


def one_line(text: object) -> str:
    r"""Return a text as one line: runs of white space become a space, unprintable characters U+FFFD.

    >>> one_line("two\nlines")
    'two lines'
    """
    line = " ".join(str(text).split())
    return "".join(c if c.isprintable() else "\ufffd" for c in line)


def shorten(text: str, max_characters: int = 40) -> str:
    """Return a text cut to `max_characters`, an ellipsis of three dots included.

    >>> shorten("spearmen+2x1", 8), shorten("spearmen")
    ('spear...', 'spearmen')
    """
    return text if len(text) <= max_characters else f"{text[: max_characters - 3]}..."
