"""What an adventure is played with, told a second time: units, Lore cards that are laid down, decisions, terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from balance.games.battlelore.adventure.map.adventure import Blazon, Council
from balance.games.battlelore.ruleset import BattleLoreRules, Constants
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import CommandCard, LoreCard, Terrain
from tests.games.battlelore.adventure.reference_board import Board

NOBODY_WON = 3
HELMETS = {"green": "G", "blue": "B", "red": "R"}


class GameOverError(Exception):
    """Somebody has won: nothing further happens (BL-WIN-04)."""


class DifferenceError(Exception):
    """The engine that is followed says otherwise."""


@dataclass(eq=False)
class Unit:
    """A unit in its hex; `cell` is None once it is off the board."""

    side: int
    slot: int
    fighter: Fighter
    cell: int | None
    figures: int
    webbed: bool = False
    poisoned: bool = False
    stored: int = 0
    ordered: bool = False
    freed: bool = False
    moved: bool = False
    done: bool = False
    may_battle: bool = False
    charged: bool = False
    battles: int = 0
    shot: bool = False
    bonus: int = 0
    melee_bonus: int = 0
    speed: int = 0

    @property
    def at(self) -> int:
        """Where it stands."""
        assert self.cell is not None
        return self.cell

    @property
    def alive(self) -> bool:
        return self.cell is not None

    @property
    def kind(self) -> str:
        return self.fighter.unit.kind

    @property
    def creature(self) -> bool:
        return self.kind == "creature"

    @property
    def colour(self) -> str:
        return self.fighter.unit.colour

    @property
    def helmet(self) -> str:
        return HELMETS[self.colour]

    @property
    def frightened(self) -> bool:
        return self.fighter.race.panics and not self.creature

    @property
    def hexes_per_flag(self) -> int:
        race = 1 if self.creature else self.fighter.race.hexes_per_flag
        return self.fighter.unit.hexes_per_flag * race

    def begin_turn(self) -> None:
        self.ordered = self.freed = self.moved = self.done = self.charged = self.shot = False
        self.may_battle, self.battles, self.bonus, self.melee_bonus, self.speed = True, 1, 0, 0, 0


@dataclass
class Keep:
    """A stronghold: whose, where (-1 before it is placed), and whether it is lost, with a card or without."""

    side: int
    cell: int
    fallen: bool = False
    lost_card: bool = False


@dataclass
class Spell:
    """The Lore card that a side has played in a turn; `card` is -1 where it has no effect.

    `unit` is the slot of whom it was played on, `value` by how much it has its effect, `paid` the tokens that lie on
    the table, and `kept` the card by which it comes back to the hand.
    """

    played: int = -1
    card: int = -1
    unit: int = -1
    value: int = 0
    paid: int = 0
    kept: int = -1


@dataclass(frozen=True)
class Decision:
    """A decision of the engine that is followed.

    `what` says what is decided, by whom and when; options are known by their places, the one that was taken among them;
    `state` are the columns before it.
    """

    what: str
    places: frozenset[int]
    taken: int
    state: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What an adventure is played under; the two lists of units are (fighter, cell)."""

    board: Board
    units: tuple[Sequence[tuple[Fighter, int]], Sequence[tuple[Fighter, int]]]
    cards: Sequence[CommandCard]
    rules: BattleLoreRules
    constants: Constants
    banners: tuple[int, int]
    hands: tuple[int, int]
    blazons: Sequence[Blazon] = ()
    first: int = 0
    turn_limit: int = 120
    lore: bool = False
    lore_cards: Sequence[LoreCard] = ()
    councils: tuple[Council, Council] = (Council(), Council())
    tokens: tuple[int | None, int | None] = (None, None)
    masters_landmarks: bool = False
    terrains: Sequence[Terrain] = ()
    promotions: Mapping[Fighter, Fighter] = field(default_factory=dict)
