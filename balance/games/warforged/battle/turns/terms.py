"""A battle as it is asked for: the map, the rules in force, and who may fight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import FAR, Words
from balance.chance.rolls.process import State
from balance.games.warforged.battle.armies.muster import Muster
from balance.games.warforged.battle.map.ground import Ground
from balance.games.warforged.battle.turns.table import FOES_OF_TWO, Table
from balance.games.warforged.fight_terms import FightTerms


@dataclass(frozen=True, kw_only=True)
class Terms(FightTerms):
    """What a battle is fought under: the rules and the situation.

    `objective_rounds`: rounds in a row that a side must hold the objective to win (WF-WIN.1); 0 where there is none.
    `max_moves`: moves of a unit in a turn (WF-ACT.3). `cover_dice` and `cover_adds_up`: armour dice that light cover
    gives, and whether each cover does (WF-Q5). `laser_heavy`, `units_block`, `jump_exact`: WF-Q14, WF-Q16, WF-Q17.
    """

    objective_rounds: int
    max_moves: int
    cover_dice: int
    cover_adds_up: bool
    laser_heavy: bool
    units_block: bool
    jump_exact: bool


@dataclass(frozen=True, eq=False)
class Battle:
    """Where, under what and of whom battles are fought; m members, w weapons, each with one more for nobody.

    `table`: what holds beside it for three or four players; None for two.
    """

    ground: Ground
    terms: Terms
    muster: Muster
    table: Table | None = None

    def hostile(self, state: State) -> BoolArray:
        """Return who fights whom in the round of a state, `bool[S, S]`."""
        return FOES_OF_TWO if self.table is None else self.table.hostile(int(state["round"][0]))

    def enemy(self, side: int, state: State, target: IntArray) -> tuple[int | IntArray, IntArray]:
        """Return side and place of targets, as `Action` numbers them: place among all enemies, army after army."""
        if self.table is None:
            return 1 - side, target
        army, place = np.divmod(target, state["cell"].shape[2])
        return np.flatnonzero(self.hostile(state)[side])[army], place

    @cached_property
    def speed(self) -> IntArray:
        """Cells of a move of each member, `int16[m + 1]`."""
        return self.muster.of_unit("speed_cells")

    @cached_property
    def health(self) -> IntArray:
        """Health of each member at the start, `int16[m + 1]`."""
        return self.muster.of_unit("health")

    @cached_property
    def armour(self) -> IntArray:
        """Armour of each member, `int16[m + 1]`."""
        return self.muster.of_unit("armour")

    @cached_property
    def slim(self) -> BoolArray:
        """Which members are Slim, `bool[m + 1]`."""
        return self.muster.with_ability("slim")

    @cached_property
    def jump(self) -> BoolArray:
        """Which members can jump, `bool[m + 1]`."""
        return self.muster.with_ability("jump")

    @cached_property
    def shield(self) -> BoolArray:
        """Which members have a Supershield, `bool[m + 1]`."""
        return self.muster.with_ability("supershield")

    @cached_property
    def overload(self) -> BoolArray:
        """Which members can explode, `bool[m + 1]`."""
        return self.muster.with_ability("overload")

    @cached_property
    def laser(self) -> BoolArray:
        """Which weapons are Lasers, `bool[w + 1]`."""
        return self.muster.with_effect("laser")

    @cached_property
    def precision(self) -> IntArray:
        """Precision of each weapon, `int16[w + 1]`."""
        return self.muster.of_weapon("precision")

    @cached_property
    def damage(self) -> IntArray:
        """Damage of each weapon, `int16[w + 1]`."""
        return self.muster.of_weapon("damage")

    @cached_property
    def piercing(self) -> BoolArray:
        """Which weapons are Piercing (WF-EFF.1), `bool[w + 1]`."""
        return self.muster.with_effect("piercing")

    @cached_property
    def explosive(self) -> BoolArray:
        """Which weapons are High Explosive (WF-EFF.2), `bool[w + 1]`."""
        return self.muster.with_effect("high_explosive")

    @cached_property
    def has_emp(self) -> BoolArray:
        """Which weapons have EMP (WF-EFF.4), `bool[w + 1]`."""
        return self.muster.with_effect("emp")

    @cached_property
    def through(self) -> BoolArray:
        """Which weapons shoot through heavy cover (WF-Q14), `bool[w + 1]`."""
        return self.laser & self.terms.laser_heavy

    @cached_property
    def ranges(self) -> IntArray:
        """Range of each weapon in cells, `uint8[w + 1]`."""
        return self.muster.of_weapon("range_cells").astype(np.uint8)

    @cached_property
    def sights(self) -> IntArray:
        """Distances along lines in sight, then along lines through heavy cover, `uint8[2 (N + 1)**2]`; 0 for none."""
        return np.concatenate([self.ground.sight_distances.ravel(), self.ground.through.ravel()])

    @cached_property
    def beyond(self) -> IntArray:
        """Offset in `sights` for each weapon, `int64[w + 1]`: 0, or that of lines through heavy cover."""
        return self.through * np.int64(self.ground.sight_distances.size)

    @cached_property
    def n_attacks(self) -> IntArray:
        """Attacks that each weapon makes with one action (WF-EFF.3), `int16[w + 1]`."""
        rapid = self.muster.with_effect("rapid_fire")
        return np.where(rapid, self.terms.read.rapid_attacks, 1).astype(np.int16)

    @cached_property
    def threat(self) -> IntArray:
        """Cells that each member may hit after one move, as far as distance goes, `uint8[m + 1]`."""
        return self._reach_after(1)

    @cached_property
    def menace(self) -> IntArray:
        """How far each member may hit in its next turn, after all its moves, in cells, `uint8[m + 1]`."""
        return self._reach_after(self.terms.max_moves)

    def _reach_after(self, moves: int) -> IntArray:
        reach = self.ranges[self.muster.slots].max(axis=1).astype(np.int64)
        return np.minimum(np.where(reach > 0, reach + moves * self.speed, 0), FAR - 1).astype(np.uint8)

    @cached_property
    def threats(self) -> IntArray:
        """Whether each cell is within so many cells of another, `uint8[(menace + 1) * (N + 1), N]`; 0: never."""
        reach = np.arange(int(self.menace.max(initial=0)) + 1)[:, None, None]
        within = (self.ground.distances[:, 1:] <= reach) & (reach > 0)
        return within.reshape(-1, self.ground.n_cells).view(np.uint8)

    @cached_property
    def cost(self) -> IntArray:
        """War points of each member, `int64[m + 1]`."""
        return np.array([*(side.loadout.cost_points for side in self.muster.members), 0], np.int64)

    @cached_property
    def worth(self) -> IntArray:
        """War points of each member, at least 1, as weights of targets, `int64[m + 1]`."""
        return np.maximum(self.cost, 1)

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """Places of weapons in the hands of a member, from 0 to the most that somebody carries."""
        return tuple(range(self.muster.n_slots))

    def dice_of(self, covers: IntArray) -> IntArray:
        """Return the armour dice that so many light covers give (WF-COV.1, WF-Q5)."""
        n_covers = covers if self.terms.cover_adds_up else np.minimum(covers, covers.dtype.type(1))
        return n_covers * covers.dtype.type(self.terms.cover_dice)

    @cached_property
    def cover_table(self) -> IntArray:
        """Armour dice by the cells of attacker and target, `uint8[N + 1, N + 1]`."""
        return self.dice_of(self.ground.covers)

    @cached_property
    def mean_losses(self) -> IntArray:
        """Mean health that actions take, as `Muster.mean_losses`, with as much cover as the map has."""
        return self.muster.mean_losses(int(self.cover_table.max()))

    @cached_property
    def hits(self) -> Words:
        """Cells, as bits, from which each weapon hits each cell, `uint16[C, (w + 1) * (N + 1)]`."""
        return self._hits(clear=False)

    @cached_property
    def clear_hits(self) -> Words:
        """The same as `hits`, from where no light cover protects the target; Lasers ignore cover."""
        return self._hits(clear=True)

    def _hits(self, *, clear: bool) -> Words:
        tables = [
            self.ground.hits(reach, heavy=bool(through), clear=clear and not laser)
            for reach, through, laser in zip(self.ranges.tolist(), self.through, self.laser, strict=True)
        ]
        return np.concatenate(tables, axis=1)

    @cached_property
    def jumps(self) -> Words:
        """Cells, as bits, where a jump lands by speed and cell, `uint16[C, (speed + 1) * (N + 1)]`."""
        tables = [self.ground.jumps(s, exact=self.terms.jump_exact) for s in range(int(self.speed.max()) + 1)]
        return np.concatenate(tables, axis=1)
