"""Which army does better in some month, patch, deployment, map, mission or against weaker players than elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import CatalogueError, Fault, UsageError
from balance.base.text import slug
from balance.playtests.games import Games, Labels
from balance.playtests.log.columns import iso_day
from balance.playtests.log.sheets import read_sheet
from balance.playtests.people.naming import max_t
from balance.playtests.people.score import Effect, ScoreFit

BAND = "band"
BANDS = ("weaker third", "middle third", "stronger third")
_ISO = re.compile(r"\d{4}-\d\d(-\d\d)?")
_FROM = ("from", "since", "date", "start", "da", "dal", "inizio")


@dataclass(frozen=True)
class Cell:
    """An army in one value of a label, against itself elsewhere, in points; `effect` is None if that is not measurable.

    `effect` is unpooled with an interval of its own, `shrunk` its part that is not to be expected of chance. The
    simultaneous interval, `p` and `named` hold for all cells together.
    """

    army: str
    value: str
    n_games: float
    effect: Effect | None = None
    shrunk: float = 0.0
    simultaneous_low: float = 0.0
    simultaneous_high: float = 0.0
    p: float = 1.0
    named: bool = False


def by(fit: ScoreFit, label: str) -> tuple[Cell, ...]:
    """Return each army in each value of a label, or in each `BAND` of its player's skill, players taken out.

    How strong all are in a value, and an army in all of them, is taken out by usage: what is left is the two together.
    Raises `UsageError` for a label that the log does not tell.
    """
    games, design = fit.design.games, fit.design
    places, names = _values(fit, label)
    sides = np.stack([games.side_a, games.side_b], axis=1)
    cells, at = np.unique(sides * (len(names) + 1) + places % (len(names) + 1), return_inverse=True)
    at, (army, value) = at.reshape(sides.shape), np.divmod(cells, len(names) + 1)
    plays = np.bincount(at.ravel(), np.repeat(games.count, 2)) * (value < len(names))
    rows = np.arange(len(sides)).repeat(2)
    block = sp.csc_array((np.tile([1.0, -1.0], len(sides)), (rows, at.ravel())), (len(sides), len(cells)))
    dense = {**{kind: columns for kind, columns in design.dense.items() if kind != "army"}, "cell": block}
    mixed = replace(design, dense=dense).fit(start=fit.mixed.ratios, max_steps=0)
    group = connected_components(sp.coo_array((np.ones(len(at)), tuple(at.T)), (len(cells),) * 2), False)[1]
    measurable, contrasts = _against_elsewhere(army, value * len(cells) + group, plays)
    estimates = contrasts @ mixed.effects["cell"]
    intervals = max_t(estimates, mixed.clustered("cell", contrasts), fit.level)
    spread = max(float(np.mean(estimates**2 - intervals.se**2)), 0.0) if len(estimates) else 0.0
    shrunk = estimates * spread / np.maximum(spread + intervals.se**2, 1e-300)
    effects = map(Effect, *(part.tolist() for part in (estimates, intervals.se, intervals.low, intervals.high)))
    columns = (shrunk, intervals.simultaneous_low, intervals.simultaneous_high, intervals.p, intervals.named)
    measured = zip(effects, *(column.tolist() for column in columns), strict=True)
    answers = {
        (army[cell], value[cell]): (float(plays[cell]), *(next(measured) if measurable[cell] else ()))
        for cell in range(len(cells))
    }
    pairs = ((one, place) for one in np.unique(army[plays > 0]) for place in np.unique(value[plays > 0]))
    return tuple(Cell(games.names[one], names[place], *answers.get((one, place), (0.0,))) for one, place in pairs)


def _against_elsewhere(army: IntArray, context: IntArray, plays: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Return which cells can be measured, and their contrasts: what army and context, added up, leave of a cell.

    The army's leftovers sum to 0 over its games, so that one less their mean elsewhere is itself by a factor.
    """
    ones = [1.0 * (part[:, None] == np.unique(part)) for part in (army, context)]
    columns = np.hstack(ones)
    rest = np.eye(len(plays)) - columns @ np.linalg.pinv(columns.T * plays @ columns) @ (columns.T * plays)
    elsewhere = ones[0] @ (plays @ ones[0]) - plays
    measurable = (plays > 0) & (elsewhere > 0) & (np.diag(rest) > 1e-6)
    factor = 1 + plays[measurable] / elsewhere[measurable]
    return measurable, rest[measurable] * factor[:, None]


