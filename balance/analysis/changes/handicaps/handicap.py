"""What members would have to cost, one set of them at a time, so that their armies score one half against a field.

The *field* keeps its costs. Who is *judged* (one loadout, or all that hold a card, as printed or otherwise) stands in
one army of every battle: half of these armies are of one judged member alone and half are mixed, and they meet armies
of the field of the same shape, at budgets spread over a range and made unequal on purpose, each side going first
equally often. With y what the judged army scores,

    y - 1/2 = share beta + log(own points / other's points) kappa + first mover

is fitted by least squares, `share` being the part of its points that the army spends on the judged member. `beta` is
the score beyond one half of an army of it alone, and artanh(2 beta) / (2 kappa), nearly beta / kappa, the log by which
its cost would have to grow (scores are taken to bend like a logistic curve). Where that is much it is played again at
that cost, until little is left: costs grow in proportion, one number for all judged together, so that this is
one-dimensional.

All who are judged at once meet the same armies with the same dice, as far as their numbers allow: differences between
them are known better than each alone (see `Handicap.beyond`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.battles import ArmySetting, Blocks, play_armies, play_numbered_blocks
from balance.analysis.armies.random_armies import alike_armies, by_seat, mixed_armies, points_of, same_width
from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.streams import stream
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena, Changed

__all__ = [
    "BLOCK",
    "LARGEST_STEP",
    "MOST_ROUNDS",
    "SPREAD",
    "ArmyField",
    "Handicap",
    "Judged",
    "fitted",
    "handicaps",
    "is_last",
    "with_bend",
]

FloatArray = npt.NDArray[np.float64]
N_BATTLES = 4096
"""Battles of each judged, in each round."""
BLOCK = 2048
"""Most battles of each judged that are drawn and played at a time: half of them alike, half mixed."""
SPREAD = 0.35
"""Largest log of a budget over the one drawn, either way."""
CLOSE = 0.3
"""Step in the log of a cost below which it need not be played again."""
SETTLED = 0.5
"""Standard errors of a step below which what it misses, about a tenth of it, does not show in an interval."""
MOST_SCORE = 0.45
"""Score beyond one half from which a step is worked out."""
LARGEST_STEP = 0.7
MOST_ROUNDS = 6
LEAST_KAPPA = 0.05
WHAT = "changes tried"
SHAPES = ("alike", "mixed")


@dataclass(frozen=True)
class ArmyField:
    """Whom the judged meet.

    Attributes
    ----------
    setting
        How armies meet.
    members, costs
        Who is in them, each counted once, and what each costs.
    """

    setting: ArmySetting
    members: tuple[str, ...]
    costs: tuple[float, ...]


@dataclass(frozen=True)
class Judged:
    """Members that are judged together, and the costs that are asked about.

    Attributes
    ----------
    members, costs
        Who, and what each costs.
    setting
        How armies meet, where that is not as the field says.
    """

    members: tuple[str | Changed, ...]
    costs: tuple[float, ...]
    setting: ArmySetting | None = None


@dataclass(frozen=True)
class Handicap:
    """What is found of one `Judged`.

    Attributes
    ----------
    shift
        Log by which its costs would have to grow to be fair; below 0 if it costs too much.
    score
        What an army of it alone scores beyond one half at the costs that were asked about.
    shift_parts, score_parts
        `float64[n]`: what each battle adds to their errors; a variance is the sum of the squares.
    """

    shift: float
    score: float
    shift_parts: FloatArray
    score_parts: FloatArray

    @property
    def error(self) -> float:
        """Standard error of `shift`."""
        return _root(self.shift_parts)

    @property
    def score_error(self) -> float:
        """Standard error of `score`."""
        return _root(self.score_parts)

    def beyond(self, other: Handicap) -> Handicap:
        """Return by how much this one differs from another that met the same armies with the same dice."""
        return Handicap(
            self.shift - other.shift,
            self.score - other.score,
            self.shift_parts - other.shift_parts,
            self.score_parts - other.score_parts,
        )


def _root(parts: FloatArray) -> float:
    return float(np.sqrt(np.sum(parts**2)))


def handicaps(
    runner: Runner,
    field: ArmyField,
    judged: Sequence[Judged],
    seed: int = 0,
    *,
    n_battles: int = N_BATTLES,
    key: str = "analysis/handicap",
    shapes: tuple[str, ...] = SHAPES,
    settled: bool = False,
    within: tuple[float, float] | None = None,
) -> list[Handicap]:
    """Return the handicap of each judged.

    Parameters
    ----------
    judged
        Those who are to be compared have as many members each, in the same order.
    n_battles
        Of each round; beyond one block, whole blocks.
    key
        Another one gives fresh armies and dice at the same seed.
    shapes
        Of the armies: of one member alone, mixed, or half of each.
    settled
        Whether rounds go on until the last step is small beside its own error (see `is_last`, and `with_bend`).
    within
        Between which shifts a fair cost is of use; who is certainly beyond is played no more, since armies of what is
        next to worthless grow with every round. All are played to the end without it.
    """
    logs = [np.log(one.costs) for one in judged]
    n_blocks, n = max(1, -(-n_battles // BLOCK)), min(n_battles, BLOCK) // len(shapes)
    open_ones, found = list(range(len(judged))), dict[int, Handicap]()
    for _ in range(MOST_ROUNDS):
        together = _by_setting(field, [(at, judged[at], logs[at]) for at in open_ones])
        blocks = [_blocks(field, setting, those, seed, key, n, shapes) for setting, those in together.items()]
        rows = iter(play_numbered_blocks(runner, [(one, number) for one in blocks for number in range(n_blocks)], WHAT))
        for those in together.values():
            for (at, _, _), own in zip(those, zip(*(next(rows) for _ in range(n_blocks)), strict=True), strict=True):
                now = fitted(with_bend(np.concatenate(own)) if settled else np.concatenate(own))
                shift = float(logs[at][0] - np.log(judged[at].costs[0]))
                step = float(np.clip(now.shift, -LARGEST_STEP, LARGEST_STEP))
                first = found.get(at, now)
                found[at] = Handicap(shift + step, first.score, now.shift_parts, first.score_parts)
                logs[at] = logs[at] + step
                if is_last(step, now, settled) or is_of_no_use(shift, step, within):
                    open_ones.remove(at)
        if not open_ones:
            break
    return [found[at] for at in range(len(judged))]


def is_last(step: float, found: Handicap, settled: bool) -> bool:
    """Return whether a step in the log of a cost need not be played again.

    What a step is taken to bring is not quite what it brings: scores are not quite logistic, and armies are of whole
    members, so that a tenth of it may be missed. Where what is found has an interval of its own this has to be small
    beside its error; of differences by the same dice it mostly goes out.
    """
    return abs(step) <= (min(CLOSE, SETTLED * found.error) if settled else CLOSE)


def is_of_no_use(shift: float, step: float, within: tuple[float, float] | None) -> bool:
    """Return whether a step leads away from the shifts that are of use, at costs that are beyond them already.

    >>> [is_of_no_use(-1.4, step, (-0.6, 0.1)) for step in (-0.7, 0.7)], is_of_no_use(-0.7, -0.7, (-0.6, 0.1))
    ([True, False], False)
    """
    if within is None:
        return False
    return (shift < within[0] - CLOSE and step < 0) or (shift > within[1] + CLOSE and step > 0)


_Open = tuple[int, Judged, FloatArray]
"""The number of a judged, who it is, and the log of what its members cost in this round."""


def _by_setting(field: ArmyField, those: Sequence[_Open]) -> dict[ArmySetting, list[_Open]]:
    """Return those who meet in one setting together: they can be played at once."""
    found: dict[ArmySetting, list[_Open]] = {}
    for one in those:
        found.setdefault(one[1].setting or field.setting, []).append(one)
    return found


def _changed(member: str | Changed) -> Changed:
    return Changed(member, ()) if isinstance(member, str) else member


def _blocks(
    field: ArmyField,
    setting: ArmySetting,
    those: Sequence[_Open],
    seed: int,
    key: str,
    n: int,
    shapes: tuple[str, ...],
) -> Blocks:
    """Return the blocks of those judged in a setting, of n battles of each shape: their members follow the field's."""
    own = tuple(dict.fromkeys(_changed(one) for _, each, _ in those for one in each.members))
    numbers = {one: len(field.members) + at for at, one in enumerate(own)}
    judged = tuple(
        (tuple(numbers[_changed(one)] for one in each.members), tuple(np.exp(logs).tolist())) for _, each, logs in those
    )
    members: tuple[str | Changed, ...] = (*field.members, *own)
    return Blocks(setting, members, field.costs, seed, key, _play, (len(own), judged, n, shapes))


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> list[FloatArray]:
    """Play a block: of each judged, rows of (share, log of own points over the other's, first mover, score - 1/2)."""
    n_own, judged, n, shapes = blocks.beside
    first, drawn, told = np.resize([True, False], n), [], []
    for numbers, own_costs in judged:
        costs = np.append(blocks.costs, np.ones(n_own))
        costs[list(numbers)] = own_costs
        who = np.resize(np.repeat(np.array(numbers), 2), n)
        for shape in shapes:
            draw = stream(blocks.seed, blocks.key, number, shape)
            own, other, limits = _armies(blocks.setting, costs, len(blocks.costs), who, shape, draw)
            drawn.append((*by_seat(own, other, first), limits))
            points = points_of(own, costs)
            share = np.sum(own == who[:, None], axis=1) * costs[who] / points
            told.append(np.column_stack([share, np.log(points / points_of(other, costs)), np.where(first, 1.0, -1.0)]))
    ones, others, most = zip(*drawn, strict=True)
    a, b = (np.concatenate(same_width(armies)) for armies in (ones, others))
    rows = np.concatenate(told)
    dice = blocks.rolls(number, "battles", len(shapes) * n, is_paired=True)
    score = play_armies(arena, a, b, np.concatenate(most), dice) - 0.5
    return list(np.split(np.column_stack([rows, rows[:, 2] * score]), len(judged)))


