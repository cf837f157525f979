"""A game as the referee has it: the state, whose turn it is, what is owed by the rules, and what was suspicious."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from tests.games.battlelore.referee.adventures import Adventure
from tests.games.battlelore.referee.ground import Ground, Hex, hex_of, neighbours
from tests.games.battlelore.referee.tables import Kind, LoreCard, Race, Tables, Weapon

Event = dict[str, Any]
State = dict[str, Any]
OTHER = {"a": "b", "b": "a"}


@dataclass(frozen=True)
class Suspicion:
    """What no game that keeps the rules would tell: in which line, against which rule, and what it is."""

    frame: int
    rule: str
    sentence: str


@dataclass(frozen=True)
class Debt:
    """An event that must come next: its kind, what it must say, and the rule that asks for it."""

    event: str
    says: dict[str, Any]
    rule: str
    must: bool = True

    def is_paid_by(self, event: Event) -> bool:
        return event["event"] == self.event and all(event.get(key) == value for key, value in self.says.items())


@dataclass
class LorePlay:
    """A Lore card in force: who played it on what, how strongly, and in which battle."""

    side: str
    card: LoreCard
    strength: int
    unit: str | None
    battle: int
    is_cancelled: bool = False


@dataclass
class Turn:
    """What has happened in a turn."""

    side: str
    number: int
    origins: dict[str, Hex]
    dens: set[str] = field(default_factory=set)
    effect: str = ""
    card: str | None = None
    command: int = 0
    ordered: list[str] = field(default_factory=list)
    may_order: int = 0
    slots: dict[str, int] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    freed: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)
    moved: dict[str, bool] = field(default_factory=dict)
    may_battle: dict[str, bool] = field(default_factory=dict)
    melee_only: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    charged: set[str] = field(default_factory=set)
    charged_at: dict[str, list[str]] = field(default_factory=dict)
    teleported: set[str] = field(default_factory=set)
    refill: tuple[int, int] = (0, 0)
    battles: Counter[str] = field(default_factory=Counter)
    plays: list[LorePlay] = field(default_factory=list)
    n_battles: int = 0
    is_lost: bool = False
    steps: list[str] = field(default_factory=list)


class Game:
    """One game on the referee's table.

    `state` is the referee's own: each event changes it by the rules, and then it is held against what is told.
    """

    def __init__(self, document: dict[str, Any], adventure: Adventure, tables: Tables) -> None:
        self.document, self.adventure, self.tables = document, adventure, tables
        self.record: dict[str, Any] = document["record"]
        self.rules: dict[str, Any] = document["inputs"]["rules"]
        self.state: State = deepcopy(document["begin"])
        self.suspicions: list[Suspicion] = []
        self.debts: list[Debt] = []
        self.frame = 0
        self.turn: Turn | None = None
        self.combat: Any = None
        self.is_over = False
        self.moving: tuple[str, str] | None = None
        self.is_set_up = False
        self.last_played: dict[str, tuple[str, list[int], int]] = {}
        self.command_pile = Piles({name: row["count"] for name, row in self.record["command_cards"].items()})
        self.lore_pile = Piles({})
        self.earned: set[str] = set()
        self.held: dict[str, int] = {}
        self.lost_keeps: set[str] = set()
        self.opening: list[tuple[str, str, str]] = []
        self.dealt: dict[str, list[str]] = {}
        self.drawn: list[str] = []
        self.tokens_due: dict[tuple[str, str], int] = {}
        self.to_return: list[tuple[str, str]] = []
        self.passages: dict[str, str] = {}
        self.other_throws: dict[str, Any] = {}
        self.hit_by_card: Any = None
        self.card_faces: Counter[str] | None = None
        self.card_critical: Counter[str] | None = None

    def suspect(self, rule: str, sentence: str) -> None:
        self.suspicions.append(Suspicion(self.frame, rule, sentence))

    def demand(self, holds: object, rule: str, sentence: str) -> None:
        """Suspect the game unless something holds."""
        if not holds:
            self.suspect(rule, sentence)

    def owe(self, rule: str, event: str, must: bool = True, **says: Any) -> None:
        self.debts.append(Debt(event, says, rule, must))

    def collect(self, event: Event) -> bool:
        """Take an event as what was owed, and return whether it was; what is owed comes before anything else."""
        for debt in self.debts:
            if debt.is_paid_by(event):
                self.debts.remove(debt)
                return True
        for debt in self.debts:
            if debt.must:
                words = ", ".join(f"{key} {value}" for key, value in debt.says.items())
                self.suspect(debt.rule, f"{debt.event} ({words}) should come before {event['event']}")
        self.debts.clear()
        return False

    @property
    def ground(self) -> Ground:
        return Ground(self.tables, self.state["ground"])

    def unit(self, label: str) -> dict[str, Any]:
        unit: dict[str, Any] = self.state["units"][label]
        return unit

    def side(self, label: str) -> str:
        return str(self.record["units"][label]["side"])

    def hex(self, label: str) -> Hex | None:
        name = self.unit(label)["hex"]
        return None if name is None else hex_of(name)

    def place(self, label: str) -> Hex:
        """Return where a unit stands that stands somewhere."""
        place = self.hex(label)
        assert place is not None, label
        return place

    def kind(self, label: str) -> Kind:
        """Return the numbers of a unit by the colour it has now (BL-LMK-09: training changes them, not the weapon)."""
        name = self.record["units"][label]["unit"].partition("+")[0]
        kind, colour = self.tables.kinds[name], self.unit(label)["colour"]
        if colour == kind.colour:
            return kind
        other = self.tables.kinds[f"{colour}_{kind.kind}"]
        return replace(other, race=kind.race, weapon=kind.weapon, title=kind.title)

    def weapon(self, label: str) -> Weapon:
        unit, plus, weapon = self.record["units"][label]["unit"].partition("+")
        kind = self.tables.kinds[unit]
        if not plus:
            weapon = kind.weapon
            if unit == "red_foot" or (kind.race == "human" and kind.colour == "red" and kind.kind == "foot"):
                weapon = str(self.rules["heavy_infantry_weapon"])
        return self.tables.weapons[weapon]

    def race(self, label: str) -> Race:
        return self.tables.races[self.kind(label).race]

    def figures(self, side: str) -> int:
        return sum(unit["figures"] for label, unit in self.state["units"].items() if self.side(label) == side)

    def occupied(self) -> dict[Hex, str]:
        """Return who stands where."""
        return {hex_of(unit["hex"]): label for label, unit in self.state["units"].items() if unit["hex"] is not None}

    def beside(self, place: Hex, side: str) -> list[str]:
        """Return the units of a side beside a hex."""
        standing = self.occupied()
        near = (standing.get(place) for place in neighbours(place))
        return [label for label in near if label is not None and self.side(label) == side]

    def in_force(self, mechanism: str, unit: str | None = None) -> list[LorePlay]:
        """Return the Lore cards of this turn that do something, on a unit if one is named."""
        plays = self.turn.plays if self.turn else []
        return [
            play
            for play in plays
            if play.card.mechanism == mechanism and not play.is_cancelled and (unit is None or play.unit == unit)
        ]


class Piles:
    """A deck, its discards and what is held: which cards can still be drawn."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.deck = Counter(counts)
        self.discards: Counter[str] = Counter()
        self.table: Counter[str] = Counter()

    def draw(self, card: str) -> bool:
        """Take a card off the deck; return False if it cannot be there."""
        can = self.deck[card] > 0
        self.deck[card] -= 1
        return can

    def shuffle(self) -> None:
        self.deck += self.discards
        self.discards.clear()
