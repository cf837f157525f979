"""One attack of a line-up in every trial, with a weapon and a target that differ by trial: drawn, or rolled by die."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.games.warforged.attack import roll_attack
from balance.games.warforged.lineup.tables import Tables


@dataclass(frozen=True, eq=False)
class Strikes:
    """One attack in every trial, `int[n]` each.

    Attributes
    ----------
    unit, target
        Places of the attacker and of its target in their armies.
    weapon, body
        Numbers of the weapon, that after the last where nobody attacks, and of the target's body.
    shield_up, armour
        Condition of the target: whether its Supershield is active (False for all where there is none), and what burns
        have left of its armour (0 where it cannot be burnt).
    """

    unit: IntArray
    target: IntArray
    weapon: IntArray
    body: IntArray
    shield_up: BoolArray | bool
    armour: IntArray


Resolver: TypeAlias = Callable[[Tables, Strikes, tuple[tuple[int, int], ...], Rolls, str], State]
"""(tables, attack, weapons and bodies that can meet, rolls, name of the side) -> what it does, by column."""


def draw(tables: Tables, strikes: Strikes, meeting: tuple[tuple[int, int], ...], rolls: Rolls, side: str) -> State:
    """Draw the attack of each trial from its exact distribution.

    Parameters
    ----------
    tables
        What the attacks of the side do.
    strikes
        Who attacks whom with what.
    meeting
        Not needed: distributions are of all weapons at all bodies.
    rolls, side
        Chance, and "a" or "b", which names the draw.
    """
    n_bodies = np.int32(tables.first_row.shape[1])
    rows = tables.first_row.take(strikes.weapon * n_bodies + strikes.body) + strikes.armour
    if strikes.shield_up is not False:
        rows += tables.n_armours.take(strikes.body) * strikes.shield_up
    return rolls.draw(tables.wounds, rows, f"{side} attack")


def roll(tables: Tables, strikes: Strikes, meeting: tuple[tuple[int, int], ...], rolls: Rolls, side: str) -> State:
    """Roll every die of the attack of each trial: those of every weapon at every body that can meet.

    Parameters
    ----------
    tables
        What the attacks of the side do.
    strikes
        Who attacks whom with what.
    meeting
        Numbers of the weapons and bodies that can meet, in pairs.
    rolls, side
        Chance, and "a" or "b", which names the dice.
    """
    total = {name: np.zeros(len(strikes.target), np.int16) for name in tables.columns}
    for weapon, body in meeting:
        shot, (gun, unit) = tables.shots[weapon][body], (tables.roster.weapons[weapon], tables.roster.bodies[body].unit)
        armour = strikes.armour if shot.burnable else shot.armour
        name = f"{side} {gun.id} at {unit.id} "
        outcome = roll_attack(shot, strikes.shield_up, armour, rolls, name)
        mask = (strikes.weapon == weapon) & (strikes.body == body)
        for column in total:
            total[column] += outcome[column] * mask
    return total


RESOLVERS: Mapping[str, Resolver] = {"literal": roll, "compiled": draw}
"""Lane -> how an attack is resolved."""
