"""What was played: one row per game, or a row of several equal games, as arrays that every statistic here reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import Fault, UsageError

AS_EXACT = 1_000_000
"""Games that an exact score stands for: its error, at most 0.05 percentage points, is none that matters."""
WHOLE_SCORES = (0.0, 0.5, 1.0)
"""What a game can score: lost, drawn, won."""


@dataclass(frozen=True)
class Labels:
    """What each row is labelled with, such as its map: `places` among the `names`, `int64[m]`, -1 where unknown."""

    places: IntArray
    names: tuple[str, ...]


@dataclass(frozen=True)
class Games:
    """The games of a log.

    A game of an entrant against itself informs the first-mover effect and the draw rate only, not strengths.

    * `names`: the entrants, sorted by name.
    * `side_a` and `side_b`: `int64[m]`, places in `names`: who met.
    * `score`: `float64[m]`: what `side_a` scored: 1, 0.5 (a draw) or 0; in a table of exact or simulated scores any
      share.
    * `count`: `float64[m]`, positive: how many such games the row stands for.
    * `mover`: `int8[m]`: 1 where `side_a` went first, -1 where `side_b` did, 0 where nobody knows or it does not apply.
    * `rows`: `int64[m]`: the line in the file.
    * `session` and `session_names`: `int64[m]`, places in the names, -1 where unknown; None where nobody wrote them
      down.
    * `players` and `player_names`: `int64[m, 2]`: who played `side_a` and `side_b`; -1 where unknown.
    * `scenario` and `scenario_names`: `int64[m]`, -1 where unknown.
    * `cost`: `float64[m, 2]`: what the armies of `side_a` and `side_b` cost; NaN where unknown.
    * `points`: `float64[m, 2]`: by how much `side_a` and `side_b` scored, such as 15 and 5; NaN where unknown. None
      where no points say more than who won.
    * `labels`: date, month, patch, event, deployment, map or mission -> what each row says of it; only what some row
      says.
    * `game_ids`: what the log calls each game, different for each of its rows; None where it does not.
    """

    names: tuple[str, ...]
    side_a: IntArray
    side_b: IntArray
    score: FloatArray
    count: FloatArray
    mover: npt.NDArray[np.int8]
    rows: IntArray
    session: IntArray | None = None
    session_names: tuple[str, ...] = ()
    players: IntArray | None = None
    player_names: tuple[str, ...] = ()
    scenario: IntArray | None = None
    scenario_names: tuple[str, ...] = ()
    cost: FloatArray | None = None
    points: FloatArray | None = None
    labels: Mapping[str, Labels] = field(default_factory=dict)
    game_ids: tuple[str, ...] | None = None

    @property
    def n_games(self) -> float:
        """How many games all rows stand for."""
        return float(self.count.sum())

    @property
    def games_by_entrant(self) -> FloatArray:
        """`float64[n]`: how many games each entrant played against others."""
        return self._sum_by_entrant(self.count, self.count)

    @property
    def points_by_entrant(self) -> FloatArray:
        """`float64[n]`: how many of them each won, a draw counting half."""
        return self._sum_by_entrant(self.count * self.score, self.count * (1 - self.score))

    def _sum_by_entrant(self, of_side_a: FloatArray, of_side_b: FloatArray) -> FloatArray:
        apart, n = self.side_a != self.side_b, len(self.names)
        sums = np.bincount(self.side_a[apart], of_side_a[apart], n)
        return np.asarray(sums + np.bincount(self.side_b[apart], of_side_b[apart], n), np.float64)

    @property
    def whole(self) -> bool:
        """Whether every score is 0, 0.5 or 1; only then is 0.5 a draw, else it is a share."""
        return bool(np.isin(self.score, WHOLE_SCORES).all())

    @property
    def has_draws(self) -> bool:
        """Whether some game was drawn; False for a log of shares, where 0.5 is no draw."""
        return self.whole and bool((self.score == 0.5).any())

    @property
    def knows_mover(self) -> bool:
        """Whether some row tells who went first."""
        return bool(self.mover.any())

    def select_rows(self, keep: BoolArray | IntArray) -> Games:
        """Return the games of some rows, a mask or positions; the names stay all, so that places in them stay valid."""
        parts: dict[str, Any] = {name: part[keep] for name, part in vars(self).items() if isinstance(part, np.ndarray)}
        labels = {kind: Labels(label.places[keep], label.names) for kind, label in self.labels.items()}
        ids = None if self.game_ids is None else tuple(np.array(self.game_ids, np.object_)[keep])
        return replace(self, **parts, labels=labels, game_ids=ids)

    def within(self, max_effects: int) -> tuple[Games, str]:
        """Return the games with at most `max_effects` effects, and in words what was merged for that; "" for nothing.

        Only the players of the most games keep an effect of their own, the others count as average; the scenarios are
        dropped if entrants in scenarios would still add too many.
        """
        games, notes, room = self, [], max_effects - len(self.names)
        if self.players is not None and len(self.player_names) > room:
            shares = np.repeat(self.count, 2)[self.players.ravel() >= 0]
            games_by_player = np.bincount(self.players[self.players >= 0], shares, len(self.player_names))
            kept_players = np.sort(np.argsort(-games_by_player, kind="stable")[: max(room, 0)])
            place = np.full(len(games_by_player) + 1, -1)
            place[kept_players] = np.arange(len(kept_players))
            names = tuple(self.player_names[at] for at in kept_players.tolist())
            games = replace(games, players=place[self.players] if names else None, player_names=names)
            notes.append(
                f"the {len(games_by_player) - len(kept_players):,} players of the fewest games count as average ones"
            )
        room -= len(games.player_names)
        if self.scenario is not None:
            cells = self.scenario[:, None] * len(self.names) + np.stack([self.side_a, self.side_b], axis=1)
            if len(np.unique(cells)) > room:
                games = replace(games, scenario=None, scenario_names=())
                notes.append("scenarios are not told apart")
        return games, " and ".join(notes)

    def group_equal(self) -> Games:
        """Return the same games with equal ones pooled in one row, in an order that does not depend on that of the log.

        Games are equal if the same entrants and players met in the same session and scenario, at the same costs, with
        the same one going first, and scored the same, by as many points. The one that comes first by name is `side_a`.
        Labels and names of games are dropped.
        """
        aligned = replace(self._swap_sides(self.side_a > self.side_b), labels={}, game_ids=None)
        keys: list[npt.NDArray[np.generic]] = [aligned.mover, aligned.score, aligned.side_b, aligned.side_a]
        for pair in (aligned.cost, aligned.points):
            keys = keys if pair is None else [*np.nan_to_num(pair, nan=-np.inf).T, *keys]
        if aligned.players is not None:
            keys = [*aligned.players.T, *keys]
        keys = [*keys, *(labels for labels in (aligned.scenario, aligned.session) if labels is not None)]
        order = np.lexsort(keys)
        new = np.zeros(len(order), np.bool_)
        new[:1] = True
        for key in keys:
            new[1:] |= key[order][1:] != key[order][:-1]
        counts = np.bincount(np.cumsum(new) - 1, aligned.count[order])
        return replace(aligned.select_rows(order[new]), count=np.asarray(counts, np.float64))

    def _swap_sides(self, flip: BoolArray) -> Games:
        """Return the same games with `side_a` and `side_b` exchanged where `flip`, scores and movers mirrored."""
        pairs: dict[str, Any] = {
            name: part for name, part in vars(self).items() if isinstance(part, np.ndarray) and part.ndim == 2
        }
        return replace(
            self,
            side_a=np.where(flip, self.side_b, self.side_a),
            side_b=np.where(flip, self.side_a, self.side_b),
            score=np.where(flip, 1 - self.score, self.score),
            mover=np.where(flip, -self.mover, self.mover).astype(np.int8),
            **{name: np.where(flip[:, None], pair[:, ::-1], pair) for name, pair in pairs.items()},
        )

    def groups(self) -> IntArray:
        """Return the connected component of each entrant in the graph of who met whom, `int64[n]`."""
        label, last = np.arange(len(self.names)), np.zeros(0, np.int64)
        while not np.array_equal(label, last):
            last = label.copy()
            lower = np.minimum(label[self.side_a], label[self.side_b])
            np.minimum.at(label, self.side_a, lower)
            np.minimum.at(label, self.side_b, lower)
            label = label[label]
        return np.unique(label, return_inverse=True)[1]

    @property
    def is_bounded(self) -> bool:
        """Whether maximum likelihood gives finite strengths: who scored off whom is strongly connected (Ford 1957)."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        has_points, gives_points = self.score > 0, self.score < 1
        beat = (
            np.concatenate([self.side_a[has_points], self.side_b[gives_points]]),
            np.concatenate([self.side_b[has_points], self.side_a[gives_points]]),
        )
        n = len(self.names)
        arrows = coo_array((np.ones(len(beat[0])), beat), shape=(n, n))
        return bool(connected_components(arrows, connection="strong")[0] == 1)

    def check(self) -> None:
        """Raise `UsageError` for bad scores, counts or costs, for no games, and for fewer than two entrants.

        A score lies from 0 to 1; a count is positive and finite; a cost is positive, or NaN where unknown.
        """
        faults = [
            Fault(problem, "games", int(row))
            for problem, wrong in (
                ("is no score from 0 to 1", ~((self.score >= 0) & (self.score <= 1))),
                ("stands for no games", ~((self.count > 0) & np.isfinite(self.count))),
                ("has a cost that is not above 0", _wrong_costs(self.cost, len(self.side_a))),
            )
            for row in self.rows[wrong]
        ]
        if faults:
            raise UsageError(faults)
        if len(self.side_a) == 0:
            raise UsageError("there are no games", "give at least one row with two names and a winner")
        if len(self.names) < 2:
            raise UsageError(
                f"there is one entrant, {self.names[0]}: ratings compare", "give games between two or more"
            )


