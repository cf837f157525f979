"""What is said of prices in several settings: the verdicts that hold in all of them, and each setting by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from balance.analysis.play.ladder import Ladder
from balance.analysis.prices.answer import Price
from balance.analysis.prices.fits.battle_prices import BattlePrices
from balance.analysis.prices.fits.pair_fit import CalibrationBin
from balance.analysis.prices.verdicts import PriceVerdicts
from balance.analysis.scores.usual_prices import Tolerance
from balance.analysis.stability.agreement import Agreement
from balance.analysis.stability.stable_prices import Scene, StableCard, StablePrices
from balance.base.answers import (
    Budget,
    Changes,
    Choices,
    Count,
    Digest,
    Doc,
    Facets,
    Form,
    GameName,
    Points,
    RulesVersion,
    Seed,
)


@dataclass(frozen=True)
class GoingFirst:
    """What going first is worth."""

    log_odds: float
    error: Annotated[float, Doc("The standard error of that.")]


@dataclass(frozen=True)
class PointsHandicap:
    """What an entrant is worth beyond its cost."""

    points: Points
    error: Annotated[Points, Doc("The standard error of that.")]


@dataclass(frozen=True)
class SceneVerdicts:
    """The verdicts of one setting, by id."""

    loadouts: Mapping[str, str]
    cards: Mapping[str, str]


@dataclass(frozen=True)
class PriceScene:
    """The prices of one setting."""

    name: Annotated[str, Doc("Values of its facets, separated by commas.")]
    facets: Facets
    kind: Annotated[str, Doc("The kind of question in which armies meet.")]
    changes: Changes
    choices: Choices
    budgets: tuple[Budget, ...]
    battles: Annotated[Count, Doc("How many were played.")]
    log_odds_per_point: Annotated[float, Doc("What a point is worth in a battle.")]
    going_first: GoingFirst
    handicaps: Annotated[Mapping[str, PointsHandicap], Doc("By id.")]
    verdicts: SceneVerdicts
    calibration: Annotated[tuple[CalibrationBin, ...], Doc("Whether what is predicted comes about.")]

    @classmethod
    def of(cls, scene: Scene, prices: BattlePrices, verdicts: PriceVerdicts) -> PriceScene:
        """Return what there is to say of a setting."""
        setting = scene.setting
        handicaps = zip(prices.entrants, prices.handicap.tolist(), prices.handicap_error.tolist(), strict=True)
        return cls(
            scene.name,
            dict(scene.facets),
            setting.kind,
            setting.changes,
            dict(setting.choices),
            tuple(Budget(*budget) for budget in setting.budgets),
            prices.n_battles,
            prices.per_point,
            GoingFirst(prices.going_first, prices.first_error),
            {name: PointsHandicap(points, error) for name, points, error in handicaps},
            SceneVerdicts(
                {name: verdict.verdict for name, verdict in verdicts.loadouts.items()},
                {name: verdict.verdict for name, verdict in verdicts.cards.items()},
            ),
            prices.bins,
        )


@dataclass(frozen=True, repr=False)
class Stability:
    """Which verdicts on prices are the same by every good way of playing, and over maps and scales."""

    schema: Form
    game: GameName
    verb: Literal["stability"]
    cards: Annotated[Mapping[str, StableCard], Doc("By id; the setting in force is the first.")]
    loadouts: Annotated[Mapping[str, Price], Doc("By id, likewise.")]
    settings: Annotated[tuple[PriceScene, ...], Doc("Every setting.")]
    agreement: Annotated[tuple[Agreement, ...], Doc("How far the first setting agrees with each other one.")]
    play: Annotated[Ladder | None, Doc("The ladder of ways of playing, if it was played for.")]
    seed: Seed
    rules_version: RulesVersion
    catalogue_sha256: Digest
    tolerance: Tolerance

    @classmethod
    def of(cls, prices: StablePrices, ladder: Ladder | None) -> Stability:
        """Return what there is to say of prices in several settings."""
        catalogue = prices.game.catalogue
        return cls(
            1,
            prices.game.definition.name,
            "stability",
            prices.cards,
            prices.loadouts,
            tuple(map(PriceScene.of, prices.scenes, prices.prices, prices.verdicts)),
            prices.agreements,
            ladder,
            prices.seed,
            catalogue.rules_version,
            catalogue.sha256,
            prices.tolerance,
        )

    def __repr__(self) -> str:
        """Return the numbers of cards, loadouts and settings in one line."""
        return f"<Stability: {len(self.cards)} cards, {len(self.loadouts)} loadouts, {len(self.settings)} settings>"
