"""A side that looks one decision ahead, by an estimate of what positions are worth.

It solves the matrix of cards and plays its mix; selects the troop that the open selection ends in; and at the end of a
Period makes for an ending of its mix. Against an opponent whose estimate is known it plays the best
answer instead. It looks at what lies on the table, and at nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import Policy, State, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.solvers import solve_matrix_games
from balance.chance.solvers.processes import n_processes, shares
from balance.chance.trials.lockstep import simulate
from balance.games.edadh.duel.conflict import troop_options
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.policies.policy import any_option
from balance.games.edadh.policies.preference import choose_where_open
from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, N_CARDS, TIE
from balance.games.edadh.rules.unit import MOST_PLAYS, NO_COLUMN, PLAYS
from balance.games.edadh.rules.view import SIDES, View
from balance.games.edadh.solving.choices import (
    EndChoices,
    Opponent,
    TurnChoices,
    Worth,
    latest,
    sample_mix,
    selected_plays,
    values_and_mixes,
)
from balance.games.edadh.solving.moves import Moves, Rows

FACES = 10_000
"""Faces of the die that a mix is drawn with."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LookAhead:
    """A side that looks one decision ahead by a value function; what the cards behind a Unit do it leaves to chance.

    `against`: the opponent that it answers, by a best response; None to play the equilibrium mix. `strays`: the chance
    of playing a uniformly random card instead, to explore.
    """

    worth: Worth
    against: Opponent | None = None
    strays: float = 0.0

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return a card from the solved mix, or the troop or loss that looked-ahead play comes to; else any option."""
        if name == "card":
            return self._card(view, rolls.uniform(FACES, "card"))
        if name in ("troop", "answer"):
            luck = rolls.uniform(FACES, name)
            return choose_where_open(view, legal, lambda part, n_options: self._troop(part, n_options, luck))
        if name.startswith("loss"):
            luck = rolls.uniform(FACES, name)
            return choose_where_open(view, legal, lambda part, n_options: self._loss(part, n_options, luck))
        if name.startswith("swap"):
            return self._swap(view, np.asarray(legal))
        return any_option(name, legal, rolls)

    def _card(self, view: View, luck: IntArray) -> IntArray:
        cards = np.zeros(len(luck), np.int64)
        rows = np.flatnonzero(view.state["turns"] > 0)
        if len(rows):
            states, back = distinct_states(self.worth.moves, self.worth.moves.tidy(take_trials(view.state, rows)))
            _, mixes = values_and_mixes(latest(TurnChoices, self.worth.moves, states), self.worth, self.against)
            mix = (1 - self.strays) * mixes[view.side_index] + self.strays / N_CARDS
            cards[rows] = sample_mix(mix[back], luck[rows] + 1, FACES)
        return cards

    def _troop(self, view: View, n_options: IntArray, luck: IntArray) -> IntArray:
        """Return the play that the open selection ends in, or the best answer to the Attacker's; on a tie by a mix."""
        options = np.zeros(len(n_options), np.int64)
        role = view.facts["role"] if view.side_index == 0 else -view.facts["role"]
        for attacker, sign in ((A_ATTACKS, 1), (B_ATTACKS, -1), (TIE, 0)):
            rows = np.flatnonzero(role == sign)
            if len(rows):
                options[rows] = self._selection(view.only(rows), attacker, luck)
        return options

    def _selection(self, view: View, attacker: int, luck: IntArray) -> IntArray:
        moves, (own_side, foe_side) = self.worth.moves, (SIDES[view.side_index], SIDES[view.foe])
        state = view.of_trials()
        known_values = {f"{own_side} card": view.facts["card"] - 1, f"{foe_side} card": view.facts["foe_card"] - 1}
        if "foe_play" in view.facts:
            mask, right = troop_options(moves.duel, view.foe, state, view.level, -view.facts["role"])
            plays = PLAYS.reshape(-1, MOST_PLAYS)[(right * 8 + mask) * 4 + NO_COLUMN]
            known_values[f"{foe_side} troop"] = (plays == view.facts["foe_play"][:, None]).argmax(axis=1)
        place, after = moves.selections({**state, **known_values}, attacker)
        cells = self.worth(after)[place]
        if attacker == TIE:
            solution = solve_matrix_games(cells)
            number = _draw_by_mix((solution.row_strategies, solution.column_strategies)[view.side_index], view, luck)
        else:
            number = selected_plays(attacker, cells)[view.side_index]
        return moves.options[view.side_index].actual(view, number)

    def _loss(self, view: View, n_options: IntArray, luck: IntArray) -> IntArray:
        """Return the first step to an ending of the own mix; from there it is solved again."""
        moves = self.worth.moves
        states, back = distinct_states(moves, view.of_trials())
        choices = latest(EndChoices, moves, states)
        _, mixes = values_and_mixes(choices, self.worth, self.against)
        ending = _draw_by_mix(mixes[view.side_index][back], view, luck)
        number = choices.first(view.side_index, ending, back)
        return np.minimum(moves.options[view.side_index].actual(view, number), n_options - 1)

    def _swap(self, view: View, n_options: IntArray) -> IntArray:
        """Return the order of a column's cards that is worth most, the other side's as they stand (WE-SWAP.1)."""
        state, choices = view.of_trials(), view.facts["choices"]
        worths = [
            self.worth(self.worth.moves.tidy({**state, f"{SIDES[view.side_index]}_unit": arrangement}))
            for arrangement in choices.T
        ]
        own_worths = np.stack(worths) if view.side_index == 0 else 1 - np.stack(worths)
        return np.asarray(np.where(np.arange(len(own_worths))[:, None] < n_options, own_worths, -1.0).argmax(axis=0))


def _draw_by_mix(mix: FloatArray, view: View, luck: IntArray) -> IntArray:
    """Return a choice for each trial of a view by its mix `[n, k]`, from the luck of all trials of the batch."""
    return sample_mix(mix, (luck if view.rows is None else luck.take(view.rows)) + 1, FACES)


def distinct_states(moves: Moves, state: State) -> tuple[State, Rows]:
    """Return states once each, and for each of the n given its row among them, `int[n]`."""
    table = np.stack([state[name].astype(np.int16) for name in moves.position_columns], axis=1)
    _, first, back = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return take_trials(state, first), back.ravel()


def score(moves: Moves, policies: tuple[Policy, Policy], n: int, seed: int, name: str) -> float:
    """Return what side a scores on average in n duels, a draw counting half; `name` names the dice."""
    return scores(moves, [Pairing(policies, n, name)], seed)[0]


class Pairing(NamedTuple):
    """Policies of side a and side b, the number of duels that they play, and the name of the dice of these duels."""

    policies: tuple[Policy, Policy]
    n: int
    name: str


def scores(moves: Moves, pairings: Sequence[Pairing], seed: int) -> list[float]:
    """Return what side a scores on average for each pair of players, a draw counting half; on all cores."""

    def mean_score(pairing: Pairing) -> float:
        process = duel_process(replace(moves.duel, policies=pairing.policies), moves.resolve)
        winner = simulate(process, RandomRolls(seed, f"solve {pairing.name}", 0, pairing.n))["winner"]
        return float(np.mean(winner == 1) + 0.5 * np.mean(winner == 0))

    return shares([partial(mean_score, pairing) for pairing in pairings], n_processes())
