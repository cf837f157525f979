"""The objects about prices: what cards should cost."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import (
    Budget,
    Chance,
    Changes,
    Choices,
    Count,
    Points,
)

Facets = Annotated[dict[str, str], Field(description="What tells a setting from the others: name -> value.")]


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


class Price(Cost):
    """A cost beside the fair one.

    Attributes
    ----------
    as_proposed
        The verdict where the cost of a loadout is split between its cards as proposed.
    dominated_by
        Whom nobody would take it before, or a mixture of several; null where it is worth taking.
    lead, lead_error
        By how much those score more, and its standard error.
    """

    as_proposed: str
    dominated_by: list[str] | None
    lead: float | None
    lead_error: float | None


class CardOfPrices(Price):
    """A card, what it costs, and what it should cost.

    Attributes
    ----------
    proposed_cost
        The whole cost that it should have; null where it should not change, or where no whole cost will do.
    whole_cost
        Its cost where all cards change, such that everything is as fair as can be.
    """

    proposed_cost: int | None
    whole_cost: int


class TypicalMatchUp(TypedDict):
    """How far a typical match-up at equal points lies from one half.

    Attributes
    ----------
    off, error
        The root mean square of score - 1/2, and its standard error.
    match_ups
        How many were played.
    odds
        The same in words.
    """

    off: float
    error: float
    match_ups: Count
    odds: str


class TypicalMatchUps(TypedDict):
    """A typical match-up at printed costs, at those proposed, and at whole costs for all cards."""

    before: TypicalMatchUp
    after: TypicalMatchUp | None
    after_all: TypicalMatchUp


class NamedPair(TypedDict):
    """Two of whom one beats the other at equal points.

    Attributes
    ----------
    winner, loser
        Who.
    score, error
        What the winner scores, and its standard error.
    share
        Its share of all that is unfair.
    odds
        The score in words.
    """

    winner: str
    loser: str
    score: Chance
    error: float
    share: float
    odds: str


class Unfair(TypedDict):
    """What stays unfair where all cards have the best whole costs.

    Attributes
    ----------
    of_pairs
        How many pairs were looked at.
    share_of_strength
        How much of it comes from who is strong, and not from who meets whom; null where nothing is unfair.
    pairs, cycle
        The pairs farthest from even, and rock, paper, scissors.
    """

    of_pairs: Count
    share_of_strength: float | None
    pairs: list[NamedPair]
    cycle: list[NamedPair]


class Scale(TypedDict):
    """Whether costs are on the right scale.

    Attributes
    ----------
    slope, low, high
        Of fair cost against cost, on logarithms; 1 where they are.
    verdict
        What follows.
    """

    slope: float | None
    low: float | None
    high: float | None
    verdict: str


class Tolerance(TypedDict):
    """By how much a price may miss and be fair.

    Attributes
    ----------
    share
        Of the cost.
    points
        At least so many.
    """

    share: float
    points: Points


class PriceSettings(TypedDict):
    """How prices were had.

    Attributes
    ----------
    kind
        The kind of question in which armies meet.
    verdicts_hold_over
        The settings, each by its facets.
    battles
        Played in the first of them.
    battles_a_change
        Of one card, played for each change.
    """

    kind: str
    changes: Changes
    choices: Choices
    verdicts_hold_over: list[Facets]
    budgets: list[Budget]
    seed: int
    tolerance: Tolerance
    battles: Count
    rules_version: str
    catalogue_sha256: str
    battles_a_change: NotRequired[Count]


class ThenFair(TypedDict):
    """What is said of a proposed cost.

    Attributes
    ----------
    low, high
        The 95 % interval of the fair cost.
    tolerance
        Points by which the cost may miss.
    verdict
        What follows.
    """

    cost: Points
    proposed: Points
    low: float | None
    high: float | None
    tolerance: Points
    verdict: str


class CostChange(ThenFair):
    """A card whose cost changes."""

    card: str


class LoadoutAfter(ThenFair):
    """A loadout whose cost changes with those of its cards.

    Attributes
    ----------
    fair
        What it should cost.
    """

    entrant: str
    fair: Points


class Unfairness(TypedDict):
    """The root mean square of log(cost / fair cost) over loadouts: as it is, with the changes, with all costs free."""

    before: float
    after: float
    all_cards: float


class FewChanges(TypedDict):
    """A few changes of costs that bring all nearest to fair.

    Attributes
    ----------
    most
        How many cards may change.
    cards
        Which do.
    unfair
        How unfair that leaves it.
    profit, lose, left
        Loadouts that come nearer to fair, that go farther from it, and that no cost of cards brings near.
    """

    most: Count
    cards: list[CostChange]
    unfair: Unfairness
    profit: list[LoadoutAfter]
    lose: list[LoadoutAfter]
    left: list[LoadoutAfter]


class PriceHead(TypedDict):
    """Whose prices these are."""

    schema: Literal[1]
    game: str
    verb: Literal["price"]
    settings: PriceSettings


class Prices(PriceHead):
    """What every card and loadout should cost.

    Attributes
    ----------
    loadouts, cards
        By id.
    no_whole_cost
        Cards that should change, but for which no whole cost will do.
    typical_match_up
        How far a match-up lies from even.
    unfair
        What stays unfair.
    scale
        Whether costs are on the right scale.
    changes
        The few changes that were asked for.
    """

    loadouts: dict[str, Price]
    cards: dict[str, CardOfPrices]
    no_whole_cost: list[str]
    typical_match_up: TypicalMatchUps
    unfair: Unfair
    scale: Scale
    changes: NotRequired[FewChanges]


class CardStep(TypedDict):
    """A change of a card.

    Attributes
    ----------
    table, card, field, old, new
        What changes.
    value
        Of a list of words, what it holds then.
    score, score_low, score_high
        What an army of it scores more at the same cost; null where that cannot be seen.
    low, high
        The 95 % interval of what it is worth, or of the fair cost then.
    """

    table: str | None
    card: str | None
    field: str | None
    old: str | None
    new: str | None
    value: str | None
    score: float | None
    score_low: float | None
    score_high: float | None
    low: float | None
    high: float | None


class PricedStep(CardStep):
    """A step of a card, and what it is worth.

    Attributes
    ----------
    seen
        Whether the setting can see it.
    points
        What it is worth.
    """

    seen: bool
    points: float | None


class Alternative(CardStep):
    """What could change instead of the cost.

    Attributes
    ----------
    cost, fair
        Its cost then, and its fair cost.
    tolerance, verdict
        Points by which it may miss, and what follows.
    """

    cost: float | None
    fair: float | None
    tolerance: float | None
    verdict: str | None


class RuleReading(TypedDict):
    """The fair cost by another reading of a rule.

    Attributes
    ----------
    rule, value, ambiguity, sentence
        Which rule is read how.
    fair, low, high
        The fair cost then.
    verdict, turns
        What follows, and whether that turns the verdict.
    """

    rule: str
    value: str
    ambiguity: str | None
    sentence: str | None
    fair: float | None
    low: float | None
    high: float | None
    verdict: str | None
    turns: bool | None


class PriceOfCard(PriceHead):
    """What one card or loadout should cost, and what could change instead.

    Attributes
    ----------
    card, table
        Which; the table is null for a loadout.
    price
        What it should cost.
    alternatives, steps, readings
        What could change instead, what every small change is worth, and other readings of the rules.
    """

    card: str
    table: str | None
    price: Price
    alternatives: list[Alternative]
    steps: list[PricedStep]
    readings: list[RuleReading]
