"""What every member of an army should cost: armies of equal points then score one half, whatever they are made of.

Random armies of equal points meet (see `armies`), half of them alike and half mixed, at budgets spread over a range.
Costs are *fair* when the share of its points that an army spends on a member does not go with winning:

    E[(y - 1/2) * (share of l in army a - share of l in army b)] = 0    for every member l,

with y what army a scores. For armies of one member each this says that every member scores one half against the field.
Nothing else is assumed: the equations hold or they do not, whatever model helps to solve them.

They are solved step by step (Robbins and Monro 1951). In each round armies are drawn at the costs so far, and

    y - 1/2 = sum of x_l beta_l  +  sum of (share_l delta)_l kappa_l  +  first mover

is fitted by least squares, with x the difference of the shares and delta by how much the log of what an army really
cost is off: budgets are made unequal on purpose. `kappa_l` is therefore what a budget larger by 1 in the log is worth to
an army of l, measured and not assumed, and `beta_l / kappa_l` the *handicap* of l: the log of the budget that makes up
for having it. A larger handicap is a larger fair cost. The errors follow from the same fit (an M-estimator).

Costs have a free factor, since points are only compared with points: the typical member keeps its cost, by the median
of log(fair / printed). Members that play alike (`Arena.marks`) are one fighter with one fair cost, and count once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from balance.analysis.armies import alike_armies, mixed_armies, points_of, shares_of
from balance.core import RandomRolls, simulate
from balance.core.memory import keep_freed_memory
from balance.core.streams import stream
from balance.engine.pool import Job
from balance.engine.runner import Runner, as_runner
from balance.engine.source import Source
from balance.pmf.arrays import IntArray
from balance.protocol.armies import Arena
from balance.protocol.loaded import LoadedGame

__all__ = ["FairCosts", "PriceSetting", "fair_costs"]

FloatArray = npt.NDArray[np.float64]
BLOCK = 8192
"""Battles drawn and played at a time."""
SPREAD = 0.35
"""Largest log of a budget over the one drawn, either way: wide enough to measure what a budget is worth."""
LARGEST_STEP = 0.7
CLOSE = 0.08
"""Largest step in the log of a cost, and the step below which a round has come close enough for the last one."""
MOST_ROUNDS = 10
KAPPA_SPREAD = 0.4
"""How much the worth of a budget is thought to differ between members, as a share of it: a weak prior."""


@dataclass(frozen=True)
class PriceSetting:
    """Where prices are judged.

    Attributes
    ----------
    kind
        The question kind in which armies meet.
    budgets
        (points, unit limit), rising: armies are drawn from the first budget to the last, evenly in the log, with unit
        limits in between.
    changes, choices
        Of the situation and the rules, and how sides play: as `LoadedGame.arena` takes them.
    mixed
        Share of battles between mixed armies; the others are between armies of one member each.
    battles
        Battles of the last round, by member.
    """

    kind: str
    budgets: tuple[tuple[float, float], ...]
    changes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    mixed: float = 0.5
    battles: int = 2000

    def limits(self, budgets: FloatArray, rng: np.random.Generator) -> IntArray:
        """Return the unit limit at each budget, at least 2; what lies between two whole numbers is drawn."""
        points, units = np.array(self.budgets, np.float64).T
        found = np.interp(budgets, points, units) + rng.random(len(budgets))
        return np.maximum(found, 2).astype(np.int16)


@dataclass(frozen=True)
class FairCosts:
    """Fair costs of n entrants.

    Attributes
    ----------
    entrants, printed
        Who, and what they cost, `float64[n]`.
    log_fair
        `float64[n]`: log of the fair cost.
    covariance
        `float64[n, n]` of `log_fair`, from the noise of simulation.
    fighters
        `int64[n]`: entrants with equal numbers play alike here.
    kappa
        `float64[n]`: what a budget larger by 1 in the log adds to the score of an army of each.
    n_battles, seed, setting
        Of the last round; how it was had.
    """

    entrants: tuple[str, ...]
    printed: FloatArray
    log_fair: FloatArray
    covariance: FloatArray
    fighters: IntArray
    kappa: FloatArray
    n_battles: int
    seed: int
    setting: PriceSetting

    @property
    def fair(self) -> FloatArray:
        """Fair costs in points, `float64[n]`."""
        return np.asarray(np.exp(self.log_fair))

    @property
    def errors(self) -> FloatArray:
        """Standard errors of `log_fair`, `float64[n]`."""
        return np.asarray(np.sqrt(self.covariance.diagonal()))


def fair_costs(
    game: LoadedGame | Runner, setting: PriceSetting, seed: int = 0, entrants: Sequence[str] | None = None
) -> FairCosts:
    """Return the fair costs of entrants, all of them by default, where armies of them meet.

    Parameters
    ----------
    game
        With a catalogue, whose printed costs are where the search begins.
    seed
        Of armies and dice. What is drawn hangs on what members are, not on their names or their order.
    """
    runner = as_runner(game)
    kind = runner.loaded.game.kinds[setting.kind].armies
    assert kind is not None, "armies meet in the setting's kind of question"
    names = tuple(runner.loaded.ids(kind.member)) if entrants is None else tuple(entrants)
    printed = np.array([float(kind.member.cost_points(runner.loaded.catalogue, name)) for name in names])
    marks = runner.loaded.arena(setting.kind, names, setting.changes, **dict(setting.choices)).marks
    search = _Search(runner, setting, seed, *_fighters(names, printed, marks))
    costs, last = search.solve()
    of = search.fighters
    log_fair = np.log(costs)[of]
    anchor = _middle(log_fair, np.log(printed), of)
    return FairCosts(
        names, printed, log_fair - anchor, last.covariance[np.ix_(of, of)], of, last.kappa[of],
        last.n_battles, seed, setting,
    )  # fmt: skip


def _middle(log_fair: FloatArray, log_printed: FloatArray, fighters: IntArray) -> float:
    """Return the median of log(fair / printed) where entrants alike in both count once."""
    distinct = np.unique(np.column_stack([fighters, log_printed]), axis=0, return_index=True)[1]
    return float(np.median((log_fair - log_printed)[distinct]))


def _fighters(names: Sequence[str], printed: FloatArray, marks: Sequence[str]) -> tuple[tuple[str, ...], FloatArray, IntArray]:
    """Return one member for each mark, in the order of the marks, what it costs to begin with, and who is which."""
    order, first, of = np.unique(np.array(marks), return_index=True, return_inverse=True)
    begin = [float(np.exp(np.mean(np.log(np.unique(printed[of == at]))))) for at in range(len(order))]
    return tuple(names[at] for at in first.tolist()), np.array(begin), np.asarray(of, np.int64)


@dataclass(frozen=True)
class _Block:
    """A block of battles to be drawn and played: at which costs, and which."""

    setting: PriceSetting
    members: tuple[str, ...]
    costs: tuple[float, ...]
    seed: int
    key: str
    number: int


@dataclass(frozen=True)
class _Sums:
    """Sums over battles of the products of all regressors, and of their products with the score less one half."""

    products: FloatArray
    scores: FloatArray
    squares: float
    n_battles: int

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(
            self.products + other.products,
            self.scores + other.scores,
            self.squares + other.squares,
            self.n_battles + other.n_battles,
        )


@dataclass(frozen=True)
class _Round:
    """What a round says of m members: the step in the log of each cost, its covariance, and `kappa`."""

    step: FloatArray
    covariance: FloatArray
    kappa: FloatArray
    n_battles: int


@dataclass(frozen=True)
class _Search:
    runner: Runner
    setting: PriceSetting
    seed: int
    members: tuple[str, ...]
    printed: FloatArray
    fighters: IntArray

    def solve(self) -> tuple[FloatArray, _Round]:
        """Return the costs that solve the equations, and the last round."""
        costs, m = self.printed.copy(), len(self.members)
        few, many = (max(1, -(-m * battles // BLOCK)) for battles in (self.setting.battles // 4, self.setting.battles))
        n_blocks = few
        for number in range(MOST_ROUNDS):
            found = self.round(costs, number, n_blocks)
            step = np.clip(found.step, -LARGEST_STEP, LARGEST_STEP)
            costs = costs * np.exp(step - np.median(np.log(costs / self.printed) + step))
            if n_blocks == many and np.abs(step).max() < 3 * CLOSE:
                break
            n_blocks = many if np.abs(step).max() < 3 * CLOSE or number >= MOST_ROUNDS - 3 else few
        return costs, found

    def round(self, costs: FloatArray, number: int, n_blocks: int) -> _Round:
        """Play a round of battles at these costs."""
        key = f"analysis/fair_costs/{number}"
        blocks = [_Block(self.setting, self.members, tuple(costs.tolist()), self.seed, key, at) for at in range(n_blocks)]
        sums: dict[int, _Sums] = {}
        here = n_blocks < 2
        source = self.runner.loaded if here or self.runner.executor in ("serial", "threads") else self.runner.source
        jobs = (Job(f"{key}, block {at}", _play, (source, block), at) for at, block in enumerate(blocks))
        for job, found in self.runner.run(jobs, here):
            sums[job.tag] = found
            self.runner.engine.tell("battles of armies", len(sums) * BLOCK, n_blocks * BLOCK)
        total = sums[0]
        for at in range(1, n_blocks):  # in their order, so that last digits do not hang on who was first
            total = total + sums[at]
        return _fit(total, len(costs))


def _play(game: LoadedGame | Source, block: _Block) -> _Sums:
    """Draw and play a block of battles, wherever this is called."""
    keep_freed_memory()
    arena = _arena(game, block.setting, block.members)
    costs = np.array(block.costs)
    rng = stream(block.seed, block.key, block.number, "armies")
    n_mixed = round(BLOCK * block.setting.mixed)
    total: _Sums | None = None
    for name, n in (("mixed", n_mixed), ("alike", BLOCK - n_mixed)):
        if n == 0:
            continue
        a, b, limits, budgets = _pairs(block.setting, costs, n, name, rng)
        rolls = RandomRolls(block.seed, f"{block.key}/{name}", block.number, n)
        winner = simulate(arena.process(a, b, limits), rolls, in_order=True)["winner"]
        part = _sums(a, b, budgets, costs, np.where(winner == 0, 0.0, np.where(winner == 1, 0.5, -0.5)))
        total = part if total is None else total + part
    assert total is not None
    return total


@lru_cache(maxsize=8)
def _arena(game: LoadedGame | Source, setting: PriceSetting, members: tuple[str, ...]) -> Arena:
    loaded = game.open() if isinstance(game, Source) else game
    return loaded.arena(setting.kind, members, setting.changes, **dict(setting.choices))


def _pairs(
    setting: PriceSetting, costs: FloatArray, n: int, shape: str, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Return n armies of each side, the unit limit, and the budget drawn, before it was made unequal."""
    least, most = np.log(setting.budgets[0][0]), np.log(setting.budgets[-1][0])
    budgets = np.exp(rng.uniform(least, most, n))
    limits = setting.limits(budgets, rng)
    armies = []
    for _ in range(2):
        own = budgets * np.exp(rng.uniform(-SPREAD, SPREAD, n))
        if shape == "mixed":
            armies.append(mixed_armies(own, limits, costs, rng))
        else:
            armies.append(alike_armies(rng.integers(0, len(costs), n), own, costs, rng))
    return armies[0], armies[1], limits, budgets


