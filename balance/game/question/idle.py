"""Which changes of a question change nothing: a field not read, a rule option without effect here, a value as it is.

Changes are taken away one after the other, those that do nothing for good; so what is told holds for all of them
together. A change does nothing if the game prepares the same without it, or if trials with the same dice come out the
same and so, where there is one, does the exact distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from balance.base.errors import BalanceError
from balance.chance.pmf import Pmf
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.question.question import Question

__all__ = ["idle_changes"]

TRIALS = 4096
SO_ALREADY, IDLE = "is so already", "changes no outcome here"
IDLE_IN_TRIALS = f"changed no outcome in {TRIALS:,} trials with the same dice"
WAYS = (SO_ALREADY, IDLE, IDLE_IN_TRIALS)
"""What is said of a change that does nothing, the strongest first."""
NOT_PLAYED = "inputs"
"""The field of a setup that says what was asked; nothing is played by it."""


@dataclass(frozen=True)
class _Asked:
    """A question as text: the overrides by path, and the choices by name."""

    changes: Mapping[str, str]
    choices: Mapping[str, str]

    def without(self, name: str) -> _Asked:
        return _Asked(
            {path: text for path, text in self.changes.items() if path != name},
            {choice: value for choice, value in self.choices.items() if choice != name},
        )

    def of(self, question: Question) -> Question | None:
        """Return the question asked like this, or None where the rules forbid it."""
        usual = {choice: allowed[0] for choice, allowed in question.kind.choices.items()}
        chosen = {choice: self.choices.get(choice, default) for choice, default in usual.items()}
        try:
            return question.again(self.changes, **chosen)
        except BalanceError:
            return None


def idle_changes(question: Question, *beside: Question, played: bool = True) -> Iterator[str]:
    """Yield one sentence for each change or choice that changes no outcome.

    Parameters
    ----------
    beside
        Others that are answered with it under the same changes, such as how many actions it takes until a target falls.
    played
        Whether the question is answered as it is played; else only what the game prepares is compared.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> shot = load("warforged").attack("nexus+shotgun", "trooper", {"situation.n_covers": 3, "defender.armour": 1})
    >>> list(idle_changes(shot))
    ['situation.n_covers=3 changes no outcome here', 'defender.armour=1 is so already']
    """
    usual = {name: allowed[0] for name, allowed in question.kind.choices.items()}
    asked = _Asked(
        {f"{root}.{path}": text for root, path, text in question.overrides.entries},
        {name: value for name, value in question.choices if value != usual[name]},
    )
    last = [question, *beside]
    bases = [cache(partial(_sampled, one)) if played else None for one in last]
    for name, value in [*asked.changes.items(), *asked.choices.items()]:
        less = asked.without(name)
        others = [other for one in last if (other := less.of(one)) is not None]
        if len(others) < len(last):
            continue
        found = [_same(one, other, base) for one, other, base in zip(last, others, bases, strict=True)]
        if not all(found):
            continue
        asked, last = less, others
        yield f"{name}={value} {max(found, key=WAYS.index)}"


def _same(question: Question, other: Question, base: Callable[[], Pmf] | None) -> str:
    """Return in which way two questions come to the same, or nothing; `base` is a sample that the first gives too."""
    if _alike(question.setup.inputs, other.setup.inputs):
        return SO_ALREADY
    if _alike(_played(question.setup), _played(other.setup)):
        return IDLE
    if base is None or not question.is_quick or base() != _sampled(other):
        return ""
    if question.why_no_distribution:
        return IDLE_IN_TRIALS
    return (
        IDLE if not other.why_no_distribution and _same_distribution(question.distribution, other.distribution) else ""
    )


def _same_distribution(one: Pmf, other: Pmf) -> bool:
    """Return whether two distributions are equal, up to the last digits where they are solved in floating point."""
    same = np.array_equal(one.outcomes, other.outcomes)
    return one == other if one.is_exact and other.is_exact else same and np.allclose(one.p, other.p, rtol=0, atol=1e-12)


def _sampled(question: Question) -> Pmf:
    return collect(question.task(key="idle"), FixedTrials(TRIALS), seed=0).counts


def _played(setup: Any) -> Any:
    """Return a setup without the record of what was asked."""
    if not is_dataclass(setup):
        return setup
    return {field.name: getattr(setup, field.name) for field in fields(setup) if field.name != NOT_PLAYED}


def _alike(one: Any, other: Any) -> bool:
    """Return whether two values are built alike, part by part."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_alike(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, partial):
        return _alike((one.func, one.args, one.keywords), (other.func, other.args, other.keywords))
    if is_dataclass(one):
        return all(_alike(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return bool(one == other)
