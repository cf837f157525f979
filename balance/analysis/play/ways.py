"""Which ways of playing count: a price has to hold by each of them, and by no other.

An imbalance that shows only where both sides play badly is none, so a way is *out* if it is certainly more than
`NEAR_POINTS` rating points behind the best. Battles that end in stand-offs say nothing of what an army is worth, so it
is out too if certainly more than `MOST_STAND_OFFS` of the battles in which both sides play so are stand-offs; then it
is no best way for others to be behind either. Else it counts: *in* if both are certain, *open* if not.

How far ways are behind is known by multiple comparisons with the best, all of them at once (Edwards and Hsu 1983; Hsu
1984, 1996): whoever is best, with probability `LEVEL` every difference from it lies within c standard errors of the
difference measured. So those remain that may be the best by that, and a way is as far behind as it is behind one of
these. c is Šidák's (1967), which holds however the ratings are correlated.

Ways are compared at printed costs on dice of their own, before any price is seen, so that which of them count does not
hang on how many battles prices are judged by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Annotated

import numpy as np

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.playing import play_worth, with_play
from balance.base.answers import Chance, Doc
from balance.base.arrays import BoolArray, FloatArray
from balance.base.numbers import show_probability
from balance.chance.trials.stopping import normal_width, wilson_interval
from balance.engine.runner import Runner
from balance.game.game import QuestionKind

NEAR_POINTS = 20.0
"""How far behind the best a way of playing may be and count."""
MOST_STAND_OFFS = 0.25
"""Which share of its own battles may be stand-offs."""
LEVEL = 0.95
IN, OPEN, OUT = "in", "open", "out"


@dataclass(frozen=True)
class CountedWay:
    """A way of playing, and whether prices must hold by it."""

    play: Annotated[str, Doc("The way.")]
    behind: Annotated[float, Doc("Rating points behind the best that has battles to be won; below 0, ahead of it.")]
    behind_low: Annotated[float, Doc("The lower end of that, 95 % for all ways at once.")]
    behind_high: Annotated[float, Doc("The upper end.")]
    stand_offs: Annotated[
        Chance | None,
        Doc("Share of battles, both sides playing so, that nobody had won at the end; null where that is not told."),
    ]
    stand_offs_low: Annotated[Chance | None, Doc("The lower end of its 95 % interval.")]
    stand_offs_high: Annotated[Chance | None, Doc("The upper end.")]
    place: Annotated[str, Doc('"in" or "out"; "open" if neither is certain: such a way counts too.')]
    because: Annotated[str, Doc("Why it is out or open; empty if it is in.")]

    @property
    def counts(self) -> bool:
        """Whether prices must hold by it."""
        return self.place != OUT


@dataclass(frozen=True)
class CountedWays:
    """The ways of playing that were compared, and the settings in which prices are to be judged.

    `ways`: the best first. `settings`: way that counts -> the setting in which both sides play so, the way in force
    first, then the best; "" -> the setting where nobody chooses how to play, or the setting does. `undecided`: the mean
    share of stand-offs where every way is out by them, so that nothing can be judged.
    """

    ways: tuple[CountedWay, ...]
    settings: Mapping[str, ArmySetting]
    undecided: float | None = None


def counted_ways(
    runner: Runner, setting: ArmySetting, seed: int = 0, entrants: Sequence[str] | None = None
) -> CountedWays:
    """Compare all ways of playing that are quick to play by armies of `entrants`, by default of all members."""
    kind = runner.game.definition.kinds[setting.kind]
    if len(next(iter(kind.habits.values()), ())) < 2 or len(kind.habits) != len(kind.sides):
        return CountedWays((), {"": setting})
    if kind.habits.keys() & dict(setting.choices).keys():
        return CountedWays((), {"": setting})
    ways = judged_ways(play_worth(runner, setting, seed, entrants=entrants))
    if not (names := [way.play for way in ways if way.counts]):
        shares = [way.stand_offs for way in ways if way.stand_offs is not None]
        return CountedWays(ways, {}, float(np.mean(shares)))
    in_force = _in_force(kind)
    settings = {in_force: setting} if in_force in names else {}
    return CountedWays(ways, settings | {name: with_play(kind, setting, name) for name in names if name != in_force})


def _in_force(kind: QuestionKind) -> str:
    """Return how both sides play if nobody says so; "" where they play differently."""
    ways = {next(iter(kind.policies[name].options)) for name in kind.habits}
    return ways.pop() if len(ways) == 1 else ""


def judged_ways(worth: PlayWorth, near: float = NEAR_POINTS) -> tuple[CountedWay, ...]:
    """Return for every way whether it counts if it may be `near` points behind the best; the best way first."""
    n_pairs, alone = worth.n_pairs.diagonal().tolist(), worth.stand_offs.diagonal().tolist()
    ranges = [None if np.isnan(share) else stand_off_range(share, n) for share, n in zip(alone, n_pairs, strict=True)]
    can_win = np.array([ends is None or ends[0] <= MOST_STAND_OFFS for ends in ranges])
    can_be_best = can_win if can_win.any() else np.ones_like(can_win)
    best = max(np.flatnonzero(can_be_best).tolist(), key=worth.ratings.tolist().__getitem__)
    low, high = points_behind(worth.ratings, worth.covariance, can_be_best)
    ways = []
    for at in sorted(range(len(worth.names)), key=lambda at: (-worth.ratings[at], worth.names[at])):
        behind, ends = (float(low[at]), float(high[at])), ranges[at]
        share_low, share_high = (None, None) if ends is None else ends
        place, because = _place(behind, ends, near, worth.names[best])
        ways.append(CountedWay(
            worth.names[at], float(worth.ratings[best] - worth.ratings[at]), *behind,
            None if ends is None else alone[at], share_low, share_high, place, because,
        ))  # fmt: skip
    return tuple(ways)


def stand_off_range(share: float, n_pairs: int) -> tuple[float, float]:
    """Return Wilson's interval for a share of stand-offs: both battles of a pair share their luck and count as one."""
    successes = share * n_pairs
    low, high = floor(successes + 1e-9), ceil(successes - 1e-9)
    return wilson_interval(low, n_pairs, LEVEL)[0], wilson_interval(high, n_pairs, LEVEL)[1]


