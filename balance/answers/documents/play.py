"""The objects about ways of playing: what they are worth, and which verdicts hold whatever is played."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import (
    Band,
    Budget,
    Chance,
    Changes,
    Choices,
    Count,
    Points,
    SeededSource,
    Source,
)

Facets = Annotated[dict[str, str], Field(description="What tells a setting from the others: name -> value.")]


class WayOfPlaying(TypedDict):
    """A way of playing on the ladder.

    Attributes
    ----------
    play
        The way.
    rating, error
        Its rating points, the mean of all ways 0, and the standard error.
    behind, behind_error
        Points behind the best.
    near_the_top
        Whether it may be as good as the best.
    score
        Against the other ways, going first as often.
    first_mover_advantage
        What going first adds where both play so.
    stand_offs
        Share of battles that nobody had won when the time was up; null where that is not reported.
    """

    play: str
    rating: float
    error: float
    behind: float
    behind_error: float
    near_the_top: bool
    score: Chance
    first_mover_advantage: float
    stand_offs: Chance | None


class WayPair(TypedDict):
    """Two ways of playing against each other.

    Attributes
    ----------
    first, second
        Who goes first.
    score
        What it scores.
    both_seats, both_seats_error
        The same, going first as often as second, and its standard error.
    stand_offs, battles
        Share of battles that nobody won, and how many were played.
    """

    first: str
    second: str
    score: Chance
    both_seats: Chance
    both_seats_error: float | None
    stand_offs: Chance | None
    battles: Count


class WhoMeets(TypedDict):
    """Who met.

    Attributes
    ----------
    budgets, pairs
        What armies cost, or which pairs of sides met.
    """

    budgets: NotRequired[list[Budget]]
    pairs: NotRequired[list[str]]


class LadderSettings(WhoMeets):
    """How the ladder was had.

    Attributes
    ----------
    near_points
        Points behind the best that still count as near the top.
    battles, seed
        How many were played.
    """

    kind: str
    changes: Changes
    choices: Choices
    near_points: float
    battles: Count
    seed: int


class Ladder(TypedDict):
    """What ways of playing are worth.

    Attributes
    ----------
    ladder, matrix
        All ways, the best first, and every two of them.
    near_the_top
        Those that may be the best.
    gap
        How far the best and the worst lie apart.
    going_first
        What going first adds.
    cyclic_share, cyclic_share_of_luck, cycles
        How much of it goes in circles, how much of that luck alone would make, and the circles by name.
    settings
        How it was had.
    """

    ladder: list[WayOfPlaying]
    matrix: list[WayPair]
    near_the_top: list[str]
    gap: float
    going_first: float
    cyclic_share: float
    cyclic_share_of_luck: float
    cycles: list[list[str]]
    settings: LadderSettings


class Play(Source, Ladder):
    """What play is worth: every way of playing against every other."""

    verb: Literal["play"]


# -- stability --------------------------------------------------------------------------------------------------------


class Cost(TypedDict):
    """A cost beside the fair one.

    Attributes
    ----------
    cost, fair
        As it is, and as it should be.
    low, high
        The range of the fair cost over all settings.
    dice_low, dice_high
        Its 95 % interval from the dice alone.
    verdict, because
        What follows, and why.
    depends
        The facets of the settings on which the verdict depends.
    tolerance
        Points by which the cost may miss and be fair.
    """

    cost: Points
    fair: float | None
    low: float | None
    high: float | None
    dice_low: float | None
    dice_high: float | None
    verdict: str
    because: str
    depends: list[str]
    tolerance: Points


class StableCost(Cost):
    """A cost beside the fair one over all settings.

    Attributes
    ----------
    label
        What it is called.
    """

    label: str


class GoingFirst(TypedDict):
    """What going first is worth, in log-odds, and its standard error."""

    log_odds: float
    error: float


class Handicap(TypedDict):
    """What an entrant is worth beyond its cost, and its standard error."""

    points: float
    error: float


class Verdicts(TypedDict):
    """The verdicts of one setting, by id."""

    loadouts: dict[str, str]
    cards: dict[str, str]


class CalibrationBin(TypedDict):
    """Battles that were foretold alike.

    Attributes
    ----------
    predicted, observed, error
        The chance foretold, the share that came so, and its standard error.
    battles
        How many.
    """

    predicted: Chance
    observed: Chance
    error: float
    battles: Count


class PriceScene(TypedDict):
    """The prices of one setting.

    Attributes
    ----------
    name, facets
        Which setting.
    log_odds_per_point
        What a point is worth in a battle.
    going_first, handicaps, verdicts
        What was found there.
    calibration
        Whether what is foretold comes about.
    """

    name: str
    facets: Facets
    kind: str
    changes: Changes
    choices: Choices
    budgets: list[Budget]
    battles: Count
    log_odds_per_point: float
    going_first: GoingFirst
    handicaps: dict[str, Handicap]
    verdicts: Verdicts
    calibration: list[CalibrationBin]


class SettingPair(TypedDict):
    """How far two settings agree.

    Attributes
    ----------
    one, other
        Which.
    correlation, rms
        Of what entrants are worth, and how far that lies apart.
    moved
        Who is surely worth something else.
    loadouts
        How many were compared.
    """

    one: str
    other: str
    correlation: float | None
    moved: list[str]
    loadouts: Count
    rms: float


class Stability(SeededSource):
    """Which verdicts on prices are the same by every good way of playing, and over maps and scales.

    Attributes
    ----------
    cards, loadouts
        By id.
    settings, agreement
        Every setting, and how far every two agree.
    play
        The ladder of ways of playing, if it was played for.
    """

    verb: Literal["stability"]
    cards: dict[str, StableCost]
    loadouts: dict[str, StableCost]
    settings: list[PriceScene]
    agreement: list[SettingPair]
    play: Ladder | None


class PairScore(TypedDict):
    """What the first side of a pair scores in one setting.

    Attributes
    ----------
    pair, play, changes
        The pair, how both play, and what is changed.
    score, low, high
        With a 95 % interval.
    verdict
        Who is favoured.
    """

    pair: str
    play: str
    changes: Changes
    score: Chance
    low: Chance
    high: Chance
    verdict: str


class PairSettings(TypedDict):
    """How pairs were asked."""

    kind: str
    band: Band
    seed: int


class PairStability(Source):
    """Which pairs of sides are favoured alike by every good way of playing.

    Attributes
    ----------
    verdicts
        By pair.
    rows
        Every pair in every setting.
    ladder
        The ladder of ways of playing, if it was played for.
    """

    verb: Literal["stability"]
    verdicts: dict[str, str]
    rows: list[PairScore]
    ladder: Ladder | None
    settings: PairSettings
