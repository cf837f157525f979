"""Duels by a plain loop: the chance of every state is moved on, step by step, until hardly any is left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.rulebook.published.references.chances import Law, become, side_by_side

State = Any
Step = Callable[[State], dict[State, Fraction]]
Act = Callable[[int, Any, Any], Law[tuple[Any, Any]]]
"""Side that acts (0 or 1), its state, its foe's -> the law of both afterwards, its own first."""
Result = str | None
MOST_ROUNDS = 10_000
LEFT = 1e-17
"""The chance that may still be undecided when the loop stops."""


def play(
    start: State, steps: Sequence[Step], result: Callable[[State], Result], rounds: int = MOST_ROUNDS
) -> dict[str, float]:
    """Return result -> chance of a duel.

    Parameters
    ----------
    start
        The state that it begins with; anything hashable.
    steps
        What a round is made of, in order: each says the law of the state after it.
    result
        The result of a state that is decided, such as "first", "second" or "draw"; None while it goes on. It is asked
        after each step.
    rounds
        After so many rounds what is not decided is called "open".
    """
    laws: list[dict[State, dict[State, float]]] = [{} for _ in steps]
    results: defaultdict[str, float] = defaultdict(float)
    masses = {start: 1.0}
    for _ in range(rounds):
        for step, known in zip(steps, laws, strict=True):
            masses = _moved(masses, step, known)
            for state in [state for state in masses if result(state)]:
                results[str(result(state))] += masses.pop(state)
        if sum(masses.values()) < LEFT:
            break
    else:
        results["open"] += sum(masses.values())
    return dict(results)


def take_turns(
    first: Any, second: Any, act: Act, out: Callable[[Any], bool], rounds: int = MOST_ROUNDS
) -> dict[str, float]:
    """Return who wins where the first acts, then the second, and so on until one is out; both out is a draw."""
    return play(
        (first, second),
        [lambda state: act(0, *state), lambda state: become(act(1, *state[::-1]), lambda both: both[::-1])],
        lambda state: _who(*map(out, state)),
        rounds,
    )


def at_once(
    first: Any, second: Any, act: Act, out: Callable[[Any], bool], rounds: int = MOST_ROUNDS
) -> dict[str, float]:
    """Return who wins where both act in each round from the state that it began with, and each harms only the other."""

    def both(state: State) -> Law[State]:
        acts = side_by_side(act(0, *state), act(1, *state[::-1]))
        return become(acts, lambda after: (after[1][1], after[0][1]))

    return play((first, second), [both], lambda state: _who(*map(out, state)), rounds)


def _who(first_out: bool, second_out: bool) -> Result:
    if first_out and second_out:
        return "draw"
    return "second" if first_out else "first" if second_out else None


def _moved(masses: dict[State, float], step: Step, known: dict[State, dict[State, float]]) -> dict[State, float]:
    after: defaultdict[State, float] = defaultdict(float)
    for state, mass in masses.items():
        if state not in known:
            known[state] = {new: float(chance) for new, chance in step(state).items()}
        for new, chance in known[state].items():
            after[new] += mass * chance
    return dict(after)