def _armies(
    setting: ArmySetting, costs: FloatArray, n_field: int, who: IntArray, shape: str, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the armies of the judged, those they meet, and the unit limits; the others are drawn first.

    In a mixed army the judged member is one for certain, somewhere, and the others are drawn for the money left.
    """
    n, field = len(who), costs[:n_field]
    budgets, limits = setting.draw_budgets(n, rng)
    mine, theirs = budgets * np.exp(rng.uniform(-SPREAD, SPREAD, (2, n)))
    if shape == "alike":
        other = alike_armies(rng.integers(0, n_field, n), theirs, field, rng)
        return alike_armies(who, mine, costs, rng), other, limits
    other, place = mixed_armies(theirs, limits, field, rng), rng.random(n)
    beside = mixed_armies(np.maximum(mine - costs[who], 0.0), limits - 1, field, rng, min_units=0)
    own = np.column_stack([who, beside]).astype(np.int16)
    swap = (place * np.sum(own >= 0, axis=1)).astype(np.int64)
    own[:, 0] = own[np.arange(n), swap]
    own[np.arange(n), swap] = who
    return own, other, limits


def with_bend(rows: FloatArray) -> FloatArray:
    """Return rows with a regressor more, by which `kappa` is what a cost that grows takes from the score.

    That is the mean slope over the points that were drawn. A line through them leans on those in the middle, where a
    score that bends is steeper: by 6 % in Runewars. With x^3 - 3 x mean(x^2) beside x the slope of x is the mean one.
    """
    log = rows[:, 1]
    return np.insert(rows, 3, log**3 - 3 * np.mean(log**2) * log, axis=1)


def fitted(rows: FloatArray) -> Handicap:
    """Return the handicap that rows say, `float64[n, k]`: `share`, log of the points, other regressors, the score.

    Errors of `beta` and of `kappa` both count.
    """
    regressors, score = rows[:, :-1], rows[:, -1]
    inverse = np.linalg.inv(regressors.T @ regressors)
    found = inverse @ (regressors.T @ score)
    each = (regressors @ inverse) * (score - regressors @ found)[:, None]
    beta, kappa = float(found[0]), max(float(found[1]), LEAST_KAPPA)
    bent = 2 * float(np.clip(beta, -MOST_SCORE, MOST_SCORE))
    shift = float(np.arctanh(bent)) / (2 * kappa)
    return Handicap(shift, beta, (each[:, 0] / (1 - bent**2) - shift * each[:, 1]) / kappa, each[:, 0])
