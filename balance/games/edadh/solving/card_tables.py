"""The turns of a group of configurations as tables: where every pair of cards leads, at any number of mastery points.

What a turn costs and gives does not depend on how many mastery points (MP) a side has, but for the cap. So the rules
are asked twice, far from the cap and at it, and what they say holds at every MP; tests compare it with the rules there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from threading import local
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.core.process import State, take_trials
from balance.games.edadh.duel_state import ended
from balance.games.edadh.mastery import N_CARDS
from balance.games.edadh.solving.configurations import Configurations, Group
from balance.games.edadh.solving.grid import DEAD, LOW, WIDTH, Worths
from balance.games.edadh.solving.moves import Rows, at_mp, parts, selected
from balance.games.edadh.view import SIDES
from balance.pmf.arrays import IntArray
from balance.solvers.team import Team

__all__ = ["PART", "CardGames", "CardTable", "CardTables", "Pairs", "Shift", "card_table", "card_tables", "table_size"]

PART = 48
"""Configurations of a table at most: their matrices at all nodes stay in the cache of one core."""
LISTED = 10
"""Tables that are listed together: that takes a third less time than two at a time."""
SHARED, FEW = 8, 24
"""Tables that a grade has at least, so that all cores have a share, but none of fewer configurations than that."""
PLENTY = 30
"""MP far from the cap, and from none."""
NOWHERE = slice(0, 0)


class Shift(NamedTuple):
    """How turns change a side's MP, `int16[p, q, c, s]` each.

    Attributes
    ----------
    gain, loss
        What is added first, up to the cap, and what is taken away then.
    least
        With fewer MP after the turn it has lost by its damage (WE-EOP.1); None where the Period goes on.
    """

    gain: IntArray
    loss: IntArray
    least: IntArray | None

    def at(self, place: Rows | tuple[slice, ...]) -> Shift:
        """Return those of turns that stand at some places."""
        return Shift(self.gain[place], self.loss[place], None if self.least is None else self.least[place])

    def places(self, mp: IntArray, cap: int) -> IntArray:
        """Return the places on an axis to which turns lead from MP `[s, k, l]`, `int32[p, q, c, k, l, s]`."""
        own = np.moveaxis(mp, 0, -1).astype(np.int16)
        apart = np.s_[..., None, None, :]
        after = np.minimum(own + self.gain[apart], np.int16(cap)) - self.loss[apart]
        places = np.maximum(after, np.int16(LOW)) - np.int16(LOW)
        if self.least is not None:
            places = np.where(after < self.least[apart], np.int16(DEAD), places)
        return np.asarray(places, np.int32)


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
        How the MP of side a and of side b change.
    """

    attacker: int
    cards: Rows
    leads: IntArray
    shifts: tuple[Shift, Shift]

    def part(self, some: slice) -> Pairs:
        """Return those of some of the configurations, without the plays that these do not have."""
        columns = [self.leads, *(column for shift in self.shifts for column in shift if column is not None)]
        p, q = (_own_plays([column[..., some].swapaxes(0, axis) for column in columns]) for axis in (0, 1))
        own = np.s_[:p, :q, :, some]
        one, other = self.shifts
        return Pairs(self.attacker, self.cards, self.leads[own], (one.at(own), other.at(own)))


def _own_plays(columns: list[IntArray]) -> int:
    """Return how many plays there are along the first axis, without the last ones that are the first again."""
    n = len(columns[0])
    while n > 1 and all(np.array_equal(column[n - 1], column[0]) for column in columns):
        n -= 1
    return n


@dataclass(frozen=True, eq=False)
class CardTable:
    """A turn of s configurations of a group.

    Attributes
    ----------
    rows
        Which configurations, among those of their grade with as many turns left.
    damage
        Of side a and of side b, `[s]`.
    pairs
        Where each pair of cards leads.
    cap
        MP that a side can have at most.
    """

    rows: slice
    damage: tuple[IntArray, IntArray]
    pairs: tuple[Pairs, ...]
    cap: int

    def parts(self, size: int = PART) -> Iterator[CardTable]:
        """Yield the same in parts, so that their matrices stay in the cache."""
        for some in parts(slice(0, self.rows.stop - self.rows.start), size):
            yield self.part(some, slice(self.rows.start + some.start, self.rows.start + some.stop))

    def part(self, some: slice, rows: slice) -> CardTable:
        """Return that of some of its configurations, whose worths are to stand in these rows."""
        one, other = (own[some] for own in self.damage)
        return CardTable(rows, (one, other), tuple(each.part(some) for each in self.pairs), self.cap)

    def at(self, mp: tuple[IntArray, IntArray]) -> CardGames:
        """Return its games at MP of side a and of side b, `[s, k, l]` each, 1 along an axis on which they stay."""
        placed = []
        for attacker, cards, leads, shifts in self.pairs:
            one, other = (shift.places(own, self.cap) for shift, own in zip(shifts, mp, strict=True))
            one = (one + leads[..., None, None, :] * np.int32(WIDTH)) * np.int32(WIDTH)
            if one.shape == other.shape:  # points: nothing is gained by adding up later, for every sweep anew
                placed.append(Placed(attacker, cards, one + other, None))
            else:
                placed.append(Placed(attacker, cards, one, other))
        s, k, l_ = np.broadcast_shapes(mp[0].shape, mp[1].shape)
        return CardGames(tuple(placed), (k, l_, s))


CardTables = Mapping[int, CardTable]
"""Of a grade: those that this process goes through, by their numbers among all."""


class Placed(NamedTuple):
    """The card pairs with one Attacker, and where in flat worths they lead: `one + other` at each MP of either side.

    Attributes
    ----------
    one, other
        `int32[p, q, c, k, l, s]` each, 1 along an axis of MP that does not change them; at points `one` has it all.
    """

    attacker: int
    cards: Rows
    one: IntArray
    other: IntArray | None


