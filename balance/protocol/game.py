"""What a game is to the toolkit: data, and pure functions gathered in one frozen record.

A game fills in as many *rungs* as it has: one attack, attacks until the target falls, a duel. A rung turns the names
of two entrants and some overrides into a setup (a frozen value), and a setup into processes. Everything else, exact
laws, simulation, command line, studies and reports, is the same for every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from balance.catalogue import Catalogue, CatalogueSpec, TableSpec
from balance.core.process import Process, State
from balance.core.rolls import Rolls
from balance.protocol.solution import Method, Solution

__all__ = ["LANES", "Game", "Lane", "Rung"]

Lane = Literal["literal", "compiled"]
LANES: tuple[Lane, ...] = ("literal", "compiled")
"""literal: every die is rolled as the rules say. compiled: finished attacks are drawn from their exact law."""


@dataclass(frozen=True)
class Rung:
    """One kind of question a game can answer about two entrants.

    Attributes
    ----------
    name
        "attack", "kill" or "duel": the verb.
    sides
        What the two entrants are called in overrides.
    setup
        (catalogue, entrants, overrides) -> a frozen, picklable setup with an attribute `inputs`; takes a keyword
        `first` if there are `seats`, and one for each of `choices`.
    processes
        (setup, lane) -> equally likely processes with the columns of `columns`.
    columns
        What a trial reports: column -> its meaning.
    endless
        Whether the process may go on without end, so that its law is solved as a chain in floating point instead of
        enumerated in integers.
    winners
        Meaning of the values of the column `winner`: {"a": 1, "b": 2, "draw": 0}; empty where nobody wins.
    seats
        Choices of who goes first; empty where there is no such choice.
    choices
        Other named choices with what they may be, the default first, such as {"policy_a": ("random", "cautious")}; the
        setup takes each as a keyword.
    has_law
        Whether the exact law can be had at all; without it a question can only be simulated.
    solve
        (setup, method, seed) -> the game solved, for sides who choose as well as they can; None where nobody chooses.
    played
        How it is played and won, or when it ends, in a sentence or two that hold for every catalogue and override.
    cannot_see
        What its answers leave out, one sentence each.
    categories
        For columns whose values are codes, not amounts: column -> {code: its name}. `winner` follows from `winners`.
    habits
        For choices that say how a side plays, in the order of the sides: name -> what it may be that is quick to play,
        so that ways of playing can be compared.
    exchange
        The columns that tell what the second side and the first one lost to each other, if there are such.
    conceal
        (setup, state, side, rolls) -> the state with what that side cannot know dealt anew, for a game in which sides
        hide something from each other: no order of the side may change with it.
    """

    name: str
    sides: tuple[str, str]
    setup: Callable[..., Any]
    processes: Callable[[Any, Lane], tuple[Process, ...]]
    columns: Mapping[str, str]
    endless: bool = False
    winners: Mapping[str, int] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_law: bool = True
    solve: Callable[[Any, Method, int], Solution] | None = None
    played: str = ""
    cannot_see: tuple[str, ...] = ()
    categories: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    habits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exchange: tuple[str, str] | None = None
    conceal: Callable[[Any, State, str, Rolls], State] | None = None

    def __post_init__(self) -> None:
        """Name the codes of `winner` as `winners` does."""
        if self.winners:
            named = {"winner": {code: name for name, code in sorted(self.winners.items(), key=lambda item: item[1])}}
            object.__setattr__(self, "categories", {**self.categories, **named})

    @property
    def roots(self) -> tuple[str, ...]:
        """The first words of paths that overrides may use."""
        return (*self.sides, "situation", "rules")


@dataclass(frozen=True)
class Game:
    """A game: its catalogue's shape, its rungs, and how its entrants are named and priced.

    Attributes
    ----------
    name, title
        The id used in commands, and the name for people.
    spec, rule_ids
        Shape of the catalogue, and of the table of rulebook rules.
    rungs
        By name.
    entrants
        catalogue -> ids of everything that can take the field, such as every legal unit with one weapon.
    targets
        catalogue -> ids of everything that can be attacked.
    label, cost_points
        (catalogue, id) -> the name for people, and the cost of an entrant.
    cards
        (catalogue, id) -> (table, entry) of every card that an entrant or target is made of; None where its id joins
        them by `+`.
    unused
        Table -> why an entry of it is in no entrant and no target, for those tables whose entries should be.
    folder
        Its data folder, for a game that does not ship with the toolkit.
    """

    name: str
    title: str
    spec: CatalogueSpec
    rule_ids: TableSpec
    rungs: Mapping[str, Rung]
    entrants: Callable[[Catalogue], Sequence[str]]
    targets: Callable[[Catalogue], Sequence[str]]
    label: Callable[[Catalogue, str], str]
    cost_points: Callable[[Catalogue, str], int]
    cards: Callable[[Catalogue, str], Iterable[tuple[str, str]]] | None = None
    unused: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by the place of a registered game, so that other processes import it themselves."""
        from balance.protocol.registry import game_at, place_of_game  # which know this class

        place = place_of_game(self)
        return (game_at, place) if place else (Game, tuple(getattr(self, part.name) for part in fields(self)))
