"""Sources of luck, and the shares of the variance that they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from balance.base.answers import Chance, Doc
from balance.chance.trials.estimate import Estimate

SEAT = "seat"
"""The source that is who goes first."""


@dataclass(frozen=True)
class LuckSource:
    """One source of luck."""

    name: Annotated[str, Doc('Of the dice, cards or choices as the rules ask for them, or "seat": who goes first.')]
    alone: Annotated[Estimate, Doc("The share of the variance that it settles by itself.")]
    when_rolled: Annotated[
        Chance | None,
        Doc("The share that its rolls bring when they are made; these add up to 1. Null where it is not known."),
    ]


def part(amount: float, variance: float) -> float:
    """Return a part of a variance as a share of it; 0 where the variance is 0."""
    return float(amount / variance) if variance > 0 else 0.0


def mean_share(parts: Sequence[Estimate], variance: float) -> Estimate:
    """Return the mean over processes of a source's part of the variance, as a share of the whole."""
    mean = Estimate.mean_of(parts)
    value = part(mean.value, variance)
    if mean.is_exact:
        return Estimate.exact(value)
    return Estimate.of_mean(value, part(mean.error or 0.0, variance), mean.n_trials)


def as_shares(sources: Sequence[LuckSource]) -> tuple[LuckSource, ...]:
    """Return sources whose `alone` shares are clipped to 0 to 1 and sum to 1 at most, which simulated ones may miss.

    >>> [source.alone.value for source in as_shares([LuckSource("a", Estimate.of_mean(-0.1, 0.1, 9), None)])]
    [0.0]
    """
    total = sum(max(0.0, source.alone.value) for source in sources)
    scale = 1.0 if total <= 1 or all(source.alone.is_exact for source in sources) else 1 / total
    return tuple(replace(source, alone=_within(source.alone, scale)) for source in sources)


def _within(share: Estimate, scale: float) -> Estimate:
    value, low, high = (min(max(end, 0.0), 1.0) * scale for end in (share.value, share.low, share.high))
    return replace(share, value=value, low=low, high=high)


def together(sources: Sequence[LuckSource]) -> Estimate:
    """Return 1 less all `alone` shares, what no source settles alone; 0 where every share is 0."""
    if not sources or all(source.alone.value == 0 for source in sources):
        return Estimate.exact(0.0)
    rest = Estimate.exact(1.0)
    for source in sources:
        rest = rest - source.alone
    return rest if rest.is_exact else _within(rest, 1.0)
