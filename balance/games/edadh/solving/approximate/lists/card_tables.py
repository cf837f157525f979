"""The turns of some configurations as tables: where every pair of cards leads, at any number of mastery points (MP)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from threading import local
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.solving.approximate.grid import DEAD, LOW, WIDTH, Worths
from balance.games.edadh.solving.moves import Rows, selection_values

PART = 48
"""Configurations of a table at most: their matrices at all nodes stay in the cache of one core."""
SHARED, MIN_SIZE = 8, 24
"""Tables that a grade has at least, so that all cores have a share, but none of fewer configurations than that."""


class Shift(NamedTuple):
    """How turns change a side's MP, `int8[p, q, c, s]` each: first `gain`, up to the cap, then minus `loss`.

    With fewer than `min_mp` (`int16`) after the turn it has lost by its damage (WE-EOP.1); None where the Period goes
    on.
    """

    gain: IntArray
    loss: IntArray
    min_mp: IntArray | None

    def at(self, place: Rows) -> Shift:
        """Return the changes of the turns at some rows."""
        return Shift(self.gain[place], self.loss[place], None if self.min_mp is None else self.min_mp[place])

    def places(self, mp: IntArray, cap: int) -> IntArray:
        """Return the places on an axis to which turns lead from MP `int[s, k, l]`, `int32[p, q, c, k, l, s]`.

        A place is MP less LOW, or DEAD where the side has lost; the cap of MP is `cap`.
        """
        mp_last = np.moveaxis(mp, 0, -1).astype(np.int16)
        apart = np.s_[..., None, None, :]
        after = np.minimum(mp_last + self.gain[apart], np.int16(cap)) - self.loss[apart]
        places = np.maximum(after, np.int16(LOW)) - np.int16(LOW)
        if self.min_mp is not None:
            places = np.where(after < self.min_mp[apart], np.int16(DEAD), places)
        return np.asarray(places, np.int32)


class Pairs(NamedTuple):
    """The c card pairs with one Attacker, and where the turns of s configurations lead by plays of a and b.

    `attacker`: TIE, A_ATTACKS or B_ATTACKS. `cards`: 12 * a's card + b's, from 0, `int[c]`. `leads`: rows among the
    group's configurations with one turn less, `int32[p, q, c, s]`. `shifts`: how the MP of side a and of side b change.
    """

    attacker: int
    cards: Rows
    leads: IntArray
    shifts: tuple[Shift, Shift]


@dataclass(frozen=True, eq=False)
class CardTable:
    """A turn of s configurations of a group, at any MP.

    `rows`: which configurations, among those of their grade with as many turns left. `damage`: of side a and of side b,
    `[s]`. `cap`: MP that a side can have at most.
    """

    rows: slice
    damage: tuple[IntArray, IntArray]
    pairs: tuple[Pairs, ...]
    cap: int

    def at(self, mp: tuple[IntArray, IntArray]) -> CardGames:
        """Return its games at MP of side a and of side b, `[s, k, l]` each, 1 along an axis where they do not vary."""
        pair_leads = []
        for attacker, cards, leads, shifts in self.pairs:
            a_places, b_places = (shift.places(side_mp, self.cap) for shift, side_mp in zip(shifts, mp, strict=True))
            a_places = (a_places + leads[..., None, None, :] * np.int32(WIDTH)) * np.int32(WIDTH)
            if a_places.shape == b_places.shape:  # points: nothing is gained by adding up later, for every sweep anew
                pair_leads.append(PairLeads(attacker, cards, a_places + b_places, None))
            else:
                pair_leads.append(PairLeads(attacker, cards, a_places, b_places))
        s, k, l_ = np.broadcast_shapes(mp[0].shape, mp[1].shape)
        return CardGames(tuple(pair_leads), (k, l_, s))


CardTables = Mapping[int, CardTable]
"""Of a grade: those that this process goes through, by their numbers among all."""


class PairLeads(NamedTuple):
    """The card pairs with one Attacker, and where they lead in flat worths: to `a_places + b_places` at each MP.

    Both are `int32[p, q, c, k, l, s]`, 1 along an axis of MP that does not change them; at points `b_places` is None,
    and `a_places` has the sum.
    """

    attacker: int
    cards: Rows
    a_places: IntArray
    b_places: IntArray | None


@dataclass(frozen=True, eq=False)
class CardGames:
    """The matrices of a turn of s configurations at k MP of side a and l of side b; `shape` is (k, l, s)."""

    pair_leads: tuple[PairLeads, ...]
    shape: tuple[int, int, int]

    def payoffs(self, spread: Worths) -> Worths:
        """Return the value to side a of each pair of cards, `float32[12, 12, k * l * s]`, given those of successors.

        `spread` has the group's worths with one turn less at every MP, `float32[n, WIDTH, WIDTH]`. Configurations come
        last, so that memory is gone through in long rows; the array is used again when this thread asks next.
        """
        flat = spread.reshape(-1)
        payoffs = _room("payoffs", (N_CARDS**2, *self.shape), np.float32)
        for pair_leads in self.pair_leads:
            payoffs[pair_leads.cards] = self._selection_values(pair_leads, flat)
        return payoffs.reshape(N_CARDS, N_CARDS, -1)

    def _selection_values(self, pair_leads: PairLeads, flat: Worths) -> Worths:
        """Return what card pairs are worth after the open selection of troops, `float32[c, k, l, s]`."""
        _, _, a_places, b_places = pair_leads
        p, q, c = a_places.shape[:3]
        place = _room("place", (c, *self.shape), np.intp)
        cells = _room("cells", (p, q, c, *self.shape), np.float32)
        for i, j in product(range(p), range(q)):
            if b_places is None:
                place[...] = a_places[i, j]
            else:
                np.add(a_places[i, j], b_places[i, j], out=place)
            np.take(flat, place, out=cells[i, j], mode="clip")  # clip: the mode that needs no copy
        return cells[0, 0] if p == q == 1 else selection_values(pair_leads.attacker, cells, plays=(0, 1))


_ROOMS = local()


def _room(name: str, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return a buffer of this thread that is used again: fresh memory would take longer than the work done in it."""
    size, memory = math.prod(shape), getattr(_ROOMS, name, None)
    if memory is None or len(memory) < size:
        memory = np.empty(size, dtype)
        setattr(_ROOMS, name, memory)
    return memory[:size].reshape(shape)


def table_size(rows: slice) -> int:
    """Return the configurations per table of a grade: enough tables for all cores, each small enough for a cache.

    >>> [table_size(slice(0, n)) for n in (5, 100, 10_000)]
    [24, 24, 48]
    """
    n: int = rows.stop - rows.start
    return min(max(n // SHARED, MIN_SIZE), PART)
