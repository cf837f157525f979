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

from balance.base.arrays import FloatArray, IntArray
from balance.playtests.games import Games
from balance.playtests.model.outcomes import Law

STRENGTH, FIRST_MOVER, COST, PLAYER, SCENARIO = range(5)
FORM, SEAT, FILLING = 5, 6, 7
"""Kinds of effects; `FILLING` fills up the blocks of sessions with fewer effects than the largest."""
CHUNK = 32
"""Rows of games without a session that share a block."""
WHOLE = 64
"""Global effects up to which every block knows all of them."""


@dataclass(frozen=True)
class Design:
    """Games as blocks of one session each, filled up with rows of no games.

    * `x` and `z`: `float64[s, r, a]` and `float64[s, r, l]`: how much of each global and local effect a row carries.
    * `places`: `int64[s, a]`: which global effects a block knows, g + 1 for filling (g is the place of the cut); all of
      them, in order, where the design is `whole`.
    * `wins`, `draws`, `losses`: `float64[s, r]`: how many games of the row ended so.
    * `rows`: `int64[s, r]`: the row of the games, -1 for filling.
    * `kinds` and `local_kinds`: `int64[g]` and `int64[s, l]`: the kind of each effect.
    * `owners`: `int64[s, l]`: the entrant whose form a local effect is, else -1.
    * `sessions`: `int64[s]`: which session the block is, -1 for games without one.
    * `n`: entrants: the first global effects are their strengths.
    """

    law: Law
    x: FloatArray
    places: IntArray
    z: FloatArray
    wins: FloatArray
    draws: FloatArray
    losses: FloatArray
    rows: IntArray
    kinds: IntArray
    local_kinds: IntArray
    owners: IntArray
    sessions: IntArray
    n: int

    @property
    def count(self) -> FloatArray:
        """`float64[s, r]`: how many games a row stands for, 0 for filling."""
        return self.wins + self.draws + self.losses

    @property
    def g(self) -> int:
        """How many global effects there are."""
        return len(self.kinds)

    @property
    def whole(self) -> bool:
        """Whether every block knows all global effects."""
        return self.places.shape[1] == self.g and bool((self.places[0] == np.arange(self.g)).all())

    def loadings(self, block: IntArray, place: IntArray) -> FloatArray:
        """Return how much of all global effects some rows carry, `float64[rows, g]`; both arguments are `int[rows]`."""
        amounts = np.zeros((len(block), self.g + 2))
        np.add.at(amounts, (np.arange(len(block))[:, None], self.places[block]), self.x[block, place])
        return amounts[:, : self.g]

    def place(self, kind: int) -> int:
        """Return the position of the first global effect of a kind, -1 if the design has none."""
        matches = np.flatnonzero(self.kinds == kind)
        return int(matches[0]) if len(matches) else -1


@dataclass(frozen=True)
class _Columns:
    """Which global effects each row carries, `int64[m, c]`, and how much of each; g + 1 and 0 for none."""

    places: IntArray
    values: FloatArray
    kinds: IntArray


def design(games: Games, law: Law, effects: bool, whole: int = WHOLE) -> Design:
    """Return the arrays of some games; up to `whole` global effects every block knows all of them.

    Without `effects`, sessions, players and scenarios are not modelled as random effects.
    """
    columns = _global_columns(games, effects)
    session = games.session if effects and games.session is not None else np.full(len(games.side_a), -1)
    blocks, sessions = _blocks(session)
    rows = _row_blocks(blocks)
    real = rows >= 0
    draws = games.count * (games.score == 0.5) if law != "none" else np.zeros(len(games.side_a))
    wins, losses = (games.count - draws) * games.score, (games.count - draws) * (1 - games.score)
    if law != "none":
        wins = games.count * (games.score == 1.0)
        losses = games.count * (games.score == 0.0)
    z, local_kinds, owners = _local_columns(games, rows, sessions)
    x, places = _place_columns(columns, rows, len(columns.kinds) <= whole)
    wins, draws, losses = (np.where(real, part[rows], 0.0) for part in (wins, draws, losses))
    kinds, n = columns.kinds, len(games.names)
    return Design(law, x, places, z, wins, draws, losses, rows, kinds, local_kinds, owners, sessions, n)


def with_more_effects(d: Design, place: IntArray, value: FloatArray, n_more: int) -> Design:
    """Return a design with `n_more` more global effects, of which each row of the games carries at most one.

    `place` is which of them, `int64[m]`, -1 for none, and `value` how much of it, `float64[m]`.
    """
    real = d.rows >= 0
    effect_of_row = np.where(real, place[d.rows], -1)
    whole, g = d.whole, d.g
    effects_of_block = [np.arange(n_more) if whole else np.unique(block[block >= 0]) for block in effect_of_row]
    width = max(len(columns) for columns in effects_of_block)
    more = np.full((len(effects_of_block), width), g + n_more + 1, np.int64)
    x = np.zeros((*d.rows.shape, width))
    for at, columns in enumerate(effects_of_block):
        more[at, : len(columns)] = g + columns
        carriers = np.flatnonzero(effect_of_row[at] >= 0)
        x[at, carriers, np.searchsorted(columns, effect_of_row[at, carriers])] = value[d.rows[at, carriers]]
    old = np.where(d.places > g, g + n_more + 1, d.places)
    places = np.concatenate([old, more], axis=1)
    kinds = np.concatenate([d.kinds, np.full(n_more, FILLING)])
    return replace(d, x=np.concatenate([d.x, x], axis=2), places=places, kinds=kinds)


