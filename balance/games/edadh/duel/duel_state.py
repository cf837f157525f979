"""A duel ready to be played: both sides compiled, how they play, the readings in force, and how it begins.

Columns of a trial's state, each for side a and side b (`a_mp`, `b_mp` ...):

* `mp`, `damage`: the two markers of the score track (WE-SETUP.3);
* `unit`: the arrangement of the cards (`balance.games.edadh.rules.unit`), `up`: mask of the columns that may be
  selected;
* `pile`: cards in the discard pile, `relief`: discard values of those discarded at once (WE-EOP.2);
* `shaken`; `combine`: the right to combine in this Period (WE-FEW); `lost`: how the side has lost, 0 if it has not;
* `played_1` to `played_12`: how often it has played each card, if the other side counts them.

Beside them `period` counts from 1, `turns` are those left in this Period, and `over` is 1 once the duel has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.chance.rolls.process import Policy, State
from balance.games.edadh.rules.commands import Command
from balance.games.edadh.rules.forces import Arena
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.strike import Ints
from balance.games.edadh.rules.turn import Outcome
from balance.games.edadh.rules.unit import COMBINE_ALL, COMBINE_ONE
from balance.games.edadh.rules.view import PLAY_COUNT, SIDES, View
from balance.games.edadh.ruleset import Constants, EdadhRules

Resolver = Callable[[Ints, tuple[IntArray, IntArray], tuple[IntArray, IntArray]], Outcome]
"""(level, cards, fighters) -> what the turns do; see `balance.games.edadh.rules.look_up`."""
LOSS_CODES = {"damage": 1, "rout": 2, "mp": 3, "cards": 4}
"""Ways to lose (WE-WIN.3), as the columns `a_lost` and `b_lost` tell them; 0 for none."""


@dataclass(frozen=True, eq=False)
class Duel:
    """A duel ready to be played: cards and rules of a turn, policies, readings in force, and how either side begins.

    `levels`: `int8[P]`: combat level of the Period at each place; the last holds for all that follow (WE-LEVEL.1).
    `max_periods`: periods after which the duel is a draw (WE-Q19). `mp`, `damage`, `is_shaken`: how side a and side b
    begin (WE-SETUP.3). `commands`: the cards behind either Unit (level D).
    """

    arena: Arena
    policies: tuple[Policy, Policy]
    rules: EdadhRules
    constants: Constants
    levels: npt.NDArray[np.int8]
    max_periods: int
    mp: tuple[int, int]
    damage: tuple[int, int] = (0, 0)
    is_shaken: tuple[bool, bool] = (False, False)
    commands: tuple[Command, Command] = (Command(), Command())

    @property
    def is_led(self) -> bool:
        """Whether any master or standard stands behind a Unit (level D)."""
        return not all(command.is_empty for command in self.commands)

    @property
    def swaps(self) -> bool:
        """Whether cards can ever change places (WE-SWAP.1): some column of a Unit has more than one order."""
        return any(force.unit.swaps.n.max() > 1 for force in self.arena.forces)

    def level(self, state: State) -> Ints:
        """Return the combat level, 0 Ballistic, 1 Charge, 2 Melee: `[n]`, or one number where it never changes."""
        if len(self.levels) == 1:
            return int(self.levels[0])
        return self.levels.take(state["period"] - 1, mode="clip")

    @property
    def has_counted_cards(self) -> tuple[bool, bool]:
        """Whether the cards that side a and side b play are counted, since the other side wants to know."""
        counts_a, counts_b = (bool(getattr(policy, "counts_cards", False)) for policy in self.policies)
        return counts_b, counts_a

    def view(self, side_index: int, state: State, level: Ints) -> View:
        """Return what side 0 or 1 may see of n trials at a level, 0 to 2, or levels `int[n]`; no locked cards."""
        foe = 1 - side_index
        return View(self.arena, side_index, self.commands[foe].face_up(state, SIDES[foe]), level)


@dataclass(frozen=True)
class DuelSetup:
    """A duel, the inputs that it was asked with, and all policies by name, against which solved play is measured."""

    duel: Duel
    inputs: Mapping[str, object]
    players: Mapping[str, Policy]


def begin_period(duel: Duel, state: State) -> State:
    """Return the state with the front ranks turned face up, and the turns and rights of the new Period (WE-FEW).

    The larger side may combine one other card once if it is 3 against 2 (WE-FEW.2), or all of them against 1.
    """
    units = [force.unit for force in duel.arena.forces]
    a, b = state["a_unit"].astype(np.intp), state["b_unit"].astype(np.intp)
    n_a, n_b = units[0].n_front.take(a), units[1].n_front.take(b)
    right = np.where(np.minimum(n_a, n_b) == 1, COMBINE_ALL, COMBINE_ONE)
    return {
        **state,
        "a_up": units[0].front_mask.take(a),
        "b_up": units[1].front_mask.take(b),
        "turns": np.minimum(n_a, n_b),
        "a_combine": np.where(n_a > n_b, right, 0).astype(np.int16),
        "b_combine": np.where(n_b > n_a, right, 0).astype(np.int16),
    }


def start_of(duel: Duel) -> dict[str, int]:
    """Return the initial value of each state column; columns that this duel does not need are left out."""
    state: dict[str, int] = {"period": 1, "turns": 0, "over": 0}
    for side_index, side in enumerate(SIDES):
        columns = {
            "mp": duel.mp[side_index],
            "damage": duel.damage[side_index],
            "shaken": int(duel.is_shaken[side_index]),
        }
        columns |= dict.fromkeys(("unit", "up", "pile", "relief", "combine", "lost"), 0)
        columns |= duel.commands[side_index].start() if duel.is_led else {}
        columns |= {f"{PLAY_COUNT}{value}": 0 for value in range(1, N_CARDS + 1) if duel.has_counted_cards[side_index]}
        state |= {f"{side}_{name}": value for name, value in columns.items()}
    batch: State = {name: np.array([value], np.int16) for name, value in state.items()}
    return {name: int(values[0]) for name, values in begin_period(duel, batch).items()}


def winner_of(a_lost: IntArray, b_lost: IntArray) -> IntArray:
    """Return 1 or 2 where one side alone has not lost, else 0 (WE-WIN.1); arguments are `LOSS_CODES`, 0 for not lost.

    >>> winner_of(np.array([0, 3, 3, 0]), np.array([2, 0, 4, 0])).tolist()
    [1, 2, 0, 0]
    """
    a_stands, b_stands = a_lost == 0, b_lost == 0
    return np.asarray((a_stands & ~b_stands) + 2 * (b_stands & ~a_stands), np.int16)


def end_codes(state: State) -> IntArray:
    """Return 0 for a draw, 1 or 2 for the winner, -1 where a duel goes on, `int[n]`."""
    return np.where(state["over"] > 0, winner_of(state["a_lost"], state["b_lost"]), -1)
