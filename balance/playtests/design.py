"""Which effects each game carries: the arrays that the fit works on.

Effects are of two kinds. Global ones may act in any game: strengths, first mover, cost, players, and how an entrant
likes a scenario. Local ones act in the games of one session only: the form of each entrant that evening, and a shift of
what going first was worth. Given the global effects, sessions do not know of each other, so the fit works through them
one small block at a time (an arrowhead matrix).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.playtests.games import FloatArray, Games, IntArray
from balance.playtests.outcomes import Law

__all__ = ["Design", "design"]

STRENGTH, FIRST_MOVER, COST, PLAYER, SCENARIO = range(5)
FORM, SEAT, NOTHING = 5, 6, 7
"""Kinds of effects; `NOTHING` fills up the blocks of sessions with fewer effects than the largest."""
CHUNK = 32
"""Rows of games without a session that share a block."""


@dataclass(frozen=True)
class Design:
    """Games as blocks of one session each, filled up with rows of no games.

    Attributes
    ----------
    x, z
        `float64[s, r, g]` and `float64[s, r, l]`: how much of each global and local effect a row carries.
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

    def place(self, kind: int) -> int:
        """Return where the first global effect of a kind stands, -1 where there is none."""
        found = np.flatnonzero(self.kinds == kind)
        return int(found[0]) if len(found) else -1


def design(games: Games, law: Law, effects: bool) -> Design:
    """Return the arrays of some games; `effects` says whether sessions, players and scenarios count."""
    columns, kinds = _global_columns(games, effects)
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
    x = np.where(real[:, :, None], columns[rows], 0.0)
    won, drawn, lost = (np.where(real, part[rows], 0.0) for part in (won, drawn, lost))
    return Design(law, x, z, won, drawn, lost, rows, kinds, local_kinds, owners, sessions, len(games.names))


def _global_columns(games: Games, effects: bool) -> tuple[FloatArray, IntArray]:
    """Return `float64[m, g]` and the kind of each column."""
    m, n = len(games.one), len(games.names)
    at = np.arange(m)
    parts = [np.zeros((m, n))]
    parts[0][at, games.one] += 1
    parts[0][at, games.other] -= 1
    kinds = [STRENGTH] * n
    if games.knows_mover:
        parts.append(games.mover[:, None].astype(np.float64))
        kinds.append(FIRST_MOVER)
    if games.cost is not None and (ratio := _log_ratio(games.cost)).any():
        parts.append(ratio[:, None])
        kinds.append(COST)
    if effects and games.players is not None and len(games.player_names):
        parts.append(_signed(games.players, len(games.player_names)))
        kinds += [PLAYER] * len(games.player_names)
    if effects and games.scenario is not None and len(games.scenario_names) > 1:
        known = games.scenario[:, None] >= 0
        cell = games.scenario[:, None] * n + np.stack([games.one, games.other], axis=1)
        met, place = np.unique(np.where(known, cell, -1), return_inverse=True)
        shift = 1 if met[0] == -1 else 0
        parts.append(_signed(place.reshape(m, 2) - shift, len(met) - shift))
        kinds += [SCENARIO] * (len(met) - shift)
    return np.concatenate(parts, axis=1), np.array(kinds, np.int64)


def _log_ratio(cost: FloatArray) -> FloatArray:
    return np.nan_to_num(np.log(cost[:, 0] / cost[:, 1]))


def _signed(places: IntArray, n: int) -> FloatArray:
    """Return `float64[m, n]`: 1 where the first of a pair stands, -1 where the second does; -1 is nowhere."""
    found = np.zeros((len(places), n + 1))
    at = np.arange(len(places))
    np.add.at(found, (at, places[:, 0]), 1.0)
    np.add.at(found, (at, places[:, 1]), -1.0)
    return found[:, :n]


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
