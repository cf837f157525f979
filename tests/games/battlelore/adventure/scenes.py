"""Positions on the board, staged for a test: units in their hexes, terrain, and what a side's owner decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import balance
from balance.base.arrays import IntArray
from balance.catalogue import Catalogue
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import mixed
from balance.chance.rolls.process import State
from balance.games.battlelore import GAME
from balance.games.battlelore.adventure.combat.fight import fight
from balance.games.battlelore.adventure.map.adventure import Adventure, Blazon, Council, Deployed, Force, hexes
from balance.games.battlelore.adventure.map.field import field_of
from balance.games.battlelore.adventure.terms.battle import Battle, Terms
from balance.games.battlelore.adventure.terms.choices import Choice
from balance.games.battlelore.adventure.terms.deck import CommandDeck
from balance.games.battlelore.adventure.terms.lore_deck import LoreDeck
from balance.games.battlelore.adventure.terms.muster import Muster, trained
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import start
from balance.games.battlelore.building import Referee
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.sides import parse_fighter
from balance.games.battlelore.tables import CommandCard, LoreCard, rules_of

Units = Mapping[str, str]
"""Hex -> unit, in the order of the slots."""
Terrain = Mapping[str, str | tuple[str, ...]]
POOL = 50
"""Lore tokens in the pool of a staged adventure."""


@cache
def catalogue() -> Catalogue:
    return balance.load(GAME).catalogue


def cell(name: str) -> int:
    """Return the cell of a hex such as "B12"."""
    return 16 * (ord(name[0]) - ord("A")) + int(name[1:]) - 1


def name_of(number: int) -> str:
    """Return the name of a cell, "" for being off the board."""
    return "" if number == OFF_BOARD else f"{'ABCDEFGHI'[number // 16]}{number % 16 + 1}"


VALUES = {
    "ignore": "count", "retreat": "cell", "pursuit": "cell", "gain": "yes", "back": "yes", "bonus": "target",
    "power": "power", "battle": "target", "lore": "card", "lore_start": "card", "lore_keep": "card",
    "lore_drop": "card", "lore_cell": "cell", "again": "yes", "refill": "option", "landmark": "cell", "train": "yes",
    "open": "cell", "move": "cell", "mover": "unit", "order": "unit", "card": "card",
}  # fmt: skip
"""Name of a decision -> what tells its options apart."""


@dataclass
class Owner:
    """A player who decides as it is told: name of the decision -> what is wanted, the first of those that are legal.

    Attributes
    ----------
    wishes
        Name of a decision -> the wanted values of what tells its options apart; cells by name.
    asked
        How often each decision was asked for, in trials.
    offered
        Name of a decision -> all values that were ever on offer.
    """

    wishes: Mapping[str, Iterable[Any]] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    offered: dict[str, set[Any]] = field(default_factory=dict)

    def weigh(self, battle: Any, state: State, choice: Choice) -> IntArray:
        values = option_values(choice, battle)
        self.asked[choice.name] = self.asked.get(choice.name, 0) + len(choice.rows)
        self.offered.setdefault(choice.name, set()).update(values)
        wanted = {value: -place for place, value in enumerate(self.wishes.get(choice.name, ()))}
        return np.array([wanted.get(value, -1000) for value in values], np.int64)


def option_values(choice: Choice, battle: Battle) -> list[Any]:
    """Return what tells the options of a decision apart: cells and cards by name, else a number."""
    key = VALUES.get(choice.name, "")
    values: list[Any] = choice.about[key].tolist() if key else [None] * len(choice.row)
    if key == "card":
        cards: Any = battle.deck.cards if choice.name == "card" else battle.lore_deck.cards
        return [cards[value].id if value >= 0 else "" for value in values]
    return [name_of(value) for value in values] if key == "cell" else values


@dataclass
class Scene:
    """A position in n trials, and what happens in it.

    Attributes
    ----------
    turn
        A turn of the first side.
    events
        What the watch was told: (what, side, trials, fields), copied.
    """

    turn: Turn
    events: list[tuple[str, int, IntArray, dict[str, Any]]]

    @property
    def state(self) -> State:
        return self.turn.state

    @property
    def battle(self) -> Battle:
        return self.turn.battle

    @property
    def n(self) -> int:
        return len(self.state["luck"])

    def asked(self, side: int) -> dict[str, int]:
        """Return how often each decision was asked of a side's owner, in trials."""
        return self.owner(side).asked

    def owner(self, side: int) -> Owner:
        """Return who decides for a side."""
        owner = self.turn.players[side]
        assert isinstance(owner, Owner)
        return owner

    def fight(self, unit: int = 0, target: int = 0, rows: IntArray | None = None) -> Scene:
        """Have one unit attack another in all trials."""
        rows = np.arange(self.n) if rows is None else rows
        fight(self.turn, rows, np.full(len(rows), unit), np.full(len(rows), target))
        return self

    def hold(self, side: int, *cards: str, tokens: int = 30) -> Scene:
        """Give a side Lore cards, by id, and tokens, in all trials."""
        ids = [card.id for card in self.battle.lore_deck.cards]
        for card in cards:
            self.state["lore_hand"][:, side, ids.index(card)] += 1
        self.state["tokens"][:, side] = tokens
        return self

    def put(self, column: str, side: int, unit: int, value: Any) -> Scene:
        """Set a column of a unit in all trials."""
        self.state[column][:, side, unit] = value
        return self

    def at(self, side: int, unit: int) -> list[str]:
        """Return where a unit is in each trial."""
        return [name_of(int(number)) for number in self.state["cell"][:, side, unit]]

    def where(self, side: int, unit: int) -> set[str]:
        return set(self.at(side, unit))

    def times(self, what: str, **fields: Any) -> int:
        """Return in how many trials something happened."""
        return sum(
            len(rows)
            for name, _, rows, given in self.events
            if name == what and all(given[key] == value for key, value in fields.items())
        )

    def first_throw(self) -> IntArray:
        """Return the faces of the attack in each trial, by letter of GBRSFL, `int64[n, 6]`."""
        shown = np.zeros((self.n, 6), np.int64)
        _, _, rows, fields = next(event for event in self.events if event[0] == "throw")
        shown[rows] = fields["faces"]
        return shown

    def trials(self, **letters: int) -> IntArray:
        """Return the trials whose attack shows so many of some letters, such as F=2."""
        shown = self.first_throw()
        return np.flatnonzero(np.all([shown[:, "GBRSFL".index(c)] == n for c, n in letters.items()], axis=0))

    def throws(self, name: str) -> dict[int, IntArray]:
        """Return trial -> the faces of all its throws of a name, by letter of GBRSFL, added up."""
        faces: dict[int, IntArray] = {}
        for what, _, rows, fields in self.events:
            if what == "throw" and fields["name"] == name:
                for trial, shown in zip(rows.tolist(), fields["faces"], strict=True):
                    faces[trial] = faces.get(trial, np.zeros(6, np.int64)) + shown
        return faces

    def check(self) -> Scene:
        """Hold the map of occupants against where units are, and figures against who lives."""
        state, k = self.state, self.battle.n_slots
        occupant = np.zeros_like(state["occupant"])
        trial, side, unit = np.nonzero(state["cell"] != OFF_BOARD)
        occupant[trial, state["cell"][trial, side, unit] + 1] = 1 + unit + side * k
        assert (occupant == state["occupant"]).all()
        assert ((state["figures"] > 0) == (state["cell"] != OFF_BOARD)).all()
        return self


