"""Which effects each game carries: the arrays that the fit works on.

Effects are of two kinds. Global ones may act in any game: strengths, first mover, cost, players, and how an entrant
likes a scenario. Local ones act in the games of one session only: the form of each entrant that evening, and a shift of
what going first was worth. Given the global effects, sessions do not know of each other, so the fit works through them
one small block at a time (an arrowhead matrix).

A game carries a handful of effects, and a block of games some dozen. Where there are many, as of players in a league,
each block knows only those of its games (`places`), so that nothing is worked out that is 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from balance.playtests.games import FloatArray, Games, IntArray
from balance.playtests.model.outcomes import Law

__all__ = ["Design", "design", "widened"]

STRENGTH, FIRST_MOVER, COST, PLAYER, SCENARIO = range(5)
FORM, SEAT, NOTHING = 5, 6, 7
"""Kinds of effects; `NOTHING` fills up the blocks of sessions with fewer effects than the largest."""
CHUNK = 32
"""Rows of games without a session that share a block."""
WHOLE = 64
"""Global effects up to which every block knows all of them."""


@dataclass(frozen=True)
class Design:
    """Games as blocks of one session each, filled up with rows of no games.

    Attributes
    ----------
    x, z
        `float64[s, r, a]` and `float64[s, r, l]`: how much of each global and local effect a row carries.
    places
        `int64[s, a]`: which global effects a block knows, g + 1 for filling (g is the place of the cut); all of them,
        in order, where the design is `whole`.
    won, drawn, lost
        `float64[s, r]`: how many games of the row ended so.
    rows
        `int64[s, r]`: the row of the games, -1 for filling.
    kinds, local_kinds
        `int64[g]` and `int64[s, l]`: the kind of each effect.
    owners
        `int64[s, l]`: the entrant whose form a local effect is, else -1.
    sessions
        `int64[s]`: which session the block is, -1 for games without one.
    n
        Entrants: the first global effects are their strengths.
    """

    law: Law
    x: FloatArray
    places: IntArray
    z: FloatArray
    won: FloatArray
    drawn: FloatArray
    lost: FloatArray
    rows: IntArray
    kinds: IntArray
    local_kinds: IntArray
    owners: IntArray
    sessions: IntArray
    n: int

    @property
    def count(self) -> FloatArray:
        """`float64[s, r]`: how many games a row stands for, 0 for filling."""
        return self.won + self.drawn + self.lost

    @property
    def g(self) -> int:
        """How many global effects there are."""
        return len(self.kinds)

    @property
    def whole(self) -> bool:
        """Whether every block knows all global effects."""
        return self.places.shape[1] == self.g and bool((self.places[0] == np.arange(self.g)).all())

    def carried(self, block: IntArray, place: IntArray) -> FloatArray:
        """Return how much of all global effects some rows carry, `float64[rows, g]`."""
        found = np.zeros((len(block), self.g + 2))
        np.add.at(found, (np.arange(len(block))[:, None], self.places[block]), self.x[block, place])
        return found[:, : self.g]

    def place(self, kind: int) -> int:
        """Return where the first global effect of a kind stands, -1 where there is none."""
        found = np.flatnonzero(self.kinds == kind)
        return int(found[0]) if len(found) else -1


@dataclass(frozen=True)
class _Columns:
    """Which global effects each row carries, `int64[m, c]`, and how much of each; g + 1 and 0 for none."""

    places: IntArray
    values: FloatArray
    kinds: IntArray


def design(games: Games, law: Law, effects: bool, whole: int = WHOLE) -> Design:
    """Return the arrays of some games; `effects` says whether sessions, players and scenarios count.

    Up to `whole` global effects every block knows all of them.
    """
    columns = _global_columns(games, effects)
    session = games.session if effects and games.session is not None else np.full(len(games.one), -1)
    blocks, sessions = _blocks(session)
    rows = _filled(blocks)
    real = rows >= 0
    drawn = games.count * (games.score == 0.5) if law != "none" else np.zeros(len(games.one))
    won, lost = (games.count - drawn) * games.score, (games.count - drawn) * (1 - games.score)
    if law != "none":
        won = games.count * (games.score == 1.0)
        lost = games.count * (games.score == 0.0)
    z, local_kinds, owners = _local_columns(games, rows, sessions)
    x, places = _placed(columns, rows, len(columns.kinds) <= whole)
    won, drawn, lost = (np.where(real, part[rows], 0.0) for part in (won, drawn, lost))
    kinds, n = columns.kinds, len(games.names)
    return Design(law, x, places, z, won, drawn, lost, rows, kinds, local_kinds, owners, sessions, n)


def widened(d: Design, place: IntArray, value: FloatArray, n_more: int) -> Design:
    """Return a design with `n_more` global effects more, of which each row carries at most one.

    Parameters
    ----------
    place, value
        `int64[m]` and `float64[m]`: which of them a row of the games carries, -1 for none, and how much of it.
    """
    real = d.rows >= 0
    which = np.where(real, place[d.rows], -1)
    whole, g = d.whole, d.g
    mine = [np.arange(n_more) if whole else np.unique(block[block >= 0]) for block in which]
    width = max(len(one) for one in mine)
    more = np.full((len(mine), width), g + n_more + 1, np.int64)
    x = np.zeros((*d.rows.shape, width))
    for at, columns in enumerate(mine):
        more[at, : len(columns)] = g + columns
        there = np.flatnonzero(which[at] >= 0)
        x[at, there, np.searchsorted(columns, which[at, there])] = value[d.rows[at, there]]
    old = np.where(d.places > g, g + n_more + 1, d.places)
    places = np.concatenate([old, more], axis=1)
    kinds = np.concatenate([d.kinds, np.full(n_more, NOTHING)])
    return replace(d, x=np.concatenate([d.x, x], axis=2), places=places, kinds=kinds)


def _placed(columns: _Columns, rows: IntArray, whole: bool) -> tuple[FloatArray, IntArray]:
    """Return what each row of each block carries, `float64[s, r, a]`, and of which effects, `int64[s, a]`."""
    g, blocks = len(columns.kinds), len(rows)
    which = np.where((rows >= 0)[:, :, None], columns.places[rows], g + 1)
    mine = [np.arange(g) if whole else np.unique(block[block <= g]) for block in which]
    places = np.full((blocks, max(len(one) for one in mine)), g + 1, np.int64)
    x = np.zeros((*rows.shape, places.shape[1] + 1))
    for at, known in enumerate(mine):
        places[at, : len(known)] = known
        to = np.where(which[at] <= g, np.searchsorted(known, which[at]), places.shape[1])
        np.add.at(x[at], (np.arange(rows.shape[1])[:, None], to), columns.values[rows[at]])
    return x[:, :, :-1], places


def _global_columns(games: Games, effects: bool) -> _Columns:
    m, n = len(games.one), len(games.names)
    signs = np.array([1.0, -1.0])
    places, values, kinds = [games.one[:, None], games.other[:, None]], [np.tile(signs, (m, 1))], [STRENGTH] * n

    def alone(value: FloatArray, kind: int) -> None:
        places.append(np.full((m, 1), len(kinds)))
        values.append(value[:, None].astype(np.float64))
        kinds.append(kind)

    def between(pair: IntArray, kind: int, many: int) -> None:
        places.append(np.where(pair >= 0, len(kinds) + pair, -1))
        values.append(np.where(pair >= 0, signs, 0.0))
        kinds.extend([kind] * many)

    if games.knows_mover:
        alone(games.mover.astype(np.float64), FIRST_MOVER)
    if games.cost is not None and (ratio := _log_ratio(games.cost)).any():
        alone(ratio, COST)
    if effects and games.players is not None and len(games.player_names):
        between(games.players, PLAYER, len(games.player_names))
    if effects and games.scenario is not None and len(games.scenario_names) > 1:
        known = games.scenario[:, None] >= 0
        cell = games.scenario[:, None] * n + np.stack([games.one, games.other], axis=1)
        met, place = np.unique(np.where(known, cell, -1), return_inverse=True)
        shift = 1 if met[0] == -1 else 0
        between(place.reshape(m, 2) - shift, SCENARIO, len(met) - shift)
    where = np.concatenate(places, axis=1)
    return _Columns(
        np.where(where < 0, len(kinds) + 1, where), np.concatenate(values, axis=1), np.array(kinds, np.int64)
    )


def _log_ratio(cost: FloatArray) -> FloatArray:
    return np.nan_to_num(np.log(cost[:, 0] / cost[:, 1]))


def _blocks(session: IntArray) -> tuple[list[IntArray], IntArray]:
    """Return the rows of each session, and of chunks without one; and which session each is."""
    order = np.argsort(session, kind="stable")
    named, first = np.unique(session[order], return_index=True)
    blocks: list[IntArray] = []
    sessions: list[int] = []
    for name, rows in zip(named.tolist(), np.split(order, first[1:]), strict=True):
        parts = [rows] if name >= 0 else np.array_split(rows, -(-len(rows) // CHUNK))
        blocks += parts
        sessions += [name] * len(parts)
    return blocks, np.array(sessions, np.int64)


def _filled(blocks: list[IntArray]) -> IntArray:
    rows = np.full((len(blocks), max(len(block) for block in blocks)), -1, np.int64)
    for at, block in enumerate(blocks):
        rows[at, : len(block)] = block
    return rows


def _local_columns(games: Games, rows: IntArray, sessions: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return `float64[s, r, l]`, the kinds `int64[s, l]` and the owners `int64[s, l]` of local effects."""
    met = [
        np.unique(np.concatenate([games.one[block[block >= 0]], games.other[block[block >= 0]]]))
        if session >= 0
        else np.zeros(0, np.int64)
        for block, session in zip(rows, sessions, strict=True)
    ]
    seat = int(games.knows_mover and bool((sessions >= 0).any()))
    width = max(len(one) for one in met)
    z = np.zeros((*rows.shape, width + seat))
    kinds = np.full((len(rows), width + seat), NOTHING, np.int64)
    owners = np.full_like(kinds, -1)
    for at, entrants in enumerate(met):
        if not len(entrants):
            continue
        real = np.flatnonzero(rows[at] >= 0)
        which = rows[at, real]
        z[at, real, np.searchsorted(entrants, games.one[which])] += 1
        z[at, real, np.searchsorted(entrants, games.other[which])] -= 1
        kinds[at, : len(entrants)], owners[at, : len(entrants)] = FORM, entrants
        if seat:
            z[at, real, width] = games.mover[which]
            kinds[at, width] = SEAT
    return z, kinds, owners
