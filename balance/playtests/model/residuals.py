"""Oddities: sessions, players, pairs and scenarios that lie further from all other games than chance allows.

Each group of games is left out, everything is fitted to the rest (the spreads of the effects too, so that a loaded
evening cannot pass for a lively one), and its games are foretold: the exact law of what somebody scores in them, given
how uncertain the ratings are and how much evenings, players and scenarios differ by themselves. In a session each
entrant, each player and the seat of who goes first is looked at.

A two-sided p-value is adjusted for all tests: to the chance that any of them would come out so small, each with the
chance that its own discrete law gives (a group of three games can hardly be remarkable, so it costs nothing; Westfall
and Wolfinger 1997). Tests of the same games hang together, which makes this no smaller than the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.progress import Stage, tell
from balance.playtests.games import Games
from balance.playtests.model.answer import Oddity, OddityKind
from balance.playtests.model.design import PLAYER, SCENARIO, Design
from balance.playtests.model.fit import Modes, find_modes
from balance.playtests.model.forecast import Forecast, forecast_score
from balance.playtests.model.spreads import MOST_LINKS, Posterior, priors_at

LEAST_GAMES = 5
"""Of a group: fewer cannot be remarkable among several groups."""
STRIKING_P_VALUE = 0.1
"""P-value, as if nothing were uncertain, above which a group is not worth a fit without it; what is named lies far
below, and uncertainty only makes it larger."""
NEAR = 1e-4
"""Largest step, in logits, of a fit without a group that has ended: its last steps square."""
BATCH = 32
"""Groups that are left out at once."""
MARGIN = 2.0
"""Times the error up to which a group of a log of many effects is looked at more closely."""


@dataclass(frozen=True)
class _Group:
    """Games to be compared with all others; `columns` are the global effects that only they inform.

    `block` is the block of a session in the design, -1 for any other group.
    """

    kind: OddityKind
    name: str
    rows: IntArray
    columns: IntArray
    block: int = -1


@dataclass(frozen=True)
class _Test:
    """What `subject` scores in rows of a group; `side` is 1 where it is `side_a`, -1 where it is `side_b`."""

    kind: str
    subject: str
    rows: IntArray
    side: FloatArray


_TestResult: TypeAlias = tuple[_Group, _Test, Forecast]
_Candidate: TypeAlias = tuple[_Group, list[_Test], list[Forecast]]


def find_oddities(games: Games, posterior: Posterior, error: float) -> list[tuple[Oddity, BoolArray]]:
    """Return the oddities of a log with the rows of their games, the most significant first, one for each group.

    `error` is the family-wise error rate: the chance that a log without oddities has one named.
    """
    if not games.whole:
        return []
    test_keys = set[bytes]()
    row_places = _places(games, posterior.design)
    results: list[_TestResult] = []
    candidates: list[_Candidate] = []
    for group in _groups(games, posterior.design):
        tests = [test for test in _tests(games, group) if _is_new(test, test_keys)]
        rough = [_roughly(games, posterior, row_places, group, test) for test in tests]
        if min((law.p_value for law in rough), default=1.0) < STRIKING_P_VALUE:
            candidates.append((group, tests, rough))
        else:
            results += [(group, test, law) for test, law in zip(tests, rough, strict=True)]
    d = posterior.design
    batch = int(np.clip(MOST_LINKS // max(1, d.local_kinds.size * (d.g + 1) + d.x.size // 4), 1, BATCH))
    if not posterior.design.whole:
        batch, candidates = 1, _surest(candidates, results, error)
    for at in range(0, len(candidates), batch):
        batch_candidates = candidates[at : at + batch]
        tell(Stage("odd groups of games", at, len(candidates)))
        modes = _without(posterior, [group for group, _, _ in batch_candidates])
        for member, (group, tests, _) in enumerate(batch_candidates):
            results += [
                (group, test, _forecast(games, posterior.design, modes, member, row_places, test)) for test in tests
            ]
    oddities: dict[tuple[str, str], tuple[Oddity, BoolArray]] = {}
    for group, test, law in sorted(results, key=lambda result: (result[2].p_value, result[0].name, result[1].subject)):
        p_value = _adjust(law.p_value, results)
        if p_value > error:
            break
        oddity = _oddity(games, group, test, law, p_value)
        oddities.setdefault((group.kind, group.name), (oddity, _mask(games, group.rows)))
    return list(oddities.values())


def _adjust(p_value: float, results: Sequence[_TestResult]) -> float:
    """Return the family-wise p-value: the chance that any of all tests gives at most `p_value`, as if independent."""
    return 1 - float(np.prod([1 - law.chance_of(p_value) for _, _, law in results]))


def _surest(candidates: list[_Candidate], results: list[_TestResult], error: float) -> list[_Candidate]:
    """Return the groups whose rough p-value may become significant; the others join `results` as they are.

    Refitting takes long with many effects. Uncertainty only makes a p-value larger, so that a group that is not
    significant without any never is.
    """
    all_results = [
        *results,
        *((group, test, law) for group, tests, laws in candidates for test, law in zip(tests, laws, strict=True)),
    ]
    kept_candidates = []
    for group, tests, laws in sorted(candidates, key=lambda candidate: min(law.p_value for law in candidate[2])):
        if _adjust(min(law.p_value for law in laws), all_results) <= MARGIN * error:
            kept_candidates.append((group, tests, laws))
        else:
            results += [(group, test, law) for test, law in zip(tests, laws, strict=True)]
    return kept_candidates


def _places(games: Games, d: Design) -> tuple[IntArray, IntArray]:
    """Return the block of each row of the games and its place in that block, `int64[m]` each."""
    block, place = np.zeros((2, len(games.side_a)), np.int64)
    real = d.rows >= 0
    block[d.rows[real]], place[d.rows[real]] = np.nonzero(real)
    return block, place


def _mask(games: Games, rows: IntArray) -> BoolArray:
    mask = np.zeros(len(games.side_a), np.bool_)
    mask[rows] = True
    return mask


def _groups(games: Games, d: Design) -> Iterator[_Group]:
    no_columns = np.zeros(0, np.int64)
    groups: list[_Group] = []
    if games.session is not None:
        blocks = {int(session): at for at, session in enumerate(d.sessions)}
        for at, name in enumerate(games.session_names):
            rows = np.flatnonzero(games.session == at)
            groups.append(_Group("session", name, rows, no_columns, blocks.get(at, -1)))
    if games.players is not None and (first := d.place(PLAYER)) >= 0:
        for at, name in enumerate(games.player_names):
            side = (games.players[:, 0] == at) != (games.players[:, 1] == at)
            groups.append(_Group("player", name, np.flatnonzero(side), np.array([first + at])))
    if games.scenario is not None:
        columns = np.flatnonzero(d.kinds == SCENARIO)
        for at, name in enumerate(games.scenario_names):
            rows = np.flatnonzero(games.scenario == at)
            is_carried = np.abs(d.loadings(*np.nonzero(np.isin(d.rows, rows)))[:, columns]).sum(axis=0) > 0
            groups.append(_Group("scenario", name, rows, columns[is_carried]))
    low, high = np.minimum(games.side_a, games.side_b), np.maximum(games.side_a, games.side_b)
    pair = low * len(games.names) + high
    for cell in np.unique(pair).tolist():
        a, b = divmod(cell, len(games.names))
        rows = np.flatnonzero(pair == cell)
        groups.append(_Group("pair", f"{games.names[a]} against {games.names[b]}", rows, no_columns))
    total = games.n_games
    return (group for group in groups if LEAST_GAMES <= games.count[group.rows].sum() < total)


def _tests(games: Games, group: _Group) -> Iterator[_Test]:
    """Yield the tests of a group: each entrant, of a session each player too, and the seat of who goes first."""
    rows = group.rows
    if group.kind == "player":
        yield _player_test(games, rows, games.player_names.index(group.name))
        return
    entrants = np.unique(np.concatenate([games.side_a[rows], games.side_b[rows]]))
    for entrant in (entrants[:1] if group.kind == "pair" else entrants).tolist():
        side = (games.side_a[rows] == entrant) * 1.0 - (games.side_b[rows] == entrant)
        yield _Test("entrant", games.names[entrant], rows[side != 0], side[side != 0])
    if group.kind == "session" and games.players is not None:
        for player in np.unique(games.players[rows]).tolist():
            if player >= 0:
                yield _player_test(games, rows, player)
    side = games.mover[rows].astype(np.float64)
    yield _Test("seat", "first", rows[side != 0], side[side != 0])


def _player_test(games: Games, rows: IntArray, player: int) -> _Test:
    players = games.players
    assert players is not None  # noqa: S101 - groups of players come from their column
    side = (players[rows, 0] == player) * 1.0 - (players[rows, 1] == player)
    return _Test("player", games.player_names[player], rows[side != 0], side[side != 0])


def _is_new(test: _Test, test_keys: set[bytes]) -> bool:
    """Return whether a test has rows and no earlier test looked at the same ones from either side; remember it."""
    if len(test.rows) == 0:
        return False
    marks = {np.concatenate([test.rows, sign * test.side]).tobytes() for sign in (1, -1)}
    fresh = not marks & test_keys
    test_keys |= marks
    return fresh


def _without(posterior: Posterior, groups: list[_Group]) -> Modes:
    """Return the modes of one fit for each group, with its rows at weight 0 and spreads reweighted without it."""
    d = posterior.design
    weights = np.stack([~np.isin(d.rows, group.rows) for group in groups]).astype(np.float64)
    sds = np.stack([_weights_without(posterior, group) @ posterior.sds for group in groups])
    start = posterior.effects, posterior.weights @ posterior.modes.local.reshape(len(posterior.weights), -1)
    return find_modes(d, priors_at(d, posterior.kinds, sds), (start[0], start[1].reshape(d.local_kinds.shape)), weights)


def _weights_without(posterior: Posterior, group: _Group) -> FloatArray:
    """Return the weights of the spreads, `float64[k]`, with the evidence of a group's games and effects divided out."""
    d, modes = posterior.design, posterior.modes
    priors = priors_at(d, posterior.kinds, posterior.sds)
    in_group = np.isin(d.rows, group.rows)
    contribution = modes.at.value[:, in_group].sum(axis=1)
    if group.block >= 0:
        s = group.block
        precision = priors.local_precision[:, s]
        contribution = (
            contribution - (precision * modes.local[:, s] ** 2).sum(axis=1) / 2 + np.log(precision).sum(axis=1) / 2
        )
        contribution = contribution + np.linalg.slogdet(modes.local_inverse[:, s])[1] / 2
    elif len(group.columns):
        precision = priors.precision[:, group.columns]
        x = d.loadings(*np.nonzero(in_group))[:, group.columns]
        curvature = x.T @ (modes.at.eta_eta[:, in_group][:, :, None] * x)
        inner = np.arange(len(group.columns))
        curvature[:, inner, inner] += precision
        contribution = (
            contribution
            - (precision * modes.effects[:, group.columns] ** 2).sum(axis=1) / 2
            + np.log(precision).sum(axis=1) / 2
        )
        contribution = contribution - np.linalg.slogdet(curvature)[1] / 2
    else:
        return posterior.weights
    logs = np.log(np.maximum(posterior.weights, 1e-300)) - contribution
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _roughly(
    games: Games, posterior: Posterior, row_places: tuple[IntArray, IntArray], group: _Group, test: _Test
) -> Forecast:
    """Return a test's forecast by the fit to all games, without uncertainty and without session effects."""
    d, effects = posterior.design, posterior.effects.copy()
    effects[group.columns] = 0.0
    eta = test.side * (d.loadings(row_places[0][test.rows], row_places[1][test.rows]) @ effects[:-1])
    score = np.where(test.side > 0, games.score[test.rows], 1 - games.score[test.rows])
    return forecast_score(d.law, eta, float(effects[-1]), None, games.count[test.rows], score)


