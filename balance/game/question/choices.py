"""Settings of a question beside its two entrants, as people write them: overrides, and options of decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from balance.base.errors import Fault, UsageError, unknown
from balance.game.game import QuestionKind

Changes = Mapping[str, object] | Sequence[str] | None


def choose(kind: QuestionKind, values: Mapping[str, str]) -> dict[str, str]:
    """Return the option of every decision of a kind of question, the default where none was given.

    Parameters
    ----------
    kind
        The kind of question, which declares decisions and their options.
    values
        Option by decision, as given.

    Raises
    ------
    UsageError
        With one fault per choice that does not exist, or that cannot be so; names the nearest and what is allowed.
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
    if changes is None:
        return []
    if isinstance(changes, Mapping):
        return [f"{path}={_text(value)}" for path, value in changes.items()]
    return list(changes)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list | tuple | set | frozenset) else str(value)
