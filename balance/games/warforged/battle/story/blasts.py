"""The blasts of one action of one battle, told again unit by unit: what bursts when, whom it hurts, who falls.

The engine strikes all units of many battles at once and keeps no record of waves. Here one action is gone through in
plain numbers, with the same dice asked for by the same names; tests hold the two to each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import base_words, below, words
from balance.chance.rolls.process import State
from balance.games.warforged.attack import BURNT_OUT, UP
from balance.games.warforged.battle.turns.terms import Battle

Unit: TypeAlias = tuple[int, int]
"""A unit by its side and its place in the army."""


@dataclass(frozen=True)
class Strike:
    """What sets blasts off: an attack at a target, or the Overload of a unit by its own will.

    `side`: whose action it is. `centre`: the target of the attack, or the unit that explodes. `attacks`: whether it is
    an attack. `damage` and `splash`: of the attack: health that the target loses, and each of those around it; 0 if
    nothing bursts there.
    """

    side: int
    centre: Unit
    attacks: bool
    damage: int = 0
    splash: int = 0


@dataclass
class Wave:
    """What happens in one moment of an action; moments count from 0.

    * `bursts`: who explodes, or the target around which a shot bursts.
    * `cells`: the cells that each burst reaches.
    * `losses`: damage that each unit takes of blasts, with what it had no health for.
    * `saves`: who rolled against it for what, "slim" or "shield": the face, and whether that saved the unit or its
      shield.
    * `casualties`: who fell, the target of the attack too.
    """

    number: int
    bursts: tuple[Unit, ...]
    cells: tuple[tuple[int, ...], ...]
    losses: dict[Unit, int] = field(default_factory=dict)
    saves: list[tuple[Unit, str, int, bool]] = field(default_factory=list)
    casualties: tuple[Unit, ...] = ()


def waves_of(battle: Battle, state: State, strike: Strike) -> Iterator[Wave]:
    """Yield the waves of an action in one battle, `[1, ...]`, before it.

    The shield of an attack's target must be as the attack left it.
    """
    field = _Field(battle, state, strike.side)
    if not strike.attacks:
        field.health[strike.centre] = 0
        yield from field.explosions([strike.centre], 0)
        return
    first, exploding = field.burst(strike)
    if strike.splash or first.casualties:
        yield first
    yield from field.explosions(exploding, 1)


class _Field:
    """Who stands where with how much health, in the course of an action."""

    def __init__(self, battle: Battle, state: State, side: int) -> None:
        units = [(owner, int(place)) for owner in (0, 1) for place in np.flatnonzero(state["health"][0, owner] > 0)]
        self.battle, self.terms, self.side = battle, battle.terms, side
        self.kind = {unit: int(state["kind"][0][unit]) for unit in units}
        self.health = {unit: int(state["health"][0][unit]) for unit in units}
        self.cell = {unit: int(state["cell"][0][unit]) for unit in units}
        self.shield = {unit: int(state["shield"][0][unit]) for unit in units}
        self.luck = base_words(state["luck"], state["events"])

    def burst(self, strike: Strike) -> tuple[Wave, list[Unit]]:
        """Return the moment in which a shot hits, with the splash around its target, and who explodes after it."""
        wave, harm = Wave(0, (), ()), dict[Unit, tuple[int, int]]()
        blast_cells = self.blast_cells(self.cell[strike.centre], self.terms.splash_radius)
        if strike.splash:
            wave.bursts, wave.cells = (strike.centre,), (blast_cells,)
        for unit in self.units_on_board() if strike.splash else ():
            friend = unit[0] == strike.side
            if unit != strike.centre and self.cell[unit] in blast_cells and (self.terms.friendly_fire or not friend):
                harm[unit] = (strike.splash * (not friend), strike.splash * friend)
        return wave, self.strike(wave, harm, {strike.centre: strike.damage})

    def explosions(self, exploding: list[Unit], number: int) -> Iterator[Wave]:
        """Yield the waves in which units explode, those of one wave at the same time."""
        while exploding:
            blast_cells = [self.blast_cells(self.cell[unit], self.terms.overload_radius) for unit in exploding]
            wave, harm = Wave(number, tuple(exploding), tuple(blast_cells)), dict[Unit, tuple[int, int]]()
            for unit in self.units_on_board():
                sources = [
                    source[0] == unit[0]
                    for source, cells in zip(exploding, blast_cells, strict=True)
                    if self.cell[unit] in cells
                ]
                friends = sum(sources) * self.terms.friendly_fire
                if total := len(sources) - sum(sources) + friends:
                    harm[unit] = ((total - friends) * self.terms.overload, friends * self.terms.overload)
            exploding = self.strike(wave, harm, {})
            yield wave
            number += 1

    def units_on_board(self) -> list[Unit]:
        """Return the units that stand on a cell, in the order of sides and places."""
        return [unit for unit, cell in self.cell.items() if cell != OFF_BOARD and self.health[unit] > 0]

    def blast_cells(self, cell: int, radius: int) -> tuple[int, ...]:
        """Return the cells within a radius that a burst reaches, its own too."""
        return tuple(map(int, np.flatnonzero(self.battle.ground.near(radius)[cell + 1, 1:])))

    def strike(self, wave: Wave, harm: dict[Unit, tuple[int, int]], direct: dict[Unit, int]) -> list[Unit]:
        """Take health off, write down in the wave what came of it, and return who explodes then.

        `harm` is the damage of blasts of enemies and of friends, `direct` that of the weapon.
        """
        saved_units = {unit for unit in harm if self.is_saved(wave, unit)}
        wave.losses |= {unit: sum(damages) for unit, damages in harm.items() if unit not in saved_units}
        health_before, exploding, fallen_units = dict(self.health), list[Unit](), list[Unit]()
        for unit in {**harm, **direct}:
            self.health[unit] = max(health_before[unit] - direct.get(unit, 0) - wave.losses.get(unit, 0), 0)
        for unit in [unit for unit in health_before if health_before[unit] > 0 == self.health[unit]]:
            fallen_units.append(unit)
            shot = direct.get(unit, 0)
            enemies = harm.get(unit, (0, 0))[0] > 0 and unit not in saved_units
            sets_off = {"none": shot >= health_before[unit] and shot > 0, "hostile": shot > 0 or enemies, "any": True}
            if self.battle.overload[self.kind[unit]] and sets_off[self.terms.overload_chain]:
                exploding.append(unit)
        wave.casualties = tuple(fallen_units)
        return exploding

    def is_saved(self, wave: Wave, unit: Unit) -> bool:
        """Return whether a unit dodges a blast (WF-Q4), or its Supershield takes it (WF-Q15)."""
        if self.terms.slim_dodges and self.battle.slim[self.kind[unit]]:
            face = self.face(f"blast {wave.number} slim", unit)
            wave.saves.append((unit, "slim", face, face in self.terms.dodge_faces))
            if face in self.terms.dodge_faces:
                return True
        if not self.terms.shield_stops or self.shield[unit] != UP:
            return False
        face = self.face(f"blast {wave.number} shield", unit)
        wave.saves.append((unit, "shield", face, face in self.terms.keep_faces))
        self.shield[unit] = UP if face in self.terms.keep_faces else BURNT_OUT
        return True

    def face(self, name: str, unit: Unit) -> int:
        """Return what the special die of a unit shows; its cell names the die, so no two units share one."""
        relative = self.battle.ground.seats[self.side].relative[[self.cell[unit]]]
        return int(below(words(self.luck, name, relative), self.terms.special_faces)[0]) + 1
