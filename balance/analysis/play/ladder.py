"""What is said of ways of playing: the ladder, every two of them against each other, and how that was had."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Literal

from typing_extensions import Doc

from balance.analysis.play.matrix import PairSetting, PlayWorth, WayOfPlaying
from balance.base.answers import (
    ASKED_FOR,
    Budget,
    Chance,
    Changes,
    Choices,
    Count,
    Digest,
    Form,
    GameName,
    RulesVersion,
    Seed,
)
from balance.game.loaded import LoadedGame


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
    near_points: Annotated[float, Doc("Points behind the best that still count as near the top.")]
    battles: Annotated[Count, Doc("How many were played.")]
    seed: Seed


@dataclass(frozen=True)
class Ladder:
    """What ways of playing are worth."""

    ladder: Annotated[tuple[WayOfPlaying, ...], Doc("All ways, the best first.")]
    matrix: Annotated[tuple[WayPair, ...], Doc("Every two of them.")]
    near_the_top: Annotated[tuple[str, ...], Doc("Those that may be the best.")]
    gap: Annotated[float, Doc("How far the best and the worst lie apart, in rating points.")]
    going_first: Annotated[float, Doc("What going first adds, in rating points.")]
    cyclic_share: Annotated[float, Doc("How much of the matrix goes in circles, so that no ladder can hold it.")]
    cyclic_share_of_luck: Annotated[float, Doc("How much of it luck alone would make go in circles.")]
    cycles: Annotated[
        tuple[tuple[str, ...], ...], Doc("Ways that each beat the next for certain, and the last the first.")
    ]
    settings: LadderSettings

    @classmethod
    def of(cls, worth: PlayWorth) -> Ladder:
        """Return the ladder, the matrix and how they were had."""
        setting = worth.setting
        return cls(
            worth.ladder,
            tuple(_way_pair(worth, *places) for places in product(range(len(worth.names)), repeat=2)),
            worth.near_the_top,
            worth.gap,
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
                worth.near_points,
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


@dataclass(frozen=True)
class Play(_Source, Ladder, _Head):
    """What play is worth: every way of playing against every other."""


def play_of(game: LoadedGame, worth: PlayWorth) -> Play:
    """Return what there is to say of ways of playing a game."""
    return Play(
        schema=1,
        game=game.definition.name,
        verb="play",
        **vars(Ladder.of(worth)),
        rules_version=game.catalogue.rules_version,
        catalogue_sha256=game.catalogue.sha256,
    )


def _way_pair(worth: PlayWorth, i: int, j: int) -> WayPair:
    return WayPair(
        worth.names[i],
        worth.names[j],
        float(worth.scores[i, j]),
        float(worth.mirrored_scores[i, j]),
        float(worth.mirrored_error[i, j]) if i != j else None,
        None if worth.ladder[0].stand_offs is None else float(worth.stand_offs[i, j]),
        int(2 * worth.n_pairs[i, j]),
    )
