"""Which effects each game carries: the arrays that the fit works on.

Effects are of two kinds. Global ones may act in any game: strengths, first mover, cost, players, and how an entrant
likes a scenario. Local ones act in the games of one session only: the form of each entrant that evening, and a shift of
what going first was worth. A vector of effects holds the global ones, the cut that makes draws, and the local ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.playtests.games import Games
from balance.playtests.model.arrowhead import Arrowhead
from balance.playtests.model.outcomes import Law

STRENGTH, FIRST_MOVER, COST, PLAYER, SCENARIO = range(5)
FORM, SEAT, FREE = 5, 6, 7
"""Kinds of effects; `FREE` ones are neither of the ratings nor of a known kind."""
CHUNK = 32
"""Rows of games without a session that share a block."""
WHOLE = 64
"""Global effects up to which a log counts as small: all its effects but those of sessions are held at once."""


@dataclass(frozen=True)
class Design:
    """Rows of games, and what each carries.

    * `places`: `int64[e, m]`, `amounts`: `float64[e, m]`: the effects of each row and how much of each, 0 for none.
    * `wins`, `draws`, `losses`: `float64[m]`: how many games of the row ended so.
    * `block`: `int64[m]`: the session of a row, or one of the blocks that rows without a session are cut into.
    * `kinds` and `local_kinds`: `int64[g]` and `int64[l]`: the kind of each effect; `local_block`: `int64[l]`.
    * `sessions`: `int64[s]`: which session a block is, -1 for games without one.
    * `n`: entrants: the first global effects are their strengths.
    * `whole`: whether there are so few global effects that none of them is eliminated.
    """

    law: Law
    places: IntArray
    amounts: FloatArray
    wins: FloatArray
    draws: FloatArray
    losses: FloatArray
    block: IntArray
    kinds: IntArray
    local_kinds: IntArray
    local_block: IntArray
    sessions: IntArray
    n: int
    whole: bool

    @property
    def count(self) -> FloatArray:
        """`float64[m]`: how many games a row stands for."""
        return self.wins + self.draws + self.losses

    @property
    def g(self) -> int:
        """How many global effects there are; the place of the cut among all effects."""
        return len(self.kinds)

    @property
    def answer_effects(self) -> IntArray:
        """The effects whose covariance an answer needs: strengths, first mover, cost, free ones and, last, the cut."""
        return np.append(np.flatnonzero(~np.isin(self.kinds, (PLAYER, SCENARIO))), self.g)

    @cached_property
    def arrowhead(self) -> Arrowhead:
        """Sums over games; players and scenarios of one block alone are eliminated with its local effects."""
        home = np.full(self.g + 1, -1)
        if not self.whole:
            real = self.amounts != 0
            first = np.full(self.g + 1 + len(self.local_kinds), len(self.sessions))
            last = np.full_like(first, -1)
            block = np.broadcast_to(self.block, self.places.shape)[real]
            np.minimum.at(first, self.places[real], block)
            np.maximum.at(last, self.places[real], block)
            is_alone = np.isin(self.kinds, (PLAYER, SCENARIO)) & (first == last)[: self.g]
            home[:-1] = np.where(is_alone, first[: self.g], -1)
        return Arrowhead(self.places, self.amounts, self.block, np.append(home, self.local_block), self.g)

    def place(self, kind: int) -> int:
        """Return the position of the first global effect of a kind, -1 if the design has none."""
        matches = np.flatnonzero(self.kinds == kind)
        return int(matches[0]) if len(matches) else -1

    def loadings(self, rows: IntArray, effects: IntArray) -> FloatArray:
        """Return how much of some effects some rows carry, `float64[rows, effects]`."""
        column = np.full(self.g + 1 + len(self.local_kinds), len(effects))
        column[effects] = np.arange(len(effects))
        amounts = np.zeros((len(rows), len(effects) + 1))
        np.add.at(amounts, (np.arange(len(rows)), column[self.places[:, rows]]), self.amounts[:, rows])
        return amounts[:, :-1]


class _Columns:
    """What each row carries: columns of places and amounts, and the kinds of the effects so far."""

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self.places: list[IntArray] = []
        self.amounts: list[FloatArray] = []
        self.kinds: list[int] = []

    def alone(self, amount: FloatArray, kind: int) -> None:
        """Add one effect, of which each row carries an amount."""
        self.add(np.zeros(self.n_rows, np.int64), amount, [kind])

    def between(self, pair: IntArray, kind: int, n_effects: int) -> None:
        """Add effects of which each row carries the first of its pair and minus the second; -1 for nobody."""
        is_apart = pair[:, 0] != pair[:, 1]
        for side, sign in ((0, 1.0), (1, -1.0)):
            amount = np.where(is_apart & (pair[:, side] >= 0), sign, 0.0)
            self.add(pair[:, side], amount, [kind] * n_effects * (side == 1), len(self.kinds))

    def add(self, place: IntArray, amount: FloatArray, kinds: list[int], first: int = -1) -> None:
        """Add new effects of these kinds, and of which of them each row carries how much; `first` counts from there."""
        start = len(self.kinds) if first < 0 else first
        self.places.append(np.where(amount != 0, start + place, 0))
        self.amounts.append(amount)
        self.kinds += kinds


def design(games: Games, law: Law, effects: bool, whole: int = WHOLE, covariate: FloatArray | None = None) -> Design:
    """Return the arrays of some games, which count as `whole` with up to so many global effects.

    Without `effects`, sessions, players and scenarios are not modelled as random effects. A `covariate`, `float64[m]`,
    stands in place of strengths: how much each game carries of one free effect.
    """
    columns = _global_columns(games, effects, covariate)
    session = games.session if effects and games.session is not None else np.full(len(games.side_a), -1)
    block, sessions = _blocks(session)
    g = len(columns.kinds)
    local_kinds, local_block = _add_local_columns(columns, games, block, sessions)
    draws = games.count * (games.score == 0.5) if law != "none" else np.zeros(len(games.side_a))
    wins, losses = (games.count - draws) * games.score, (games.count - draws) * (1 - games.score)
    if law != "none":
        wins = games.count * (games.score == 1.0)
        losses = games.count * (games.score == 0.0)
    places, amounts = np.stack(columns.places), np.stack(columns.amounts)
    kinds, n = np.array(columns.kinds[:g], np.int64), len(games.names) if covariate is None else 0
    return Design(
        law, places, amounts, wins, draws, losses, block, kinds, local_kinds, local_block, sessions, n, g <= whole
    )


def with_more_effects(d: Design, place: IntArray, value: FloatArray, n_more: int) -> Design:
    """Return a design with `n_more` more global effects, of which each row of the games carries at most one.

    `place` is which of them, `int64[m]`, -1 for none, and `value` how much of it, `float64[m]`.
    """
    amount = np.where(place >= 0, value, 0.0)
    return replace(
        d,
        places=np.vstack(
            [np.where(d.places >= d.g, d.places + n_more, d.places), np.where(place >= 0, d.g + place, 0)]
        ),
        amounts=np.vstack([d.amounts, amount]),
        kinds=np.concatenate([d.kinds, np.full(n_more, FREE)]),
    )


def _global_columns(games: Games, effects: bool, covariate: FloatArray | None) -> _Columns:
    m, n = len(games.side_a), len(games.names)
    sides = np.stack([games.side_a, games.side_b], axis=1)
    columns = _Columns(m)
    if covariate is None:
        columns.between(sides, STRENGTH, n)
    else:
        columns.alone(covariate, FREE)
    if games.knows_mover:
        columns.alone(games.mover.astype(np.float64), FIRST_MOVER)
    if games.cost is not None and (ratio := np.nan_to_num(np.log(games.cost[:, 0] / games.cost[:, 1]))).any():
        columns.alone(ratio, COST)
    if effects and games.players is not None and len(games.player_names):
        columns.between(games.players, PLAYER, len(games.player_names))
    if effects and games.scenario is not None and len(games.scenario_names) > 1:
        has_scenario = games.scenario[:, None] >= 0
        cells, place = np.unique(np.where(has_scenario, games.scenario[:, None] * n + sides, -1), return_inverse=True)
        shift = 1 if cells[0] == -1 else 0
        columns.between(place.reshape(m, 2) - shift, SCENARIO, len(cells) - shift)
    return columns


def _blocks(session: IntArray) -> tuple[IntArray, IntArray]:
    """Return the block of each row and the session of each block; rows without a session are cut into chunks, -1."""
    alone = np.flatnonzero(session < 0)
    n_chunks = -(-len(alone) // CHUNK)
    block = np.zeros(len(session), np.int64)
    for chunk, rows in enumerate(np.array_split(alone, n_chunks) if n_chunks else []):
        block[rows] = chunk
    labels, place = np.unique(session[session >= 0], return_inverse=True)
    block[session >= 0] = n_chunks + place
    return block, np.concatenate([np.full(n_chunks, -1), labels])


def _add_local_columns(
    columns: _Columns, games: Games, block: IntArray, sessions: IntArray
) -> tuple[IntArray, IntArray]:
    """Add the local effects of all sessions behind the cut, and return their kinds and blocks, `int64[l]` each."""
    n = len(games.names)
    cell = block[:, None] * n + np.stack([games.side_a, games.side_b], axis=1)
    is_local = (sessions >= 0)[block]
    forms, place = np.unique(np.where(is_local[:, None], cell, -1), return_inverse=True)
    shift = int(not is_local.all())
    start = len(columns.kinds)
    columns.kinds.append(FREE)  # the place of the cut
    form_blocks = forms[shift:] // n
    if len(form_blocks):
        columns.between(place.reshape(-1, 2) - shift, FORM, len(form_blocks))
    seats = np.flatnonzero(sessions >= 0) if games.knows_mover else np.zeros(0, np.int64)
    if len(seats):
        seat = np.searchsorted(seats, block)
        columns.add(np.where(is_local, seat, 0), np.where(is_local, games.mover, 0.0), [SEAT] * len(seats))
    return np.array(columns.kinds[start + 1 :], np.int64), np.concatenate([form_blocks, seats])
