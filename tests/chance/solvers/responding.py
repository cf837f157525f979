"""How good policies are, measured: best responses to them over all states, and the certificate of a pair of policies.

A policy says how to mix in every state. Against a row policy that is known, the best the column player can do is found
by one pass from the last states to the first: that is what the row policy guarantees. The same for the column policy
gives the most it concedes. The value of the game lies between the two, whoever made the policies, and their difference
is what best responders could win from the pair in all: the exploitability, 0 for a pair in equilibrium.

Numbers are exact up to the rounding of sums of doubles, about 1e-15 of the payoffs per layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import Fault, UsageError
from balance.chance.solvers.rounds import read_only
from balance.chance.solvers.stages import StagedGame, layer_slices

Policies = Sequence[FloatArray]
"""Probabilities by state and action, one `float64[s, m]` (or `[s, n]`) per layer."""

Side = Literal["row", "column"]


@dataclass(frozen=True, eq=False)
class Response:
    """A best response to one player's policies.

    Parameters
    ----------
    values
        What the row player gets from each state on, `float64[S]`.
    actions
        The responder's action by state, one `int64[s]` per layer; the first of several best.
    change
        Largest change of a value in the last sweep; 0 where one sweep was enough.
    sweeps
        Sweeps made.
    """

    values: FloatArray
    actions: tuple[IntArray, ...]
    change: float
    sweeps: int


@dataclass(frozen=True, eq=False)
class Certificate:
    """What a pair of policies was measured to guarantee: the value of each state lies from `lower` to `upper`.

    Parameters
    ----------
    lower, upper
        What the row policy guarantees, and the most the column policy concedes, `float64[S]`.
    n_starts
        States of the start layer, which come first.
    """

    lower: FloatArray
    upper: FloatArray
    n_starts: int

    @property
    def exploitability(self) -> float:
        """Largest `upper - lower` of a start state: what best responders win from the two policies in all."""
        return float(np.max(self.upper[: self.n_starts] - self.lower[: self.n_starts], initial=0.0))


def certify(
    game: StagedGame,
    row_policies: Policies,
    column_policies: Policies,
    *,
    floor: float | None = None,
    ceiling: float | None = None,
    max_sweeps: int = 10_000,
) -> Certificate:
    """Measure what two players' policies guarantee, by a best response to each.

    Parameters
    ----------
    game
        S states in layers.
    row_policies, column_policies
        Probabilities, one `float64[s, m]` and one `float64[s, n]` per layer.
    floor, ceiling
        Bounds of the total payoff from any state on; needed only by games that can return to a state.
    max_sweeps
        Sweeps after which such a game is left: what was reached is a valid bound, if a wider one.

    Raises
    ------
    UsageError
        Policies that are no probabilities over legal actions, or bounds missing where they are needed.

    >>> from tests.chance.solvers.arrays import ArrayGame, Stage
    >>> pennies = ArrayGame((Stage([[[1.0, -1.0], [-1.0, 1.0]]], np.full((1, 2, 2, 1), -1)),))
    >>> even, biased = [np.array([[0.5, 0.5]])], [np.array([[0.75, 0.25]])]
    >>> certify(pennies, even, even).exploitability, certify(pennies, even, biased).exploitability
    (0.0, 0.5)
    """
    lower = best_response(game, row_policies, "row", start=floor, max_sweeps=max_sweeps).values
    upper = best_response(game, column_policies, "column", start=ceiling, max_sweeps=max_sweeps).values
    return Certificate(lower, upper, game.layer_sizes[0])


def best_response(
    game: StagedGame,
    policies: Policies,
    side: Side,
    *,
    start: float | None = None,
    max_sweeps: int = 10_000,
    tolerance: float = 1e-12,
) -> Response:
    """Find the best response to known policies, and what it leaves the row player.

    Parameters
    ----------
    game
        S states in layers.
    policies
        Of the player whose side is given: one `float64[s, m]` (row) or `float64[s, n]` (column) per layer.
    side
        Whose policies they are; the other player responds.
    start
        For games that can return to a state: a payoff from any state on that is surely no better for the player
        whose policies they are. Every sweep then gives a valid bound. None: one sweep from the last layer.
    max_sweeps, tolerance
        Sweeps end at either; `tolerance` is the largest change of a value.

    Raises
    ------
    UsageError
        Policies that are no probabilities over legal actions, or a game that returns and no `start`.

    >>> from tests.chance.solvers.arrays import ArrayGame, Stage
    >>> pennies = ArrayGame((Stage([[[1.0, -1.0], [-1.0, 1.0]]], np.full((1, 2, 2, 1), -1)),))
    >>> response = best_response(pennies, [np.array([[0.75, 0.25]])], "row")
    >>> response.values.tolist(), response.actions[0].tolist()
    ([-0.5], [1])
    """
    checked = _checked(game, policies, side)
    values = np.full(sum(game.layer_sizes), np.nan if start is None else float(start))
    for sweep in count(1):
        before = values.copy()
        actions = _sweep(game, checked, side, values)
        change = 0.0 if start is None else float(np.abs(values - before).max(initial=0.0))
        if change <= tolerance or sweep >= max_sweeps:
            break
    return Response(values, actions, change, sweep)


def _sweep(game: StagedGame, policies: Policies, side: Side, values: FloatArray) -> tuple[IntArray, ...]:
    """Respond in every state, last layer first, writing what the row player is left with into `values`."""
    actions: list[IntArray] = []
    for layer, place in reversed(list(enumerate(layer_slices(game)))):
        payoffs, (row_legal, column_legal) = game.payoffs(layer, read_only(values)), game.legal(layer)
        if side == "row":
            earned = _expected(payoffs.swapaxes(1, 2), row_legal, policies[layer])
            action = _masked(earned, column_legal, np.inf).argmin(axis=1)
        else:
            earned = _expected(payoffs, column_legal, policies[layer])
            action = _masked(earned, row_legal, -np.inf).argmax(axis=1)
        values[place] = earned[np.arange(len(action)), action]
        if np.isnan(values[place]).any():
            raise UsageError(returns_message(layer))
        actions.insert(0, action)
    return tuple(actions)


def returns_message(layer: int) -> str:
    """Say that a layer needs values which backward induction does not have."""
    return (
        f"layer {layer} leads to a state of its own or an earlier layer (or has a payoff that is not a number); "
        "give bounds (floor and ceiling) to solve a game that can return to a state"
    )


def _expected(payoffs: FloatArray, legal: BoolArray | None, policy: FloatArray) -> FloatArray:
    """Return payoffs `[s, a, b]` averaged over the legal b, `float64[s, a]`; an illegal cell may hold anything."""
    cells = payoffs if legal is None else np.where(legal[:, None, :], payoffs, 0.0)
    mean: FloatArray = (cells @ policy[:, :, None])[:, :, 0]
    return mean


def _masked(earned: FloatArray, legal: BoolArray | None, worst: float) -> FloatArray:
    """Return earnings with illegal actions at their worst."""
    return earned if legal is None else np.where(legal, earned, worst)


def _checked(game: StagedGame, policies: Policies, side: Side) -> list[FloatArray]:
    """Return the policies as arrays, refusing what is no probability over legal actions."""
    if len(policies) != len(game.layer_sizes):
        raise UsageError(
            f"{len(policies)} layers of {side} policies do not fit a game of {len(game.layer_sizes)} layers"
        )
    arrays = [np.asarray(policy, np.float64) for policy in policies]
    faults = []
    for layer, (policy, size) in enumerate(zip(arrays, game.layer_sizes, strict=True)):
        legal = game.legal(layer)[0 if side == "row" else 1]
        if policy.ndim != 2 or len(policy) != size or (legal is not None and legal.shape != policy.shape):
            faults.append(
                Fault(f"does not fit {size} states", field=f"{side} policies of layer {layer}", found=str(policy.shape))
            )
        elif not _is_mixed(policy, legal):
            faults.append(Fault("not probabilities over the legal actions", field=f"{side} policies of layer {layer}"))
    if faults:
        raise UsageError(faults)
    return arrays


def _is_mixed(policy: FloatArray, legal: BoolArray | None) -> bool:
    """Return whether every row is a probability over its legal actions."""
    within = legal is None or not policy[~legal].any()
    return bool(within and (policy >= 0).all() and (np.abs(policy.sum(axis=1) - 1) <= 1e-9).all())