def points_behind(
    ratings: FloatArray, covariance: FloatArray, can_be_best: BoolArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return between how many points every way is behind the best, all at once: two `float64[w]`.

    Ways that cannot be the best are compared with those that can, and may be ahead of them: below 0.

    >>> low, high = points_behind(np.array([0.0, -30.0, -300.0]), np.diag([40.0, 40.0, 40.0]))
    >>> low.round().tolist(), high.round().tolist()
    ([0.0, 10.0, 280.0], [0.0, 50.0, 320.0])
    """
    able = np.ones(len(ratings), bool) if can_be_best is None else can_be_best
    variances = covariance.diagonal()
    spread = np.maximum(variances[:, None] + variances - 2 * covariance, 0.0)
    margins = normal_width(LEVEL ** (1 / max(len(ratings) - 1, 1))) * np.sqrt(spread)
    ahead = ratings[:, None] - ratings
    maybe_best = able & (ahead + margins >= 0)[:, able].all(axis=1)
    low, high = (ahead - margins)[maybe_best].min(axis=0), (ahead + margins)[maybe_best].max(axis=0)
    return np.where(able, np.maximum(low, 0.0), low), np.where(able, np.maximum(high, 0.0), high)


def _place(
    behind: tuple[float, float], stand_offs: tuple[float, float] | None, near: float, best: str
) -> tuple[str, str]:
    """Return the place of a way, and why it is out or open."""
    words = {IN: "not more than", OPEN: "maybe more than", OUT: "more than"}
    by_rating = OUT if behind[0] > near else OPEN if behind[1] > near else IN
    low, high = stand_offs or (0.0, 0.0)
    by_stand_offs = OUT if low > MOST_STAND_OFFS else OPEN if high > MOST_STAND_OFFS else IN
    place = next(word for word in (OUT, OPEN, IN) if word in (by_rating, by_stand_offs))
    reasons = []
    if by_stand_offs == place != IN:
        reasons.append(
            f"{show_probability(low)} to {show_probability(high)} of the battles in which both sides play so are "
            f"stand-offs, {words[place]} {MOST_STAND_OFFS:.0%}"
        )
    if by_rating == place != IN:
        reasons.append(
            f"{behind[0]:.0f} to {behind[1]:.0f} rating points behind {best.replace('_', ' ')}, {words[place]} {near:g}"
        )
    return place, "; ".join(reasons)
