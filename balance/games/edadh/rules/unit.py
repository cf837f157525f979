"""A Unit as a small automaton: every arrangement its cards can ever be in, with tables for what may be done in each.

A Unit is three columns of cards, front card first. Cards leave from the front and the card behind moves up (WE-EOP.3);
at Ballistic and Charge level cards may be swapped inside a column (WE-SWAP.1). From the starting arrangement only so
many others can be reached (27 in the learning game), so each gets a number, and whatever depends on the arrangement
is a look-up. A *mask* has bit c set for column c; a *play* is a selected column with the columns combined with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray
from balance.base.errors import RulesError
from balance.games.edadh.cards.swaps import Arrangement, Swaps, swap_results, swaps_of

N_COLUMNS = 3
NO_COLUMN = 3
"""The play of a side that has no turn to play: no column, no card."""
COMBINE_ONE, COMBINE_ALL = 1, 2
"""Rights to combine: one other card (WE-FEW.2), or all others (WE-FEW.3)."""
MOST_ARRANGEMENTS = 30_000
"""More arrangements than this are too many for tables."""
MOST_PLAYS = 9
STAY = 3
"""In place of a column to lose a card from: none."""
NO_CARD = 9999
"""In place of a discard value or a mastery level where there is no card: more than any."""


def plays_of(mask: int, combine: int, fixed: int = NO_COLUMN) -> list[int]:
    """Return the legal plays with the columns of `mask` face up, in order: column + 4 * helpers' mask.

    Selected columns run from low to high; for each, no helpers first, then helpers from low to high. `combine` is 0,
    COMBINE_ONE or COMBINE_ALL; a `fixed` column has been selected already: only its helpers are still to be chosen.

    >>> plays_of(0b101, 0)
    [0, 2]
    >>> [divmod(play, 4) for play in plays_of(0b101, COMBINE_ONE)]
    [(0, 0), (4, 0), (0, 2), (1, 2)]
    """
    columns = [column for column in range(N_COLUMNS) if mask >> column & 1]
    plays = []
    for column in columns if fixed == NO_COLUMN else [fixed]:
        other_columns = [helper for helper in columns if helper != column]
        helpers = [0]
        if combine == COMBINE_ONE:
            helpers += [1 << helper for helper in other_columns]
        elif combine == COMBINE_ALL and other_columns:
            helpers.append(sum(1 << helper for helper in other_columns))
        plays += [column + 4 * mask_of for mask_of in helpers]
    return plays


def _plays_table() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    table, n_others = (
        np.full((3, 8, N_COLUMNS + 1, MOST_PLAYS), NO_COLUMN, np.int16),
        np.zeros((3, 8, N_COLUMNS + 1), np.int16),
    )
    for combine, mask, fixed in product(range(3), range(1, 8), range(N_COLUMNS + 1)):
        plays = plays_of(mask, combine, fixed)
        table[combine, mask, fixed, : len(plays)], n_others[combine, mask, fixed] = plays, len(plays) - 1
    return table.ravel(), n_others.ravel()


PLAYS, N_OTHERS = _plays_table()
"""Legal plays `int16[96 * 9]`, and how many there are beside the first `int16[96]`, by place: (right * 8 + mask) * 4 +
fixed column."""


def _losses_table() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    table, counts = np.full((2, 8, N_COLUMNS + 1), STAY, np.int16), np.ones((2, 8), np.int16)
    for must, mask in product(range(2), range(1, 8)):
        columns = [STAY] * (1 - must) + [column for column in range(N_COLUMNS) if mask >> column & 1]
        table[must, mask, : len(columns)], counts[must, mask] = columns, len(columns)
    return table.ravel(), counts.ravel()


LOSSES, N_LOSSES = _losses_table()
"""Columns a card may be lost from `int16[16 * 4]`, and how many options there are `int16[16]`, by place: must * 8 +
mask. Who need not lose one may STAY, the first option."""


@dataclass(frozen=True, eq=False)
class UnitTables:
    """Everything that depends on the arrangement u of a Unit (U arrangements, T kinds of troop).

    * `arrangements`: what each number stands for: three columns of troop kinds, front first. Number 0 is the start.
    * `front`: `int16[U * 4]`: kind of the front card of column c at u * 4 + c; T for none.
    * `behind`: `int16[U * 4]`: the arrangement once the front card of column c has left.
    * `front_mask`: `uint8[U]`: mask of the columns that have cards.
    * `fullest`: `uint8[U]`: mask of the columns with the most cards: those that cards may be discarded from.
    * `cheapest`: `uint8[U]`: among those, the columns whose front card has the lowest discard value.
    * `n_cards` and `n_front`: `int16[U]`: cards left, and columns that have cards.
    * `lowest_dv`: `int16[U]`: the lowest discard value of the front rank; a large number without cards.
    * `front_dv` and `front_psy`: `int16[U * 4]`: discard value and psyche of the front card of column c.
    * `lowest_ml`: `uint8[3, U * 8]`: for each level, at u * 8 + mask, the columns of `mask` with the lowest ML
      (WE-TROOP.2).
    * `swaps`: what swapping cards inside a column may lead to (WE-SWAP.1).
    """

    arrangements: tuple[Arrangement, ...]
    front: npt.NDArray[np.int16]
    behind: npt.NDArray[np.int16]
    front_mask: npt.NDArray[np.uint8]
    fullest: npt.NDArray[np.uint8]
    cheapest: npt.NDArray[np.uint8]
    n_cards: npt.NDArray[np.int16]
    n_front: npt.NDArray[np.int16]
    lowest_dv: npt.NDArray[np.int16]
    front_dv: npt.NDArray[np.int16]
    front_psy: npt.NDArray[np.int16]
    lowest_ml: npt.NDArray[np.uint8]
    swaps: Swaps


def _reachable(start: Arrangement, reach: int) -> list[Arrangement]:
    """Return every arrangement that can come of `start` by losing front cards and, if `reach`, by swapping."""
    arrangements, pending = {start: None}, [start]
    while pending:
        now = pending.pop()
        after = [(*now[:c], column[1:], *now[c + 1 :]) for c, column in enumerate(now) if column]
        if reach:
            swaps = [(c, result) for c, column in enumerate(now) for result in swap_results(column, reach)]
            after += [(*now[:c], result, *now[c + 1 :]) for c, result in swaps]
        for arrangement in after:
            if arrangement not in arrangements:
                arrangements[arrangement] = None
                pending.append(arrangement)
        if len(arrangements) > MOST_ARRANGEMENTS:
            tip = "fewer ranks, or fewer kinds of troop in a column"
            raise RulesError(f"a Unit with more than {MOST_ARRANGEMENTS} arrangements is too large to simulate", tip)
    return list(arrangements)


def unit_tables(
    columns: Arrangement, dv: list[int], psy: list[int], ml: npt.NDArray[np.int16], swap_reach: int
) -> UnitTables:
    """Compile a Unit of up to three columns, kinds 0 to T - 1 front first; `ml` is `int16[3, T]` by level.

    `swap_reach` is 0 where no level allows swaps. A Unit with too many arrangements raises `RulesError`.

    >>> tables = unit_tables(((0, 1),) * 3, [4, 4], [5, 6], np.array([[2, 2], [3, 4], [3, 4]], np.int16), 0)
    >>> len(tables.arrangements), tables.n_cards[0], bin(tables.fullest[0])
    (27, np.int16(6), '0b111')
    """
    arrangements = _reachable(tuple((*columns, (), (), ())[:N_COLUMNS]), swap_reach)
    number = {arrangement: u for u, arrangement in enumerate(arrangements)}
    no_kind = len(dv)
    front = np.array([[column[0] if column else no_kind for column in (*now, ())] for now in arrangements], np.int16)
    sizes = np.array([[len(column) for column in now] for now in arrangements], np.int16)
    front_dv = np.array([*dv, NO_CARD], np.int16)[front]
    fullest = (sizes == sizes.max(axis=1, keepdims=True)) & (sizes > 0)
    full_dv = np.where(fullest, front_dv[:, :N_COLUMNS], NO_CARD)
    return UnitTables(
        arrangements=tuple(arrangements),
        front=front.ravel(),
        behind=_behind(arrangements, number),
        front_mask=_masks(sizes > 0),
        fullest=_masks(fullest),
        cheapest=_masks(fullest & (full_dv == full_dv.min(axis=1, keepdims=True))),
        n_cards=sizes.sum(axis=1, dtype=np.int16),
        n_front=(sizes > 0).sum(axis=1, dtype=np.int16),
        lowest_dv=front_dv.min(axis=1),
        front_dv=np.where(front == no_kind, 0, front_dv).astype(np.int16).ravel(),
        front_psy=np.array([*psy, 0], np.int16)[front].ravel(),
        lowest_ml=np.stack([_lowest_ml(front, level) for level in ml]),
        swaps=swaps_of(arrangements, number, swap_reach),
    )


def _behind(arrangements: list[Arrangement], number: dict[Arrangement, int]) -> npt.NDArray[np.int16]:
    """Return, at u * 4 + c, the arrangement once the front card of column c has left; at c = 3, u itself."""
    return np.array(
        [
            [number[(*now[:c], column[1:], *now[c + 1 :])] for c, column in enumerate(now)] + [u]
            for u, now in enumerate(arrangements)
        ],
        np.int16,
    ).ravel()


def _masks(flags: BoolArray) -> npt.NDArray[np.uint8]:
    """Return flags by column, `bool[..., 3]`, as masks."""
    masks: npt.NDArray[np.uint8] = (flags @ np.array([1, 2, 4])).astype(np.uint8)
    return masks


def _lowest_ml(front: npt.NDArray[np.int16], ml: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    """Return, at u * 8 + mask, the columns of `mask` whose front card has the lowest ML at one level, as a mask."""
    levels = np.array([*ml, NO_CARD])[front[:, None, :N_COLUMNS]]
    masked = (np.arange(8)[:, None] >> np.arange(N_COLUMNS) & 1).astype(bool)
    visible_levels = np.where(masked, levels, NO_CARD)
    lowest = masked & (visible_levels == visible_levels.min(axis=2, keepdims=True))
    return _masks(lowest).ravel()
