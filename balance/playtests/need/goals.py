"""The goal of a plan: the difference or the band that games are to show, with which power and false-alarm rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from balance.base.answers import Chance, Count, Doc
from balance.base.errors import Fault, UsageError, did_you_mean

HALF = 0.5
LEAST_DIFFERENCE, MOST_DIFFERENCE = 0.001, 0.45
LEAST_POWER, MOST_POWER = 0.5, 0.999
LEAST_ERROR, MOST_ERROR = 0.001, 0.3
MOST_DRAWS = 0.95
MOST_OPTIONS = 200


@dataclass(frozen=True)
class Goal:
    """What games are to tell.

    Raises `UsageError` with one fault for each number out of range or that does not fit another.

    >>> Goal(0.05).sides, Goal(None, band=(0.45, 0.55)).sides
    ((0.45, 0.55), (0.5, 0.5))
    """

    difference: Annotated[float | None, Doc("How far from one half a score lies that is to be named.")] = 0.05
    band: Annotated[tuple[Chance, Chance] | None, Doc("Scores that count as fair.")] = None
    options: Annotated[Count, Doc("How many factions or weapons play a round robin; 2 for one pair.")] = 2
    power: Annotated[Chance, Doc("To name what is off by the difference, and to call fair what scores one half.")] = 0.8
    error: Annotated[Chance, Doc("The most that false names may come to, of all options together.")] = 0.05
    draws: Annotated[Chance, Doc("Of games that are drawn; a draw counts half for both.")] = 0.0
    games_per_evening: Annotated[Count, Doc("Games between two looks.")] = 4

    def __post_init__(self) -> None:
        """Raise `UsageError` with all faults at once."""
        faults = [*self._ranges(), *self._band_faults()]
        if not faults:
            faults = [*self._fits()]
        if faults:
            raise UsageError(faults)

    @property
    def level(self) -> float:
        """Return the confidence level of each test, 1 - error / things: Bonferroni's correction for several options."""
        return 1 - self.error / self.things

    @property
    def things(self) -> int:
        """Return how many tests share the error: all options, but one for a pair, whose sides mirror each other."""
        return 1 if self.options == 2 else self.options

    @property
    def sides(self) -> tuple[float, float]:
        """Return the scores, below and above one half, that are to be named; one half itself if none is."""
        off = self.difference or 0.0
        return HALF - off, HALF + off

    def _ranges(self) -> list[Fault]:
        """Return a fault for each number outside its range."""
        whole = ("§options", self.options, 2, MOST_OPTIONS), ("§games_per_evening", self.games_per_evening, 1, 1000)
        shares = [
            ("§power", self.power, LEAST_POWER, MOST_POWER, "a plan that misses more than it finds is none"),
            ("§error", self.error, LEAST_ERROR, MOST_ERROR, "5% is usual"),
            ("§draws", self.draws, 0.0, MOST_DRAWS, "they are counted half for both sides"),
        ]
        if self.difference is not None:
            tip = "games played by hand never tell less; half a point is 0.5pp, and 0.5 alone is a half"
            shares.append(("§difference", self.difference, LEAST_DIFFERENCE, MOST_DIFFERENCE, tip))
        faults = [
            Fault("is out of range", name, found=_percent(x), allowed=f"{_percent(low)} to {_percent(high)}", tip=tip)
            for name, x, low, high, tip in shares
            if not low <= x <= high
        ]
        return faults + [
            Fault("is out of range", name, found=str(n), allowed=f"{low} to {high:,}")
            for name, n, low, high in whole
            if not low <= n <= high
        ]

    def _band_faults(self) -> list[Fault]:
        if self.band is None:
            missing = Fault("nothing is asked for: name a difference or a band", "§difference")
            return [missing] if self.difference is None else []
        low, high = self.band
        band_text = f"{100 * low:g}:{100 * high:g}"
        if high < low:
            tip = did_you_mean(f"{100 * high:g}:{100 * low:g}")
            return [Fault("has its ends the wrong way round", "§band", found=band_text, tip=tip)]
        if not 0.05 <= low <= HALF - LEAST_DIFFERENCE or not HALF + LEAST_DIFFERENCE <= high <= 0.95:
            form = "LOW:HIGH, one end from 5 to 49.9% and the other from 50.1 to 95%"
            return [Fault("is no band around one half", "§band", found=band_text, allowed=form, tip="such as 45:55")]
        return []

    def _fits(self) -> list[Fault]:
        """Return a fault for each combination of numbers that contradicts itself."""
        faults = []
        edges = [self.sides[1], *(self.band or ())]
        furthest = max(abs(edge - HALF) for edge in edges)
        if furthest + self.draws / 2 > HALF:
            tip = f"at most {_percent(1 - 2 * furthest)} of draws leave room for it"
            message = f"draws leave no room for a score of {_percent(HALF + furthest)}, a draw counting half"
            faults.append(Fault(message, "§draws", found=_percent(self.draws), tip=tip))
        if self.band is not None and self.difference is not None:
            reach = max(HALF - self.band[0], self.band[1] - HALF)
            if self.difference <= reach + LEAST_DIFFERENCE / 2:
                message = "does not reach outside the band"
                tip = f"name a difference of more than {100 * reach:g} points, or leave it out"
                faults.append(Fault(message, "§difference", found=_percent(self.difference), tip=tip))
        return faults


def _percent(share: float) -> str:
    return f"{100 * share:.6g}%"
