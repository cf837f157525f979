"""What every verb returns: an answer that can be read, tabled, drawn and explained.

>>> import balance
>>> shot = balance.attack("warforged", "nexus+assault_rifle", "trooper")
>>> shot.sentence.split(", ")[1]
'3.6 damage on average'
>>> shot.to_polars("damage").head(1).rows()
[(0, 0.09)]
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from balance.base.answers import as_plain
from balance.base.errors import UsageError, suggestion
from balance.base.parts import demand
from balance.base.text import one_line

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from balance.answers.form import AnswerWords, Terms
    from balance.base.errors import Fault

LONGEST_REPR = 160
"""Letters of the sentence in a short form."""

_PLAIN_PARTS = ("verb", "broken_limits", "limit_prefix", "below", "waits_for_more", "faults", "kept_since")
"""Attributes of a result that are plain values."""

T = TypeVar("T")
Screen = Callable[[bool], "Iterable[RenderableType]"]
"""What a command prints, from top to bottom: its first screen, or with True everything."""


@dataclass(frozen=True, repr=False, eq=False)
class Result(Generic[T]):
    """What a verb returns; it can be pickled, as all that it calls are functions of modules.

    Attributes
    ----------
    verb
        The verb that was called, such as "duel".
    value
        The answer as an object, for those who compute on: the verb's own documentation names its type.
    broken_limits
        Demands of the call that are not met, a sentence each; the command ends with status 1 where there are any.
    limit_prefix
        What the command says before each of these demands.
    cannot_see
        What the answer leaves out, a sentence each.
    below
        Lines that the command prints below the answer, such as the names of files that were written.
    waits_for_more
        Whether the command prints those lines alone unless it is asked for more.
    kept
        What is kept of work that was stopped before its end, a sentence; the command ends with status 3 where it is.
    kept_since
        When the answer was worked out, such as "2026-11-30 17:49", if it is one that was kept; empty for a new one.
    faults
        What is wrong with that which the verb judges; the command ends with status 2 where there is any.
    """

    verb: str
    value: T
    screen: Screen
    document: Callable[[], Mapping[str, Any]]
    frames: Callable[[], Mapping[str, pl.DataFrame]]
    sentence_of: Callable[[], str]
    drawing: Callable[[Result[T], str], Figure] | None = None
    notes_of: Callable[[], tuple[str, ...]] = tuple
    broken_limits: tuple[str, ...] = ()
    limit_prefix: str = ""
    explorer: Callable[[Result[T]], Any] | None = None
    cannot_see: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    waits_for_more: bool = False
    kept: str = ""
    kept_since: str = ""
    faults: tuple[Fault, ...] = ()

    @cached_property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return one_line(self.sentence_of())

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know of an answer that is sound, such as a change that had no effect."""
        return self.notes_of()

    @cached_property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """Every table of the answer as a polars frame, by name; the first is the one that matters most."""
        return dict(self.frames())

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the command prints with --json."""
        return dict(self.document())

    def to_brief(self) -> dict[str, Any]:
        """Return the object that the command prints with --brief: the answer in at most 10,000 bytes."""
        from balance.answers.media.brief import brief_of

        notes = (*self.broken_limits, *self.notes)
        return dict(brief_of(self.document(), self.sentence, self.tables, self.cannot_see, notes))

    def to_polars(self, table: str = "") -> pl.DataFrame:
        """Return a table as a polars frame; without a name the one that matters most.

        Raises
        ------
        UsageError
            There is no such table; `tables` has their names.
        """
        if not table:
            return next(iter(self.tables.values()))
        if table not in self.tables:
            tip = suggestion(table, self.tables)
            raise UsageError(f"{self.verb} has no table {table!r}; it has {', '.join(self.tables)}", tip)
        return self.tables[table]

    def to_pandas(self, table: str = "") -> pd.DataFrame:
        """Return a table as a pandas frame; without a name the one that matters most."""
        demand("a frame of pandas", "pandas")
        import pandas as pd

        frame = self.to_polars(table)
        return pd.DataFrame({name: frame[name].to_list() for name in frame.columns}, columns=frame.columns)

    def plot(self, table: str = "") -> Figure:
        """Draw a table, without a name the one that matters most: numbers with their intervals, or a distribution."""
        demand("a picture", "matplotlib")
        from balance.answers.media.plot import plot_table

        if self.drawing is not None:
            return self.drawing(self, table)
        return plot_table(self.to_polars(table), self.sentence)

    def explain(self) -> Explanation:
        """Return everything that the command tells with --more: distributions, settings, how the numbers were had."""
        return Explanation(self)

    def explore(self) -> Any:
        """Return sliders, switches and menus over all that can be set of a question or of dice, for a notebook.

        The answer follows at once, with the first one beside it, and the code of what is shown is there to be copied.
        What the rules do not allow is told beside them. Where there is no notebook, or no ipywidgets, or an answer
        takes too long to follow a slider, a sentence says so, above the table.

        Raises
        ------
        UsageError
            The verb asks nothing of which something could be set, as `compare` does.
        """
        if self.explorer is None:
            raise UsageError(f"{self.verb} has nothing to explore", "questions about two sides have, and dice")
        return self.explorer(self)

    def __repr__(self) -> str:
        """Return the verb, and the sentence of the answer cut short."""
        return f"<{self.verb}: {textwrap.shorten(self.sentence, LONGEST_REPR, placeholder=' ...')}>"

    def __str__(self) -> str:
        """Return the first screen of the command."""
        from balance.answers.media.notebook import as_text

        return as_text(self.screen(False))

    def _repr_html_(self) -> str:
        """Return the first screen of the command, with its tables as tables."""
        from balance.answers.media.notebook import as_html

        return as_html(self.screen(False))


def as_result(verb: str, value: T, words: AnswerWords[T], terms: Terms, **others: Any) -> Result[T]:
    """Return the result of a verb whose answer is told by `words`; `others` are further attributes of the result."""
    return Result(
        verb,
        value,
        partial(_screen, words, value, terms),
        partial(_document, words, value),
        partial(_frames, words, value),
        partial(words.sentence, value, terms),
        cannot_see=terms.cannot_see,
        **others,
    )


def parts_of_result(result: Result[Any]) -> dict[str, Any] | None:
    """Return the values that `result_of_parts` makes a result from; None where it is not told by `as_result` alone."""
    told = result.screen
    if not isinstance(told, partial) or told.func is not _screen or result.explorer is not None:
        return None
    words, value, terms = told.args
    home = words.sentence.__module__
    name = next((name for name, object in vars(sys.modules[home]).items() if object is words), None)
    plain = {name: getattr(result, name) for name in _PLAIN_PARTS}
    drawing = None if result.drawing is None else f"{result.drawing.__module__}:{result.drawing.__name__}"
    parts = {"value": value, "terms": terms, "words": f"{home}:{name}", "notes": result.notes, "drawing": drawing}
    return None if name is None else parts | {"plain": plain}


def result_of_parts(parts: Mapping[str, Any]) -> Result[Any]:
    """Return a result again from `parts_of_result`; raise TypeError or ValueError for what comes from nobody of us."""
    from balance.answers.form import AnswerWords
    from balance.engine.answers import ours

    words, drawing = ours(parts["words"]), parts["drawing"] and ours(parts["drawing"])
    if not isinstance(words, AnswerWords):
        raise TypeError(f"{parts['words']} are no words of an answer")
    plain, notes_of = dict(parts["plain"]), partial(tuple, parts["notes"])
    return as_result(
        plain.pop("verb"), parts["value"], words, parts["terms"], drawing=drawing, notes_of=notes_of, **plain
    )


def _screen(words: AnswerWords[T], value: T, terms: Terms, more: bool) -> list[RenderableType]:
    from balance.answers.media.answer import screen_of_answer

    return screen_of_answer(words, value, terms, more)


def _document(words: AnswerWords[T], value: T) -> Any:
    return as_plain(value if words.record is None else words.record(value))


def _frames(words: AnswerWords[T], value: T) -> Mapping[str, pl.DataFrame]:
    from balance.answers.media.frames import frames_of_answer

    return frames_of_answer(words, value)


@dataclass(frozen=True, repr=False)
class Explanation:
    """What a command prints with --more: as text in `str()`, as a page in a notebook."""

    result: Result[Any]

    def __str__(self) -> str:
        """Return it as text, 100 columns wide."""
        from balance.answers.media.notebook import as_text

        return as_text(self.result.screen(True))

    def __repr__(self) -> str:
        """Return the answer in short."""
        return repr(self.result)

    def _repr_html_(self) -> str:
        from balance.answers.media.notebook import as_html

        return as_html(self.result.screen(True))
