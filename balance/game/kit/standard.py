"""Declarations that most games share: columns of both sides, turn orders, processes, and reading what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import BalanceError
from balance.catalogue import Catalogue, Overrides, apply
from balance.chance.rolls.process import Process, Start, State, Step, n_trials
from balance.chance.rolls.rolls import Policy, Rolls
from balance.game.game import Column, PolicyKind, QuestionKind
from balance.game.setup import Asked, AskedSide, HasInputs

WINNER = Column("0 draw, 1 side a, 2 side b", "winner", names={1: "a", 2: "b", 0: "draw"})
"""The column that says which of two sides won."""
TURN_ORDERS = ("a", "b", "random")
"""Who may go first."""


def orders(first: str) -> tuple[str, ...]:
    """Return the equally likely turn orders for one of `TURN_ORDERS`.

    >>> orders("b"), orders("random")
    (('ba',), ('ab', 'ba'))
    """
    return {"a": ("ab",), "b": ("ba",), "random": ("ab", "ba")}[first]


def per_side(of: str, meaning: str, names: Mapping[int, str] | None = None, *, called: str = "") -> dict[str, Column]:
    """Return the columns that report something of side a and of side b; in `meaning`, {me} and {foe} are the sides.

    * `of`: what is reported, such as "health"; columns are called `a_OF` and `b_OF`.
    * `meaning`: what a column means, with `{me}` and `{foe}` for the sides.
    * `names`: code -> name, for a column of codes.
    * `called`: a clearer name than `of` for headers.

    >>> per_side("health", "health side {me} has left")["b_health"].meaning
    'health side b has left'
    """
    return {
        f"{side}_{of}": Column(meaning.format(me=side, foe=foe), names=names or {}, side=side, of=of, called=called)
        for side, foe in (("a", "b"), ("b", "a"))
    }


def each_side(
    of: str, kind: PolicyKind, sides: Sequence[str] = ("a", "b"), name: str = "{side}_{of}"
) -> dict[str, PolicyKind]:
    """Return the same decision for each side, each under its own name.

    * `of`: what is decided.
    * `kind`: the decision, with its options.
    * `sides`: names of the sides that decide.
    * `name`: template for the name of a decision, with `{side}` and `{of}`.

    >>> list(each_side("flags", PolicyKind("How many flags it ignores.", {"most": "all it may"})))
    ['a_flags', 'b_flags']
    """
    return {name.format(side=side, of=of): replace(kind, side=side, of=of) for side in sides}


def once(start: Mapping[str, Any], steps: Sequence[Step], columns: Iterable[str]) -> Process:
    """Return a process that makes its steps once each and reports columns of its state.

    `start`: the start of the process, as in `Process`. `steps`: what is done, in order. `columns`: columns of the state
    that are reported in the end.

    >>> once({"damage": 0}, [lambda state, rolls: {"damage": rolls.d(6, 1, "die")[:, 0]}], ["damage"]).max_steps
    1
    """
    return Process(start, tuple(steps), never, partial(_columns_of_state, tuple(columns)), max_steps=len(steps))


def never(state: State) -> BoolArray:
    """Return False for every trial, `bool[n]`: the end condition of a process that makes its steps once.

    >>> never({"damage": np.zeros(2)}).tolist()
    [False, False]
    """
    return np.zeros(n_trials(state), bool)


def _columns_of_state(columns: tuple[str, ...], state: State, steps: IntArray) -> State:
    return {name: state[name] for name in columns}


def turn_about(
    first: str,
    start: Start,
    turn: Callable[[str, State, Rolls], State],
    over: Callable[[State], BoolArray],
    outcome: Callable[[State, IntArray], State],
    policies: Mapping[str, Policy] | None = None,
    max_steps: int = 10_000,
) -> tuple[Process, ...]:
    """Return processes in which side a and side b take turns, one for each equally likely turn order.

    Parameters
    ----------
    first
        One of `TURN_ORDERS`.
    turn
        (side, state, rolls) -> the state after a turn of that side.

    Others are as in `Process`.
    """
    return tuple(
        Process(start, tuple(partial(turn, side) for side in order), over, outcome, max_steps, policies or {})
        for order in orders(first)
    )


def read_asked(
    kind: QuestionKind,
    catalogue: Catalogue,
    entrants: tuple[str, str],
    overrides: Overrides,
    first: str = "",
    choices: Mapping[str, str] | None = None,
) -> Asked[Any, Any, Any]:
    """Read and check a question, and raise the faults of both sides at once.

    * `kind`: the kind of question, which says how each side is read.
    * `catalogue`: the catalogue that ids refer to.
    * `entrants`: the ids typed for both sides.
    * `overrides`: overrides by root: rules, situation, and each side.
    * `first`: the turn order; empty where there is no such choice.
    * `choices`: decision -> option chosen; others take their default.

    `BalanceError`: a field that does not exist, a value out of range, or what a kind of entrant refuses to read.
    """
    rules = apply(catalogue.rules, overrides.take("rules"), "§set rules")
    situation = apply(kind.situation(), overrides.take("situation"), "§set situation")
    sides: dict[str, HasInputs] = {}
    errors: list[BalanceError] = []
    for root, text, entrant_kind, stance in zip(kind.sides, entrants, kind.takes, kind.stances, strict=True):
        try:
            sides[root] = entrant_kind.read(AskedSide(catalogue, rules, root, text, overrides.take(root), stance()))
        except BalanceError as error:
            errors.append(error)
    if errors:
        raise type(errors[0])([fault for error in errors for fault in error.faults])
    all_choices = choices or {}
    return Asked(entrants, catalogue, rules, situation, sides, first, all_choices, kind.plays(all_choices))
