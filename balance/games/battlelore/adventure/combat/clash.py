"""Who strikes whom in some trials: an attack, a bonus melee attack, or a unit that battles back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.combat.legal import boldness
from balance.games.battlelore.adventure.combat.throws import Throws
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.rules.dice import SWORD, swords_counted
from balance.games.battlelore.rules.strike import Targets

Blow = Literal["attack", "bonus", "back"]


@dataclass(frozen=True, eq=False)
class Clash:
    """One unit strikes another in each of m trials.

    `by`: the side of those who strike, 0 or 1; the others strike back where `kind` says so. `rows`: numbers of the
    trials, each once, `int64[m]`. `unit` and `target`: slots of who strikes and of who is struck, `int64[m]`.
    """

    turn: Turn
    by: int
    rows: IntArray
    unit: IntArray
    target: IntArray
    kind: Blow = "attack"

    @property
    def on(self) -> int:
        """The side of those who are struck, 0 or 1."""
        return 1 - self.by

    def part(self, at: IntArray) -> Clash:
        """Return the clash in those of its trials that stand at the places `at` in `rows`."""
        return replace(self, rows=self.rows[at], unit=self.unit[at], target=self.target[at])

    def back(self, at: IntArray) -> Clash:
        """Return the clash in which the targets battle back, in the trials at the places `at` in `rows`."""
        return Clash(self.turn, self.on, self.rows[at], self.target[at], self.unit[at], "back")

    @property
    def cells(self) -> IntArray:
        """Current cells of who strikes, `int64[m]`."""
        return np.asarray(self.turn.state["cell"][self.rows, self.by, self.unit].astype(np.int64))

    @property
    def target_cells(self) -> IntArray:
        """Current cells of who is struck, `int64[m]`."""
        return np.asarray(self.turn.state["cell"][self.rows, self.on, self.target].astype(np.int64))

    @cached_property
    def members(self) -> IntArray:
        """Member numbers (sorts) of who strikes, `int64[m]`."""
        return np.asarray(self.turn.state["kind"][self.rows, self.by, self.unit].astype(np.int64))

    @cached_property
    def target_members(self) -> IntArray:
        """Member numbers (sorts) of who is struck, `int64[m]`."""
        return np.asarray(self.turn.state["kind"][self.rows, self.on, self.target].astype(np.int64))

    @cached_property
    def struck(self) -> Targets:
        """Those who are struck, as the rules of a strike know them."""
        return self.turn.battle.muster.targets(self.target_members)

    @property
    def rolls(self) -> Throws:
        """The dice of the player whose units strike."""
        return Throws(self.turn, self.by, self.rows)

    @property
    def figures(self) -> IntArray:
        """Current figures of who strikes, `int8[m]`."""
        return np.asarray(self.turn.state["figures"][self.rows, self.by, self.unit])

    @property
    def target_figures(self) -> IntArray:
        """Current figures of who is struck, `int8[m]`."""
        return np.asarray(self.turn.state["figures"][self.rows, self.on, self.target])

    def swords(self, letters: IntArray, melee: IntArray) -> IntArray:
        """Return how many of the bonus strikes of a throw hit (BL-HIT-02, BL-WPN), `int64[m]`.

        `melee`, `int64[m]`, is 1 where the two are adjacent.
        """
        which = self.turn.battle.muster.swords[self.members, self.target_members, melee]
        return swords_counted(letters[:, SWORD], which)

    def target_bold(self) -> IntArray:
        """Return how many flags who is struck may ignore, as it stands now, `int64[m]`."""
        return boldness(self.turn.battle, self.turn.state, self.on, self.rows, self.target)

    @property
    def is_open(self) -> BoolArray:
        """In which trials nobody has won yet, `bool[m]`."""
        return np.asarray(self.turn.state["winner"][self.rows] == 0)
