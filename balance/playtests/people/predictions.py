"""What a catalogue foretells of the games of a log: names are found in it, and each meeting is asked or simulated.

A simulated chance has noise, which makes a slope too flat; trials are raised until the noise is a hundredth of what
the log-odds differ by, and what is left is corrected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.errors import Fault, UsageError, suggestion
from balance.engine.query import Query
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from balance.playtests.games import Games
from balance.playtests.log.log import Log

EDGE = 0.001
"""No chance is taken for smaller, or its log-odds would have no bounds."""
FEW_TRIALS, MOST_TRIALS = 4096, 65_536
NOISE = 0.01
"""Share of the mean squared log-odds that noise of the simulation may have without a correction."""
Asking = Callable[[Sequence[Query], "Chances"], list[Any]]
"""Asks questions and measures them, as `balance.engine.runner.Runner` does."""


@dataclass(frozen=True)
class Chances:
    """Measures a question: chances that either side wins, and in how many trials, 0 where they are exact."""

    trials: int
    seed: int

    def __call__(self, question: Question) -> tuple[float, float, int]:
        """Return both chances and the trials."""
        distribution, trials = question.known_distribution(self.trials, self.seed)
        chance = question.p_win(distribution)
        return chance[question.kind.sides[0]], chance[question.kind.sides[1]], trials or 0


@dataclass(frozen=True)
class Predictions:
    """What is foretold of each game, all `float64[m]`.

    * `log_odds`: of side a winning against losing; `variances`: of their noise. `scores`: of side a, draws half.
    * `bounded`: whether the chance was beyond `EDGE`.
    * `trials`: of each simulated meeting; 0 where all are exact.
    """

    log_odds: FloatArray
    variances: FloatArray
    scores: FloatArray
    bounded: FloatArray
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
    ids = {name: _id(name, known) for name in games.names}
    told, listing = f"is no entrant of {game.definition.name}", f"`balance show {game.typed()} entrants` lists them"
    if not any(ids.values()):
        tip = f"is it the log of another game? {listing}"
        raise UsageError(Fault(f"names nobody who {told.replace('no', 'an', 1)}", file, tip=tip))
    faults = [
        Fault(told, file, _row(games, name), found=name, tip=suggestion(_fold(name), known, listing))
        for name in games.names
        if not ids[name]
    ]
    if faults:
        raise UsageError(faults)
    names, place = np.unique([ids[name] for name in games.names], return_inverse=True)
    between = replace(games, names=tuple(names.tolist()), side_a=place[games.side_a], side_b=place[games.side_b])
    between.check()
    return between


def _fold(text: str) -> str:
    return re.sub(r"_*\+_*", "+", re.sub(r"[\s_-]+", "_", text.strip().casefold()))


def _id(name: str, known: Mapping[str, str]) -> str:
    """Return the id of a name, or an army of ids and how many of each; empty where a part of it is unknown."""
    if _fold(name) in known:
        return known[_fold(name)]
    parts = [part.strip() for part in re.split(r"([,:])", name)]
    ids = [part if part in ",:" or part.isdecimal() else known.get(_fold(part), "") for part in parts]
    return "".join(ids) if all(ids) else ""


def _row(games: Games, name: str) -> int:
    at = games.names.index(name)
    return int(games.rows[(games.side_a == at) | (games.side_b == at)].min())


@dataclass(frozen=True)
class Oracle:
    """Foretells the games of a log by a kind of question, with who went first where the log and the kind know it."""

    game: LoadedGame
    kind: str
    games: Games
    asking: Asking
    changes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    def foretell(self, trials: int | None, seed: int) -> Predictions:
        """Return what is foretold; without `trials`, with as many as the noise asks for.

        Raises `UsageError` where every meeting is even, so that no slope can be told.
        """
        said = self.asked(trials or FEW_TRIALS, seed)
        if trials is None and (noise := said.noise(self.games)) > NOISE:
            more = 2.0 ** np.ceil(np.log2(1.2 * FEW_TRIALS * noise / NOISE))
            said = self.asked(int(min(more, MOST_TRIALS)), seed)
        if float(np.abs(said.log_odds).max()) < 1e-9:
            raise UsageError(
                "the simulation calls every meeting of this log even: a slope is not measurable here",
                "play games between entrants that differ, or ask another question with §by",
            )
        return said

    def asked(self, trials: int, seed: int) -> Predictions:
        """Ask each distinct meeting once, the sides always in one order, and return what is foretold of each game."""
        games, first = self.games, set(self.game.kind(self.kind).turn_orders)
        usual = "random" if "random" in first else None
        able = self.game.entrants_of(self.kind)
        order = sorted(games.names, key=lambda name: (name not in able, name))
        place = np.array([order.index(name) for name in games.names])
        a, b = place[games.side_a], place[games.side_b]
        flip = a > b
        mover = np.where(flip, -games.mover, games.mover) if {"a", "b"} <= first else 0 * games.mover
        meetings, at = np.unique(np.stack([np.minimum(a, b), np.maximum(a, b), mover]), axis=1, return_inverse=True)
        queries = [
            Query(self.kind, order[one], order[other], self.changes, {1: "a", -1: "b"}.get(goes, usual), self.choices)
            for one, other, goes in meetings.T.tolist()
        ]
        win, loss, n = np.array(self.asking(queries, Chances(trials, seed)), np.float64).T[:, at.ravel()]
        share = np.where(n > 0, (n * win + 0.5) / (n * (win + loss) + 1), _share(win, loss))
        clipped = np.clip(share, EDGE, 1 - EDGE)
        log_odds = np.log(clipped / (1 - clipped)) * np.where(flip, -1, 1)
        decisive = np.where(n > 0, n * (win + loss) + 1, np.inf)
        scores = np.where(flip, loss, win) + np.maximum(1 - win - loss, 0.0) / 2
        return Predictions(log_odds, 1 / (decisive * clipped * (1 - clipped)), scores, share != clipped, int(n.max()))


def _share(win: FloatArray, loss: FloatArray) -> FloatArray:
    total = win + loss
    return np.asarray(np.where(total > 0, win / np.where(total > 0, total, 1.0), 0.5))
