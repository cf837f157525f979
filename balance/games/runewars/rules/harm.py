"""What an attack does to its target: mortal strikes, the damage pool, a figure upgrade, what is left over (RW-DMG)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.runewars.rules.formation import Formation, trays_with_figure
from balance.games.runewars.tables import Amount

__all__ = ["Harm", "Target", "amount_at", "harm"]

Harm: TypeAlias = Literal["unit", "upgrade"]
"""Whom accuracy is for: nobody in particular, or the figure upgrade."""


@dataclass(frozen=True)
class Target:
    """What is fixed of the defender.

    Attributes
    ----------
    formation
        How it stands.
    defence
        Damage that makes a wound.
    protected, mortal_ward
        Damage taken from the pool, and mortal strikes taken from the roll.
    guard_rerolls
        Dice of the attacker that it has rolled again.
    figure_defence, figure_slots
        Of its figure upgrade: damage that makes a wound, and slots that it fills.
    is_central
        Whether the figure upgrade stands in the middle of the front rank (RW-FIG.3).
    conditions
        Conditions that it may have, each with the damage that it adds to the pool.
    """

    formation: Formation
    defence: Amount
    protected: int
    mortal_ward: int
    guard_rerolls: Amount
    figure_defence: IntArray | int = 1
    figure_slots: int = 0
    is_central: bool = False
    conditions: tuple[tuple[str, int], ...] = ()


def amount_at(amount: Amount, met: Mapping[str, IntArray]) -> IntArray | int:
    """Return an amount, which may hang on the runes that lie."""
    return amount.number + met[amount.rune] if amount.rune else amount.number


def harm(target: Target, accuracy_for: Harm, met: Mapping[str, IntArray], brought: Mapping[str, IntArray]) -> State:
    """Return wounds of ordinary figures and of the figure upgrade, `int[n]` each.

    Parameters
    ----------
    met
        `left` and `upgrade`, runes, `front`, trays of the front rank if they are fewer than at the start, and `defend`,
        what a command dial adds to the defence.
    brought
        `mortal_strikes`, `damage` and `accuracy` of the attack.

    Mortal strikes fall on ordinary figures first, then accuracy gives the figure upgrade a wound an icon out of the
    pool, and ordinary figures take the rest (RW-Q16, RW-FIG.1); damage below the defence is lost (RW-Q15). A figure
    upgrade without ordinary figures takes everything.
    """
    left, mortal, pool = met["left"], brought["mortal_strikes"], brought["damage"]
    defence = np.maximum(amount_at(target.defence, met) + met.get("defend", 0), 1)
    if "upgrade" not in met:
        return {"wounds": np.minimum(mortal + pool // defence, left), "upgrade_wounds": np.zeros_like(left)}
    alone = (left == 0) & (met["upgrade"] > 0)
    struck = np.minimum(mortal, left)
    aimed = brought.get("accuracy", 0) * (accuracy_for == "upgrade")
    held = _held(target, met.get("front", target.formation.columns), left - struck, met["upgrade"])
    open_to = np.minimum(met["upgrade"] - held, aimed)
    pierced = np.minimum(np.maximum(open_to, 0), pool // target.figure_defence)
    rest = pool - pierced * target.figure_defence
    wounds = struck + np.minimum(rest // defence, left - struck)
    lone = np.minimum(mortal + pool // target.figure_defence, met["upgrade"])
    return {"wounds": np.where(alone, 0, wounds), "upgrade_wounds": np.where(alone, lone, pierced)}


def _held(target: Target, front: IntArray | int, left: IntArray, upgrade: IntArray) -> IntArray:
    """RW-FIG.3: return 1 where the figure upgrade may not fall, or its rank would be in two parts."""
    trays = trays_with_figure(target.formation, left, upgrade, target.figure_slots)
    lone_rank = (trays <= front) & (trays >= 3)
    return np.asarray(lone_rank & target.is_central, np.int16)
