"""A duel that is ready to be played: its two sides, with the columns of state that each begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.games.runewars.cells import RUNES, Amount
from balance.games.runewars.rules.dials import Settings
from balance.games.runewars.rules.exchange import Exchange
from balance.games.runewars.rules.formation import Formation, trays_of, trays_with_figure
from balance.games.runewars.rules.morale import Deck
from balance.games.runewars.rules.runes import Runes


@dataclass(frozen=True)
class Duellist:
    """One side of a duel.

    * `name`: the prefix of its state columns: "a" or "b".
    * `figure_slots`: slots that its figure upgrade fills.
    * `health` and `upgrade`: wounds that its figures and its figure upgrade can take at the start.
    * `melee` and `ranged`: its attacks on the other side, in contact and before; None if it cannot shoot.
    * `regenerate` and `trays_added`: figures that come back, and trays that are added, at the end of each round.
    * `conditions`: conditions that matter, each with whether it has it at the start.
    * `steadfast`: types of morale card against which it is steadfast; None where nobody draws cards.
    * `dial`: what its command dial offers, if dials are set.
    * `lost_actions`: attacks that it loses at the start.
    """

    name: str
    formation: Formation
    figure_slots: int
    health: int
    upgrade: int
    melee: Exchange
    ranged: Exchange | None
    regenerate: Amount
    trays_added: int
    conditions: tuple[tuple[str, bool], ...]
    steadfast: tuple[str, ...] | None
    dial: Settings | None
    lost_actions: int = 0

    @property
    def start(self) -> dict[str, int]:
        """Its state columns at the start, one value for all trials."""
        columns = {"left": self.health} | dict(self.conditions)
        columns |= {"upgrade": self.upgrade} if self.upgrade else {}
        columns |= {"ready": 1, "inspiration": 0} if any(self.melee.attack.strike.when_ready) else {}
        columns |= {"panic": 0, "cowed": 0} if self.steadfast is not None else {}
        columns |= {"dial": 0} if self.dial else {}
        columns |= {LOST_ACTIONS: self.lost_actions} if self.lost_actions else {}
        start = {f"{self.name}_{column}": int(value) for column, value in columns.items()}
        if self.trays_added:
            trays = int(self.trays({column: np.array(value) for column, value in start.items()}))
            start[f"{self.name}_columns"] = min(self.formation.columns, trays)
        return start

    def trays(self, state: State) -> IntArray:
        """Return the trays it has left, `int[n]`; a figure upgrade alone still stands on one."""
        health = state[f"{self.name}_left"]
        if not self.upgrade:
            return trays_of(self.formation, health)
        return trays_with_figure(self.formation, health, state[f"{self.name}_upgrade"], self.figure_slots)

    def meeting(self, foe: Duellist, state: State) -> State:
        """Return the context of its attack on the other side, `int[n]` by the names of `rules.attack`."""
        prefix = f"{foe.name}_"
        context = {name.removeprefix(prefix): values for name, values in state.items() if name.startswith(prefix)}
        context.pop("ready", None)
        if "columns" in context:
            context["front"] = context.pop("columns")
        context |= {name: values for name, values in state.items() if name in RUNES}
        columns = {name: f"{self.name}_{name}" for name in ("columns", "ready", "threat")}
        context |= {name: state[column] for name, column in columns.items() if column in state}
        if self.dial and foe.dial:
            setting = state[f"{self.name}_dial"]
            context |= {f"added_{icon}": numbers[setting] for icon, numbers in self.dial.icons.items()}
            context["defend"] = foe.dial.defence(state[f"{foe.name}_dial"], state)
        return {**context, "trays": self.trays(state)}

    def is_destroyed(self, state: State) -> BoolArray:
        """Return where it has neither figures nor a figure upgrade left, `bool[n]`."""
        no_figures: BoolArray = state[f"{self.name}_left"] == 0
        return no_figures & (state[f"{self.name}_upgrade"] == 0) if self.upgrade else no_figures


@dataclass(frozen=True)
class Duel:
    """A duel, ready to be played; the first `volleys` of `round_limit` rounds are before contact."""

    a: Duellist
    b: Duellist
    runes: Runes
    first: str
    is_simultaneous: bool
    volleys: int
    round_limit: int
    deck: Deck | None

    @property
    def start(self) -> dict[str, IntArray]:
        """State columns at the start that both sides share: runes, and cards of each kind in the morale deck."""
        columns = {kind: np.asarray(0, np.int16) for kind in self.runes.kinds}
        return columns | ({"deck": self.deck.numbers("copies")} if self.deck else {})

    @property
    def sides(self) -> Mapping[str, Duellist]:
        """The sides by name, "a" and "b"."""
        return {"a": self.a, "b": self.b}
