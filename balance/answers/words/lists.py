"""Names listed in sentences, and who has the highest or the lowest number of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from balance.base.errors import first_of
from balance.base.numbers import show_shares

MOST_NAMES = 8
Row = TypeVar("Row")


@dataclass(frozen=True)
class Extreme(Generic[Row]):
    """All `rows` whose number is the highest, or the lowest, of some: those that read the same, which is `text`.

    Every superlative that names somebody is made of one, so that nobody is called first who shares the place.
    """

    rows: tuple[Row, ...]
    text: str

    def clause(self, name: Callable[[Row], str], verb: str, plural: str) -> str:
        """Return the names with the verb that fits them.

        >>> highest([("elf", 3.0), ("orc", 3.01), ("rat", 1.0)], lambda row: row[1], "{:.1f}".format).clause(
        ...     lambda row: row[0], "loses", "lose"
        ... )
        'elf and orc alike lose'
        """
        names = list_some([name(row) for row in self.rows])
        return f"{names} {verb}" if len(self.rows) == 1 else f"{names} alike {plural}"


def highest(rows: Iterable[Row], number: Callable[[Row], float], show: Callable[[float], str]) -> Extreme[Row]:
    """Return who has the highest number of at least one row, as it is shown."""
    return _extreme(list(rows), number, show, 1)


def lowest(rows: Iterable[Row], number: Callable[[Row], float], show: Callable[[float], str]) -> Extreme[Row]:
    """Return who has the lowest number of at least one row, as it is shown."""
    return _extreme(list(rows), number, show, -1)


def _extreme(rows: list[Row], number: Callable[[Row], float], show: Callable[[float], str], sign: int) -> Extreme[Row]:
    text = show(sign * max(sign * number(row) for row in rows))
    return Extreme(tuple(row for row in rows if show(number(row)) == text), text)


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
