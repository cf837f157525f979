"""The turns of a group of configurations as tables: where every pair of cards leads, at any number of mastery points.

What a turn costs and gives does not depend on how many mastery points (MP) a side has, but for the cap. So the rules
are asked twice, far from the cap and at it, and what they say holds at every MP; tests compare it with the rules there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.core.process import State, take_trials
from balance.games.edadh.duel_state import ended
from balance.games.edadh.mastery import N_CARDS
from balance.games.edadh.solving.configurations import Configurations, Group
from balance.games.edadh.solving.grid import DEAD, LOW, WIDTH, Grid, Worths
from balance.games.edadh.solving.moves import Rows, at_mp, parts, selected
from balance.games.edadh.view import SIDES
from balance.pmf.arrays import IntArray

__all__ = ["PART", "CardTable", "Pairs", "Shifts", "card_tables"]

PART = 64
"""Configurations of a table: their matrices at all nodes stay in the cache of one core."""
PLENTY = 30
"""MP far from the cap, and from none."""
NEVER = -10_000
"""Fewer MP than a side can have."""


@dataclass(frozen=True, eq=False)
class Shifts:
    """Ways in which a turn may change a side's MP (m of them).

    Attributes
    ----------
    net
        What it gains, less what it pays and loses, `int[m]`.
    at_cap
        The same for a side that is at the cap.
    least
        With fewer MP after the turn it has lost by its damage (WE-EOP.1); NEVER where the Period goes on.
    """

    net: IntArray
    at_cap: IntArray
    least: IntArray

    def places(self, mp: IntArray, cap: int) -> Rows:
        """Return the place on an axis to which each way leads from each MP `[..., k]`, `int[..., m, k]`."""
        gain = np.where(self.net > self.at_cap, self.net - self.at_cap, self.net)[:, None]
        loss = np.where(self.net > self.at_cap, -self.at_cap, 0)[:, None]
        after = np.minimum(mp[..., None, :] + gain, cap) - loss
        return np.where(after < self.least[:, None], DEAD, np.maximum(after, LOW) - LOW)


class Pairs(NamedTuple):
    """The card pairs with one Attacker (c of them), and where the turns of s configurations lead by plays of a and b.

    Attributes
    ----------
    attacker
        TIE, A_ATTACKS or B_ATTACKS.
    cards
        12 * a's card + b's, from 0, `int[c]`.
    leads
        Rows among the group's configurations with one turn less, `int32[p, q, c, s]`.
    shifts
        By how much the MP of side a and of side b change: numbers of `Shifts`, `int16[p, q, c, s]` each.
    """

    attacker: int
    cards: Rows
    leads: IntArray
    shifts: tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class CardTable:
    """A turn of s configurations of a group.

    Attributes
    ----------
    turns
        Turns left.
    rows
        Which configurations, among those of the group with as many turns left.
    damage
        Of side a and of side b, `[s]`.
    pairs
        Where each pair of cards leads.
    shifts
        Those of side a and of side b.
    cap
        MP that a side can have at most.
    """

    turns: int
    rows: slice
    damage: tuple[IntArray, IntArray]
    pairs: tuple[Pairs, ...]
    shifts: tuple[Shifts, Shifts]
    cap: int

    def payoffs(self, grid: Grid, spread: Worths) -> Worths:
        """Return what each pair of cards is worth at each node of either side, `float32[12, 12, s * k * k]`.

        Parameters
        ----------
        spread
            The worths at every MP of the group's configurations with one turn less, `float32[n, WIDTH, WIDTH]`.
        """
        flat = spread.reshape(-1)
        one, other = (
            shifts.places(grid.mp(self.turns, damage), self.cap)
            for shifts, damage in zip(self.shifts, self.damage, strict=True)
        )
        n, _, k = one.shape
        each = np.arange(n)
        payoffs = np.empty((N_CARDS**2, n, k, k), np.float32)
        for attacker, pairs, leads, (a_shift, b_shift) in self.pairs:
            a_place = one[each, a_shift] * WIDTH + leads[..., None] * WIDTH**2
            cells = flat.take(a_place[..., :, None] + other[each, b_shift][..., None, :])
            payoffs[pairs] = selected(attacker, np.moveaxis(cells, (0, 1), (-2, -1)))
        return payoffs.reshape(N_CARDS, N_CARDS, -1)


def card_tables(listed: Configurations, group: Group, turns: int) -> Iterator[CardTable]:
    """Yield the turns of a group's configurations with so many left, in parts."""
    rows, first = group.rows[turns], group.rows[turns - 1].start
    for part in parts(rows, PART):
        yield _card_table(listed, turns, take_trials(listed.columns[turns], part), part, rows.start, first)


def _card_table(listed: Configurations, turns: int, some: State, part: slice, begin: int, first: int) -> CardTable:
    moves, cap = listed.moves, listed.moves.duel.arena.read.mp_cap
    far, full = (moves.turns(at_mp(some, mp), landed=False) for mp in (PLENTY, cap))
    landed = moves.land(at_mp(full.after, cap))
    leads = np.maximum(listed.rows(landed, ended(landed) < 0) - first, 0).astype(np.int32)
    number, shifts = [], []
    for side in SIDES:
        least = full.after[f"{side}_damage"] if turns == 1 else np.full(len(leads), NEVER)
        ways = np.stack([far.after[f"{side}_mp"] - PLENTY, full.after[f"{side}_mp"] - cap, least])
        found, back = np.unique(ways.astype(np.int64), axis=1, return_inverse=True)
        number.append(back.ravel().astype(np.int16))
        shifts.append(Shifts(*found))
    pairs = tuple(
        Pairs(
            block.attacker,
            (block.cards[0] - 1) * N_CARDS + block.cards[1] - 1,
            leads[place := block.place.transpose(2, 3, 1, 0)],
            (number[0][place], number[1][place]),
        )
        for block in full.blocks
    )
    damage = (some["a_damage"], some["b_damage"])
    return CardTable(turns, slice(part.start - begin, part.stop - begin), damage, pairs, (shifts[0], shifts[1]), cap)
