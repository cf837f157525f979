"""Names listed in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from balance.base.errors import first_of
from balance.base.numbers import show_shares

MOST_NAMES = 8


def list_words(words: Sequence[str]) -> str:
    """Return words joined by commas and "and".

    >>> list_words(["a", "b", "c"]), list_words(["a"])
    ('a, b and c', 'a')
    """
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def witness_words(names: Sequence[str], shares: Sequence[float] | None) -> str:
    """Return who dominates somebody: any one of several, or with `shares`, adding up to 1, a mixture of all.

    >>> witness_words(["elf", "orc"], None), witness_words(["elf", "orc"], [1 / 3, 2 / 3])
    ('elf or orc', 'a third elf and two thirds orc')
    """
    if shares is None:
        return " or ".join(names)
    return list_words([f"{share} {name}" for share, name in zip(show_shares(shares), names, strict=True)])


def list_some(words: Sequence[str]) -> str:
    """Return words joined by commas and "and", of very many the first and how many more.

    >>> list_some(["a", "b"]), list_some([str(n) for n in range(10)])
    ('a and b', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    return list_words(first_of(words, MOST_NAMES))