def _sums(a: IntArray, b: IntArray, budgets: FloatArray, costs: FloatArray, score: FloatArray) -> _Sums:
    """Return the sums over battles of the products of [shares, shares times delta, 1] and the score less one half."""
    one, other = shares_of(a, costs), shares_of(b, costs)
    off = [np.log(points_of(army, costs) / budgets)[:, None] for army in (a, b)]
    rows = np.column_stack([one - other, one * off[0] - other * off[1], np.ones(len(a))])
    return _Sums(rows.T @ rows, rows.T @ score, float(score @ score), len(a))


def _fit(sums: _Sums, m: int) -> _Round:
    """Solve the least squares of a round; what a budget is worth to each member is drawn a little to their mean."""
    common = np.zeros((2 * m + 1, 2 * m + 2))  # beta_l; kappa_l as its mean and what differs from it; first mover
    common[:m, :m] = np.eye(m)
    common[m : 2 * m, m] = 1.0
    common[m : 2 * m, m + 1 : 2 * m + 1] = np.eye(m)
    common[2 * m, 2 * m + 1] = 1.0
    products, scores = common.T @ sums.products @ common, common.T @ sums.scores
    noise = sums.squares / sums.n_battles
    weak = np.linalg.pinv(products, rcond=1e-9, hermitian=True) @ scores
    kappa = max(float(weak[m] + weak[m + 1 : 2 * m + 1].mean()), 0.05)
    prior = np.zeros(len(scores))
    prior[:m] = 1e-6 * sums.n_battles / m**2
    prior[m + 1 : 2 * m + 1] = noise / (KAPPA_SPREAD * kappa) ** 2
    inverse = np.linalg.inv(products + np.diag(prior))
    found = inverse @ scores
    beta, kappas = found[:m], np.maximum(found[m] + found[m + 1 : 2 * m + 1], 0.2 * kappa)
    # every beta may be larger by the same t: it is chosen so that the costs as a whole keep their level
    level = np.eye(m) - np.outer(np.ones(m), 1 / kappas) / np.sum(1 / kappas)
    into = level / kappas[:, None]
    covariance = noise * into @ (inverse @ products @ inverse)[:m, :m] @ into.T
    return _Round(into @ beta, covariance, kappas, sums.n_battles)
