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
from itertools import islice
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.progress import Stage, tell
from balance.playtests.games import Games
from balance.playtests.model.answer import Oddity, OddityKind
from balance.playtests.model.design import PLAYER, SCENARIO, Design
from balance.playtests.model.fit import Modes, find_modes
from balance.playtests.model.forecast import NEARLY, Doubt, Forecast, forecast_score, forecast_scores
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
ALL_BUT = 1 - 1e-15
"""A chance as good as 1, whose rest has a logarithm."""
MARGIN = 2.0
"""Times the error up to which a group of a log of many effects is looked at more closely."""


@dataclass(frozen=True)
class _Group:
    """Games to be compared with all others; `effects` are those that only they inform."""

    kind: OddityKind
    name: str
    rows: IntArray
    effects: IntArray


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
    results: list[_TestResult] = []
    candidates: list[_Candidate] = []
    tests_of_groups = [
        (group, [test for test in _tests(games, group) if _is_new(test, test_keys)])
        for group in _groups(games, posterior.design)
    ]
    for (group, tests), rough in zip(tests_of_groups, _roughly(games, posterior, tests_of_groups), strict=True):
        if min((law.p_value for law in rough), default=1.0) < STRIKING_P_VALUE:
            candidates.append((group, tests, rough))
        else:
            results += [(group, test, law) for test, law in zip(tests, rough, strict=True)]
    d = posterior.design
    batch = int(np.clip(MOST_LINKS // max(1, d.arrowhead.size + 2 * len(d.block)), 1, BATCH))
    if not d.whole:
        family = _Family([law for _, _, law in results] + [law for _, _, laws in candidates for law in laws])
        surest = _surest(candidates, results, family, error)
        surest = [(group, tests, _less_roughly(games, posterior, group, tests)) for group, tests, _ in surest]
        batch, candidates = 1, _surest(surest, results, family, error)
    for at in range(0, len(candidates), batch):
        batch_candidates = candidates[at : at + batch]
        tell(Stage("odd groups of games", at, len(candidates)))
        modes = _without(posterior, [group for group, _, _ in batch_candidates])
        for member, (group, tests, _) in enumerate(batch_candidates):
            results += [(group, test, _forecast(games, d, modes, member, test)) for test in tests]
    family = _Family([law for _, _, law in results])
    oddities: dict[tuple[str, str], tuple[Oddity, BoolArray]] = {}
    for group, test, law in sorted(results, key=lambda result: (result[2].p_value, result[0].name, result[1].subject)):
        p_value = family.adjust(law.p_value)
        if p_value > error:
            break
        oddity = _oddity(games, group, test, law, p_value)
        oddities.setdefault((group.kind, group.name), (oddity, _mask(games, group.rows)))
    return list(oddities.values())


class _Family:
    """All tests together: the chance that any of them gives at most a p-value, as if they were independent."""

    def __init__(self, laws: Sequence[Forecast]) -> None:
        levels = np.concatenate([np.zeros(0), *(law.levels for law in laws)])
        chances = np.concatenate([np.zeros(0), *(law.chances for law in laws)])
        sizes = np.array([len(law.levels) for law in laws], np.int64)
        logs = np.log1p(-np.minimum(chances, ALL_BUT))
        before = np.append(0.0, logs)[: len(logs)]
        before[(np.cumsum(sizes) - sizes)[sizes > 0]] = 0.0
        order = np.argsort(levels, kind="stable")
        self.levels, self.logs = levels[order], np.cumsum((logs - before)[order])
        self.n_smooth = int((sizes == 0).sum())

    def adjust(self, p_value: float) -> float:
        """Return the family-wise p-value."""
        at = int(np.searchsorted(self.levels, p_value * (1 + NEARLY), side="right"))
        all_larger = float(np.exp(self.logs[at - 1])) if at else 1.0
        return 1 - all_larger * (1 - p_value) ** self.n_smooth


def _surest(
    candidates: list[_Candidate], results: list[_TestResult], family: _Family, error: float
) -> list[_Candidate]:
    """Return the groups whose rough p-value may become significant; the others join `results` as they are.

    Refitting takes long with many effects. Uncertainty only makes a p-value larger, so that a group that is not
    significant without any never is.
    """
    kept_candidates = []
    for group, tests, laws in sorted(candidates, key=lambda candidate: min(law.p_value for law in candidate[2])):
        if family.adjust(min(law.p_value for law in laws)) <= MARGIN * error:
            kept_candidates.append((group, tests, laws))
        else:
            results += [(group, test, law) for test, law in zip(tests, laws, strict=True)]
    return kept_candidates


def _mask(games: Games, rows: IntArray) -> BoolArray:
    mask = np.zeros(len(games.side_a), np.bool_)
    mask[rows] = True
    return mask


def _groups(games: Games, d: Design) -> Iterator[_Group]:
    no_effects = np.zeros(0, np.int64)
    groups: list[_Group] = []
    if games.session is not None:
        blocks = {int(session): at for at, session in enumerate(d.sessions)}
        for at, name in enumerate(games.session_names):
            rows = np.flatnonzero(games.session == at)
            local = d.g + 1 + np.flatnonzero(d.local_block == blocks[at]) if at in blocks else no_effects
            groups.append(_Group("session", name, rows, local))
    if games.players is not None and (first := d.place(PLAYER)) >= 0:
        for at, name in enumerate(games.player_names):
            side = (games.players[:, 0] == at) != (games.players[:, 1] == at)
            groups.append(_Group("player", name, np.flatnonzero(side), np.array([first + at])))
    if games.scenario is not None:
        for at, name in enumerate(games.scenario_names):
            rows = np.flatnonzero(games.scenario == at)
            carried = sorted(set(d.places[:, rows][d.amounts[:, rows] != 0].tolist()))
            likings = [effect for effect in carried if effect < d.g and d.kinds[effect] == SCENARIO]
            groups.append(_Group("scenario", name, rows, np.array(likings, np.int64)))
    low, high = np.minimum(games.side_a, games.side_b), np.maximum(games.side_a, games.side_b)
    pair = low * len(games.names) + high
    for cell in sorted(set(pair.tolist())):  # numpy's own way loads masked arrays
        a, b = divmod(cell, len(games.names))
        rows = np.flatnonzero(pair == cell)
        groups.append(_Group("pair", f"{games.names[a]} against {games.names[b]}", rows, no_effects))
    total = games.n_games
    return (group for group in groups if LEAST_GAMES <= games.count[group.rows].sum() < total)


def _tests(games: Games, group: _Group) -> Iterator[_Test]:
    """Yield the tests of a group: each entrant, of a session each player too, and the seat of who goes first."""
    rows = group.rows
    people = None if games.players is None else games.players[rows]
    if people is not None and group.kind == "player":
        yield from (test for test in _sides("player", games.player_names, people, rows) if test.subject == group.name)
        return
    entrants = _sides("entrant", games.names, np.stack([games.side_a[rows], games.side_b[rows]], axis=1), rows)
    yield from islice(entrants, 1 if group.kind == "pair" else None)
    if people is not None and group.kind == "session":
        yield from _sides("player", games.player_names, people, rows)
    side = games.mover[rows].astype(np.float64)
    yield _Test("seat", "first", rows[side != 0], side[side != 0])


def _sides(kind: str, names: Sequence[str], pairs: IntArray, rows: IntArray) -> Iterator[_Test]:
    """Yield a test of each that stands in some pair, of the rows that it plays against another; -1 is nobody."""
    cells = np.flatnonzero((pairs >= 0) & (pairs[:, :1] != pairs[:, 1:]))
    cells = cells[np.argsort(pairs.ravel()[cells], kind="stable")]
    of_cell = pairs.ravel()[cells]
    starts, ends = np.flatnonzero(np.diff(of_cell, prepend=-1)), np.flatnonzero(np.diff(of_cell, append=-1)) + 1
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        own = cells[start:end]
        yield _Test(kind, names[of_cell[start]], rows[own // 2], np.where(own % 2, -1.0, 1.0))


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
    weights = np.ones((len(groups), len(d.block)))
    for member, group in zip(weights, groups, strict=True):
        member[group.rows] = 0.0
    sds = np.stack([_weights_without(posterior, group) @ posterior.sds for group in groups])
    start = posterior.weights @ posterior.modes.all_effects
    start[: d.g + 1] = posterior.effects
    return find_modes(d, priors_at(d, posterior.kinds, sds), start, weights, tolerance=NEAR)


def _weights_without(posterior: Posterior, group: _Group) -> FloatArray:
    """Return the weights of the spreads, `float64[k]`, with the evidence of a group's games and effects divided out."""
    d, modes = posterior.design, posterior.modes
    if not len(group.effects):
        return posterior.weights
    precision = priors_at(d, posterior.kinds, posterior.sds).precision[:, group.effects]
    x = d.loadings(group.rows, group.effects)
    curvature = x.T @ (modes.bend[:, group.rows, None] * x)
    inner = np.arange(len(group.effects))
    curvature[:, inner, inner] += precision
    contribution = modes.value[:, group.rows].sum(axis=1) - np.linalg.slogdet(curvature)[1] / 2
    contribution -= (precision * modes.all_effects[:, group.effects] ** 2).sum(axis=1) / 2
    contribution += np.log(precision).sum(axis=1) / 2
    logs = np.log(np.maximum(posterior.weights, 1e-300)) - contribution
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _roughly(
    games: Games, posterior: Posterior, tests_of_groups: Sequence[tuple[_Group, list[_Test]]]
) -> Iterator[list[Forecast]]:
    """Yield the forecasts of each group's tests by the fit to all games, without uncertainty and session effects."""
    d, effects = posterior.design, np.zeros(posterior.modes.all_effects.shape[1])
    effects[: d.g] = posterior.effects[:-1]
    eta, parts = d.arrowhead.row_sums(effects[None])[0], [np.zeros(0)]
    for group, tests in tests_of_groups:
        usual = eta[group.rows]
        eta[group.rows] -= d.loadings(group.rows, group.effects) @ effects[group.effects]
        parts += [test.side * eta[test.rows] for test in tests]
        eta[group.rows] = usual
    tests = [test for _, tests in tests_of_groups for test in tests]
    if not tests:
        yield from ([] for _ in tests_of_groups)
        return
    rows, side = (np.concatenate([getattr(test, name) for test in tests]) for name in ("rows", "side"))
    score = np.where(side > 0, games.score[rows], 1 - games.score[rows])
    sizes = np.array([len(test.rows) for test in tests])
    cut = float(posterior.effects[-1])
    laws = iter(forecast_scores(d.law, np.concatenate(parts), cut, games.count[rows], score, sizes))
    yield from (list(islice(laws, len(tests))) for _, tests in tests_of_groups)


def _less_roughly(games: Games, posterior: Posterior, group: _Group, tests: list[_Test]) -> list[Forecast]:
    """Return the same as `_roughly`, uncertain of the effects that only the group informs."""
    d, effects = posterior.design, np.append(posterior.effects, np.zeros(len(posterior.design.local_kinds)))
    effects[group.effects] = 0.0
    sds = _weights_without(posterior, group) @ posterior.sds
    variances = 1 / priors_at(d, posterior.kinds, sds[None]).precision[0, group.effects]
    forecasts = []
    for test in tests:
        x = test.side[:, None] * d.loadings(test.rows, group.effects)

        def of_sum(weights: FloatArray, x: FloatArray = x) -> float:
            return float((weights @ x) ** 2 @ variances)

        forecasts.append(_forecast_test(games, d, effects, test, Doubt(x**2 @ variances, of_sum)))
    return forecasts


def _forecast(games: Games, d: Design, modes: Modes, member: int, test: _Test) -> Forecast:
    """Return a test's forecast by the fit without its group (`member` of the batch), with all uncertainty."""
    curvature = modes.curvature
    assert curvature is not None  # noqa: S101 - these modes were found for their uncertainty

    def of_sum(weights: FloatArray) -> float:
        row_weights = np.zeros((1, len(d.block)))
        row_weights[0, test.rows] = test.side * weights
        carried = d.arrowhead.sum_rows(row_weights)
        return float((carried * curvature.of_member(member).solve(carried)).sum())

    doubt = Doubt(curvature.row_variances[member, test.rows], of_sum)
    return _forecast_test(games, d, modes.all_effects[member], test, doubt)


def _forecast_test(games: Games, d: Design, effects: FloatArray, test: _Test, doubt: Doubt) -> Forecast:
    eta = test.side * (d.amounts[:, test.rows] * effects[d.places[:, test.rows]]).sum(axis=0)
    score = np.where(test.side > 0, games.score[test.rows], 1 - games.score[test.rows])
    return forecast_score(d.law, eta, float(effects[d.g]), doubt, games.count[test.rows], score)


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
