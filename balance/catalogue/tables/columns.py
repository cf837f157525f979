"""Rows of text, and what a column of them may hold: what readers of tables share, whatever becomes of the values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from balance.base.errors import Fault
from balance.base.text import slug

Kind = Literal["integer", "number", "flag", "text", "id", "choice"]


Locate = Callable[[str], Fault]
"""Gives an empty fault that knows the file and the row of a dotted key."""


@dataclass(frozen=True)
class RawTable:
    """Rows of text with their line numbers; the first is the header. `comma`: a comma may be the decimal mark."""

    path: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    comma: bool = False


@dataclass(frozen=True)
class Better:
    """Which values of a field make a card better, all else equal; of a field without it nothing is known.

    `way`: "more" or "less" of a number or a flag; "ignored" for what makes no card better or worse, such as a note.
    `words`: of a list, the words that are better to have; every other word may be a drawback. `order`: of a choice, all
    choices from the worst to the best.

    >>> Better("less"), Better(words=("jump",)).words
    (Better(way='less', words=(), order=()), ('jump',))
    """

    way: Literal["more", "less", "ignored", ""] = ""
    words: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """One field of a record as a spreadsheet sees it; `low` and `high` are inclusive."""

    name: str
    header: str
    kind: Kind
    aliases: tuple[str, ...] = ()
    is_list: bool = False
    nullable: bool = False
    is_required: bool = True
    low: float | None = None
    high: float | None = None
    max_length: int | None = None
    choices: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    marks: tuple[tuple[str, int | None], ...] = ()
    unit: str = ""
    description: str = ""
    better: Better = Better()

    @property
    def allowed(self) -> str:
        """What the column may hold, in words: choices, range or length."""
        text = self._allowed_one()
        return f"a list, each {text}" if self.is_list and self.kind != "choice" else text

    def _allowed_one(self) -> str:
        match self.kind:
            case "integer":
                return " or ".join([f"a whole number{self._range()}", *(mark for mark, _ in self.marks)])
            case "number":
                return f"a number{self._range()}"
            case "flag":
                return "true or false"
            case "choice":
                return f"{'any of ' if self.is_list else ''}{', '.join(self.choices)}"
            case _:
                return f"a text of 1 to {self.max_length} characters" if self.max_length else "a text"

    def _range(self) -> str:
        if self.low is None or self.high is None:
            low = f" of at least {self.low:g}" if self.low is not None else ""
            return low or (f" of at most {self.high:g}" if self.high is not None else "")
        return f" from {self.low:g} to {self.high:g}"

    def spellings(self) -> set[str]:
        """Return the slugs of every header that means this column."""
        return {slug(word) for word in (self.name, self.header, *self.aliases)}
