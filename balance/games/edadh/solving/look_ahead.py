"""A side that looks one decision ahead, by an estimate of what positions are worth.

It solves the matrix of cards and plays its mix; selects the troop that the open selection ends in; and at the end of a
Period makes for the ending that its mix favours most. Against an opponent whose estimate is known it plays the best
answer instead. It looks at what lies on the table, and at nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from balance.core import RandomRolls, simulate
from balance.core.process import State, take_trials
from balance.games.edadh.duel import duel_process
from balance.games.edadh.mastery import A_ATTACKS, B_ATTACKS, TIE
from balance.games.edadh.period import discard_from, retire_from
from balance.games.edadh.policies.policy import STAY, Policy, Uniform
from balance.games.edadh.solving.choices import EndChoices, TurnChoices, Worth, by_luck, picked, solved
from balance.games.edadh.solving.endings import Rows
from balance.games.edadh.solving.estimate import Opponent
from balance.games.edadh.solving.moves import N_CARDS, OWN, Moves
from balance.games.edadh.strike import Ints
from balance.games.edadh.unit import N_COLUMNS, NOBODY
from balance.games.edadh.view import SIDES, View

__all__ = ["LookAhead", "score"]

FACES = 10_000
"""Faces of the die that a mix is drawn with."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LookAhead(Uniform):
    """A side that looks one decision ahead; what is no part of levels A to C it leaves to `Uniform`.

    Parameters
    ----------
    worth
        What positions are worth.
    against
        The opponent, if it is known; this side then answers it.
    strays
        How often any card is played instead.
    """

    worth: Worth
    against: Opponent | None = None
    strays: float = 0.0

    @property
    def card_faces(self) -> int:
        """Faces of the die that the mix is drawn with."""
        return FACES

    @property
    def reacts(self) -> bool:
        """The Defender answers the Attacker's troop."""
        return True

    def card(self, view: View, luck: Ints) -> Ints:
        """Return a card from the solved mix."""
        cards = np.ones(len(luck), np.int16)
        rows = np.flatnonzero(view.state["turns"] > 0)
        if len(rows):
            some, back = _different(self.worth.moves, take_trials(view.state, rows))
            _, mixes = solved(TurnChoices(self.worth.moves, some), self.worth, self.against)
            mix = (1 - self.strays) * mixes[view.me] + self.strays / N_CARDS
            cards[rows] = 1 + by_luck(mix[back], luck[rows], FACES)
        return cards

    def play(self, view: View, luck: Ints) -> Ints:
        """Return the play that the open selection ends in, or the best answer to the Attacker's."""
        plays = np.full(len(luck), NOBODY, np.int16)
        role = view.role if view.me == 0 else -view.role
        for attacker, sign in ((A_ATTACKS, 1), (B_ATTACKS, -1), (TIE, 0)):
            rows = np.flatnonzero((view.state["turns"] > 0) & (role == sign))
            if len(rows):
                plays[rows] = self._selected(view, rows, attacker)
        return plays

    def _selected(self, view: View, rows: Rows, attacker: int) -> Ints:
        moves, state, me = self.worth.moves, take_trials(view.state, rows), view.me
        mine, theirs = view.card[rows, None].astype(np.intp), view.foe_card[rows, None].astype(np.intp)
        cards = (mine, theirs) if me == 0 else (theirs, mine)
        plays = moves.options(state, attacker)
        foe_play = np.broadcast_to(view.foe_play, len(view.role))[rows]
        if attacker != TIE and (foe_play != NOBODY).all():
            known = foe_play[:, None].astype(np.uint8)
            plays = (plays[0], known) if me == 0 else (known, plays[1])
        block = moves.block(state, attacker, cards, plays)
        cells = self.worth(block.after).reshape(block.shape)[:, 0]
        return plays[me][np.arange(len(rows)), picked(attacker, cells)[me]].astype(np.int16)

    def discard(self, view: View, luck: Ints) -> Ints:
        """Return a column to discard from, on the way to the ending made for."""
        columns = self._column(view, retiring=False)
        lowest = np.argmax(np.asarray(view.legal)[:, None] >> np.arange(N_COLUMNS) & 1, axis=1)
        return np.where(columns == STAY, lowest, columns).astype(np.int16)

    def retire(self, view: View, luck: Ints) -> Ints:
        """Return a column to retire from, on the way to the ending made for, or none."""
        return self._column(view, retiring=True)

    def _column(self, view: View, *, retiring: bool) -> Ints:
        moves, me, side = self.worth.moves, view.me, SIDES[view.me]
        seen = {**take_trials(view.state, view.rows), **view.fresh}
        state = moves.tidy(seen)
        unit, damage, mp = (state[f"{side}_{name}"] for name in ("unit", "damage", "mp"))
        aim = self._aim(me, state)
        chosen = np.full(len(unit), STAY, np.int16)
        there = (unit == aim[0]) & (damage == aim[1]) & (mp == aim[2])
        raw = seen[f"{side}_unit"]
        for column in range(N_COLUMNS):
            tried = np.flatnonzero((chosen == STAY) & ~there & (np.asarray(view.legal) >> column & 1 > 0))
            if not len(tried):
                continue
            one, hurt, left = raw[tried], damage[tried], mp[tried]
            if retiring:
                one, left = retire_from(moves.battle, me, one, left, column)
            else:
                one, hurt = discard_from(moves.battle, me, one, hurt, column)
            found = moves.endings(me, moves.alike(me, one), hurt, left)
            goal = [values[tried][found.row] for values in aim]
            hit = (found.unit == goal[0]) & (found.damage == goal[1]) & (found.mp == goal[2])
            chosen[tried[np.unique(found.row[hit])]] = column
        return chosen

    def _aim(self, me: int, state: State) -> tuple[Ints, Ints, Ints]:
        """Return the arrangement, damage and MP of the ending that the own mix favours most, `[n]` each."""
        some, back = _different(self.worth.moves, state)
        choices = EndChoices(self.worth.moves, some)
        _, mixes = solved(choices, self.worth, self.against)
        favourites, none = mixes[me].argmax(axis=1), np.zeros(len(some["turns"]), np.intp)
        pair = (favourites, none) if me == 0 else (none, favourites)
        after = choices.after(pair[0], pair[1], self.worth)
        unit, damage, mp = (after[f"{SIDES[me]}_{name}"][back] for name in ("unit", "damage", "mp"))
        return unit, damage, mp


def _different(moves: Moves, state: State) -> tuple[State, Rows]:
    """Return states once each, columns in one order, and where each of those given is among them."""
    tidied = moves.tidy(state)
    names = [*(f"{side}_{name}" for side in SIDES for name in OWN), "turns"]
    table = np.stack([tidied[name].astype(np.int16) for name in names], axis=1)
    _, first, back = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return take_trials(tidied, first), back.ravel()


def score(moves: Moves, policies: tuple[Policy, Policy], n: int, seed: int, name: str) -> float:
    """Return what side a scores on average in n duels, a draw counting half; `name` names the dice."""
    process = duel_process(replace(moves.battle, policies=policies), moves.resolve)
    winner = simulate(process, RandomRolls(seed, f"solve {name}", 0, n))["winner"]
    return float(np.mean(winner == 1) + 0.5 * np.mean(winner == 0))