def battle_of(
    a: Units, b: Units, terrain: Terrain | None = None, *, lore: bool = False, blazons: tuple[Blazon, ...] = (),
    owners: Mapping[str, int] | None = None, banners: tuple[int, int] = (99, 99),
    councils: tuple[Council, Council] = (Council(), Council()), masters: bool = False, **readings: Any,
) -> Battle:  # fmt: skip
    """Return a battle on open country with other terrain at some hexes, under some readings of the rules."""
    kinds: list[tuple[str, ...]] = [("countryside",) if number in set(hexes()) else () for number in range(144)]
    for name, ids in (terrain or {}).items():
        kinds[cell(name)] = (ids,) if isinstance(ids, str) else ids
    rules = rules_of(catalogue()).model_copy(update=readings)
    forces = tuple(
        Force(name, camp, 4, 4, tuple(Deployed(unit, cell(at)) for at, unit in units.items()), council)
        for name, camp, units, council in (
            ("south", "standard", a, councils[0]),
            ("north", "pennant", b, councils[1]),
        )
    )
    owned = tuple((cell(at), side) for at, side in (owners or {}).items())
    adventure = Adventure("test", "Test", lore, (forces[0], forces[1]), 0, tuple(kinds), owned, blazons, masters)
    return _battle(adventure, rules, banners)


def _battle(adventure: Adventure, rules: BattleLoreRules, banners: tuple[int, int]) -> Battle:
    referee = Referee.of(catalogue(), rules, "lore" if adventure.lore else "medieval")
    fighters = [[parse_fighter(catalogue(), unit.unit) for unit in force.units] for force in adventure.forces]
    sorts = [fighter for side in fighters for fighter in side]
    higher = filter(None, [trained(catalogue(), fighter) for fighter in sorts])
    muster = Muster.of((*sorts, *higher), referee)
    members = tuple(
        tuple((muster.number_of(fighter), unit.cell) for fighter, unit in zip(side, force.units, strict=True))
        for side, force in zip(fighters, adventure.forces, strict=True)
    )
    terms = Terms(rules=rules, constants=referee.constants, banners=banners, cards=(4, 4), turn_limit=120)
    deck = CommandDeck(tuple(catalogue().entries(CommandCard).values()), len(fighters[0]))
    field_ = field_of(adventure, catalogue(), rules)
    councils = adventure.forces[0].council, adventure.forces[1].council
    lore_deck = LoreDeck(tuple(catalogue().entries(LoreCard).values()), councils, rules, referee.constants)
    return Battle(adventure, field_, muster, deck, terms, (members[0], members[1]), lore_deck)


def scene(battle: Battle, n: int = 1, seed: int = 1, a: Owner | None = None, b: Owner | None = None) -> Scene:
    """Return a battle before anything has happened, in n trials: a turn of the first side, all of it ordered."""
    keys = mixed(np.arange(n, dtype=np.uint64) + np.uint64(seed << 32))
    state = start(battle, keys, 0)
    state["ordered"][:], state["may_battle"][:], state["battles"][:], state["pool"][:] = True, True, 1, POOL
    events: list[tuple[str, int, IntArray, dict[str, Any]]] = []

    def watch(what: str, side: int, rows: IntArray, fields: Mapping[str, Any], after: State) -> None:
        events.append((what, side, np.array(rows), dict(fields)))

    return Scene(Turn(battle, 0, (a or Owner(), b or Owner()), state, watch), events)


def rows_of(made: Scene, what: str, **fields: object) -> set[int]:
    """Return the trials in which something happened."""
    return {
        int(row)
        for name, _, rows, given in made.events
        if name == what
        for place, row in enumerate(rows)
        if all(np.broadcast_to(given[key], rows.shape)[place] == value for key, value in fields.items())
    }


def where(made: Scene, side: int, unit: int, trials: IntArray) -> set[str]:
    places = made.at(side, unit)
    return {places[trial] for trial in trials}
