"""Whole battles of Warforged on the ledger's map, other armies in every one: eight against eight, four against four.

The peers of greedy play are a C loop of the same battle (`battle.c`), one battle after another, and the tests' second
telling in plain Python. All three roll the same dice, so every battle must end alike to the last point of health, after
as many decisions.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

import balance
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.armies.armies import Arena
from balance.game.kit.board.battle import keys_of
from balance.games.warforged.battle.luck import LUCK
from balance.games.warforged.battle.map.maps import map_text
from balance.games.warforged.battle.turns.terms import Battle
from balance.games.warforged.cards import WarforgedRules, constants_of, legal_loadouts
from tests.bench.battle_tables import SOURCE, handed_over
from tests.bench.known import WrongAnswerError
from tests.bench.sampling_peers import compiled
from tests.games.warforged.battle_twins import values_in
from tests.games.warforged.reference_attack import Readings
from tests.games.warforged.reference_battle import Battle as Told
from tests.games.warforged.reference_board import Board
from tests.games.warforged.reference_play import Greedy, play

BLOCK = balance.load("warforged").definition.kinds["battle"].block_trials
"""Battles that a study plays at a time."""
ENDS = ("winner", "rounds", "decisions", "events")
Ends = npt.NDArray[np.int32]
"""How battles ended, `int32[n, 4 + 2 K]`: winner (3 for a draw), rounds, decisions, attacks and Overloads, healths."""


@cache
def arena(policies: tuple[str, str]) -> Arena:
    """Return where armies of all loadouts with one weapon meet; kept between calls, with its tables."""
    game = balance.load("warforged")
    names = [one.id for one in legal_loadouts(game.catalogue, 1)]
    return game.arena("battle", names, policy_a=policies[0], policy_b=policies[1])


@dataclass(frozen=True, eq=False)
class Meeting:
    """A block of battles: who meets in each, `int16[n, K]` a side, with what luck, and who plays."""

    a: npt.NDArray[np.int16]
    b: npt.NDArray[np.int16]
    policies: tuple[str, str]
    block: int

    @property
    def n(self) -> int:
        """Battles."""
        return len(self.a)

    @property
    def process(self) -> Process:
        """The process as a study would play it."""
        return arena(self.policies).process(self.a, self.b)

    @property
    def battle(self) -> Battle:
        """What is fought, of whom."""
        return cast("Battle", cast("Any", arena(self.policies).process).args[0])

    @property
    def rolls(self) -> RandomRolls:
        """Where their luck comes from."""
        return RandomRolls(0, "bench", self.block, self.n)


def met(n: int, size: int, policies: tuple[str, str] = ("greedy", "greedy"), block: int = 0) -> Meeting:
    """Draw armies for a block of battles, the same ones in every call."""
    luck, n_members = np.random.default_rng([size, block]), len(arena(policies).members)
    a, b = (luck.integers(0, n_members, (n, size)).astype(np.int16) for _ in "ab")
    return Meeting(a, b, policies, block)


def played(meeting: Meeting) -> Ends:
    """Play them in the game's own engine."""
    columns = simulate(replace(meeting.process, outcome=_ends), meeting.rolls, in_order=True)
    return np.stack(list(columns.values()), axis=1).astype(np.int32)


def _ends(state: State, steps: Any) -> State:
    healths = state["health"].reshape(len(state["winner"]), -1).T
    whole = (state["winner"], state["round"], state["choices"], state["events"])
    return dict(zip(ENDS, whole, strict=True)) | {f"health {unit}": values for unit, values in enumerate(healths)}


class CBattles:
    """`battle.c`, compiled for this machine into a folder.

    Raises
    ------
    SkippedError
        There is no C compiler.
    """

    def __init__(self, folder: Path) -> None:
        library = compiled(SOURCE, folder / "battle.so", "-shared", "-fPIC")
        self._play = ctypes.CDLL(str(library)).play
        self._play.restype = None

    def played(self, meeting: Meeting) -> Ends:
        """Play battles of greedy players one after another."""
        size = meeting.a.shape[1]
        tables = handed_over(meeting.battle, size, size)
        kinds = np.ascontiguousarray(np.stack([meeting.a, meeting.b], axis=1))
        keys, found = keys_of(meeting.rolls, LUCK), np.zeros((meeting.n, len(ENDS) + 2 * size), np.int32)
        pointers = (ctypes.c_void_p(values.ctypes.data) for values in (kinds, keys, found))
        self._play(ctypes.byref(tables), ctypes.c_int64(meeting.n), *pointers)
        return found


def told(meeting: Meeting) -> Ends:
    """Play battles of greedy players in the tests' plain Python, which shares no rule with the engine."""
    battle, game = meeting.battle, balance.load("warforged")
    read = Readings.of(cast("WarforgedRules", game.catalogue.rules), constants_of(game.catalogue))
    board, greedy = Board.read(map_text(battle.ground.map)), _greedy(battle)
    loadouts = [side.loadout for side in battle.muster.members]
    found = []
    for key, pair in zip(
        keys_of(meeting.rolls, LUCK).tolist(), np.stack([meeting.a, meeting.b], axis=1).tolist(), strict=True
    ):
        armies = [[loadouts[number] for number in army] for army in pair]
        one = play(Told(board, armies, read, key=key, unit_limit=len(pair[0])), (greedy, greedy))
        healths = [piece.health for army in one.pieces for piece in army]
        found.append([one.winner, one.round, one.choices, one.events, *healths])
    return np.array(found, np.int32)


@cache
def _greedy(battle: Battle) -> Greedy:
    return Greedy(values_in(battle))


def check_same(name: str, found: Ends, known: Ends) -> None:
    """Raise WrongAnswerError unless battles ended as the engine's first ones did."""
    differ = np.flatnonzero((found != known[: len(found)]).any(axis=1))
    if len(differ):
        first = differ[0]
        told = f"{found[first].tolist()}, not {known[first].tolist()}"
        raise WrongAnswerError(f"{name} ends {len(differ)} of {len(found)} battles otherwise; battle {first}: {told}")
