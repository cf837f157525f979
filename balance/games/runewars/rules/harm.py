"""What an attack does to its target: mortal strikes, the damage pool, a figure upgrade, what is left over (RW-DMG)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.runewars.cells import Amount
from balance.games.runewars.rules.formation import Formation, trays_with_figure

Harm: TypeAlias = Literal["unit", "upgrade"]
"""Whom accuracy is for: nobody in particular, or the figure upgrade."""


@dataclass(frozen=True)
class Target:
    """What does not change of the defender during a fight.

    * `defence`: damage that makes a wound.
    * `protection` and `mortal_ward`: damage taken from the pool, and mortal strikes taken from the roll.
    * `guard_rerolls`: dice of the attacker that it has rolled again.
    * `figure_defence` and `figure_slots`: of its figure upgrade: damage that makes a wound, and slots that it fills.
    * `is_central`: whether the figure upgrade stands in the middle of the front rank (RW-FIG.3).
    * `conditions`: conditions that it may have, each with the damage that it adds to the pool.
    """

    formation: Formation
    defence: Amount
    protection: int
    mortal_ward: int
    guard_rerolls: Amount
    figure_defence: IntArray | int = 1
    figure_slots: int = 0
    is_central: bool = False
    conditions: tuple[tuple[str, int], ...] = ()


def amount_at(amount: Amount, context: Mapping[str, IntArray]) -> IntArray | int:
    """Return an amount with the runes that lie added, `int[n]`, or one number if no kind of rune joins it."""
    return amount.number + context[amount.rune] if amount.rune else amount.number


def harm(target: Target, accuracy_for: Harm, context: Mapping[str, IntArray], results: Mapping[str, IntArray]) -> State:
    """Return wounds of ordinary figures and of the figure upgrade, `int[n]` each.

    Mortal strikes fall on ordinary figures first, then accuracy gives the figure upgrade a wound per icon out of the
    pool, and ordinary figures take the rest (RW-Q16, RW-FIG.1); damage below the defence is lost (RW-Q15). A figure
    upgrade without ordinary figures takes everything.

    `context` has `left` and `upgrade`, runes, `front`, trays of the front rank if they are fewer than at the start, and
    `defend`, what is added to the defence; `results` has `mortal_strikes`, `damage` and `accuracy` of the attack.
    """
    health, mortal, pool = context["left"], results["mortal_strikes"], results["damage"]
    defence = np.maximum(amount_at(target.defence, context) + context.get("defend", 0), 1)
    if "upgrade" not in context:
        return {"wounds": np.minimum(mortal + pool // defence, health), "upgrade_wounds": np.zeros_like(health)}
    alone = (health == 0) & (context["upgrade"] > 0)
    mortal_wounds = np.minimum(mortal, health)
    n_accuracy = results.get("accuracy", 0) * (accuracy_for == "upgrade")
    sheltered = _sheltered(
        target, context.get("front", target.formation.columns), health - mortal_wounds, context["upgrade"]
    )
    open_to = np.minimum(context["upgrade"] - sheltered, n_accuracy)
    figure_wounds = np.minimum(np.maximum(open_to, 0), pool // target.figure_defence)
    wounds = (pool - figure_wounds * target.figure_defence) // defence
    wounds = mortal_wounds + np.minimum(wounds, health - mortal_wounds)
    lone = np.minimum(mortal + pool // target.figure_defence, context["upgrade"])
    return {"wounds": np.where(alone, 0, wounds), "upgrade_wounds": np.where(alone, lone, figure_wounds)}


def _sheltered(target: Target, front: IntArray | int, health: IntArray, upgrade: IntArray) -> IntArray:
    """RW-FIG.3: return 1 where the figure upgrade may not fall since it would split its rank, else 0, `int16[n]`."""
    trays = trays_with_figure(target.formation, health, upgrade, target.figure_slots)
    lone_rank = (trays <= front) & (trays >= 3)
    return np.asarray(lone_rank & target.is_central, np.int16)
