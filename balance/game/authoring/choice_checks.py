"""What choices promise: every order is legal, and none rests on what its side cannot know.

A question kind with hidden things declares `conceal`, which deals anew what a side cannot know. Each step is played
twice with the same luck, as it stands and concealed; the side's first orders must be the same, and so must be all that
its view tells it. Orders that follow another side's are compared where that side did the same both times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from balance.base.errors import RollsError
from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import Array, Process, State, n_trials, start_state, take_trials
from balance.chance.rolls.requests import BoolArray, Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls, bound
from balance.game.game import LANES
from balance.game.question.question import Question

__all__ = ["check_choices", "dice", "hides", "walk"]

N_TRIALS = 256
N_STEPS = 8
"""Steps of a process that are looked at."""


class Order(NamedTuple):
    """One choice as it was made."""

    request: Choose
    option: IntArray


def dice(number: int, n: int) -> RandomRolls:
    """Return the luck of `n` trials in the step of a number, the same whenever it is checked."""
    return RandomRolls(1, "check", number, n)


def walk(process: Process, n: int, n_steps: int) -> Iterator[tuple[int, State]]:
    """Yield the number of each step with the state before it; trials that are over are left out."""
    rolls = dice(0, n)
    state = start_state(process, n, rolls)
    for number in range(min(n_steps, process.max_steps)):
        yield number, state
        state = process.step(number)(state, rolls)
        alive = np.flatnonzero(~process.over(state))
        if len(alive) == 0:
            return
        if len(alive) < n_trials(state):
            state = take_trials(state, alive)
            rolls.keep(alive)


def check_choices(question: Question) -> Iterator[str]:
    """Yield what is wrong with the choices of a question, under each policy that is quick to play."""
    for asked, sides in _played_otherwise(question):
        for lane in LANES:
            for process in asked.kind.processes(asked.setup, lane):
                try:
                    problem = next(
                        _problems(asked, process, sides if lane == "literal" or asked is question else ""), ""
                    )
                except RollsError as error:
                    problem = str(error)
                if problem:
                    yield f"{', '.join(f'{name} {option}' for name, option in asked.choices)}: {problem}"
                    return


def _played_otherwise(question: Question) -> Iterator[tuple[Question, Collection[str]]]:
    """Yield the question with each option of each policy, if policies choose, and the sides that choose otherwise."""
    processes = question.kind.processes(question.setup, "literal")
    sides = tuple(dict.fromkeys(side for process in processes for side in process.policies))
    if not sides:
        return
    yield question, sides
    first = question.first or None
    for name, kind in question.kind.policies.items():
        for option in kind.quick or kind.options:
            if dict(question.choices)[name] != option:
                asked = question.loaded.ask(question.kind.name, *question.entrants, first=first, **{name: option})
                yield asked, kind.side or sides


def _problems(question: Question, process: Process, sides: Collection[str]) -> Iterator[str]:
    """Yield choices of these sides that rest on what is hidden; an illegal one of either raises RollsError."""
    for number, state in walk(process, N_TRIALS, N_STEPS):
        concealed = {side: _concealed(question, side, number, state) for side in sides}
        hidden = {side: other for side, other in concealed.items() if other is not None}
        seen = _requests(process, number, state) if hidden else []
        for side, other in hidden.items():
            yield from _compared(side, seen, _requests(process, number, other))


def hides(question: Question) -> bool:
    """Return whether sides hide something from each other while a question is played: `conceal` changes it."""
    return any(
        _concealed(question, side, number, state) is not None
        for process in question.kind.processes(question.setup, "literal")
        for number, state in walk(process, N_TRIALS, N_STEPS)
        for side in process.policies
    )


def _concealed(question: Question, side: str, number: int, state: State) -> State | None:
    """Return the state with what a side cannot know dealt anew; None where that changes nothing."""
    if question.kind.conceal is None:
        return None
    rolls = RandomRolls(1, f"conceal {side}", number, n_trials(state))
    hidden = question.kind.conceal(question.setup, state, side, rolls)
    return None if all(np.array_equal(state[name], hidden[name]) for name in state) else hidden


def _requests(process: Process, number: int, state: State) -> list[Order | None]:
    """Return the orders of one step, made with the same luck each time; None stands for any other request."""
    found: list[Order | None] = []

    def note(rolls: Rolls, request: Request[Any]) -> Any:
        answer = rolls.answer(request)
        found.append(Order(request, answer) if isinstance(request, Choose) else None)
        return answer

    luck = bound(dice(number, n_trials(state)), process.policies)
    process.steps[number % len(process.steps)](state, ProxyRolls(luck, note))
    return found


def _compared(side: str, seen: list[Order | None], concealed: list[Order | None]) -> Iterator[str]:
    """Yield how a side's first orders in a step, or its views, differ between two runs."""
    same: BoolArray | None = None
    begun = False
    for one, other in zip(seen, concealed, strict=False):
        own = one is not None and one.request.side == side
        if begun and not own:
            return
        if one is None or other is None:
            continue
        begun = own
        same = np.ones(len(one.option), bool) if same is None else same
        differs = one.option != other.option
        if not own:
            same = same & ~differs
            continue
        for name in _told(one.request.view, other.request.view, same):
            yield f"the view of side {side} for {one.request.name!r} tells what it cannot know: {name}"
        if differs[same].any():
            yield f"side {side} chooses {one.request.name!r} by what it cannot know"


def _told(one: object, other: object, same: BoolArray) -> Iterator[str]:
    """Yield what two views tell differently in trials `same`, `bool[n]`.

    A view of some trials says of which in `rows`; it is compared in the trials that the other one is of too.
    """
    ones, others, every = _contents(one), _contents(other), np.arange(len(same))
    rows, other_rows = ones.pop("rows", every), others.pop("rows", every)
    asked, asked_other = np.isin(every, rows), np.isin(every, other_rows)
    if (asked != asked_other)[same].any():
        yield "rows"
    both = np.flatnonzero(same & asked & asked_other)
    for name, values in ones.items():
        if name in others and not np.array_equal(
            _at(values, rows, both, len(same)), _at(others[name], other_rows, both, len(same))
        ):
            yield name


def _at(values: Array, rows: Array, trials: Array, n: int) -> Array:
    """Return a view's values of some trials; they are of all n trials, or of those in `rows`."""
    place = np.arange(n)
    if len(values) < n:
        place[rows] = np.arange(len(rows))
    return values[place[trials]]


def _contents(view: object) -> dict[str, Array]:
    """Return the arrays of a view by name, those of the mappings that it holds included."""
    found: dict[str, Array] = {}
    for name, value in (view if isinstance(view, Mapping) else getattr(view, "__dict__", {})).items():
        if isinstance(value, np.ndarray) and value.ndim:
            found[name] = value
        elif isinstance(value, Mapping):
            found |= _contents(value)
    return found
