"""Positions staged on the board, and a turn of the engine that the game runs, played as a script wants it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.map.adventure import Blazon
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import start
from balance.games.battlelore.adventure.turns.turn import take_turn
from balance.games.battlelore.sides import parse_fighter
from tests.games.battlelore.adventure.adventure_twins import SHIPPED, Encounter

Option = dict[str, Any]
Wish = Callable[[Option], bool]
FAR = {"A1": "human_archers"}
"""A unit far from everything."""
CENTRE = {"E5": "blue_foot", "E6": "blue_foot", "E7": "blue_foot", "E8": "blue_foot", "E9": "blue_foot"}


def cell(name: str) -> int:
    """Return the cell of a hex such as "E6".

    >>> cell("A1"), cell("E6")
    (0, 69)
    """
    return 16 * (ord(name[0]) - ord("A")) + int(name[1:]) - 1


def hex_name(number: int) -> str:
    return f"{'ABCDEFGHI'[number // 16]}{number % 16 + 1}"


@dataclass
class Script:
    """A player who takes an option that its wish for the decision is true of, and notes what it is offered.

    Of an option a wish knows what the engine tells of it; `unit` and `target` (and `cell`) as names of hexes. What a
    script says nothing of it does as little as possible of: it stays, ends its battles, and ignores all flags.
    """

    wishes: Mapping[str, Wish] = field(default_factory=dict)
    offers: list[tuple[str, list[Option]]] = field(default_factory=list)

    def weigh(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        options = [self._told(battle, state, choice, number) for number in range(len(choice.row))]
        self.offers.append((choice.name, options))
        wish = self.wishes.get(choice.name, _least(choice.name))
        return np.array([wish(option) for option in options], np.int64)

    def _told(self, battle: Battle, state: State, choice: Choice, number: int) -> Option:
        option: Option = {name: int(values[number]) for name, values in choice.about.items()}
        trial = choice.trial[number]
        for name, side in (("unit", choice.side), ("target", 1 - choice.side)):
            if name in option:
                slot = option[name]
                option[name] = hex_name(int(state["cell"][trial, side, slot])) if slot >= 0 else ""
        if "cell" in option:
            option["cell"] = hex_name(option["cell"])
        if "card" in option:
            option["card"] = battle.deck.cards[option["card"]].id
        return option

    def offered(self, decision: str, what: str) -> list[set[Any]]:
        """Return what each decision of a name was about, one set for each time that there was something to decide."""
        return [{option[what] for option in options} for name, options in self.offers if name == decision]


def _least(name: str) -> Wish:
    wishes: dict[str, Wish] = {
        "move": lambda option: option["cell"] == option["unit"],
        "battle": lambda option: option["target"] == "",
        "bonus": lambda option: option["target"] == "",
        "gain": lambda option: not option["yes"],
        "back": lambda option: not option["yes"],
    }
    return wishes.get(name, lambda option: True)


@dataclass(kw_only=True)
class Stage:
    """Two armies on the board: names of hexes -> units as commands write them; `terrain` likewise.

    All cards are alike, `copies` of `card`, so that a hand of `hand` cards is clear; `figures` are what some
    units have left.
    """

    a: Mapping[str, str]
    b: Mapping[str, str] = field(default_factory=lambda: dict(FAR))
    terrain: Mapping[str, Sequence[str]] = field(default_factory=dict)
    owners: Mapping[str, int] = field(default_factory=dict)
    blazons: tuple[Blazon, ...] = ()
    card: str = "forward_all"
    hand: int = 1
    copies: int = 40
    other_cards: Mapping[str, int] = field(default_factory=dict)
    banners: tuple[int, int] = (9, 9)
    rules: Mapping[str, Any] = field(default_factory=dict)
    n: int = 1
    figures: Mapping[str, int] = field(default_factory=dict)

    def battle(self) -> Battle:
        units = [[(parse_fighter(SHIPPED, unit), cell(at)) for at, unit in army.items()] for army in (self.a, self.b)]
        return Encounter(
            terrain={cell(at): names for at, names in self.terrain.items()},
            units=(units[0], units[1]),
            owners={cell(at): side for at, side in self.owners.items()},
            blazons=self.blazons,
            rules=self.rules,
            counts={self.card: self.copies} | dict(self.other_cards),
            banners=self.banners,
            hands=(self.hand, self.hand),
        ).battle()

    def begin(self) -> State:
        """Return n trials before the first turn."""
        battle = self.battle()
        state = start(battle, np.arange(1, self.n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15), 0)
        for at, figures in self.figures.items():
            for side, army in enumerate((self.a, self.b)):
                if at in army:
                    state["figures"][:, side, list(army).index(at)] = figures
        return state


@dataclass
class Played:
    """What a turn came to: the state after it, the scripts with what they were offered, and what was reported."""

    stage: Stage
    state: State
    scripts: tuple[Script, Script]
    reports: list[tuple[str, dict[str, Any]]]

    @property
    def script(self) -> Script:
        return self.scripts[0]

    def orders(self) -> set[str]:
        """Return the hexes of side a's units that were ordered, as the turn began."""
        return {
            at for at, is_ordered in zip(self.stage.a, self.state["ordered"][0].tolist(), strict=False) if is_ordered
        }

    def goals(self, unit: str) -> dict[str, bool]:
        """Return the hexes where a unit might move, and whether it might battle there."""
        for name, options in self.script.offers:
            if name == "move" and options[0]["unit"] == unit:
                return {option["cell"]: bool(option["may_battle"]) for option in options}
        return {unit: True}

    def targets(self) -> set[tuple[str, str]]:
        """Return who might battle whom at the first time of asking."""
        offers = [options for name, options in self.script.offers if name == "battle"]
        return {(one["unit"], one["target"]) for one in offers[0] if one["target"]} if offers else set()

    def thrown(self, name: str = "battle") -> list[int]:
        """Return the number of dice of each throw of that name, trial by trial."""
        return [
            int(dice)
            for what, said in self.reports
            if what == "throw" and said["name"] == name
            for dice in said["faces"].sum(axis=1)
        ]


def play(stage: Stage, enemy: Mapping[str, Wish] | None = None, turns: int = 1, **wishes: Wish) -> Played:
    """Play the first turn, or more, of a staged position, side a by `wishes` and side b by those of `enemy`."""
    battle, state = stage.battle(), stage.begin()
    scripts, reports = (Script(wishes), Script(enemy or {})), list[tuple[str, dict[str, Any]]]()

    def watch(what: str, side: int, rows: IntArray, said: Mapping[str, Any], after: State) -> None:
        reports.append((what, {"side": side, "rows": rows.copy(), **said}))

    for number in range(turns):
        take_turn(Turn(battle, number % 2, scripts, state, watch))
    return Played(stage, state, scripts, reports)


# wishes


def to(name: str) -> Wish:
    """Want to go to a hex, or to order, move or battle with the unit there."""
    return lambda option: name in (option.get("cell"), option.get("unit"), option.get("target"))


def any_battle(option: Option) -> bool:
    return bool(option["target"])


def yes(option: Option) -> bool:
    return bool(option["yes"])
