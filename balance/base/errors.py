"""The errors a user can meet, each with what was found, what is allowed, where, and a tip.

Every error the toolkit raises on purpose is a `BalanceError`, so that the command line can print one clear line for it
and keep tracebacks for our own bugs.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

LONGEST_SHOWN = 200
"""Characters of what was found that an error repeats."""
MOST_LISTED = 100
"""Names that an error lists as allowed."""
MOST_COMPARED = 2000
"""Names that are looked at for the nearest one."""
_ARGUMENT = re.compile(r"§([a-z_]+)(=?)")


def in_python(text: str) -> str:
    """Return a text in which each argument of a verb, marked as in `Fault`, is a keyword.

    >>> in_python("leave out §no_first, or say §first_goes=one")
    'leave out no_first=, or say first_goes=one'
    """
    return _ARGUMENT.sub(r"\1=", text)


def as_typed(text: object) -> str:
    """Return a text, a fault, or the faults of an error, in which each argument that is marked is an option.

    >>> as_typed("leave out §no_first, or say §first_goes=one")
    'leave out --no-first, or say --first-goes one'
    """
    if isinstance(text, BalanceError):
        return "\n".join(map(as_typed, text.faults))
    return text.line(as_typed, as_typed) if isinstance(text, Fault) else _ARGUMENT.sub(_option, str(text))


def _option(match: re.Match[str]) -> str:
    return f"--{match[1].replace('_', '-')}{match[2] and ' '}"


def nearest(text: str, names: Iterable[str]) -> str | None:
    """Return the allowed name most like `text`, or None when none is close.

    >>> nearest("asault_rifle", ["shotgun", "assault_rifle"])
    'assault_rifle'
    >>> nearest("xyz", ["shotgun"]) is None
    True
    """
    if len(text) > LONGEST_SHOWN:
        return None
    names_by_fold = {name.casefold(): name for name in islice(names, MOST_COMPARED)}
    close = difflib.get_close_matches(text.casefold(), names_by_fold, n=1, cutoff=0.55)
    return names_by_fold[close[0]] if close else None


def suggestion(text: str, names: Iterable[str], otherwise: str = "", name: Callable[[str], str] = str) -> str:
    """Return the tip that names the allowed name most like `text`, or `otherwise` when none is close.

    `name` turns an allowed name into what it is called in the tip.

    >>> suggestion("asault_rifle", ["shotgun", "assault_rifle"]), suggestion("xyz", ["shotgun"], "or make one")
    ('did you mean assault_rifle?', 'or make one')
    """
    close = nearest(text, names)
    return did_you_mean(name(close)) if close else otherwise


def did_you_mean(text: str) -> str:
    """Return a tip that asks whether `text` was meant.

    >>> did_you_mean("45:55")
    'did you mean 45:55?'
    """
    return f"did you mean {text}?"


def comma_list(names: Iterable[str]) -> str:
    """Return names joined by commas, as a sentence lists them; after the first hundred only how many more there are.

    >>> comma_list(["a", "b"]), comma_list(map(str, range(102)))[-13:]
    ('a, b', '99 and 2 more')
    """
    name_list = list(names)
    more = f" and {len(name_list) - MOST_LISTED:,} more" if len(name_list) > MOST_LISTED else ""
    return ", ".join(name_list[:MOST_LISTED]) + more


def first_of(names: Sequence[str], max_names: int) -> list[str]:
    """Return the first `max_names` names, followed by "N more" where there are others.

    >>> first_of(["a", "b"], 2), first_of(["a", "b", "c"], 2)
    (['a', 'b'], ['a', 'b', '1 more'])
    """
    more = [f"{len(names) - max_names} more"] if len(names) > max_names else []
    return [*names[:max_names], *more]


@dataclass(frozen=True)
class Fault:
    """One thing wrong with one input: where it is, what was found and what is allowed.

    Empty strings and None mean "does not apply". An argument of a verb is written with a mark, as "§trials" or
    "§trials=100": the command shows an option, and Python a keyword.

    Attributes
    ----------
    message
        What is wrong, said of what was found.
    path
        The file, or the argument, at fault.
    row
        The line in that file, counted from 1; the header is line 1.
    field
        The column or key.
    found, allowed
        What stands there, and what might.
    tip
        What to do about it.

    Examples
    --------
    >>> print(Fault("is not a unit", path="units.csv", row=3, field="id", found="nexsus", tip="did you mean nexus?"))
    units.csv, row 3, id: 'nexsus' is not a unit; did you mean nexus?
    >>> fault = Fault("is no budget", "§budget", found="5", tip="or leave out §limit")
    >>> print(fault, as_typed(fault), sep=" | ")
    budget: '5' is no budget; or leave out limit= | --budget: '5' is no budget; or leave out --limit
    """

    message: str
    path: str = ""
    row: int | None = None
    field: str = ""
    found: str | None = None
    allowed: str = ""
    tip: str = ""

    def __str__(self) -> str:
        """Return the fault as one line: place, what was found, message, what is allowed, and the tip."""
        return self.line(lambda place: place.replace("§", ""), in_python)

    def line(self, of_place: Callable[[str], str] = str, of_text: Callable[[str], str] = str) -> str:
        """Return the fault as one line, its arguments shown by these functions; without them as they are marked."""
        place = of_place(", ".join(filter(None, [self.path, f"row {self.row}" if self.row else "", self.field])))
        subject = " ".join([*([_shorten(self.found)] if self.found is not None else []), of_text(self.message)])
        tail = of_text("; ".join(filter(None, [f"allowed: {self.allowed}" if self.allowed else "", self.tip])))
        return "".join([f"{place}: " if place else "", subject, f"; {tail}" if tail else ""])


def _shorten(text: str) -> str:
    if len(text) <= LONGEST_SHOWN:
        return repr(text)
    return f"{text[:LONGEST_SHOWN]!r}... ({len(text):,} characters)"


def unknown(
    text: str,
    names: Iterable[str],
    message: str = "is unknown",
    path: str = "",
    row: int | None = None,
    field: str = "",
) -> Fault:
    """Return the fault of a name that is none of those allowed: it lists them, and suggests the nearest.

    >>> print(unknown("nexsus", ["nexus", "trooper"], "is not a unit"))
    'nexsus' is not a unit; allowed: nexus, trooper; did you mean nexus?
    """
    known_names = list(names)
    return Fault(message, path, row, field, text, comma_list(known_names), suggestion(text, known_names))


class Interruption(Exception):  # noqa: N818 - nothing is wrong
    """Work that stopped on request, as by Ctrl-C, after finishing what was under way; its text says what is kept.

    It is no `BalanceError`, so that nothing which handles wrong input catches it.
    """


class BalanceError(Exception):
    """Base of the errors we raise on purpose; `faults` holds one entry per thing wrong.

    Parameters
    ----------
    message
        A sentence, or the faults themselves.
    tip
        What to do about it.
    """

    def __init__(self, message: str | Fault | Sequence[Fault], tip: str = "") -> None:
        if isinstance(message, Fault):
            message = [message]
        self.faults: tuple[Fault, ...] = (Fault(message, tip=tip),) if isinstance(message, str) else tuple(message)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[BalanceError], tuple[tuple[Fault, ...]]]:
        """Pickle by faults, so that an error crosses process borders whole."""
        return type(self), (self.faults,)


@contextmanager
def gathering(faults: list[Fault]) -> Iterator[None]:
    """Add to `faults` those of a `BalanceError` in the block, so that several blocks can be reported at once.

    >>> faults = []
    >>> for text in ("first", "second"):
    ...     with gathering(faults):
    ...         raise UsageError(text)
    >>> [fault.message for fault in faults]
    ['first', 'second']
    """
    try:
        yield
    except BalanceError as error:
        faults += error.faults


class CatalogueError(BalanceError):
    """A catalogue file, or an entry named in a command, is wrong."""


class RulesError(BalanceError):
    """The rules do not allow what was asked, or a rule option has no such reading."""


class GameError(BalanceError):
    """The code of a game from outside the package fails; the message names the file and line."""


class DistributionError(RulesError):
    """An exact distribution is not available: it would be too large, or this kind of question has none."""


class StudyError(BalanceError):
    """A study file is wrong."""


class UsageError(BalanceError):
    """A command or a call was given arguments that make no sense."""


class RollsError(BalanceError):
    """Fixed rolls ran out, do not fit the die, or too many combinations were asked for."""


class OutputError(BalanceError):
    """A result could not be written; nothing half-written is left behind."""


class SourceWarning(UserWarning):
    """Something about where values come from that changes no answer."""


class WorkerError(BalanceError):
    """Workers cannot do the work: they died, the cluster was lost, or they run another version of the program."""


class DifferingWorkerError(WorkerError):
    """A worker gave another result than this machine, so that none of what it gave can be trusted."""
