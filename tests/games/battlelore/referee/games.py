"""Games for the referee: replays as `balance replay --json` prints them, and what is suspicious in each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from balance.base.answers import as_plain
from balance.game.loaded import LoadedGame, load
from balance.game.question.replay import replay
from tests.games.battlelore.referee.adventures import read_adventure, shipped
from tests.games.battlelore.referee.game import Suspicion
from tests.games.battlelore.referee.referee import suspicions
from tests.games.battlelore.referee.tables import SHIPPED, Tables, read_tables

ADVENTURES = ("agincourt", "ford_and_bridge", "hill_against_numbers", "lore_duel", "mirror")
POLICIES = ("greedy", "rush", "hold", "flank", "focus", "careful", "random")


@dataclass(frozen=True)
class Played:
    """Which game is refereed."""

    adventure: str
    seed: int = 0
    trial: int = 0
    policies: tuple[str, str] = ("greedy", "greedy")
    turn_limit: int = 120

    def replay(self, catalogue: Path = SHIPPED, **changes: str) -> dict[str, Any]:
        """Return what is told of it, in a catalogue and with changes of rules where they are named."""
        game = opened(catalogue)
        settings = {"situation.turn_limit": str(self.turn_limit), **changes}
        policies = dict(zip(("policy_a", "policy_b"), self.policies, strict=True))
        question = game.ask("battle", *game.pair("battle", self.adventure, ""), settings, **policies)
        document: dict[str, Any] = json.loads(json.dumps(as_plain(replay(question, self.trial, self.seed))))
        return document


@cache
def opened(catalogue: Path) -> LoadedGame:
    return load("battlelore", catalogue)


@cache
def shipped_tables() -> Tables:
    return read_tables(SHIPPED)


def refereed(document: dict[str, Any], name: str, folder: Path = SHIPPED) -> list[Suspicion]:
    """Return what is suspicious in a game of an adventure of a folder, by the shipped tables."""
    return suspicions(document, read_adventure(shipped(name, folder)), shipped_tables())


def short_games(n: int) -> list[Played]:
    """Return games of all adventures and ways of playing that end after a few turns."""
    return [
        Played(
            ADVENTURES[number % len(ADVENTURES)],
            seed=700 + number,
            trial=number % 3,
            policies=(POLICIES[number % 7], POLICIES[number * 3 % 5 + 2]),
            turn_limit=12,
        )
        for number in range(n)
    ]


def whole_games(adventure: str, first: int, n: int) -> list[Played]:
    """Return games of one adventure that are played to their end."""
    return [
        Played(
            adventure, seed=900 + number // 7, trial=number, policies=(POLICIES[number % 7], POLICIES[number // 7 % 7])
        )
        for number in range(first, first + n)
    ]
