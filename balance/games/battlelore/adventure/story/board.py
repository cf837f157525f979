"""The board of an adventure that is told: its ground, the tokens of both sides, and how everybody stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from balance.base.arrays import IntArray
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
SIDES = "ab"
"""What the sides are called where data is told, by number."""


@dataclass(frozen=True, eq=False)
class Board:
    """Names, labels and ground of an adventure, which do not change while it is told."""

    battle: Battle

    @cached_property
    def sides(self) -> tuple[str, str]:
        """Names of the two sides for people."""
        a, b = (force.name.replace("_", " ").capitalize() for force in self.battle.adventure.forces)
        return a, b

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """(side, slot) of every unit, side a's first."""
        return tuple((side, slot) for side in (0, 1) for slot in range(len(self.battle.members[side])))

    @cached_property
    def fighters(self) -> Mapping[Unit, Fighter]:
        """(side, slot) -> the fighter as the adventure begins."""
        members = self.battle.members
        return {(side, slot): self.battle.muster.fighters[members[side][slot][0]] for side, slot in self.units}

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of both sides, in the order of `units`."""
        return tuple(self._tokens())

    def _tokens(self) -> Iterator[Token]:
        for number, unit in enumerate(self.units, 1):
            fighter = self.fighters[unit].unit
            label = f"{number}{fighter.colour[:1].upper()}"  # the number first, for B7 is a hex
            yield Token(self._sort(unit), unit[0], label, fighter.figures)

    @cached_property
    def by_label(self) -> Mapping[str, Unit]:
        """Label of a token -> its unit; side b's numbers go on where side a's end, so that no label occurs twice."""
        return {token.label: unit for token, unit in zip(self.tokens, self.units, strict=True)}

    def label(self, unit: Unit) -> str:
        """Return the label of a unit, such as "3B"."""
        return self.tokens[self.units.index(unit)].label

    def _sort(self, unit: Unit) -> str:
        """Return the name of a unit's sort in the file, such as "Human archers"."""
        side, slot = unit
        text = self.battle.adventure.forces[side].units[slot].unit
        return text.replace("_", " ").replace("+", " + ").capitalize()

    # -- cards ---------------------------------------------------------------------------------------------------------

    def command_ids(self, counts: IntArray) -> list[str]:
        """Return the ids of command cards from their numbers by kind, `int[T]`, repeated as often."""
        return [card.id for card, n in zip(self.battle.deck.cards, counts.tolist(), strict=True) for _ in range(n)]

    def command_names(self, counts: IntArray) -> str:
        """Return the names of command cards from their numbers by kind, `int[T]`, as words; "no card" for none."""
        cards = zip(self.battle.deck.cards, counts.tolist(), strict=True)
        return ", ".join(card.name for card, n in cards for _ in range(n)) or "no card"

    def lore_ids(self, counts: IntArray) -> list[str]:
        """Return the ids of Lore cards from their numbers by kind, `int[L]`, repeated as often."""
        return [card.id for card, n in zip(self.battle.lore_deck.cards, counts.tolist(), strict=True) for _ in range(n)]

    def lore_names(self, counts: IntArray) -> str:
        """Return the names of Lore cards from their numbers by kind, `int[L]`, as words; "no card" for none."""
        names = [self.lore_name(kind) for kind, n in enumerate(counts.tolist()) for _ in range(n)]
        return ", ".join(names) or "no card"

    def lore_name(self, kind: int) -> str:
        """Return the name of a Lore card, with its class where another class has a card of that name."""
        card = self.battle.lore_deck.cards[kind]
        is_shared = sum(other.name == card.name for other in self.battle.lore_deck.cards) > 1
        return f"{card.name} ({card.master.capitalize()})" if is_shared else card.name

    # -- the board -----------------------------------------------------------------------------------------------------

    def ground(self, codes: IntArray | None = None) -> Ground:
        """Return the board as a page draws it; `codes` is the ground by cell + 1, None as in the file."""
        field = self.battle.field
        codes = field.ground if codes is None else codes
        terrain = [self._look(field.grounds[code].terrains) for code in codes[1:].tolist()]
        signs = [
            Sign(cell, terrain.id[:1].upper(), terrain.name)
            for cell, code in enumerate(codes[1:].tolist())
            for terrain in field.grounds[code].terrains
            if terrain.id != COUNTRYSIDE
        ]
        objectives = tuple(sorted({blazon.cell for blazon in self.battle.adventure.blazons}))
        title = self.battle.adventure.title
        return Ground("hex", GRID.columns, GRID.rows, tuple(terrain), ((), ()), objectives, title, tuple(signs))

    @staticmethod
    def _look(terrains: tuple[Terrain, ...]) -> int:
        """Return the look of a hex: open countryside, other ground, or impassable."""
        if not terrains:
            return NO_CELL
        if not all(terrain.passable for terrain in terrains):
            return HEAVY
        return OPEN if all(terrain.id == COUNTRYSIDE for terrain in terrains) else LIGHT

    def name(self, unit: Unit) -> str:
        """Return a unit's label, a number and the initial of its colour, and its sort."""
        token = self.tokens[self.units.index(unit)]
        return f"{token.label} {token.name}"

    def standings(self, state: State) -> tuple[TokenState, ...]:
        """Return where each unit stands, with figures and marks, in the first trial of a state."""
        cell, figures = state["cell"][0], state["figures"][0]
        return tuple(
            TokenState(int(cell[unit]), int(figures[unit]) if cell[unit] >= 0 else 0, tuple(_marks(state, unit)))
            for unit in self.units
        )


def _marks(state: State, unit: Unit) -> Iterator[Mark]:
    """Yield the conditions of a unit that a page marks, such as webbed."""
    if state["webbed"][0][unit]:
        yield Mark("W", "webbed")
    if state["poisoned"][0][unit]:
        yield Mark("P", "poisoned")
    if stored := int(state["stored"][0][unit]):
        yield Mark(str(stored), "Lore stored beside it")
