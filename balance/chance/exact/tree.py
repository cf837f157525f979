"""The branches of one step when players may choose any legal option: what a solver's tree is made of.

The rules are the ones that are played. Every choice of a step is answered by every legal option and its dice by every
fall, so a game whose steps ask for choices describes nothing again for a solver. Which choices are simultaneous
(neither side's view tells of the other's) the game knows: for those, the branches are cells of a matrix game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.exact.enumeration import GridRolls, StepWays, run_in_every_way
from balance.chance.pmf.arrays import WeightArray
from balance.chance.rolls.process import State, Step, n_trials, take_trials

Choice: TypeAlias = tuple[str, str]
"""A choice of a step: (side, name)."""


@dataclass(frozen=True, eq=False)
class Branches:
    """All states a step may lead to, one per row.

    * `origin`: row of the state before the step, `int64[n]`.
    * `choices`: by choice, in the order in which they are asked for: the option taken, `int[n]`.
    * `weights`: weight of what chance does, `[n]` (int64, object, or float64 after a `draw`). They sum to `denominator`
      over the rows of one origin that agree in what is chosen, where what may be chosen does not follow from chance.
    * `denominator`: what weights are divided by to become chances.
    * `state`: the state after the step.
    """

    origin: IntArray
    choices: dict[Choice, IntArray]
    weights: WeightArray
    denominator: int
    state: State


def every_option(step: Step, state: State) -> Branches:
    """Make one step with every legal option of every choice, and every fall of the dice.

    Sides with policies choose as these do if the step comes from `process.step(number)`.
    """
    rolls = GridRolls(StepWays(), n_trials(state), lists_choices=True)
    after = run_in_every_way(step, state, rolls)
    rows, weights = rolls.possible()
    return Branches(
        np.asarray(rolls.origin[rows]),
        {choice: option[rows] for choice, option in rolls.choices.items()},
        weights,
        rolls.denominator,
        take_trials(after, rows),
    )
