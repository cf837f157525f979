"""Settings of a question beside its two entrants, as people write them: overrides, and options of decisions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from balance.base.errors import BalanceError, Fault, UsageError, did_you_mean, unknown
from balance.catalogue.overrides import Overrides, parse_assignments
from balance.game.game import Lane, QuestionKind

Changes = Mapping[str, object] | Sequence[str] | None
MOST_IDS: Final = 10_000
"""Ids with which a name is compared, as many as there may be."""
_PARTS = re.compile(r"\w+")


@dataclass(frozen=True)
class Budget:
    """How much to simulate: a number of trials, or until a half-width is reached; neither means no simulation."""

    trials: int | None = None
    half_width: float | None = None
    seed: int = 0
    lane: Lane = "literal"
    n_threads: int = 1

    @property
    def is_asked(self) -> bool:
        """Whether there is to be a simulation."""
        return self.trials is not None or self.half_width is not None


def choose(kind: QuestionKind, values: Mapping[str, str]) -> dict[str, str]:
    """Return the option of every decision of a kind of question: that in `values`, or the default where none was given.

    Raise UsageError with one fault per decision or option that does not exist, with the nearest and what is allowed.
    """
    if faults := [fault for name, value in values.items() if (fault := _fault(kind, name, value))]:
        raise UsageError(faults)
    return {name: values.get(name, options[0]) for name, options in kind.choices.items()}


def _fault(kind: QuestionKind, name: str, value: str) -> Fault | None:
    options = kind.choices.get(name)
    if options is not None and value in options:
        return None
    if options is not None:
        return unknown(value, options, f"is not a choice of {name}")
    fault = unknown(name, kind.choices, f"is not something to choose in {kind.name}")
    return fault if kind.choices else replace(fault, allowed="nothing")


def assignments(changes: Changes) -> list[str]:
    """Return overrides as "path=value" texts; None becomes an empty value.

    >>> assignments({"a.effects": ("laser", "emp"), "b.bold": True})
    ['a.effects=laser,emp', 'b.bold=true']
    """
    return [change if isinstance(change, str) else "=".join(change) for change in _pairs(changes)]


def overrides_of(changes: Changes | Overrides, roots: Sequence[str]) -> Overrides:
    """Return overrides as they are, or read them; raise UsageError for a root that is not in `roots`.

    >>> overrides_of({"a.armour": 3}, ["a", "b"]).entries
    (('a', 'armour', '3'),)
    """
    return changes if isinstance(changes, Overrides) else parse_assignments(_pairs(changes), roots)


def _pairs(changes: Changes) -> Sequence[str | tuple[str, str]]:
    if isinstance(changes, Mapping):
        return [(str(path), _text(value)) for path, value in changes.items()]
    return [changes] if isinstance(changes, str) else changes or ()


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list | tuple | set | frozenset) else str(value)


# -- parts of a side joined otherwise, or the sides the wrong way round -----------------------------------------------


def with_what_is_meant(
    error: BalanceError,
    sides: Sequence[str],
    entrants: Sequence[str],
    ids: Sequence[Callable[[], Iterable[str]]],
    swapped: Callable[[], object] | None,
) -> BalanceError:
    """Return an error about two sides with tips on what may be meant; unchanged where nothing is near.

    `entrants` and `ids` are by side: the id typed, and a function that lists the possible ones. `swapped` asks the
    question with the sides swapped, and fails if that is none; it is None where both sides take the same kind of
    entrant.
    """
    at_fault = [side for side in sides if any(side in (fault.path, _subject(fault)) for fault in error.faults)]
    if not at_fault:
        return error
    faults = list(error.faults)
    for side, entrant, names in zip(sides, entrants, ids, strict=True):
        if side in at_fault and (meant := of_same_parts(entrant, names())) is not None:
            faults = [*_without_repeats(faults, side, did_you_mean(meant))]
    if faults == list(error.faults) and swapped is not None and _is_answered(swapped):
        both = ", ".join(f"{entrant} as the {side}" for side, entrant in zip(sides, reversed(entrants), strict=True))
        first, *others = faults
        tip = f"the other way round it is a question: {both}"
        faults = [replace(first, tip=f"{first.tip}; {tip}" if first.tip else tip), *others]
    return type(error)(faults)


def _subject(fault: Fault) -> str:
    return fault.message.partition(":")[0]


def of_same_parts(text: str, ids: Iterable[str]) -> str | None:
    """Return the id with the same parts as a text, in any order and joined by any sign; None if there is none.

    >>> ids = ["nexus+assault_rifle", "nexus+shotgun"]
    >>> of_same_parts("Nexus, assault_rifle", ids), of_same_parts("shotgun/nexus", ids), of_same_parts("nexus", ids)
    ('nexus+assault_rifle', 'nexus+shotgun', None)
    """
    parts = sorted(_PARTS.findall(text.casefold()))
    alike = (name for name in islice(ids, MOST_IDS) if sorted(_PARTS.findall(name.casefold())) == parts)
    meant = next(alike, None) if len(parts) > 1 else None
    return None if meant == text else meant


def _without_repeats(faults: Iterable[Fault], side: str, tip: str) -> Iterator[Fault]:
    """Yield faults, but of those of one side only the first, with the given tip."""
    is_told = False
    for fault in faults:
        if fault.path != side:
            yield fault
        elif not is_told:
            is_told = True
            yield replace(fault, tip=tip)


def _is_answered(swapped: Callable[[], object]) -> bool:
    try:
        swapped()
    except BalanceError:
        return False
    return True
