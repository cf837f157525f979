"""One attack of a line-up in every trial, with a weapon and a target that differ by trial: drawn, or rolled by die."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.warforged.attack import roll_attack
from balance.games.warforged.lineup.tables import Tables

ScalarT = TypeVar("ScalarT", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Strikes:
    """One attack in each of some trials, `int[m]` each.

    * `n`: how many trials there are.
    * `rows`: in which of them somebody attacks, rising.
    * `unit` and `target`: places of the attacker and of its target in their armies.
    * `weapon` and `body`: numbers of the weapon and of the target's body.
    * `shield_up` and `armour`: condition of the target: whether its Supershield is active (False for all where there is
      none), and what burns have left of its armour (0 where it cannot be burnt).
    """

    n: int
    rows: IntArray
    unit: IntArray
    target: IntArray
    weapon: IntArray
    body: IntArray
    shield_up: BoolArray | bool
    armour: IntArray

    def in_all(self, values: npt.NDArray[ScalarT], other: int = 0) -> npt.NDArray[ScalarT]:
        """Return values of the attacks, `[m]`, for all trials, `[n]`; `other` where nobody attacks."""
        whole = np.full(self.n, other, values.dtype)
        whole[self.rows] = values
        return whole


Resolver: TypeAlias = Callable[[Tables, Strikes, tuple[tuple[int, int], ...], Rolls, str], State]
"""(tables, attack, weapons and bodies that can meet, rolls, name of the side) -> what it does, by column."""


def draw(tables: Tables, strikes: Strikes, meeting: tuple[tuple[int, int], ...], rolls: Rolls, side: str) -> State:
    """Draw the attack of each trial from its exact distribution; `meeting` is not needed, as all pairs have one.

    "a" or "b" names the draw.
    """
    n_bodies = np.int32(tables.first_row.shape[1])
    rows = tables.first_row.take(strikes.weapon * n_bodies + strikes.body) + strikes.armour
    if strikes.shield_up is not False:
        rows += tables.n_armours.take(strikes.body) * strikes.shield_up
    outcome = rolls.draw(tables.wounds, strikes.in_all(rows), draw_name(side))  # at 0 nothing happens
    return {name: values.take(strikes.rows) for name, values in outcome.items()}


def draw_name(side: str) -> str:
    """Return the name under which attacks of side "a" or "b" are drawn, which picks their random stream."""
    return f"{side} attack"


def roll(tables: Tables, strikes: Strikes, meeting: tuple[tuple[int, int], ...], rolls: Rolls, side: str) -> State:
    """Roll every die of the attack of each trial: those of every weapon at every body in `meeting`, by number."""
    shield_up = strikes.shield_up if strikes.shield_up is False else strikes.in_all(np.asarray(strikes.shield_up))
    armour_left = strikes.in_all(strikes.armour)
    total = {name: np.zeros(len(strikes.rows), np.int16) for name in tables.columns}
    for weapon, body in meeting:
        shot, (gun, unit) = tables.shots[weapon][body], (tables.roster.weapons[weapon], tables.roster.bodies[body].unit)
        armour = armour_left if shot.burnable else shot.armour
        outcome = roll_attack(shot, shield_up, armour, rolls, f"{side} {gun.id} at {unit.id} ")
        mask = (strikes.weapon == weapon) & (strikes.body == body)
        for column in total:
            total[column] += outcome[column].take(strikes.rows) * mask
    return total


RESOLVERS: Mapping[str, Resolver] = {"literal": roll, "compiled": draw}
"""Lane -> how an attack is resolved."""
