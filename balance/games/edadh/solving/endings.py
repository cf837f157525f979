"""What a side may make of the end of a Period: every way to discard what it must and to retire what it may.

WE-EOP.3 and WE-RETIRE.1 as `period` has them, asked about every column instead of one. Ways that leave the same cards
and markers count once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from balance.games.edadh.battle import Battle
from balance.games.edadh.period import discard_from, may_retire, must_discard, retire_from
from balance.games.edadh.strike import Ints
from balance.games.edadh.unit import N_COLUMNS
from balance.solvers.games import Flags

__all__ = ["Endings", "Rows", "endings_of"]

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Endings:
    """What a side may make of the end of a Period, listed for n situations (k of them in all).

    Attributes
    ----------
    row
        Which situation, `[k]`, rising.
    unit, damage, mp, gone
        Arrangement, damage and MP afterwards, and the cards that went to the pile, `[k]`.
    """

    row: Rows
    unit: Ints
    damage: Ints
    mp: Ints
    gone: Ints


@dataclass(frozen=True, eq=False)
class _Under:
    """Ends of a Period under way: the situation each comes from, how far it has come, and whether a card retired."""

    row: Rows
    unit: Ints
    damage: Ints
    mp: Ints
    gone: Ints
    retired: Flags

    def only(self, rows: Rows | Flags) -> _Under:
        """Return some of them."""
        return _Under(**{name: values[rows] for name, values in vars(self).items()})


def endings_of(battle: Battle, me: int, alike: Callable[[Ints], Ints], unit: Ints, damage: Ints, mp: Ints) -> Endings:
    """Return what side 0 or 1 may make of EOP3, for n situations after EOP2.

    Parameters
    ----------
    alike
        Arrangements -> those that stand for all with the same columns.
    unit, damage, mp
        Arrangement, damage and MP, `int16[n]`.
    """
    todo = _Under(np.arange(len(unit)), unit, damage, mp, np.zeros_like(mp), np.zeros(len(unit), bool))
    finished = [todo.only(np.zeros(len(unit), bool))]
    while len(todo.row):
        must = must_discard(battle, me, todo.unit, todo.damage)
        must = must & (battle.rules.recheck_after_retire | ~todo.retired)
        finished.append(todo.only(~must))
        more, first = (may_retire(battle, me, todo.unit, todo.mp, again=again) for again in (True, False))
        able = ~must & np.where(todo.retired, more, first)
        less = [_one_less(battle, me, todo.only(rows), retiring) for rows, retiring in ((must, False), (able, True))]
        todo = _once([replace(one, unit=alike(one.unit)) for one in less])
    found = _once([replace(one, retired=np.zeros_like(one.retired)) for one in finished])
    return Endings(found.row, found.unit, found.damage, found.mp, found.gone)


def _one_less(battle: Battle, me: int, todo: _Under, retiring: bool) -> _Under:
    """Return what one card less may lead to, by each column it may come from."""
    tables = battle.arena.forces[me].unit
    cheapest = battle.rules.discard_choice == "lowest_dv" and not retiring
    legal = np.asarray((tables.cheapest if cheapest else tables.fullest).take(todo.unit))
    row, column = np.nonzero(legal[:, None] >> np.arange(N_COLUMNS) & 1)
    one = todo.only(row)
    if retiring:
        unit, mp = retire_from(battle, me, one.unit, one.mp, column)
        return replace(one, unit=unit, mp=mp, gone=one.gone + 1, retired=np.ones(len(row), bool))
    unit, damage = discard_from(battle, me, one.unit, one.damage, column)
    return replace(one, unit=unit, damage=damage, gone=one.gone + 1)


def _once(parts: list[_Under]) -> _Under:
    """Return those that are the same once, in order."""
    table = np.concatenate([np.stack([np.asarray(v, np.int64) for v in vars(part).values()]) for part in parts], axis=1)
    row, *markers, retired = np.unique(table, axis=1)
    unit, damage, mp, gone = (values.astype(np.int16) for values in markers)
    return _Under(row, unit, damage, mp, gone, retired > 0)
