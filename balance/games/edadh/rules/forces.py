"""A side compiled: its Unit's tables, and every *fighter* it can send, by number.

A fighter is a Selected Troop with the troops combined with it (WE-FEW.4). Only the kinds of troop matter, not the
columns they stand in, so a Unit of two kinds has at most twelve fighters, and a turn's result is a look-up by the two
cards and the two fighters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.games.edadh.cards.records import LEVELS, Troop
from balance.games.edadh.cards.swaps import Arrangement
from balance.games.edadh.rules.mastery import Mastery
from balance.games.edadh.rules.strike import NO_ATT, Ground, Profile, RuleOptions
from balance.games.edadh.rules.unit import N_COLUMNS, UnitTables, unit_tables

N_PLAYS = 32
"""Numbers of plays: column + 4 * mask of helpers."""
POSSIBLE = np.array([play & 3 < N_COLUMNS and not play >> 2 >> (play & 3) & 1 for play in range(N_PLAYS)])
"""Whether a play can ever be legal: nobody combines with himself."""
MOST_KEPT = 8
"""Sides that are kept compiled: rows and columns of a table come in turn."""
LEVEL_FIELDS = ("ml", "mp_bonus", "protection", "piercing", "att", "def", "od", "dd")
"""The columns of a troop card that each level has, in the order of `Profile`."""


@dataclass(frozen=True, eq=False)
class Force:
    """One side, ready to be played (U arrangements, F fighters).

    `troops`: the kinds of troop; the Unit's tables number them in this order. `fighter`: `int32[U * 32]`: the fighter
    that a play sends, at u * 32 + play. `profile`: the Selected Troop of each fighter: arrays `int16[3, F]` by level.
    `helpers_att`: `int16[3, F]`: att of the troops combined with it.
    """

    troops: tuple[Troop, ...]
    unit: UnitTables
    fighter: npt.NDArray[np.int32]
    profile: Profile[IntArray]
    helpers_att: npt.NDArray[np.int16]

    @property
    def n_fighters(self) -> int:
        """Number F of fighters, each a Selected Troop with its helpers."""
        return int(self.helpers_att.shape[1])


@dataclass(frozen=True, eq=False)
class Arena:
    """What a turn depends on beside cards and troops: both sides, the mastery cards, the ground, the readings.

    `grounds` are those of side a and of side b, `int16[3]` by level in each field.
    """

    forces: tuple[Force, Force]
    mastery: Mastery
    grounds: tuple[Ground, Ground]
    read: RuleOptions


@lru_cache(maxsize=MOST_KEPT)
def compile_force(troops: tuple[Troop, ...], columns: Arrangement, swap_reach: int = 0) -> Force:
    """Compile a side; the last ones are kept, for a report asks about the same few in hundreds of duels.

    `columns` are one to three, kinds front first; cards swap up to `swap_reach` ranks (WE-SWAP.1), never if it is 0. A
    Unit with too many arrangements raises `RulesError`.

    >>> from balance.game.loaded import load
    >>> spears = load("edadh").catalogue.entries(Troop)["spears"]
    >>> force = compile_force((spears,), ((0, 0),) * 3)
    >>> force.n_fighters, sorted(force.helpers_att[2].tolist())
    (4, [0, 0, 7, 14])
    """
    values = _level_values(troops)
    dv = [troop.discard_value for troop in troops]
    unit = unit_tables(columns, dv, [troop.psyche for troop in troops], values[0][:, :-1], swap_reach)
    fighter, selected_kinds, helpers = _fighters(unit, len(troops))
    att = np.where(values[4] == NO_ATT, 0, values[4])
    profile: Profile[IntArray] = Profile._make(
        [*(column[:, selected_kinds] for column in values), np.array([*dv, 0], np.int16)[selected_kinds]]
    )
    return Force(troops, unit, fighter, profile, att[:, helpers].sum(axis=2, dtype=np.int16))


def _level_values(troops: Sequence[Troop]) -> list[npt.NDArray[np.int16]]:
    """Return, for each level field, `int16[3, T + 1]`; kind T is nobody."""
    fields = [troop.model_dump() for troop in troops]
    return [
        np.array([[_number(card[f"{level}_{name}"]) for card in fields] + [0] for level in LEVELS], np.int16)
        for name in LEVEL_FIELDS
    ]


def _number(value: int | None) -> int:
    return NO_ATT if value is None else value


def _fighters(
    unit: UnitTables, no_kind: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the fighter of each play, the kind each fighter selects `[F]`, and the kinds of its helpers `[F, 3]`."""
    front = unit.front.reshape(-1, N_COLUMNS + 1).astype(np.int64)
    plays = np.arange(N_PLAYS)
    helps = (plays[:, None] >> 2 >> np.arange(N_COLUMNS) & 1).astype(bool)
    helpers = np.sort(np.where(helps, front[:, None, :N_COLUMNS], no_kind), axis=2)
    selected_kinds = np.where(POSSIBLE, front[:, plays & 3], no_kind)[:, :, None]
    helpers = np.where(selected_kinds == no_kind, no_kind, helpers)
    rows = np.concatenate([selected_kinds, helpers], axis=2).reshape(-1, N_COLUMNS + 1)
    distinct, fighter = np.unique(rows, axis=0, return_inverse=True)
    return fighter.ravel().astype(np.int32), distinct[:, 0], distinct[:, 1:]
