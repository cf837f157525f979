"""Checks of choices: every order is legal, and none depends on what its side cannot know.

A question kind with hidden information declares `conceal`, which redraws what a side cannot know. Each step is played
twice with the same luck, as it stands and concealed; the side's first orders must be the same, and so must everything
in its view. Orders that follow another side's are compared where that side did the same both times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.base.errors import RollsError
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import Process, State, n_trials, start_state, take_trials
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls, bound
from balance.game.game import LANES
from balance.game.question.question import Question, ask

N_TRIALS = 256
N_STEPS = 8
"""Steps of a process that are looked at."""


class Order(NamedTuple):
    """A choice that was made in one step: the request, and the option of each trial, `int[n]`."""

    request: Choose
    option: IntArray


def dice(number: int, n: int) -> RandomRolls:
    """Return rolls for n trials of one step, the same in every check.

    Parameters
    ----------
    number
        Number of the step, which selects the random streams.
    n
        Number of trials.
    """
    return RandomRolls(1, "check", number, n)


def walk(process: Process, n: int, n_steps: int) -> Iterator[tuple[int, State]]:
    """Yield the number of each step and the state before it, without trials that are over.

    Parameters
    ----------
    process
        A process of the question, started from its own start.
    n
        Number of trials at the start.
    n_steps
        Number of steps at most.
    """
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
    """Yield the first fault of a question's choices, if any, trying each quick policy of every decision."""
    for question_variant, sides in _played_otherwise(question):
        for lane in LANES:
            for process in question_variant.kind.processes(question_variant.setup, lane):
                lane_sides = sides if lane == "literal" or question_variant is question else ""
                try:
                    problem = next(_problems(question_variant, process, lane_sides), "")
                except RollsError as error:
                    problem = str(error)
                if problem:
                    yield f"{', '.join(f'{name} {option}' for name, option in question_variant.choices)}: {problem}"
                    return


def _played_otherwise(question: Question) -> Iterator[tuple[Question, Collection[str]]]:
    """Yield the question, then with each other option of a policy, and the sides whose choices to check."""
    processes = question.kind.processes(question.setup, "literal")
    sides = tuple(dict.fromkeys(side for process in processes for side in process.policies))
    if not sides:
        return
    yield question, sides
    first = question.first or None
    for name, kind in question.kind.policies.items():
        for option in kind.quick or kind.options:
            if dict(question.choices)[name] != option:
                question_variant = ask(
                    question.game, question.kind.name, question.entrants, None, first, {name: option}
                )
                yield question_variant, kind.side or sides


def _problems(question: Question, process: Process, sides: Collection[str]) -> Iterator[str]:
    """Yield choices of these sides that depend on hidden information; an illegal choice raises RollsError."""
    for number, state in walk(process, N_TRIALS, N_STEPS):
        concealed_states = {side: _concealed_state(question, side, number, state) for side in sides}
        hidden = {side: hidden_state for side, hidden_state in concealed_states.items() if hidden_state is not None}
        visible_orders = _requests(process, number, state) if hidden else []
        for side, hidden_state in hidden.items():
            yield from _order_differences(side, visible_orders, _requests(process, number, hidden_state))


def hides(question: Question) -> bool:
    """Return whether sides hide information from each other: whether `conceal` changes any state on the way."""
    return any(
        _concealed_state(question, side, number, state) is not None
        for process in question.kind.processes(question.setup, "literal")
        for number, state in walk(process, N_TRIALS, N_STEPS)
        for side in process.policies
    )


def _concealed_state(question: Question, side: str, number: int, state: State) -> State | None:
    """Return the state with what a side cannot know redrawn by `conceal`; None if that changes nothing."""
    if question.kind.conceal is None:
        return None
    rolls = RandomRolls(1, f"conceal {side}", number, n_trials(state))
    hidden = question.kind.conceal(question.setup, state, side, rolls)
    return None if all(np.array_equal(state[name], hidden[name]) for name in state) else hidden


def _requests(process: Process, number: int, state: State) -> list[Order | None]:
    """Return the orders of one step, always with the same luck; None stands for any other request."""
    orders: list[Order | None] = []

    def note(rolls: Rolls, request: Request[Any]) -> Any:
        answer = rolls.answer(request)
        orders.append(Order(request, answer) if isinstance(request, Choose) else None)
        return answer

    luck = bound(dice(number, n_trials(state)), process.policies)
    process.steps[number % len(process.steps)](state, ProxyRolls(luck, note))
    return orders


def _order_differences(
    side: str, visible_orders: list[Order | None], concealed_orders: list[Order | None]
) -> Iterator[str]:
    """Yield how a side's first orders in a step, or its views for them, differ between two runs."""
    is_same: BoolArray | None = None
    has_begun = False
    for visible, hidden in zip(visible_orders, concealed_orders, strict=False):
        is_own_choice = visible is not None and visible.request.side == side
        if has_begun and not is_own_choice:
            return
        if visible is None or hidden is None:
            continue
        has_begun = is_own_choice
        is_same = np.ones(len(visible.option), bool) if is_same is None else is_same
        differs = visible.option != hidden.option
        if not is_own_choice:
            is_same = is_same & ~differs
            continue
        for name in _request_differences(visible.request.view, hidden.request.view, is_same):
            yield f"the view of side {side} for {visible.request.name!r} tells what it cannot know: {name}"
        if differs[is_same].any():
            yield f"side {side} chooses {visible.request.name!r} by what it cannot know"


def _request_differences(visible: object, hidden: object, is_same: BoolArray) -> Iterator[str]:
    """Yield the names of arrays that differ between two views in trials `is_same`, `bool[n]`.

    A view of some trials names them in `rows`; it is compared in the trials that both views cover.
    """
    visible_contents, hidden_contents, trials = _contents(visible), _contents(hidden), np.arange(len(is_same))
    rows, other_rows = visible_contents.pop("rows", trials), hidden_contents.pop("rows", trials)
    is_asked, asked_other = np.isin(trials, rows), np.isin(trials, other_rows)
    if (is_asked != asked_other)[is_same].any():
        yield "rows"
    rows_in_both = np.flatnonzero(is_same & is_asked & asked_other)
    for name, values in visible_contents.items():
        if name in hidden_contents and not np.array_equal(
            _at(values, rows, rows_in_both, len(is_same)),
            _at(hidden_contents[name], other_rows, rows_in_both, len(is_same)),
        ):
            yield name


def _at(values: Array, rows: Array, trials: Array, n: int) -> Array:
    """Return a view's values for some trials; they cover all n trials, or those in `rows`."""
    place = np.arange(n)
    if len(values) < n:
        place[rows] = np.arange(len(rows))
    return values[place[trials]]


def _contents(view: object) -> dict[str, Array]:
    """Return the arrays of a view by name, those of mappings inside it included."""
    contents: dict[str, Array] = {}
    for name, value in (view if isinstance(view, Mapping) else getattr(view, "__dict__", {})).items():
        if isinstance(value, np.ndarray) and value.ndim:
            contents[name] = value
        elif isinstance(value, Mapping):
            contents |= _contents(value)
    return contents
