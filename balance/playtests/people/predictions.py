"""What a catalogue foretells of the games of a log: names are found in it, and each meeting is asked or simulated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, FloatArray
from balance.base.errors import BalanceError, Fault, UsageError, suggestion
from balance.engine.query import Query
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from balance.playtests.games import Games
from balance.playtests.log.log import Log

EDGE = 0.001
"""No chance is taken for smaller, or its log-odds would have no bounds."""
FEW_TRIALS, NOISE = 4096, 0.01
"""Trials of a meeting, and which share of noise in the mean squared log-odds asks for more, or else a correction."""


@dataclass(frozen=True)
class Chances:
    """Measures a question: the chances that either side wins, and in how many trials, 0 where they are exact."""

    trials: int
    seed: int

    def __call__(self, question: Question) -> tuple[float, float, int]:
        """Return both chances and the trials."""
        distribution, trials = question.known_distribution(self.trials, self.seed)
        chance = question.p_win(distribution)
        return chance[question.kind.sides[0]], chance[question.kind.sides[1]], trials or 0


class Predictions(NamedTuple):
    """What is foretold of each game, `float64[m]`: log-odds of side a's win against its loss, their noise, its score.

    `bounded`: whether a chance was beyond `EDGE`; `trials` of each meeting, 0 where all are exact.
    """

    log_odds: FloatArray
    variances: FloatArray
    scores: FloatArray
    bounded: BoolArray
    trials: int

    def noise(self, games: Games) -> float:
        """Return the share of noise in the mean square of the log-odds."""
        return float(games.count @ self.variances) / max(float(games.count @ self.log_odds**2), 1e-300)


def with_ids(game: LoadedGame, kind: str, log: Log) -> Games:
    """Return the games of a log between ids: each name is an id or a label in any case, or an army such as `a:2,b`.

    Raises `UsageError` with a fault for each name that the catalogue lacks, and where one entrant alone played.
    """
    games, file = log.games, log.source.file
    listed = dict.fromkeys([*game.entrants_of(kind), *game.others_of(kind), *game.members_of(kind)])
    known = {_fold(text): name for name in reversed(listed) for text in (game.label(name), name)}
    ids = {name: _id(game, name, known) for name in games.names}
    told, listing = f"is no entrant of {game.definition.name}", f"`balance show {game.typed()} entrants` lists them"
    if not any(ids.values()):
        tip = f"is it the log of another game? {listing}"
        raise UsageError(Fault(f"names nobody who {told.replace('no', 'an', 1)}", file, tip=tip))
    rows = {name: int(games.rows[(games.side_a == at) | (games.side_b == at)].min()) for at, name in enumerate(ids)}
    faults = [
        Fault(told, file, rows[name], found=name, tip=suggestion(_fold(name), known, listing))
        for name in games.names
        if not ids[name]
    ]
    if faults:
        raise UsageError(faults)
    names, place = np.unique([*ids.values()], return_inverse=True)
    between = replace(games, names=tuple(names.tolist()), side_a=place[games.side_a], side_b=place[games.side_b])
    between.check()
    return between


def _fold(text: str) -> str:
    return re.sub(r"_*\+_*", "+", re.sub(r"[\s_-]+", "_", text.strip().casefold()))


def _id(game: LoadedGame, name: str, known: Mapping[str, str]) -> str:
    """Return the id of a name, or an army of ids and how many of each; empty where a part of it is unknown."""
    parts = [name] if _fold(name) in known else re.split(r"\s*([,:])\s*", name)
    ids = [part if part in ",:" or part.isdecimal() else known.get(_fold(part), "") for part in parts]
    if not all(ids):
        with suppress(BalanceError):  # an id that the game takes though it lists none such
            return _fold(name) if game.label(_fold(name)) else ""
    return "".join(ids) if all(ids) else ""


@dataclass(frozen=True)
class Oracle:
    """Foretells games by a kind of question, knowing who went first where the log and the kind do.

    `asking` asks questions and measures them, as `balance.engine.runner.Runner` does.
    """

    game: LoadedGame
    kind: str
    games: Games
    asking: Callable[[Sequence[Query], Chances], list[Any]]
    changes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    def foretell(self, seed: int) -> Predictions:
        """Return what is foretold, with as many trials as the noise asks for, up to what is usual in this kind.

        Raises `UsageError` where every game that somebody won is even, so that no slope can be told.
        """
        most = self.game.kind(self.kind).usual_trials
        predictions = self.asked(min(FEW_TRIALS, most), seed)
        if (noise := predictions.noise(self.games)) > NOISE:
            predictions = self.asked(int(min(1.2 * predictions.trials * noise / NOISE, most)), seed)
        if not predictions.log_odds[self.games.score != 0.5].any():
            message = "the simulation calls every game that somebody won even: a slope is not measurable here"
            raise UsageError(message, "play games between entrants that differ, or ask another question with §by")
        return predictions

    def asked(self, trials: int, seed: int) -> Predictions:
        """Ask each distinct meeting once, its sides always in one order, and return what is foretold of each game."""
        games, orders, able = self.games, self.game.kind(self.kind).turn_orders, self.game.entrants_of(self.kind)
        names = sorted(games.names, key=lambda name: (name not in able, name))
        a, b = (np.array([names.index(name) for name in games.names])[side] for side in (games.side_a, games.side_b))
        flip = a > b
        mover = np.where(flip, -games.mover, games.mover) if {"a", "b"} <= {*orders} else 0 * games.mover
        meetings, at = np.unique(np.stack([np.minimum(a, b), np.maximum(a, b), mover]), axis=1, return_inverse=True)
        first = {1: "a", -1: "b", 0: "random" if "random" in orders else None}
        queries = [
            Query(self.kind, names[one], names[other], self.changes, first[goes], self.choices)
            for one, other, goes in meetings.T.tolist()
        ]
        win, loss, n = np.array(self.asking(queries, Chances(trials, seed)), np.float64).T[:, at.ravel()]
        half = np.where(n > 0, 0.5 / np.maximum(n, 1), 1e-12)  # as if one trial more were half won, half lost
        share = (win + half) / (win + loss + 2 * half)
        bounded = np.clip(share, EDGE, 1 - EDGE)
        log_odds = np.where(flip, -1, 1) * np.log(bounded / (1 - bounded))
        noise = np.where(n > 0, 1 / (np.maximum(n, 1) * (win + loss + 2 * half) * bounded * (1 - bounded)), 0.0)
        scores = np.where(flip, loss, win) + np.maximum(1 - win - loss, 0.0) / 2
        return Predictions(
            np.where(np.abs(log_odds) < 1e-9, 0.0, log_odds), noise, scores, share != bounded, int(n.max())
        )
