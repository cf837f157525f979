"""In points: what one member should cost against another, and what an army would bid to go first.

Armies meet as where prices are judged. *Cost*: armies of one member alone meet armies of another alone, at budgets
spread over a range, and the cost is looked for at which n of the one are even with m of the other. *Bid*: whoever goes
first has so much smaller a budget; the part of it is looked for at which going first and going second are worth the
same. Both are found as `balance.analysis.changes.handicaps.handicap` finds them, and played again on fresh armies and
dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, costs_of, meet, play_blocks
from balance.analysis.armies.random_armies import alike_armies, mixed_armies, points_of, same_width
from balance.analysis.changes.handicaps.answer import ArmySource, army_source
from balance.analysis.changes.handicaps.handicap import (
    BLOCK,
    LARGEST_STEP,
    MOST_ROUNDS,
    SPREAD,
    ArmyField,
    Handicap,
    JudgedGroup,
    fit_handicap,
    handicaps,
    is_last,
    with_bend,
)
from balance.analysis.prices.asked import army_setting
from balance.analysis.scores.usual_prices import Tolerance, judge_cost
from balance.base.answers import Doc, Points, formula
from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import Fault, UsageError
from balance.base.numbers import EVEN_BAND, SURE
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena
from balance.game.loaded import LoadedGame

N_BATTLES = 8192
"""Battles of each round: a cost is known to about 1 %."""
ALIKE = ("alike",)
PAIR = 2


@dataclass(frozen=True)
class EvenCost:
    """What one should cost while the other costs what it does."""

    entrant: Annotated[str, Doc("Whose cost it is.")]
    against: Annotated[str, Doc("Against whom.")]
    cost: Annotated[Points, Doc("What it costs now.")]
    fair: Annotated[Estimate, Doc("What it should cost.")]


@dataclass(frozen=True, repr=False)
class FairCost(ArmySource):
    """What one should cost against another at equal points."""

    costs: Annotated[tuple[EvenCost, EvenCost], Doc("What the one should cost, or what the other should instead.")]
    score: Annotated[Estimate, Doc("What armies of the one score against equally dear ones of the other.")]
    fresh: Annotated[Estimate, Doc("What they score at the whole cost, on fresh armies and dice.")]

    @property
    def cost(self) -> float:
        """What the one costs now."""
        return self.costs[0].cost

    @property
    def fair(self) -> Estimate:
        """What the one should cost while the other costs what it does."""
        return self.costs[0].fair

    @formula
    def whole(self) -> Annotated[int, Doc("The nearest whole cost.")]:
        """Return the whole cost nearest to the fair one, at least 1."""
        return max(1, round(self.fair.value))

    @formula
    def tolerance(self) -> Annotated[Points, Doc("By which the cost may miss and still be fair.")]:
        """Return by how many points the cost may miss."""
        return Tolerance.usual([row.cost for row in self.costs]).of(self.cost)

    @formula
    def verdict(self) -> Annotated[str, Doc("What the interval of the fair cost says of the present one.")]:
        """Return the verdict on the present cost."""
        return judge_cost(self.cost, self.fair.low, self.fair.high, self.tolerance)

    @formula
    def bodies(self) -> Annotated[float, Doc("How many of the other are even with one.")]:
        """Return the fair cost in costs of the other."""
        return self.fair.value / self.costs[1].cost

    def __repr__(self) -> str:
        """Return the fair cost with its interval and the present cost in one line."""
        return f"<FairCost: {self.fair.value:.4g} ({self.fair.low:.4g} to {self.fair.high:.4g}), now {self.cost:g}>"


def fair_cost(
    runner: Runner,
    member: str,
    opponent: str,
    setting: ArmySetting | None = None,
    seed: int = 0,
    n_battles: int = N_BATTLES,
    band: tuple[float, float] = EVEN_BAND,
) -> FairCost:
    """Return what one member should cost against another, from armies of the one alone against armies of the other.

    The setting is by default the one in which prices are judged; `n_battles` are those of each round. Raise UsageError
    where armies do not meet in this game, one of both costs nothing, or is not among those that armies are made of.
    """
    setting = setting or army_setting(runner.game)
    _check(runner.game, setting, (member, opponent))
    facts = (member, opponent, setting, seed, n_battles)
    fair, score, fresh = runner.once("fair cost", facts, partial(_fair_cost, runner, *facts))
    cost, against = costs_of(runner.game, (member, opponent)).tolist()
    value, low, high = (cost * against / end for end in (fair.value, fair.high, fair.low))
    other_fair = Estimate(value, low, high, fair.n_trials, "fitted")
    return FairCost(
        **army_source(runner.game, setting, (member, opponent), seed, band),
        costs=(EvenCost(member, opponent, cost, fair), EvenCost(opponent, member, against, other_fair)),
        score=score,
        fresh=fresh,
    )


Three = tuple[Estimate, Estimate, Estimate]
"""What is fair, the score as it is, and the score at what is fair on fresh armies and dice."""


def _fair_cost(runner: Runner, member: str, opponent: str, setting: ArmySetting, seed: int, n_battles: int) -> Three:
    """Fit the fair cost, then play the nearest whole cost again on fresh armies and dice."""
    cost, against = costs_of(runner.game, (member, opponent)).tolist()
    field = ArmyField(setting, (opponent,), (against,))
    groups = [JudgedGroup((member,), (cost,))]
    (handicap,) = handicaps(
        runner, field, groups, seed, n_battles=n_battles, key="analysis/fair_cost", shapes=ALIKE, until_settled=True
    )
    value, low, high = (cost * float(np.exp(handicap.shift + by * handicap.error)) for by in (0.0, -SURE, SURE))
    fair = Estimate(value, low, high, n_battles, "fitted")
    whole = max(1, round(fair.value))
    key = "analysis/fair_cost/fresh"
    again = [JudgedGroup((member,), (float(whole),))]
    (fresh,) = handicaps(runner, field, again, seed, n_battles=n_battles, key=key, shapes=ALIKE)
    return fair, _score_estimate(handicap, n_battles), _score_estimate(fresh, n_battles)


@dataclass(frozen=True)
class PointsAtBudget:
    """What going first is worth at one budget."""

    budget: Points
    worth: Points
    low: Annotated[Points, Doc("The lower end of its 95 % interval.")]
    high: Annotated[Points, Doc("Its upper end.")]


@dataclass(frozen=True, repr=False)
class PointsBid(ArmySource):
    """What an army would bid to go first."""

    share: Annotated[Estimate, Doc("Part of its budget that going first is worth; below 0 where it is a burden.")]
    score: Annotated[Estimate, Doc("What an army that goes first scores against an equally dear one.")]
    fresh: Annotated[Estimate, Doc("What it scores when it has paid that, on fresh armies and dice.")]

    @formula
    def points(self) -> Annotated[tuple[PointsAtBudget, ...], Doc("What that is in points, at each budget.")]:
        """Return what going first is worth at each budget of the setting."""
        ends = (self.share.value, self.share.low, self.share.high)
        return tuple(PointsAtBudget(at.points, *(at.points * end for end in ends)) for at in self.budgets)

    def __repr__(self) -> str:
        """Return the share with its interval in one line."""
        return f"<PointsBid: {self.share.value:.4g} of a budget ({self.share.low:.4g} to {self.share.high:.4g})>"


def points_bid(
    runner: Runner,
    members: Sequence[str] = (),
    setting: ArmySetting | None = None,
    seed: int = 0,
    n_battles: int = N_BATTLES,
    band: tuple[float, float] = EVEN_BAND,
) -> PointsBid:
    """Return what an army would bid to go first, as a share of its budget.

    Of two members, an army of the one alone meets one of the other alone, either going first; of others (all the game's
    without them) half of the armies are of one alone and half are mixed. Raise UsageError as `fair_cost` does, or where
    nobody goes first.
    """
    setting = setting or army_setting(runner.game)
    if not runner.game.kind(setting.kind).mirrored_orders:
        raise UsageError(f"{setting.kind} has no first side to bid for")
    names = tuple(dict.fromkeys(members)) or tuple(runner.game.members_of(setting.kind))
    is_pair = len(members) == PAIR
    _check(runner.game, setting, names)
    facts = (setting, names, is_pair, seed, n_battles)
    share, score, fresh = runner.once("bid in points", facts, partial(_points_bid, runner, *facts))
    return PointsBid(**army_source(runner.game, setting, names, seed, band), share=share, score=score, fresh=fresh)


def _points_bid(
    runner: Runner, setting: ArmySetting, names: tuple[str, ...], is_pair: bool, seed: int, n_battles: int
) -> Three:
    """Find the discount on the first side's budget at which scores are even, then play it again on fresh dice."""
    log_discount = 0.0
    score: Estimate | None = None
    for _ in range(MOST_ROUNDS):
        now = _first_move_handicap(runner, setting, names, log_discount, seed, "analysis/bid", n_battles, is_pair)
        score = score or _score_estimate(now, n_battles)
        step = float(np.clip(now.shift, -LARGEST_STEP, LARGEST_STEP))
        log_discount += step
        if is_last(step, now, until_settled=True):
            break
    value, low, high = (1 - float(np.exp(-log_discount - by * now.error)) for by in (0.0, -SURE, SURE))
    share = Estimate(value, low, high, n_battles, "fitted")
    fresh = _first_move_handicap(runner, setting, names, log_discount, seed, "analysis/bid/fresh", n_battles, is_pair)
    return share, score or _score_estimate(now, n_battles), _score_estimate(fresh, n_battles)