def _place_columns(columns: _Columns, rows: IntArray, whole: bool) -> tuple[FloatArray, IntArray]:
    """Return what each row of each block carries, `float64[s, r, a]`, and of which effects, `int64[s, a]`."""
    g, blocks = len(columns.kinds), len(rows)
    effect_of_cell = np.where((rows >= 0)[:, :, None], columns.places[rows], g + 1)
    effects_of_block = [np.arange(g) if whole else np.unique(block[block <= g]) for block in effect_of_cell]
    places = np.full((blocks, max(len(block_places) for block_places in effects_of_block)), g + 1, np.int64)
    x = np.zeros((*rows.shape, places.shape[1] + 1))
    for at, block_effects in enumerate(effects_of_block):
        places[at, : len(block_effects)] = block_effects
        to = np.where(effect_of_cell[at] <= g, np.searchsorted(block_effects, effect_of_cell[at]), places.shape[1])
        np.add.at(x[at], (np.arange(rows.shape[1])[:, None], to), columns.values[rows[at]])
    return x[:, :, :-1], places


def _global_columns(games: Games, effects: bool) -> _Columns:
    m, n = len(games.side_a), len(games.names)
    signs = np.array([1.0, -1.0])
    places, values, kinds = [games.side_a[:, None], games.side_b[:, None]], [np.tile(signs, (m, 1))], [STRENGTH] * n

    def alone(value: FloatArray, kind: int) -> None:
        places.append(np.full((m, 1), len(kinds)))
        values.append(value[:, None].astype(np.float64))
        kinds.append(kind)

    def between(pair: IntArray, kind: int, n_effects: int) -> None:
        places.append(np.where(pair >= 0, len(kinds) + pair, -1))
        values.append(np.where(pair >= 0, signs, 0.0))
        kinds.extend([kind] * n_effects)

    if games.knows_mover:
        alone(games.mover.astype(np.float64), FIRST_MOVER)
    if games.cost is not None and (ratio := _log_ratio(games.cost)).any():
        alone(ratio, COST)
    if effects and games.players is not None and len(games.player_names):
        between(games.players, PLAYER, len(games.player_names))
    if effects and games.scenario is not None and len(games.scenario_names) > 1:
        has_scenario = games.scenario[:, None] >= 0
        cell = games.scenario[:, None] * n + np.stack([games.side_a, games.side_b], axis=1)
        cells, place = np.unique(np.where(has_scenario, cell, -1), return_inverse=True)
        shift = 1 if cells[0] == -1 else 0
        between(place.reshape(m, 2) - shift, SCENARIO, len(cells) - shift)
    effect_places = np.concatenate(places, axis=1)
    return _Columns(
        np.where(effect_places < 0, len(kinds) + 1, effect_places),
        np.concatenate(values, axis=1),
        np.array(kinds, np.int64),
    )


def _log_ratio(cost: FloatArray) -> FloatArray:
    return np.nan_to_num(np.log(cost[:, 0] / cost[:, 1]))


def _blocks(session: IntArray) -> tuple[list[IntArray], IntArray]:
    """Return the rows of each block and its session, `int64[s]`; rows without a session are cut into chunks, -1."""
    order = np.argsort(session, kind="stable")
    labels, first = np.unique(session[order], return_index=True)
    blocks: list[IntArray] = []
    sessions: list[int] = []
    for name, rows in zip(labels.tolist(), np.split(order, first[1:]), strict=True):
        parts = [rows] if name >= 0 else np.array_split(rows, -(-len(rows) // CHUNK))
        blocks += parts
        sessions += [name] * len(parts)
    return blocks, np.array(sessions, np.int64)


def _row_blocks(blocks: list[IntArray]) -> IntArray:
    rows = np.full((len(blocks), max(len(block) for block in blocks)), -1, np.int64)
    for at, block in enumerate(blocks):
        rows[at, : len(block)] = block
    return rows


def _local_columns(games: Games, rows: IntArray, sessions: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return `float64[s, r, l]`, the kinds `int64[s, l]` and the owners `int64[s, l]` of local effects."""
    entrants_of_block = [
        np.unique(np.concatenate([games.side_a[block[block >= 0]], games.side_b[block[block >= 0]]]))
        if session >= 0
        else np.zeros(0, np.int64)
        for block, session in zip(rows, sessions, strict=True)
    ]
    seat = int(games.knows_mover and bool((sessions >= 0).any()))
    width = max(len(block_entrants) for block_entrants in entrants_of_block)
    z = np.zeros((*rows.shape, width + seat))
    kinds = np.full((len(rows), width + seat), FILLING, np.int64)
    owners = np.full_like(kinds, -1)
    for at, entrants in enumerate(entrants_of_block):
        if not len(entrants):
            continue
        real = np.flatnonzero(rows[at] >= 0)
        game_rows = rows[at, real]
        z[at, real, np.searchsorted(entrants, games.side_a[game_rows])] += 1
        z[at, real, np.searchsorted(entrants, games.side_b[game_rows])] -= 1
        kinds[at, : len(entrants)], owners[at, : len(entrants)] = FORM, entrants
        if seat:
            z[at, real, width] = games.mover[game_rows]
            kinds[at, width] = SEAT
    return z, kinds, owners
