"""What is said of ways of playing: the ladder, every two of them against each other, and how that was had."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Literal

import numpy as np

from balance.analysis.play.matrix import PairSetting, PlayWorth
from balance.analysis.play.ways import NEAR_POINTS, CountedWay, judged_ways
from balance.base.answers import (
    ASKED_FOR,
    Budget,
    Chance,
    Changes,
    Choices,
    Count,
    Digest,
    Doc,
    Form,
    GameName,
    RulesVersion,
    Seed,
)
from balance.base.errors import comma_list
from balance.game.loaded import LoadedGame


@dataclass(frozen=True)
class WayOfPlaying(CountedWay):
    """A way of playing on the ladder."""

    rating: Annotated[float, Doc("Its rating points, the mean of all ways 0.")]
    error: Annotated[float, Doc("The standard error of that.")]
    score: Annotated[Chance, Doc("Its mean score against the other ways, going first as often.")]
    first_mover_advantage: Annotated[float, Doc("What going first adds to a score where both play so.")]


@dataclass(frozen=True)
class WayPair:
    """Two ways of playing against each other."""

    first: Annotated[str, Doc("Who goes first.")]
    second: Annotated[str, Doc("Whom it plays.")]
    score: Annotated[Chance, Doc("What it scores.")]
    both_seats: Annotated[Chance, Doc("The same, going first as often as second.")]
    both_seats_error: Annotated[float | None, Doc("The standard error of that; null for a way against itself.")]
    stand_offs: Annotated[Chance | None, Doc("Share of battles that nobody won; null where that is not reported.")]
    battles: Annotated[Count, Doc("How many were played.")]


@dataclass(frozen=True)
class LadderSettings:
    """How the ladder was had."""

    kind: Annotated[str, Doc("The kind of question that was played.")]
    changes: Changes
    choices: Choices
    budgets: Annotated[tuple[Budget, ...] | None, Doc("What armies cost, where they were drawn.")] = field(
        metadata=ASKED_FOR
    )
    pairs: Annotated[tuple[str, ...] | None, Doc("Which pairs of sides met, where they come in pairs.")] = field(
        metadata=ASKED_FOR
    )
    near_points: Annotated[float, Doc("Points that a way may be behind the best and count.")]
    battles: Annotated[Count, Doc("How many were played.")]
    seed: Seed


@dataclass(frozen=True)
class Ladder:
    """What ways of playing are worth."""

    ladder: Annotated[tuple[WayOfPlaying, ...], Doc("All ways, the best first.")]
    matrix: Annotated[tuple[WayPair, ...], Doc("Every two of them.")]
    counted: Annotated[tuple[str, ...], Doc("Those by which prices have to hold, the best first.")]
    gap: Annotated[float, Doc("How far the best and the worst lie apart, in rating points.")]
    gap_error: Annotated[float, Doc("The standard error of that.")]
    going_first: Annotated[float, Doc("What going first adds, in rating points.")]
    cyclic_share: Annotated[float, Doc("How much of the matrix goes in circles, so that no ladder can hold it.")]
    cyclic_share_of_luck: Annotated[float, Doc("How much of it luck alone would make go in circles.")]
    cycles: Annotated[
        tuple[tuple[str, ...], ...], Doc("Ways that each beat the next for certain, and the last the first.")
    ]
    settings: LadderSettings

    @classmethod
    def of(cls, worth: PlayWorth, near: float = NEAR_POINTS) -> Ladder:
        """Return the ladder, the matrix and how they were had; ways count that may be `near` points behind the best."""
        setting, ways = worth.setting, tuple(_way(worth, way) for way in judged_ways(worth, near))
        last, best = (worth.names.index(ways[at].play) for at in (-1, 0))
        variance = worth.covariance[last, last] + worth.covariance[best, best] - 2 * worth.covariance[last, best]
        return cls(
            ways,
            tuple(_way_pair(worth, *places) for places in product(range(len(worth.names)), repeat=2)),
            tuple(way.play for way in ways if way.counts),
            ways[0].rating - ways[-1].rating,
            max(float(variance), 0.0) ** 0.5,
            worth.going_first,
            worth.cyclic,
            worth.cyclic_noise,
            worth.cycles,
            LadderSettings(
                setting.kind,
                setting.changes,
                dict(setting.choices),
                None if isinstance(setting, PairSetting) else tuple(Budget(*budget) for budget in setting.budgets),
                setting.pairs if isinstance(setting, PairSetting) else None,
                near,
                worth.n_battles,
                worth.seed,
            ),
        )


@dataclass(frozen=True)
class _Head:
    schema: Form
    game: GameName
    verb: Literal["play"]


@dataclass(frozen=True)
class _Source:
    rules_version: RulesVersion
    catalogue_sha256: Digest


@dataclass(frozen=True, repr=False)
class Play(_Source, Ladder, _Head):
    """What play is worth: every way of playing against every other."""

    def __repr__(self) -> str:
        """Return the numbers of ways and battles, and which ways count, in one line."""
        battles = f"{self.settings.battles:,} battles"
        return f"<Play: {len(self.ladder)} ways, of which count {comma_list(self.counted) or 'none'}; {battles}>"


def play_of(game: LoadedGame, worth: PlayWorth, near: float = NEAR_POINTS) -> Play:
    """Return what there is to say of ways of playing a game; `near` is as in `Ladder.of`."""
    return Play(
        schema=1,
        game=game.definition.name,
        verb="play",
        **vars(Ladder.of(worth, near)),
        rules_version=game.catalogue.rules_version,
        catalogue_sha256=game.catalogue.sha256,
    )


def _way(worth: PlayWorth, way: CountedWay) -> WayOfPlaying:
    at = worth.names.index(way.play)
    rival_scores = np.delete(worth.mirrored_scores[at], at)
    return WayOfPlaying(
        **vars(way),
        rating=float(worth.ratings[at]),
        error=float(worth.covariance[at, at]) ** 0.5,
        score=float(np.mean(rival_scores)),
        first_mover_advantage=float(worth.scores[at, at] - 0.5),
    )


def _way_pair(worth: PlayWorth, i: int, j: int) -> WayPair:
    return WayPair(
        worth.names[i],
        worth.names[j],
        float(worth.scores[i, j]),
        float(worth.mirrored_scores[i, j]),
        float(worth.mirrored_error[i, j]) if i != j else None,
        None if np.isnan(worth.stand_offs[i, j]) else float(worth.stand_offs[i, j]),
        int(2 * worth.n_pairs[i, j]),
    )
