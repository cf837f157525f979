"""Standard movement (WE-LEVEL.1) between Periods: cards may change places inside their column (WE-SWAP.1).

It comes after all five steps of a Period's end, while the Unit is still at the Ballistic or Charge level it has fought
at. Both sides decide at once (WE-Q26).
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.unit import N_COLUMNS
from balance.games.edadh.rules.view import SIDES

MELEE = LEVELS.index("melee")


def may_swap(duel: Duel, state: State) -> BoolArray:
    """Return whether cards may be swapped, `bool[n]`, at the level of the Period just ended, `period` - 1."""
    level_before = duel.levels.take(state["period"] - 2, mode="clip")
    able: BoolArray = level_before < MELEE
    return able if duel.rules.swap_last_charge else able & (duel.levels.take(state["period"] - 1, mode="clip") < MELEE)


def regroup(duel: Duel, state: State, rolls: Rolls) -> State:
    """Let both sides swap cards, column by column and at once (WE-SWAP.1, WE-Q26)."""
    able, after, level = may_swap(duel, state), dict(state), duel.level(state)
    for side_index, side in enumerate(SIDES):
        name, swaps = f"{side}_unit", duel.arena.forces[side_index].unit.swaps
        for column in range(N_COLUMNS):
            place = after[name].astype(np.intp) * 4 + column
            choices, legal = swaps.choices(place), np.where(able, swaps.n.take(place), 1)
            view = duel.view(side_index, {**state, name: after[name]}, level).with_facts(choices=choices)
            choice = rolls.choose(side, f"swap {column}", legal, view)
            after[name] = choices[np.arange(len(choice)), choice]
    return after