def _check(game: LoadedGame, setting: ArmySetting, names: Sequence[str]) -> None:
    """Raise UsageError for all names that armies are not made of or that cost nothing."""
    game.arena(setting.kind, tuple(dict.fromkeys(names)), setting.changes, **dict(setting.choices))
    free = [name for name in dict.fromkeys(names) if game.cost_points(name) <= 0]
    if free:
        raise UsageError([Fault("costs nothing, and points are compared as ratios", found=name) for name in free])


def _score_estimate(handicap: Handicap, n_battles: int) -> Estimate:
    return Estimate.of_mean(0.5 + handicap.score, handicap.score_error, n_battles)


def _first_move_handicap(
    runner: Runner,
    setting: ArmySetting,
    names: tuple[str, ...],
    log_discount: float,
    seed: int,
    key: str,
    n_battles: int,
    is_pair: bool,
) -> Handicap:
    """Return what going first is worth when the first side's budget is smaller by `log_discount` in the log."""
    costs = tuple(costs_of(runner.game, names).tolist())
    n_blocks, n = max(1, -(-n_battles // BLOCK)), min(n_battles, BLOCK)
    blocks = Blocks(setting, names, costs, seed, key, _play, (log_discount, n, is_pair))
    return fit_handicap(with_bend(np.concatenate(play_blocks(runner, blocks, n_blocks))))


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    """Play a block: rows of (1, log of points over what has to be paid, +-1 for shape or seat, score - 1/2)."""
    log_discount, n, is_pair = blocks.beside
    costs = np.array(blocks.costs)
    budgets, limits = blocks.setting.draw_budgets(n, rng)
    spread = rng.uniform(-SPREAD, SPREAD, (2, n))
    first_budgets, second_budgets = budgets * np.exp(spread[0] - log_discount), budgets * np.exp(spread[1])
    side = np.resize([1.0, -1.0], n)
    if is_pair:
        firsts, seconds = np.zeros(n, np.int64), np.full(n, len(costs) - 1)  # two of a kind are one member
        a = alike_armies(np.where(side > 0, firsts, seconds), first_budgets, costs, rng)
        b = alike_armies(np.where(side > 0, seconds, firsts), second_budgets, costs, rng)
    else:
        a, b = (_draw_armies(money, limits, costs, side, rng) for money in (first_budgets, second_budgets))
    log = np.log(points_of(a, costs) / points_of(b, costs)) + log_discount
    score = yield from meet(arena, a, b, limits, blocks.rolls(number, "battles", n))
    return np.column_stack([np.ones(n), log, side, score - 0.5])


def _draw_armies(
    budgets: FloatArray, limits: IntArray, costs: FloatArray, side: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Return armies within budgets, `int16[n, k]`: of one random member alone where `side` is above 0, else mixed."""
    alike = alike_armies(rng.integers(0, len(costs), len(budgets)), budgets, costs, rng)
    uniform, mixed = same_width([alike, mixed_armies(budgets, limits, costs, rng)])
    return np.where(side[:, None] > 0, uniform, mixed).astype(np.int16)
