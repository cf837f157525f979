"""What the map of an adventure means, in tables: ways, sections, sight, limits on dice, and reasons to be Bold.

Tables of cells go by cell + 1, so that row 0 stands for being off the board. The *ground* of a hex is a code: hexes
with the same terrains have the same one, and 0 stands for no hex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.catalogue import Catalogue
from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD
from balance.games.battlelore.adventure.map.adventure import COUNTRYSIDE, GRID, Adventure, hexes, relative_cells
from balance.games.battlelore.adventure.map.sight import Lines, across_of, distances, lines_within, pad_table
from balance.games.battlelore.rules.dice import Ground
from balance.games.battlelore.ruleset import BattleLoreRules, Constants
from balance.games.battlelore.tables import Terrain, Weapon, constants_of, rules_of

N_CELLS = GRID.n_cells
LEFT_BIT, CENTRE_BIT, RIGHT_BIT = 1, 2, 4
"""Bits of the sections."""
NO_LIMIT = 99
"""The most base dice where nothing limits them."""
HILL, SECRET_PASSAGE = "hill", "secret_passage"
REMOVABLE = ("training_camp", "healing_pool")
"""Landmarks that are taken off the board once they are used (BL-LMK-09, BL-LMK-10)."""
LANDMARKS = ("magic_pentacle", "rogues_den", "healing_pool", "training_camp", "stronghold")
"""What Lore Masters bring, in the order of MASTERS, and Commanders (BL-LMK-02)."""
OPENED_ON = ("forest", "hill")
"""Terrains on which a secret passage may be opened (BL-LMK-06)."""
_REAL = np.zeros(N_CELLS, bool)
_REAL[list(hexes())] = True


@dataclass(frozen=True, eq=False)
class Field:
    """The map of an adventure, looked up; N numbers of cells, G codes of ground.

    `terrains`: id of a terrain -> the terrain. `rules` and `constants`: the readings in force, and the numbers that the
    rulebook states. `reach`: the longest range of any weapon, in hexes.
    """

    adventure: Adventure
    terrains: Mapping[str, Terrain]
    rules: BattleLoreRules
    constants: Constants
    reach: int

    # -- the board -----------------------------------------------------------------------------------------------------

    @cached_property
    def neighbours(self) -> IntArray:
        """The hexes next to each, `int16[N + 1, 6]`; OFF_BOARD at the rim."""
        table = np.full((N_CELLS + 1, GRID.n_directions), OFF_BOARD, np.int16)
        for cell in hexes():
            steps = np.array([GRID.step(cell, direction) for direction in range(GRID.n_directions)])
            table[cell + 1] = np.where((steps != OFF_BOARD) & _REAL[steps], steps, OFF_BOARD)
        return table

    @cached_property
    def rear(self) -> IntArray:
        """The neighbours of each hex that are nearer to a side's own edge, `int16[2, N + 1, 2]` (BL-FLAG-03, BL-Q54).

        In the order in which that side counts cells; OFF_BOARD where there is none.
        """
        table = np.full((2, N_CELLS + 1, 2), OFF_BOARD, np.int16)
        for side, behind in enumerate((-1, 1)):
            for cell in hexes():
                row, around = cell // COLUMN_CELLS + behind, self.neighbours[cell + 1]
                near = around[(around != OFF_BOARD) & (around // COLUMN_CELLS == row)]
                near = near[self.relative[side, near + 1].argsort()]
                table[side, cell + 1, : len(near)] = near
        return table

    @cached_property
    def distances(self) -> IntArray:
        """Hexes from each to each, the last one counted (BL-RNG-01), `uint8[N + 1, N + 1]`; FAR off the board."""
        return distances()

    @cached_property
    def walks(self) -> IntArray:
        """Steps from hex to hex over ground that can be entered, units aside, `uint8[N + 1, N + 1]`; FAR for no way."""
        return pad_table(GRID.walks(self.passable[self.ground[1:]]))

    @cached_property
    def relative(self) -> IntArray:
        """Each cell as a side counts it from its own edge, `int16[2, N + 1]`; OFF_BOARD off the board."""
        cells = np.concatenate([[OFF_BOARD], np.where(_REAL, np.arange(N_CELLS), OFF_BOARD)])
        return np.array([relative_cells(side, cells) for side in (0, 1)], np.int16)

    @cached_property
    def section(self) -> IntArray:
        """The sections of each hex for a side, `uint8[2, N + 1]`: LEFT_BIT, CENTRE_BIT and RIGHT_BIT (BL-SETUP-01).

        A hex that a line cuts belongs to both of its sections.
        """
        low, high = self.constants.board.section_lines
        table = np.zeros((2, N_CELLS + 1), np.uint8)
        for side in (0, 1):
            for cell in hexes():
                across = across_of(int(self.relative[side, cell + 1]))
                left_bit, right_bit = LEFT_BIT * (across >= high), RIGHT_BIT * (across <= low)
                bits = left_bit + CENTRE_BIT * (low <= across <= high) + right_bit
                table[side, cell + 1] = bits
        return table

    # -- the ground ----------------------------------------------------------------------------------------------------

    @cached_property
    def _codes(self) -> dict[tuple[str, ...], int]:
        """Terrains of a hex -> its code; with Lore also those that landmarks may bring about."""
        kinds: dict[tuple[str, ...], int] = {(): 0}
        for ids in self.adventure.terrain:
            kinds.setdefault(ids, len(kinds))
        for landmark in LANDMARKS if self.adventure.lore else ():
            kinds.setdefault((landmark,), len(kinds))
        later = list(kinds) if self.adventure.lore else []
        while later:
            fresh = [ids for ids in _later(later.pop(0)) if ids not in kinds]
            kinds |= {ids: len(kinds) + number for number, ids in enumerate(fresh)}
            later += fresh
        return kinds

    def code_without(self, code: int, terrain: str) -> int:
        """Return the code of a ground once a terrain is removed from it, or its own if the terrain is not there."""
        ids = tuple(t.id for t in self.grounds[code].terrains)
        rest = tuple(name for name in ids if name != terrain) or (COUNTRYSIDE,)
        return self._codes[rest] if terrain in ids else code

    def code_with_passage(self, code: int) -> int:
        """Return the code of a ground once a secret passage is opened on it; 0 where none can be (BL-LMK-06)."""
        ids = tuple(t.id for t in self.grounds[code].terrains)
        may_open = any(name in OPENED_ON for name in ids) and SECRET_PASSAGE not in ids
        return self._codes[(*ids, SECRET_PASSAGE)] if may_open else 0

    def code_of(self, terrains: Iterable[str]) -> int:
        """Return the code of the ground with these terrains; KeyError if no hex has them or may come to have them."""
        return self._codes[tuple(terrains)]

    @cached_property
    def grounds(self) -> tuple[Ground, ...]:
        """Code -> the terrains of that ground, for their limits and morale."""
        return tuple(Ground(tuple(self.terrains[name] for name in ids)) for ids in self._codes)

    @cached_property
    def ground(self) -> IntArray:
        """The code of each cell as the adventure begins, `uint8[N + 1]`."""
        return np.array([0, *(self._codes[ids] for ids in self.adventure.terrain)], np.uint8)

    def cells_with(self, terrain: str) -> list[int]:
        """Return the cells on which a terrain stands as the adventure begins, rising."""
        return [cell for cell, ids in enumerate(self.adventure.terrain) if terrain in ids]

    @cached_property
    def passable(self) -> BoolArray:
        """Which ground can be entered, `bool[G]`."""
        return np.array([bool(g.terrains) and all(t.passable for t in g.terrains) for g in self.grounds])

    @cached_property
    def stops(self) -> BoolArray:
        """Which ground stops whoever enters it, `bool[G]`."""
        return np.array([any(t.stops for t in g.terrains) for g in self.grounds])

    @cached_property
    def battle_on_entry(self) -> BoolArray:
        """Which ground lets a unit battle in the turn in which it enters, `bool[G]`."""
        return np.array([all(t.battle_on_entry for t in g.terrains) for g in self.grounds])

    @cached_property
    def free_along(self) -> BoolArray:
        """Which ground has no limits on entry from ground of the same kind, `bool[G]` (BL-LMK-13)."""
        limits = [[t for t in g.terrains if t.stops or not t.battle_on_entry] for g in self.grounds]
        return np.array([bool(terrains) and all(t.free_along for t in terrains) for terrains in limits])

    @cached_property
    def has_free_along(self) -> BoolArray:
        """Which ground holds a terrain without limits on entry from the same terrain, `bool[G]`."""
        return np.array([any(t.free_along for t in g.terrains) for g in self.grounds])

    @cached_property
    def stops_from(self) -> BoolArray:
        """Whether a unit that steps from one ground to another must stop there, `bool[G from, G to]` (BL-Q46)."""
        return self._over_steps(lambda a, b: bool(b.stopping(a, self.rules)))

    @cached_property
    def stops_pursuit(self) -> BoolArray:
        """Whether a pursuit that steps from one ground to another must stop there, `bool[G from, G to]`."""
        return self._over_steps(lambda a, b: b.stops_pursuit(a, self.rules))

    @cached_property
    def battles_from(self) -> BoolArray:
        """Whether a unit that steps from one ground to another may battle in that turn, `bool[G from, G to]`."""
        return self._over_steps(lambda a, b: not b.barring(a))

    def _over_steps(self, holds: Callable[[Ground, Ground], bool]) -> BoolArray:
        """Return for which steps from ground to ground a condition holds, `bool[G, G]`."""
        return np.array([[holds(a, b) for b in self.grounds] for a in self.grounds])

    @cached_property
    def caps(self) -> IntArray:
        """The most base dice of a unit that battles from one ground into another, `uint8[G from, G into]`."""
        rows = [[min([NO_LIMIT, *a.caps_out(), *b.caps_in(a)]) for b in self.grounds] for a in self.grounds]
        return np.array(rows, np.uint8)

    @cached_property
    def bold(self) -> IntArray:
        """Flags that an occupant may ignore for being there, `int8[G, 2 creature, 2 in the enemy's structure]`."""
        rows = [
            [
                [Ground(g.terrains, hostile=hostile).bold(creature) for hostile in (False, True)]
                for creature in (False, True)
            ]
            for g in self.grounds
        ]
        return np.array(rows, np.int8)

    @cached_property
    def owner(self) -> IntArray:
        """The side that owns what stands on a cell, `int8[N + 1]`; -1 for nobody (BL-LMK-04)."""
        table = np.full(N_CELLS + 1, -1, np.int8)
        for cell, side in self.adventure.owners:
            table[cell + 1] = side
        return table

    @cached_property
    def beside_bold(self) -> IntArray:
        """Flags that a side's troops may ignore for its structures next to them, `int8[2, N + 1]` (BL-LMK-11)."""
        table = np.zeros((2, N_CELLS + 1), np.int8)
        for cell, side in self.adventure.owners:
            beside = Ground(beside=self.grounds[self.ground[cell + 1]].terrains).bold(creature=False)
            near = self.neighbours[cell + 1] + 1
            table[side, near] = np.maximum(table[side, near], beside)
        table[:, 0] = 0
        return table

    # -- sight ---------------------------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> Lines:
        """The hexes crossed and bordered by the line between any two hexes within `reach`."""
        return lines_within(self.reach)

    @cached_property
    def blocks(self) -> BoolArray:
        """Which ground blocks lines of sight, `bool[G]`."""
        return np.array([any(t.blocks_sight for t in g.terrains) for g in self.grounds])

    @cached_property
    def _blocks_a_hill(self) -> BoolArray:
        """Which ground blocks the sight of a unit on a hill next to it, `bool[G]` (BL-TER-03, BL-Q23)."""
        if self.rules.hill_sight == "target_only":
            return self.blocks
        return np.array([any(t.blocks_sight for t in g.terrains if t.id != HILL) for g in self.grounds])

    @cached_property
    def open_caps(self) -> IntArray:
        """Most dice against who stands on each ground, from ground that limits no attacker, `int8[G]`."""
        return np.asarray(self.caps[self.caps.sum(axis=1, dtype=np.int64).argmax()])

    @cached_property
    def cover(self) -> IntArray:
        """How many dice each ground takes from attackers with four, `int64[G]`."""
        return np.asarray(np.maximum(4 - self.caps.min(axis=0).astype(np.int64), 0))

    @cached_property
    def is_hill(self) -> BoolArray:
        """Which ground is a hill, `bool[G]`."""
        return np.array([HILL in g.ids for g in self.grounds])

    @cached_property
    def _blocked_at_first(self) -> BoolArray:
        """Which hexes of each line block sight by their ground as the adventure begins, `bool[(N + 1)**2, w]`."""
        begin = np.arange(N_CELLS + 1).repeat(N_CELLS + 1)
        return self._blocked_by(np.arange(len(begin)), self.ground[self.lines.cells + 1], self.ground[begin])

    def _blocked_by(self, pairs: IntArray, ground: IntArray, begin: IntArray) -> BoolArray:
        """Return which hexes of m lines block sight, `bool[m, w]`, by their ground and that where each begins."""
        over = self.lines.adjacent[pairs] & self.is_hill[begin][:, None]
        by_ground = np.where(over, self._blocks_a_hill[ground], self.blocks[ground])
        return np.asarray(by_ground | self.lines.rim[pairs])

    def sees(
        self,
        occupants: IntArray | BoolArray,
        rows: IntArray,
        from_cells: IntArray,
        at_cells: IntArray,
        ground: IntArray | None = None,
    ) -> BoolArray:
        """Return from which hexes there is a line of sight to which, `bool[m]` (BL-RNG-06 to BL-RNG-09).

        Beyond the reach of all weapons there is none, and between neighbours there always is. `occupants` is
        `[n, N + 1]`, true or not 0 where a unit stands; `rows`, `from_cells` and `at_cells` are `int[m]`; `ground` has
        the codes of all cells, `uint8[n, N + 1]`, None for those at the beginning.
        """
        lines, n_cells = self.lines, N_CELLS + 1
        pairs = n_cells * (from_cells.astype(np.int64) + 1) + at_cells + 1
        cells = lines.cells[pairs].astype(np.int64) + 1
        cells += n_cells * rows[:, None]
        obstacles = occupants.ravel().take(cells) != 0
        if ground is None:
            obstacles |= self._blocked_at_first[pairs]
        else:
            obstacles |= self._blocked_by(pairs, ground.ravel().take(cells), ground[rows, from_cells + 1])
        return np.asarray(self._clear(obstacles) & lines.within[pairs])

    def _clear(self, obstacles: BoolArray) -> BoolArray:
        """Return which lines of sight, `bool[m]`, are open past obstacles, `bool[m, w]`."""
        first, second = self.lines.n_crossed, self.lines.n_crossed + self.lines.n_edges
        inner_hexes, left_hexes, right_hexes = obstacles[:, :first], obstacles[:, first:second], obstacles[:, second:]
        if self.rules.edge_sight == "both_sides":
            beside = left_hexes.any(axis=1) & right_hexes.any(axis=1)
        else:
            beside = (left_hexes & right_hexes).any(axis=1)
        return np.asarray(~(inner_hexes.any(axis=1) | beside))


def field_of(adventure: Adventure, catalogue: Catalogue, rules: BattleLoreRules | None = None) -> Field:
    """Return the tables of an adventure's map, cached; `rules` of None are those of the catalogue."""
    reach = max((weapon.range_hexes for weapon in catalogue.entries(Weapon).values()), default=1)
    terrains = dict(catalogue.entries(Terrain))
    return Field(adventure, terrains, rules or rules_of(catalogue), constants_of(catalogue), reach)


def _later(ids: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the terrains that a hex may come to have by the powers of landmarks."""
    rest = tuple(name for name in ids if name not in REMOVABLE)
    kinds = [rest or (COUNTRYSIDE,)] if rest != ids else []
    if any(name in OPENED_ON for name in ids) and SECRET_PASSAGE not in ids:
        kinds.append((*ids, SECRET_PASSAGE))
    return kinds
