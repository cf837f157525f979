"""Synthetic logs: games played by a stated law, so that what `rate` says can be held against the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray
from balance.playtests.games import Games

SPREADS = ("equal", "0.3", "0.6", "1.0", "outlier")
"""How true strengths are drawn: all 0, normal with this standard deviation, or one of 1 among equals."""


@dataclass(frozen=True)
class Truth:
    """The law of a log; strengths have mean 0, everything is in logits."""

    strengths: FloatArray
    first_mover: float = 0.3
    draws: float = 0.0
    form: float = 0.0
    seat: float = 0.0
    skill: float = 0.0
    n_players: int = 0


def true_strengths(rng: np.random.Generator, spread: str, n: int) -> FloatArray:
    if spread == "outlier":
        values = np.zeros(n)
        values[rng.integers(n)] = 1.0
    else:
        values = np.zeros(n) if spread == "equal" else rng.normal(0, float(spread), n)
    return np.asarray(values - values.mean())


def play(
    rng: np.random.Generator, truth: Truth, n_games: int, session_size: int | None = None, tilt: npt.ArrayLike = 0.0
) -> Games:
    """Return a log of games between random entrants in random seats, everybody met at least once if there is room."""
    n = len(truth.strengths)
    one, other = _meetings(rng, n, n_games)
    mover = rng.choice(np.array([-1, 1], np.int8), n_games)
    eta = truth.strengths[one] - truth.strengths[other] + truth.first_mover * mover + np.asarray(tilt)
    session = None
    if session_size is not None:
        session = np.arange(n_games) // session_size
        n_sessions = int(session[-1]) + 1
        form = rng.normal(0, 1, (n_sessions, n)) * truth.form
        shift = rng.normal(0, 1, n_sessions) * truth.seat
        eta = eta + form[session, one] - form[session, other] + shift[session] * mover
    players = None
    if truth.n_players:
        players = np.array([rng.choice(truth.n_players, 2, replace=False) for _ in range(n_games)])
        skill = rng.normal(0, 1, truth.n_players) * truth.skill
        eta = eta + skill[players[:, 0]] - skill[players[:, 1]]
    return Games(
        tuple(f"e{at:02d}" for at in range(n)),
        one,
        other,
        outcomes(rng, eta, truth.draws),
        np.ones(n_games),
        mover,
        np.arange(n_games) + 2,
        session,
        () if session is None else tuple(f"s{at:02d}" for at in range(int(session[-1]) + 1)),
        players,
        tuple(f"p{at:02d}" for at in range(truth.n_players)),
    )


def outcomes(rng: np.random.Generator, eta: FloatArray, draws: float) -> FloatArray:
    """Return scores by Davidson's law, worked out here once more."""
    up, down = np.exp(eta / 2), np.exp(-eta / 2)
    total = up + down + draws
    at = rng.random(len(eta)) * total
    return np.where(at < up, 1.0, np.where(at < up + draws, 0.5, 0.0))


def _meetings(rng: np.random.Generator, n: int, n_games: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return who meets: a chain that connects all first, then anybody; in random order and sides."""
    order = rng.permutation(n)
    one, other = order[:-1], order[1:]
    left = n_games - len(one)
    if left > 0:
        more = rng.integers(n, size=left)
        against = (more + rng.integers(1, n, size=left)) % n
        one, other = np.concatenate([one, more]), np.concatenate([other, against])
    flip = rng.random(len(one)) < 0.5
    one, other = np.where(flip, other, one), np.where(flip, one, other)
    mixed = rng.permutation(len(one))
    return one[mixed].astype(np.int64), other[mixed].astype(np.int64)


def swapped(games: Games, flip: BoolArray) -> Games:
    """Return the same games with `one` and `other` exchanged in some rows."""
    return replace(
        games,
        side_a=np.where(flip, games.side_b, games.side_a),
        side_b=np.where(flip, games.side_a, games.side_b),
        score=np.where(flip, 1 - games.score, games.score),
        mover=np.where(flip, -games.mover, games.mover).astype(np.int8),
        players=None if games.players is None else np.where(flip[:, None], games.players[:, ::-1], games.players),
        cost=None if games.cost is None else np.where(flip[:, None], games.cost[:, ::-1], games.cost),
    )


def league(seed: int, n: int, n_games: int, n_factions: int = 0) -> Games:
    """Return a league's log: some play often, most a few games; players rated themselves, or factions with players."""
    rng = np.random.default_rng(seed)
    often = rng.pareto(1.5, n) + 0.3
    order = rng.permutation(n)
    chain = [(order[at], order[rng.integers(at)]) for at in range(1, n)]
    more = rng.choice(n, (n_games - len(chain), 2), p=often / often.sum())
    more[:, 1] = np.where(more[:, 0] == more[:, 1], (more[:, 1] + 1) % n, more[:, 1])
    players = np.concatenate([np.array(chain), more]).astype(np.int64)
    skill = rng.normal(0, 0.6, n)
    mover = rng.choice(np.array([-1, 1], np.int8), n_games)
    eta = skill[players[:, 0]] - skill[players[:, 1]] + 0.2 * mover
    names, rest = tuple(f"p{at:04d}" for at in range(n)), (np.ones(n_games), mover, np.arange(n_games) + 2)
    if not n_factions:
        one, other = players.T.copy()
        return Games(names, one, other, outcomes(rng, eta, 0.0), *rest)
    one = rng.integers(n_factions, size=n_games)
    other = (one + rng.integers(1, n_factions, size=n_games)) % n_factions
    strength = rng.normal(0, 0.3, n_factions)
    score = outcomes(rng, eta + strength[one] - strength[other], 0.0)
    factions = tuple(f"f{at:02d}" for at in range(n_factions))
    return Games(factions, one, other, score, *rest, players=players, player_names=names)