def _forecast(
    games: Games, d: Design, modes: Modes, member: int, row_places: tuple[IntArray, IntArray], test: _Test
) -> Forecast:
    """Return a test's forecast by the fit without its group (`member` of the batch), with all uncertainty."""
    s, r = row_places[0][test.rows], row_places[1][test.rows]
    z = d.z[s, r]
    block_effects = np.concatenate([d.places, np.full((len(d.places), 1), d.g)], axis=1)[s]
    loadings = np.zeros((len(s), d.g + 2))
    loadings[:, : d.g] = d.loadings(s, r)
    np.add.at(loadings, (np.arange(len(s))[:, None], block_effects), -(z[:, None, :] @ modes.link[member, s])[:, 0])
    loadings = loadings[:, :-1]
    shared = loadings @ modes.covariance[member] @ loadings.T
    shared += np.where(s[:, None] == s, (z[:, None, :] @ modes.local_inverse[member, s])[:, 0] @ z.T, 0.0)
    score = np.where(test.side > 0, games.score[test.rows], 1 - games.score[test.rows])
    eta = test.side * modes.eta[member, s, r]
    together = test.side[:, None] * shared * test.side
    return forecast_score(d.law, eta, float(modes.cut[member]), together, games.count[test.rows], score)


def _oddity(games: Games, group: _Group, test: _Test, law: Forecast, p_value: float) -> Oddity:
    n_games = float(games.count[test.rows].sum())
    kind, beneficiary, is_favoured = test.kind, test.subject, law.score > law.expected
    score, expected = law.score, law.expected
    if not is_favoured and (kind == "seat" or group.kind == "pair"):  # told of whom it favoured
        beneficiary = (
            "second" if kind == "seat" else next(name for name in _pair_names(games, group) if name != beneficiary)
        )
        score, expected, is_favoured = n_games - score, n_games - expected, True
    return Oddity(
        group.kind,
        group.name,
        kind,  # type: ignore[arg-type]
        beneficiary,
        is_favoured,
        n_games,
        score / n_games,
        expected / n_games,
        p_value,
        score - expected,
    )


def _pair_names(games: Games, group: _Group) -> tuple[str, str]:
    row = group.rows[0]
    return games.names[games.side_a[row]], games.names[games.side_b[row]]
