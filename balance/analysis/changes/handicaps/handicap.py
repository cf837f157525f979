"""What members would have to cost, one set of them at a time, so that their armies score one half against a field.

The *field* keeps its costs. Who is *judged* (one loadout, or all that hold a card, as printed or otherwise) stands in
one army of every battle: half of these armies are of one judged member alone and half are mixed, and they meet armies
of the field of the same shape, at budgets spread over a range and made unequal on purpose, each side going first
equally often. With y what the judged army scores,

    y - 1/2 = share beta + log(own points / other's points) kappa + first mover

is fitted by least squares, `share` being the part of its points that the army spends on the judged member. `beta` is
the score beyond one half of an army of it alone, and artanh(2 beta) / (2 kappa), nearly beta / kappa, the log of the
factor by which its cost would have to grow (scores are taken to bend like a logistic curve). Where that is much it is
played again at that cost, until little is left: costs grow in proportion, one number for all judged together, so that
this is one-dimensional.

All who are judged at once meet the same armies with the same dice, as far as their numbers allow: differences between
them are known better than each alone (see `Handicap.beyond`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, meet, play_numbered_blocks
from balance.analysis.armies.random_armies import alike_armies, by_seat, mixed_armies, points_of, same_width
from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.streams import stream
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena, ChangedMember

N_BATTLES = 4096
"""Battles of each judged, in each round."""
BLOCK = 2048
"""Most battles of each judged that are drawn and played at a time: half of them alike, half mixed."""
SPREAD = 0.35
"""Largest log of a budget over the one drawn, either way."""
CLOSE = 0.3
"""Step in the log of a cost below which it need not be played again."""
SMALL_STEP = 0.5
"""Standard errors of a step below which what it misses, about a tenth of it, does not show in an interval."""
MOST_SCORE = 0.45
"""Score beyond one half from which a step is worked out."""
LARGEST_STEP = 0.7
MOST_ROUNDS = 6
LEAST_KAPPA = 0.05
TASK = "changes tried"
SHAPES = ("alike", "mixed")


@dataclass(frozen=True)
class ArmyField:
    """The members whom the judged meet, each counted once, with costs in points."""

    setting: ArmySetting
    members: tuple[str, ...]
    costs: tuple[float, ...]


@dataclass(frozen=True)
class JudgedGroup:
    """Members that are judged together, at costs in points; `setting` replaces that of the field unless it is None."""

    members: tuple[str | ChangedMember, ...]
    costs: tuple[float, ...]
    setting: ArmySetting | None = None


@dataclass(frozen=True)
class Handicap:
    """By how much the costs of one `JudgedGroup` are off.

    `shift`: log of the factor by which its costs would have to grow to be fair; below 0 if it costs too much. `score`:
    score beyond one half of an army of it alone at the costs that were asked about. `shift_parts` and `score_parts`:
    `float64[n]`: what each battle adds to their errors; a variance is the sum of the squares.
    """

    shift: float
    score: float
    shift_parts: FloatArray
    score_parts: FloatArray

    @property
    def error(self) -> float:
        """Standard error of `shift`, in the log of a cost."""
        return _root(self.shift_parts)

    @property
    def score_error(self) -> float:
        """Standard error of `score`, a chance between 0 and 1."""
        return _root(self.score_parts)

    def beyond(self, base: Handicap) -> Handicap:
        """Return the difference from another that met the same armies with the same dice, with the error of pairs."""
        return Handicap(
            self.shift - base.shift,
            self.score - base.score,
            self.shift_parts - base.shift_parts,
            self.score_parts - base.score_parts,
        )


def _root(parts: FloatArray) -> float:
    return float(np.sqrt(np.sum(parts**2)))


def handicaps(
    runner: Runner,
    field: ArmyField,
    groups: Sequence[JudgedGroup],
    seed: int = 0,
    *,
    n_battles: int = N_BATTLES,
    key: str = "analysis/handicap",
    shapes: tuple[str, ...] = SHAPES,
    until_settled: bool = False,
    within: tuple[float, float] | None = None,
) -> list[Handicap]:
    """Return the handicap of each judged group, played in rounds until its shift is small.

    Groups that are to be compared have as many members each, in the same order. There are `n_battles` in each round,
    beyond one block in whole blocks, of armies of one member alone, mixed, or half of each (`shapes`). Another `key`
    gives fresh armies and dice. `until_settled` demands a last step small beside its own error (see `is_last` and
    `with_bend`). Groups whose shift is certainly outside `within` are played no more, since armies of what is next to
    worthless grow with every round.
    """
    logs = [np.log(group.costs) for group in groups]
    n_blocks, n = max(1, -(-n_battles // BLOCK)), min(n_battles, BLOCK) // len(shapes)
    open_ones, results = list(range(len(groups))), dict[int, Handicap]()
    for _ in range(MOST_ROUNDS):
        together = _by_setting(field, [(at, groups[at], logs[at]) for at in open_ones])
        blocks = [
            _blocks(field, setting, open_groups, seed, key, n, shapes) for setting, open_groups in together.items()
        ]
        rows = iter(
            play_numbered_blocks(runner, [(block, number) for block in blocks for number in range(n_blocks)], TASK)
        )
        for open_groups in together.values():
            for (at, _, _), own_rows in zip(
                open_groups, zip(*(next(rows) for _ in range(n_blocks)), strict=True), strict=True
            ):
                now = fit_handicap(with_bend(np.concatenate(own_rows)) if until_settled else np.concatenate(own_rows))
                shift = float(logs[at][0] - np.log(groups[at].costs[0]))
                step = float(np.clip(now.shift, -LARGEST_STEP, LARGEST_STEP))
                first = results.get(at, now)
                results[at] = Handicap(shift + step, first.score, now.shift_parts, first.score_parts)
                logs[at] = logs[at] + step
                if is_last(step, now, until_settled) or is_of_no_use(shift, step, within):
                    open_ones.remove(at)
        if not open_ones:
            break
    return [results[at] for at in range(len(groups))]


def is_last(step: float, handicap: Handicap, until_settled: bool) -> bool:
    """Return whether a step in the log of a cost is so small that no further round is needed.

    A step may miss by about a tenth, as scores are not quite logistic and armies are of whole members. With
    `until_settled` that has to be small beside the error of `handicap`; of differences by the same dice it mostly
    cancels.
    """
    return abs(step) <= (min(CLOSE, SMALL_STEP * handicap.error) if until_settled else CLOSE)


def is_of_no_use(shift: float, step: float, within: tuple[float, float] | None) -> bool:
    """Return whether a step in the log of a cost leads farther out from a `shift` that is outside `within` already.

    >>> [is_of_no_use(-1.4, step, (-0.6, 0.1)) for step in (-0.7, 0.7)], is_of_no_use(-0.7, -0.7, (-0.6, 0.1))
    ([True, False], False)
    """
    if within is None:
        return False
    return (shift < within[0] - CLOSE and step < 0) or (shift > within[1] + CLOSE and step > 0)


_Open = tuple[int, JudgedGroup, FloatArray]
"""The number of a judged, who it is, and the log of what its members cost in this round."""


def _by_setting(field: ArmyField, open_groups: Sequence[_Open]) -> dict[ArmySetting, list[_Open]]:
    """Return the open groups by the setting in which they meet: those of one setting are played at once."""
    by_setting: dict[ArmySetting, list[_Open]] = {}
    for open_group in open_groups:
        by_setting.setdefault(open_group[1].setting or field.setting, []).append(open_group)
    return by_setting


def _as_changed(member: str | ChangedMember) -> ChangedMember:
    return ChangedMember(member, ()) if isinstance(member, str) else member


def _blocks(
    field: ArmyField,
    setting: ArmySetting,
    open_groups: Sequence[_Open],
    seed: int,
    key: str,
    n: int,
    shapes: tuple[str, ...],
) -> Blocks:
    """Return blocks of n battles of each shape in a setting; the judged members follow those of the field."""
    own_members = tuple(dict.fromkeys(_as_changed(member) for _, group, _ in open_groups for member in group.members))
    numbers = {member: len(field.members) + at for at, member in enumerate(own_members)}
    groups = tuple(
        (tuple(numbers[_as_changed(member)] for member in group.members), tuple(np.exp(logs).tolist()))
        for _, group, logs in open_groups
    )
    members: tuple[str | ChangedMember, ...] = (*field.members, *own_members)
    return Blocks(setting, members, field.costs, seed, key, _play, (len(own_members), groups, n, shapes))


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[list[FloatArray]]:
    """Play a block: for each group, rows of (share, log of own points over the other's, +-1 for seat, score - 1/2)."""
    n_own, groups, n, shapes = blocks.beside
    first, draws, regressors = np.resize([True, False], n), [], []
    for numbers, own_costs in groups:
        costs = np.append(blocks.costs, np.ones(n_own))
        costs[list(numbers)] = own_costs
        judged_members = np.resize(np.repeat(np.array(numbers), 2), n)
        for shape in shapes:
            draw = stream(blocks.seed, blocks.key, number, shape)
            own_armies, rival_armies, limits = _armies(
                blocks.setting, costs, len(blocks.costs), judged_members, shape, draw
            )
            draws.append((*by_seat(own_armies, rival_armies, first), limits))
            points = points_of(own_armies, costs)
            share = np.sum(own_armies == judged_members[:, None], axis=1) * costs[judged_members] / points
            regressors.append(
                np.column_stack([share, np.log(points / points_of(rival_armies, costs)), np.where(first, 1.0, -1.0)])
            )
    first_armies, second_armies, unit_limits = zip(*draws, strict=True)
    a, b = (np.concatenate(same_width(armies)) for armies in (first_armies, second_armies))
    rows = np.concatenate(regressors)
    dice = blocks.rolls(number, "battles", len(shapes) * n, is_paired=True)
    score = yield from meet(arena, a, b, np.concatenate(unit_limits), dice)
    return list(np.split(np.column_stack([rows, rows[:, 2] * (score - 0.5)]), len(groups)))


def _armies(
    setting: ArmySetting,
    costs: FloatArray,
    n_field: int,
    judged_members: IntArray,
    shape: str,
    rng: np.random.Generator,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the armies of the judged, those they meet, and unit limits, `int[n, k]` twice and `int[n]`.

    In a mixed army the judged member is there at least once, at a random place, and the others are drawn for what is
    left.
    """
    n, field = len(judged_members), costs[:n_field]
    budgets, limits = setting.draw_budgets(n, rng)
    own_budgets, rival_budgets = budgets * np.exp(rng.uniform(-SPREAD, SPREAD, (2, n)))
    if shape == "alike":
        rival_armies = alike_armies(rng.integers(0, n_field, n), rival_budgets, field, rng)
        return alike_armies(judged_members, own_budgets, costs, rng), rival_armies, limits
    rival_armies, place = mixed_armies(rival_budgets, limits, field, rng), rng.random(n)
    beside = mixed_armies(np.maximum(own_budgets - costs[judged_members], 0.0), limits - 1, field, rng, min_units=0)
    own_armies = np.column_stack([judged_members, beside]).astype(np.int16)
    swap = (place * np.sum(own_armies >= 0, axis=1)).astype(np.int64)
    own_armies[:, 0] = own_armies[np.arange(n), swap]
    own_armies[np.arange(n), swap] = judged_members
    return own_armies, rival_armies, limits


def with_bend(rows: FloatArray) -> FloatArray:
    """Return rows with one more regressor, cubic in x, the log of the points, so that `kappa` is the mean slope over x.

    A line alone leans on the points in the middle, where a score that bends is steeper: by 6 % in Runewars. With x^3 -
    3 x mean(x^2) beside x the slope of x is the mean one.
    """
    log = rows[:, 1]
    return np.insert(rows, 3, log**3 - 3 * np.mean(log**2) * log, axis=1)


def fit_handicap(rows: FloatArray) -> Handicap:
    """Return the least-squares handicap of `float64[n, k]` rows: `share`, log of the points, other regressors, score.

    The score is that beyond one half; errors are those of `beta` and of `kappa` together.
    """
    regressors, score = rows[:, :-1], rows[:, -1]
    inverse = np.linalg.inv(regressors.T @ regressors)
    coefficients = inverse @ (regressors.T @ score)
    influence = (regressors @ inverse) * (score - regressors @ coefficients)[:, None]
    beta, kappa = float(coefficients[0]), max(float(coefficients[1]), LEAST_KAPPA)
    doubled_beta = 2 * float(np.clip(beta, -MOST_SCORE, MOST_SCORE))
    shift = float(np.arctanh(doubled_beta)) / (2 * kappa)
    return Handicap(
        shift, beta, (influence[:, 0] / (1 - doubled_beta**2) - shift * influence[:, 1]) / kappa, influence[:, 0]
    )
