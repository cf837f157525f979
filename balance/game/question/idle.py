"""Changes of a question without effect: a field not read, a rule option not in play, a value that is the present one.

Changes are removed one after the other, those without effect for good; so what is said holds for all of them together.
A change has no effect if the game prepares the same without it, or if trials with the same dice come out the same and
so, where there is one, does the exact distribution.
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

TRIALS = 4096
"""Trials after which a change is taken not to matter."""
LOOKS = 1, 256, TRIALS
"""Trials that show it to matter: one where trials are long, few where they are short."""
SO_ALREADY, IDLE = "is so already", "changes no outcome here"
IDLE_IN_TRIALS = f"changed no outcome in {TRIALS:,} trials with the same dice"
WAYS = (SO_ALREADY, IDLE, IDLE_IN_TRIALS)
"""What is said of a change that does nothing, the strongest first."""
NOT_PLAYED = "inputs"
"""The field of a setup that says what was asked; nothing is played by it."""


@dataclass(frozen=True)
class _Variant:
    """The overrides by path and the options by decision of a question, as text."""

    changes: Mapping[str, str]
    choices: Mapping[str, str]

    def without(self, name: str) -> _Variant:
        return _Variant(
            {path: text for path, text in self.changes.items() if path != name},
            {choice: value for choice, value in self.choices.items() if choice != name},
        )

    def of(self, question: Question) -> Question | None:
        """Return the question with these overrides and options; None if the rules forbid it."""
        usual = {choice: options[0] for choice, options in question.kind.choices.items()}
        choices = {choice: self.choices.get(choice, default) for choice, default in usual.items()}
        try:
            return question.again(self.changes, **choices)
        except BalanceError:
            return None


def idle_changes(question: Question, *beside: Question, as_played: bool = True) -> Iterator[str]:
    """Yield a sentence for each override or option that changes no outcome of a question, nor of those `beside` it.

    Trials and distributions are compared too unless `as_played` is false; else only what the game prepares.
    """
    usual = {name: options[0] for name, options in question.kind.choices.items()}
    variant = _Variant(
        {f"{root}.{path}": text for root, path, text in question.overrides.entries},
        {name: value for name, value in question.choices if value != usual[name]},
    )
    last = [question, *beside]
    bases = [cache(partial(_sample_distribution, question_now)) if as_played else None for question_now in last]
    for name, value in [*variant.changes.items(), *variant.choices.items()]:
        shorter = variant.without(name)
        shorter_questions = [
            shorter_question for question_now in last if (shorter_question := shorter.of(question_now)) is not None
        ]
        if len(shorter_questions) < len(last):
            continue
        sameness_texts = [
            _sameness(question_now, shorter_question, base)
            for question_now, shorter_question, base in zip(last, shorter_questions, bases, strict=True)
        ]
        if not all(sameness_texts):
            continue
        variant, last = shorter, shorter_questions
        yield f"{name}={value} {max(sameness_texts, key=WAYS.index)}"


def _sameness(question: Question, shorter_question: Question, base: Callable[[int], Pmf] | None) -> str:
    """Return in what way two questions are the same, or an empty text; `base` samples the first by number of trials."""
    if _alike(question.setup.inputs, shorter_question.setup.inputs):
        return SO_ALREADY
    if is_prepared_alike(question, shorter_question):
        return IDLE
    if base is None or not question.is_quick:
        return ""
    if any(base(n_trials) != _sample_distribution(shorter_question, n_trials) for n_trials in LOOKS):
        return ""
    if question.why_no_distribution:
        return IDLE_IN_TRIALS
    return (
        IDLE
        if not shorter_question.why_no_distribution
        and _same_distribution(question.distribution, shorter_question.distribution)
        else ""
    )


def is_prepared_alike(question: Question, other: Question) -> bool:
    """Return whether a game prepares two questions of a kind the same, so that they must be played alike.

    It may be that they are played alike though they are prepared differently.
    """
    return _alike(_setup_played(question.setup), _setup_played(other.setup))


def _same_distribution(first: Pmf, second: Pmf) -> bool:
    """Return whether two distributions are equal, to within 1e-12 where they are floating point."""
    same_outcomes = np.array_equal(first.outcomes, second.outcomes)
    return (
        first == second
        if first.is_exact and second.is_exact
        else same_outcomes and np.allclose(first.p, second.p, rtol=0, atol=1e-12)
    )


def _sample_distribution(question: Question, n_trials: int) -> Pmf:
    return collect(question.task(key="idle"), FixedTrials(n_trials), seed=0).counts


def _setup_played(setup: Any) -> Any:
    """Return the parts of a setup that are played, without the record of what was asked."""
    if not is_dataclass(setup):
        return setup
    return {field.name: getattr(setup, field.name) for field in fields(setup) if field.name != NOT_PLAYED}


def _alike(first: Any, second: Any) -> bool:
    """Return whether two values are equal part by part, through arrays, mappings, partials and dataclasses."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second)
    if isinstance(first, Mapping):
        return first.keys() == second.keys() and all(_alike(value, second[key]) for key, value in first.items())
    if isinstance(first, tuple | list):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, partial):
        return _alike((first.func, first.args, first.keywords), (second.func, second.args, second.keywords))
    if is_dataclass(first):
        return all(_alike(getattr(first, field.name), getattr(second, field.name)) for field in fields(first))
    return bool(first == second)
