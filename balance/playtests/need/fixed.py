"""Plans with one look, at the end: the least number of games with which the promise holds.

The power of an exact test is a saw-tooth of the number of games: one game more may need one win more. The number given
is the least at which the promise holds, and at which it still holds if the evening is played to its end; next to it
stands the number from which on it never fails again, and how far the power dips between the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from balance.base.errors import Fault, UsageError
from balance.base.limits import MOST_PLANNED_GAMES
from balance.chance.trials.stopping import normal_width
from balance.playtests.need.analyses import Analysis, ScoreInterval, SignTest
from balance.playtests.need.goals import HALF, LEAST_DIFFERENCE, MOST_DIFFERENCE, Goal


def analysis_of(goal: Goal) -> Analysis:
    """Return the test for a goal: the sign test for a difference alone, Wilson's interval if there is a band.

    >>> analysis_of(Goal(0.05)), analysis_of(Goal(None, (0.45, 0.55)))
    (SignTest(level=0.95), ScoreInterval(level=0.95, low=0.45, high=0.55))
    """
    return SignTest(goal.level) if goal.band is None else ScoreInterval(goal.level, *goal.band)


def power_of(goal: Goal, games: int) -> float:
    """Return the exact power after `games` of one thing: the least over all that the goal wants to be named.

    >>> round(power_of(Goal(0.05), 806), 3)
    0.798
    """
    analysis, powers = analysis_of(goal), []
    if goal.difference is not None:
        powers.append(analysis.law(games, goal.sides[1], goal.draws).overpowered)
        if goal.band is not None and goal.band[0] != 1 - goal.band[1]:
            powers.append(analysis.law(games, goal.sides[0], goal.draws).underpowered)
    if goal.band is not None:
        powers.append(analysis.law(games, HALF, goal.draws).fair)
    return min(powers)


def error_of(goal: Goal, games: int) -> float:
    """Return the exact false-alarm rate after `games` of one thing.

    Of a difference: that a thing with a score of one half is called underpowered or overpowered. Of a band: that a
    thing on an edge of it, where it is hardest, is called fair.
    """
    analysis = analysis_of(goal)
    if goal.band is None:
        law = analysis.law(games, HALF, goal.draws)
        return law.underpowered + law.overpowered
    return max(analysis.law(games, edge, goal.draws).fair for edge in goal.band)


def about(goal: Goal) -> float:
    """Return about how many games of one thing are needed, by the normal approximation.

    >>> round(about(Goal(0.05)))  # as in any textbook: Chow, Shao, Wang and Lokhnygina 2017, section 4.1
    783
    """
    from statistics import NormalDist

    z = normal_width(goal.level)

    def sample_size(at: float, true: float, power: float) -> float:
        spread = [max(score * (1 - score) - goal.draws / 4, 1e-9) ** 0.5 for score in (at, true)]
        return float((z * spread[0] + NormalDist().inv_cdf(power) * spread[1]) / (true - at)) ** 2

    if goal.band is None:
        return sample_size(HALF, goal.sides[1], goal.power)
    inside = _inside(goal, goal.band, z)
    if goal.difference is None:
        return inside
    low, high = goal.sides
    return max(inside, sample_size(goal.band[1], high, goal.power), sample_size(goal.band[0], low, goal.power))


def _inside(goal: Goal, band: tuple[float, float], z: float) -> float:
    """Return about how many games put the interval of a thing with score 1/2 inside the band with the goal's power."""
    from statistics import NormalDist

    cumulative = NormalDist().cdf

    def fair(games: float) -> float:
        chance = -1.0
        for edge in band:
            spread = [max(score * (1 - score) - goal.draws / 4, 1e-9) ** 0.5 for score in (edge, HALF)]
            chance += cumulative((abs(edge - HALF) * games**0.5 - z * spread[0]) / spread[1])
        return chance

    low, high = 0.0, 1e9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if fair(middle) >= goal.power else (middle, high)
    return high


@dataclass(frozen=True)
class FixedSize:
    """How many games of one thing a plan with one look takes.

    `games`: the least number with the wanted power, there and until the end of that evening. `for_good`: the number
    from which on the power never falls below that again. `dip`: the least power of any number from `games` to
    `for_good`.
    """

    games: int
    for_good: int
    dip: float


@lru_cache(maxsize=64)
def fixed_size(goal: Goal) -> FixedSize:
    """Return how many games of one thing are needed; of a round robin a multiple of the number of opponents.

    Raises `UsageError` above `MOST_PLANNED_GAMES` games in all.

    >>> size = fixed_size(Goal(0.2))
    >>> size.games, size.for_good, round(size.dip, 3)
    (51, 54, 0.784)
    """
    unit, near = goal.options - 1, about(goal)
    total = near * goal.options / 2
    if total > MOST_PLANNED_GAMES:
        message = f"that takes about {float(f'{total:.2g}'):,.0f} games, and nobody plays so many by hand"
        tip = "ask for a larger difference, or simulate your game and ask `balance duel` or `balance battle`"
        raise UsageError(Fault(message, allowed=f"plans of at most {MOST_PLANNED_GAMES:,} games", tip=tip))
    margin = 40 + 3 / min(abs(edge - HALF) for edge in goal.band or goal.sides)
    rounds = _Rounds(lambda number: power_of(goal, unit * number), goal.power, near / unit, margin / unit)
    first_rounds, for_good = rounds.min_rounds(goal.games_per_evening if goal.options == 2 else 1), rounds.for_good()
    dip = min(rounds.power(number) for number in range(first_rounds, max(first_rounds, for_good) + 1))
    return FixedSize(unit * first_rounds, unit * for_good, dip)


class _Rounds:
    """The power as a function of the number of rounds, a saw-tooth whose teeth are shorter than `margin`, cached."""

    def __init__(self, power: Callable[[int], float], required_power: float, near: float, margin: float) -> None:
        self.power, self.required_power = lru_cache(maxsize=None)(power), required_power
        self.margin = int(margin) + 1
        low, high = 0, int(near) + self.margin
        while not self.holds(high):
            low, high = high, int(1.2 * high) + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.holds(middle) else (middle, high)
        self.crossing = high

    def holds(self, number: int) -> bool:
        return self.power(number) >= self.required_power

    def min_rounds(self, evening: int) -> int:
        """Return the least number with enough power, there and at every number up to the end of its evening."""
        at = max(1, self.crossing - self.margin)
        while not all(self.holds(number) for number in range(at, -(-at // evening) * evening + 1)):
            at += 1
        return at

    def for_good(self) -> int:
        """Return the least number from which on the power never falls short again."""
        at = self.crossing + self.margin
        while at > 1 and self.holds(at - 1):
            at -= 1
        return at


@lru_cache(maxsize=256)
def told_by(games: int, power: float = 0.8, error: float = 0.05, draws: float = 0.0) -> float | None:
    """Return the least difference from one half that `games` of a pair detect with this power; None if there is none.

    To a tenth of a percentage point, rounded up; `error` is the false-alarm rate and `draws` a share.
    """
    max_tenths = int(1000 * min(MOST_DIFFERENCE, HALF - draws / 2))
    test = SignTest(1 - error)

    def tells(tenths: int) -> bool:
        return test.law(games, HALF + tenths / 1000, draws).overpowered >= power

    low, high = round(1000 * LEAST_DIFFERENCE) - 1, max_tenths
    if not tells(max_tenths):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tells(middle) else (middle, high)
    return high / 1000
