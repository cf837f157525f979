"""What a player may see: everything on the table, and nothing of the opponent's mind.

Both Units, both tracks, both piles lie open (WE-SETUP.1), and so do the cards played so far. Hidden are the card an
opponent is about to play, and what is face down; so a view opens public columns of either side, and private ones of its
own side only, and holds no place of a card that lies face down (`balance.games.edadh.duel.hidden` deals those anew).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, take_trials
from balance.games.edadh.rules.forces import Arena
from balance.games.edadh.rules.strike import Ints

SIDES = "ab"
"""Names of the sides."""
PLAY_COUNT = "played_"
"""What the columns begin with that count how often a side has played each mastery card."""
STRATAGEM = "s_"
"""What the columns begin with that tell where a stratagem is."""

PUBLIC = ("mp", "damage", "unit", "up", "pile", "shaken", "combine", "champion", "standard", "leader", "second")
"""Columns of either side that everyone can see; see `balance.games.edadh.duel.duel_state`."""


@dataclass(frozen=True, eq=False)
class View:
    """The table as one side sees it when it is asked for a choice.

    * `side_index`: 0 for side a, 1 for side b.
    * `state`: the columns of the batch, the opponent's stratagems that lie face down as if they were in the deck.
    * `level`: combat level 0 to 2, a number or `int[n]`.
    * `rows`: the trials of the batch that the view is of, `int[n]`; None for all of them.
    * `facts`: what is known beside the table, `[n, ...]` each: when a troop is selected `place` (see `unit.PLAYS`),
      `role` (1 Attacker, -1 Defender, 0 on a tie), both cards `card` and `foe_card`, and `foe_play` where it is known;
      when a card may be lost its `place` (see `unit.LOSSES`) and the own columns as they are by then; and so on.
    """

    arena: Arena
    side_index: int
    state: State
    level: Ints
    rows: IntArray | None = None
    facts: Mapping[str, IntArray] = field(default_factory=dict)

    @property
    def foe(self) -> int:
        """The index of the opponent, 0 for side a and 1 for side b."""
        return 1 - self.side_index

    def _column(self, name: str) -> IntArray:
        if name in self.facts:
            return self.facts[name]
        values = self.state[name]
        return values if self.rows is None else values.take(self.rows)

    def own_column(self, name: str) -> IntArray:
        """Return a column of the own side, `int16[n]`, from `facts` if it is there, since these are newer."""
        return self._column(f"{SIDES[self.side_index]}_{name}")

    def foe_column(self, name: str) -> IntArray:
        """Return a public column of the opponent, `int16[n]`; any other raises `KeyError`, so that no policy peeks."""
        if name not in PUBLIC and not name.startswith((PLAY_COUNT, STRATAGEM)):
            raise KeyError(f"{name} of the opponent cannot be seen")
        return self._column(f"{SIDES[self.foe]}_{name}")

    def of_trials(self) -> State:
        """Return the state of the view's trials, with those columns replaced that `facts` has newer."""
        state = self.state if self.rows is None else take_trials(self.state, self.rows)
        return {**state, **{name: values for name, values in self.facts.items() if name in state}}

    def with_facts(self, **facts: IntArray) -> View:
        """Return the view with more facts, `[n, ...]` each."""
        return View(self.arena, self.side_index, self.state, self.level, self.rows, {**self.facts, **facts})

    def only(self, rows: IntArray) -> View:
        """Return the view of its trials at `rows`, `int[k]`: of level and facts those rows too."""
        facts = {name: values.take(rows, axis=0) for name, values in self.facts.items()}
        of = rows if self.rows is None else self.rows.take(rows)
        return View(self.arena, self.side_index, self.state, at_rows(self.level, rows), of, facts)


def at_rows(values: Ints, rows: IntArray) -> Ints:
    """Return the rows `int[k]` of an array `[n]`, or a number that holds for all trials as it is."""
    return values.take(rows) if isinstance(values, np.ndarray) else values