@dataclass(frozen=True, eq=False)
class CardGames:
    """The matrices of a turn of s configurations at k MP of side a and l of side b; `shape` is (k, l, s)."""

    placed: tuple[Placed, ...]
    shape: tuple[int, int, int]

    def payoffs(self, spread: Worths) -> Worths:
        """Return what each pair of cards is worth, `float32[12, 12, k * l * s]`, until this thread asks again.

        Configurations come last, so that memory is gone through in long rows.

        Parameters
        ----------
        spread
            The worths at every MP of the group's configurations with one turn less, `float32[n, WIDTH, WIDTH]`.
        """
        flat = spread.reshape(-1)
        payoffs = _room("payoffs", (N_CARDS**2, *self.shape), np.float32)
        for placed in self.placed:
            payoffs[placed.cards] = self._selected(placed, flat)
        return payoffs.reshape(N_CARDS, N_CARDS, -1)

    def _selected(self, placed: Placed, flat: Worths) -> Worths:
        """Return what card pairs are worth after the open selection of troops, `float32[c, k, l, s]`."""
        _, _, one, other = placed
        p, q, c = one.shape[:3]
        place = _room("place", (c, *self.shape), np.intp)
        cells = _room("cells", (p, q, c, *self.shape), np.float32)
        for i, j in product(range(p), range(q)):
            if other is None:
                place[...] = one[i, j]
            else:
                np.add(one[i, j], other[i, j], out=place)
            np.take(flat, place, out=cells[i, j], mode="clip")  # clip: the mode that needs no copy
        return cells[0, 0] if p == q == 1 else selected(placed.attacker, cells, plays=(0, 1))


_ROOMS = local()


def _room(name: str, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return memory of this thread that is used again: fresh memory would take longer than the work done in it."""
    size, kept = math.prod(shape), getattr(_ROOMS, name, None)
    if kept is None or len(kept) < size:
        kept = np.empty(size, dtype)
        setattr(_ROOMS, name, kept)
    return kept[:size].reshape(shape)


def card_tables(listed: Configurations, group: Group, team: Team) -> tuple[tuple[CardTables, ...], ...]:
    """Return this process's turns of a group's configurations: for 0 (none), 1 ... turns left, by grade."""
    tables: list[list[dict[int, CardTable]]] = [[{} for _ in grades] for grades in group.grades]

    def some(which: tuple[int, int, list[tuple[int, slice]]]) -> None:
        turns, grade, wanted = which
        first = group.grades[turns][grade].start
        every = card_table(listed, group, turns, np.concatenate([np.arange(own.start, own.stop) for _, own in wanted]))
        begin = 0
        for number, own in wanted:
            end = begin + own.stop - own.start
            tables[turns][grade][number] = every.part(slice(begin, end), slice(own.start - first, own.stop - first))
            begin = end

    team.run(some, _listed_together(group, team))
    return tuple(tuple(grades) for grades in tables)


def _listed_together(group: Group, team: Team) -> Iterator[tuple[int, int, list[tuple[int, slice]]]]:
    """Yield turns left, grade, and the numbers and configurations of some of this process's tables of these."""
    for turns, grades in list(enumerate(group.grades))[1:]:
        for grade, rows in enumerate(grades):
            every = enumerate(group.parts(turns, grade, table_size(rows)))
            own = [each for each in every if team.owns(grade + each[0])]
            for first in range(0, len(own), LISTED):
                yield turns, grade, own[first : first + LISTED]


def table_size(rows: slice) -> int:
    """Return how many configurations each table of a grade has.

    >>> [table_size(slice(0, n)) for n in (5, 100, 10_000)]
    [24, 24, 48]
    """
    n: int = rows.stop - rows.start
    return min(max(n // SHARED, FEW), PART)


def card_table(
    listed: Configurations, group: Group, turns: int, which: slice | Rows, rows: slice = NOWHERE
) -> CardTable:
    """Return the turns of some of a group's configurations with so many left.

    Parameters
    ----------
    which
        Where they stand among all configurations with as many.
    rows
        Where their worths are to stand.
    """
    moves, cap = listed.moves, listed.moves.duel.arena.read.mp_cap
    some, first = take_trials(listed.columns[turns], which), group.rows[turns - 1].start
    far, full = (moves.turns(at_mp(some, mp), landed=False) for mp in (PLENTY, cap))
    landed = moves.land(at_mp(full.after, cap))
    leads = np.maximum(listed.rows(landed, ended(landed) < 0) - first, 0).astype(np.int32)
    ways = [_shift(far.after, full.after, side, cap, last=turns == 1) for side in SIDES]
    pairs = []
    for block in full.blocks:
        place = block.place.transpose(2, 3, 1, 0)
        cards = (block.cards[0] - 1) * N_CARDS + block.cards[1] - 1
        pairs.append(Pairs(block.attacker, cards, leads[place], (ways[0].at(place), ways[1].at(place))))
    return CardTable(rows, (some["a_damage"], some["b_damage"]), tuple(pairs), cap)


def _shift(far: State, full: State, side: str, cap: int, *, last: bool) -> Shift:
    """Return how turns have changed a side's MP, `[n]`, from states after it, far from the cap and at it before."""
    net, at_cap = far[f"{side}_mp"] - PLENTY, full[f"{side}_mp"] - cap
    capped = net > at_cap
    gain, loss = np.where(capped, net - at_cap, net), np.where(capped, -at_cap, 0)
    least = full[f"{side}_damage"].astype(np.int16) if last else None
    return Shift(gain.astype(np.int16), loss.astype(np.int16), least)