def _wrong_costs(cost: FloatArray | None, n_rows: int) -> BoolArray:
    if cost is None:
        return np.zeros(n_rows, np.bool_)
    return np.asarray(((cost <= 0) | np.isinf(cost)).any(axis=1))


def games_of(
    side_a: Iterable[str],
    side_b: Iterable[str],
    score: Iterable[float],
    mover: Iterable[int] | int = 0,
    count: Iterable[float] | float = 1.0,
    session: Iterable[str | None] | None = None,
    players: Iterable[tuple[str | None, str | None]] | None = None,
    scenario: Iterable[str | None] | None = None,
    cost: Iterable[tuple[float, float]] | None = None,
    points: Iterable[tuple[float, float]] | None = None,
    labels: Mapping[str, Iterable[str | None]] | None = None,
    game_ids: Iterable[str] | None = None,
) -> Games:
    """Return checked games from names; `score` is what the first of each game scored, from 0 to 1.

    `mover` is 1 where the first went first, -1 where the second did, else 0; `players`, `cost` and `points` are
    pairs (first, second). Raises `UsageError` as `Games.check` does.

    >>> games = games_of(["elf", "orc"], ["orc", "troll"], [1, 0.5], session=["monday", "monday"])
    >>> games.names, games.side_a.tolist(), games.games_by_entrant.tolist(), games.has_draws
    (('elf', 'orc', 'troll'), [0, 1], [1.0, 2.0, 1.0], True)
    """
    first_names, second_names = list(side_a), list(side_b)
    names = tuple(sorted({*first_names, *second_names}))
    m = len(first_names)
    sessions, session_names = _places_in_names(session)
    scenarios, scenario_names = _places_in_names(scenario)
    flat, player_names = _places_in_names(None if players is None else [name for pair in players for name in pair])
    place = {name: at for at, name in enumerate(names)}
    games = Games(
        names,
        np.array([place[name] for name in first_names], np.int64),
        np.array([place[name] for name in second_names], np.int64),
        np.array(list(score), np.float64),
        np.full(m, count) if isinstance(count, int | float) else np.array(list(count), np.float64),
        np.full(m, mover, np.int8) if isinstance(mover, int) else np.array(list(mover), np.int8),
        np.arange(1, m + 1),
        sessions,
        session_names,
        None if flat is None else flat.reshape(m, 2),
        player_names,
        scenarios,
        scenario_names,
        None if cost is None else np.array(list(cost), np.float64).reshape(m, 2),
        None if points is None else np.array(list(points), np.float64).reshape(m, 2),
        labels_of(labels or {}),
        None if game_ids is None else tuple(game_ids),
    )
    games.check()
    return games


def labels_of(texts: Mapping[str, Iterable[str | None]]) -> dict[str, Labels]:
    """Return the labels in the texts of each kind, None or "" where unknown; no kind of which nothing is known."""
    by_kind = {kind: _places_in_names([text or None for text in of_rows]) for kind, of_rows in texts.items()}
    return {kind: Labels(places, names) for kind, (places, names) in by_kind.items() if places is not None and names}


def _places_in_names(labels: Iterable[str | None] | None) -> tuple[IntArray | None, tuple[str, ...]]:
    """Return the place of each label among the sorted distinct ones, -1 for None, and those; (None, ()) if none."""
    if labels is None:
        return None, ()
    label_list = list(labels)
    names = tuple(sorted({label for label in label_list if label is not None}))
    place: dict[str | None, int] = {name: at for at, name in enumerate(names)}
    return np.array([place.get(label, -1) for label in label_list], np.int64), names