def _values(fit: ScoreFit, label: str) -> tuple[IntArray, tuple[str, ...]]:
    """Return the value of each side of each row, `int64[m, 2]`, -1 where unknown, and the names of the values."""
    games, players = fit.design.games, fit.design.games.players
    labels = dict(games.labels)
    if games.scenario is not None:
        labels.setdefault("scenario", Labels(games.scenario, games.scenario_names))
    if label == BAND and players is not None and "month" in labels:
        return _bands(fit, labels["month"].places, players), BANDS
    if label not in labels:
        raise UsageError(Fault("is not told by this log", "§by", found=label, allowed=", ".join([*labels, BAND])))
    return np.stack([labels[label].places] * 2, axis=1), labels[label].names


def _bands(fit: ScoreFit, month: IntArray, players: IntArray) -> IntArray:
    """Return the third of each player among those of a month by skill in the months before it, -1 for a new player."""
    bands = np.full(players.shape, -1)
    for now in range(1, month.max() + 1):
        earlier, rows = (month >= 0) & (month < now), np.flatnonzero(month == now)
        met = np.isin(players[rows], np.setdiff1d(players[earlier], [-1]))
        if not met.any():
            continue
        skill = fit.design.select_rows(earlier).fit(start=fit.mixed.ratios, max_steps=0).effects["player"]
        own = skill[players[rows]]
        bands[rows] = np.where(met, np.searchsorted(np.quantile(own[met], [1 / 3, 2 / 3]), own), -1)
    return bands


def read_patches(path: Path) -> dict[str, str]:
    """Return the first day or month of each patch, in order, from a file with the columns patch and from."""
    table = read_sheet(path, "", ["patch", *_FROM]).table
    header = [slug(cell) for cell in table.rows[0][1]] if table.rows else []
    place = next((at for at, cell in enumerate(header) if cell in _FROM), -1)
    if "patch" not in header or place < 0 or len(table.rows) < 2:
        raise CatalogueError(Fault("tells no dates of patches", table.path, allowed="the columns patch and from"))
    at, faults, patches = header.index("patch"), list[Fault](), dict[str, str]()
    for row, cells in table.rows[1:]:
        name, day = (" ".join(cells[column].split()) if column < len(cells) else "" for column in (at, place))
        patches[name] = iso_day(day)
        if not name or not _ISO.fullmatch(patches[name]):
            faults.append(Fault("is no first day of a patch", table.path, row, "from", day, "2025-03-14, or 2025-03"))
    if faults:
        raise CatalogueError(faults)
    return dict(sorted(patches.items(), key=lambda patch: patch[1]))


def with_patches(games: Games, patches: Mapping[str, str]) -> Games:
    """Return the games labelled with the patch of their day or month; unknown in a month with two of them."""
    when = games.labels.get("date", games.labels.get("month", Labels(np.full(len(games.rows), -1), ())))
    starts = [f"{day}-01"[:10] for day in patches.values()]
    ends = [[bisect_right(starts, f"{day}-{end}"[:10]) for end in ("01", "31")] for day in when.names]
    of_day = np.array([*(first if first == last else -1 for first, last in ends), -1])
    names = (f"before {next(iter(patches), '')}", *patches)
    return replace(games, labels={**games.labels, "patch": Labels(of_day[when.places], names)})
