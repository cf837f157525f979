"""The board of an adventure that is told: its ground, the tokens of both sides, and how everybody stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from balance.chance.rolls.process import State
from balance.game.question.board_story import (
    HEAVY,
    LIGHT,
    NO_CELL,
    OPEN,
    Ground,
    Mark,
    Sign,
    Token,
    TokenState,
)
from balance.games.battlelore.adventure.map.adventure import COUNTRYSIDE, GRID
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import Terrain

Unit = tuple[int, int]
"""A side, 0 or 1, and a slot."""


@dataclass(frozen=True, eq=False)
class Board:
    """What does not change in an adventure, and how the rest is told.

    Attributes
    ----------
    battle
        What is fought.
    """

    battle: Battle

    @cached_property
    def sides(self) -> tuple[str, str]:
        """What the two sides are called."""
        a, b = (force.name.replace("_", " ").capitalize() for force in self.battle.adventure.forces)
        return a, b

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Every unit of both sides."""
        return tuple((side, slot) for side in (0, 1) for slot in range(len(self.battle.members[side])))

    @cached_property
    def fighters(self) -> Mapping[Unit, Fighter]:
        """Who each unit is as the adventure begins."""
        members = self.battle.members
        return {(side, slot): self.battle.muster.fighters[members[side][slot][0]] for side, slot in self.units}

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of both sides, in the order of `units`."""
        return tuple(self._tokens())

    def _tokens(self) -> Iterator[Token]:
        for side in (0, 1):
            fighters = [fighter for unit, fighter in self.fighters.items() if unit[0] == side]
            for slot, fighter in enumerate(fighters):
                label = f"{slot + 1}{fighter.name[:1]}"  # the number first, for B7 is a hex
                yield Token(self._sort((side, slot)), side, label, fighter.unit.figures)

    def _sort(self, unit: Unit) -> str:
        """Return what the file calls a unit, such as "Human archers"."""
        side, slot = unit
        text = self.battle.adventure.forces[side].units[slot].unit
        return text.replace("_", " ").replace("+", " + ").capitalize()

    @cached_property
    def ground(self) -> Ground:
        """The board as a page draws it."""
        field = self.battle.field
        terrain = [self._look(field.grounds[code].terrains) for code in field.ground[1:].tolist()]
        signs = [
            Sign(cell, terrain.id[:1].upper(), terrain.name)
            for cell, code in enumerate(field.ground[1:].tolist())
            for terrain in field.grounds[code].terrains
            if terrain.id != COUNTRYSIDE
        ]
        objectives = tuple(sorted({blazon.cell for blazon in self.battle.adventure.blazons}))
        title = self.battle.adventure.title
        return Ground("hex", GRID.columns, GRID.rows, tuple(terrain), ((), ()), objectives, title, tuple(signs))

    @staticmethod
    def _look(terrains: tuple[Terrain, ...]) -> int:
        """Return how a hex looks: open, in the way, or not to be entered."""
        if not terrains:
            return NO_CELL
        if not all(terrain.passable for terrain in terrains):
            return HEAVY
        return OPEN if all(terrain.id == COUNTRYSIDE for terrain in terrains) else LIGHT

    def name(self, unit: Unit) -> str:
        """Return what a unit is called: its number, an initial for its colour, and its sort, as "1G Human archers"."""
        token = self.tokens[self.units.index(unit)]
        return f"{token.label} {token.name}"

    def standings(self, state: State) -> tuple[TokenState, ...]:
        """Return how everybody stands in the first trial of a state."""
        cell, figures = state["cell"][0], state["figures"][0]
        return tuple(
            TokenState(int(cell[unit]), int(figures[unit]) if cell[unit] >= 0 else 0, tuple(_marks(state, unit)))
            for unit in self.units
        )


def _marks(state: State, unit: Unit) -> Iterator[Mark]:
    """Yield the states that a unit is in."""
    if state["webbed"][0][unit]:
        yield Mark("W", "webbed")
    if state["poisoned"][0][unit]:
        yield Mark("P", "poisoned")
    if stored := int(state["stored"][0][unit]):
        yield Mark(str(stored), "Lore stored beside it")
