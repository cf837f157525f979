"""What a campaign is played with: the party, its quests and their rooms, cards as arrays, and the ladders of gear."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.immortal_souls.encounter.party.fighters import Party
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.quest.ladder import Ladders
from balance.games.immortal_souls.ruleset import Constants, Switches
from balance.games.immortal_souls.tables.quests import Decision, Quest, Room, Search, Trap, Treasure

HOME = -1
"""Instead of a room: the way home."""


class Stage(NamedTuple):
    """A step of a campaign: a room of a quest, or HOME, both by number."""

    quest: int
    room: int


@dataclass(frozen=True)
class Chapter:
    """A quest with the rooms that heroes enter; `needed`: colours of keys that lead on."""

    card: Quest
    rooms: tuple[Room, ...]
    needed: frozenset[str]


def chapter_of(quest: Quest, rooms: Sequence[Room], way: str) -> Chapter:
    """Return a quest as a way of playing goes through it: side rooms by the greedy, or for a key that leads on."""
    needed = frozenset(str(room.lock) for room in rooms if room.lock and not room.side)
    entered = tuple(room for room in rooms if not room.side or way == "greedy" or room.key in needed)
    return Chapter(quest, entered, needed)


@dataclass(frozen=True, eq=False)
class Heroes:
    """The party: ids, alignments, results that save and how many dice, by hero; what else they have is in `party`.

    `saves`: which faces of the blue die save a hero, `bool[heroes, faces]`.
    """

    ids: tuple[str, ...]
    alignments: tuple[str, ...]
    results: tuple[str, ...]
    dice: tuple[int, ...]
    saves: BoolArray
    party: Party

    @property
    def n(self) -> int:
        """The number of heroes."""
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Deck:
    """The treasure cards and the trap cards, a number for each copy; the last trap is none."""

    treasures: tuple[Treasure, ...]
    traps: tuple[Trap, ...]

    @cached_property
    def acts(self) -> IntArray:
        """The act of each treasure."""
        return np.array([card.act for card in self.treasures])

    @cached_property
    def crowns(self) -> IntArray:
        """The crowns of each treasure, 0 for one that is carried."""
        return np.array([card.crowns for card in self.treasures])

    @cached_property
    def gear(self) -> tuple[int, ...]:
        """The numbers of treasures that may be worn."""
        return tuple(number for number, card in enumerate(self.treasures) if card.gear)


@dataclass(frozen=True, eq=False)
class Campaign:
    """A campaign, ready to be played.

    * `colours`: of the keys that are in its rooms.
    * `red`: the results on each face of the die of searches.
    * `marks`: conditions, fire and criticals that heroes may have.
    * `scene_of`: (room, gear) -> the scene of its encounter, which `scene` keeps.
    * `pony`: faces of its die that pay, the prize, the stake and the result named, for the best result.
    * `n_souls` and `n_crowns`: Soul Points, and crowns of each hero, at the start.
    """

    heroes: Heroes
    chapters: tuple[Chapter, ...]
    stages: tuple[Stage, ...]
    deck: Deck
    searches: Mapping[str, Mapping[str, Search]]
    decisions: Mapping[str, Mapping[str, Decision]]
    colours: tuple[str, ...]
    red: tuple[tuple[str, ...], ...]
    ladders: Ladders
    marks: tuple[str, ...]
    way: str
    purse: str
    pony: tuple[tuple[int, ...], int, int, str]
    n_souls: int
    n_crowns: int
    rules: Switches
    constants: Constants
    blue: tuple[tuple[str, ...], ...]
    scene_of: Callable[[Room, int], Scene]
    scenes: dict[tuple[str, int], Scene] = field(default_factory=dict)

    @property
    def n_heroes(self) -> int:
        """The number of heroes."""
        return self.heroes.n

    @property
    def is_careful(self) -> bool:
        """Whether heroes heal and rearrange before doors, and keep their distance."""
        return self.way == "careful"

    def scene(self, room: Room, gear: int) -> Scene:
        """Return the scene of a room's encounter for a party with this gear; it is made when it is first played."""
        key = room.id, gear
        if key not in self.scenes:
            self.scenes[key] = self.scene_of(room, gear)
        return self.scenes[key]
