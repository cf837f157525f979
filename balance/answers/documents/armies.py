"""The objects about armies and changes of cards."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from balance.answers.documents.common import (
    Budget,
    Chance,
    Changes,
    Count,
    KnownNumber,
    Points,
    SeededSource,
)

# -- cards ------------------------------------------------------------------------------------------------------------


_FieldChange = TypedDict("_FieldChange", {"field": str, "from": str, "to": str})


class SmallChange(_FieldChange):
    """One small change of a card.

    Attributes
    ----------
    field, from, to
        What changes.
    word
        Of a list of words, the one that comes or goes.
    score
        By how much the score against the field grows; null where the change has no effect.
    actions_to_kill, actions_it_stands
        By how many actions killing one of the field, and killing it, takes longer.
    points
        What it is worth.
    """

    word: str | None
    score: KnownNumber | None
    actions_to_kill: float | None
    actions_it_stands: float | None
    points: NotRequired[KnownNumber | None]


class AbilityPair(TypedDict):
    """Two abilities together.

    Attributes
    ----------
    changes
        The two.
    alone, together
        What each adds to the score, and both.
    beyond
        What both add beyond what each adds alone.
    """

    changes: list[str]
    alone: list[KnownNumber]
    together: KnownNumber
    beyond: KnownNumber


class PointsOfChanges(TypedDict):
    """Where changes were measured in points.

    Attributes
    ----------
    kind
        In what kind of question.
    not_measurable_here
        Why they could not be.
    """

    kind: str | None
    not_measurable_here: str | None


class Card(SeededSource):
    """What every small change of a card does, and two abilities together.

    Attributes
    ----------
    card, holders, field
        The card, the entrants looked at that hold it, and whom they meet.
    score, actions_to_kill, actions_it_stands
        As it is printed: its score against the field, the actions to kill one of it, and those that it stands.
    changes, pairs
        Every change that is legal, and every two abilities.
    refused
        Changes that the rules refuse.
    points
        Null where it was not asked.
    """

    verb: Literal["card"]
    card: str
    holders: list[str]
    field: list[str]
    score: KnownNumber
    actions_to_kill: float | None
    actions_it_stands: float | None
    changes: list[SmallChange]
    pairs: list[AbilityPair]
    refused: list[str]
    points: PointsOfChanges | None


# -- tuning -----------------------------------------------------------------------------------------------------------


class TuneTarget(TypedDict):
    """What is to be reached.

    Attributes
    ----------
    low, high
        Between which scores everybody is to lie.
    first_mover
        The most that going first may be worth.
    changes
        The most changes that are allowed.
    """

    low: Chance
    high: Chance
    first_mover: float | None
    changes: Count


class TuneSetting(TypedDict):
    """Where armies meet."""

    kind: str
    budgets: list[Budget]
    changes: Changes


class CostPower(TypedDict):
    """All costs raised to a power, as one change.

    Attributes
    ----------
    power, times
        New cost = times * cost ** power.
    """

    power: float
    times: float


_PathChange = TypedDict("_PathChange", {"path": str, "from": str, "to": str})


class TuneChange(_PathChange):
    """One value that should change.

    Attributes
    ----------
    path, from, to
        What changes, as a patch writes it.
    by
        Whether it changes by itself, or as all costs do.
    verdict
        What that says of it as it was; empty where nothing.
    points
        What it adds to the cost of a card, or to what those that it touches are worth.
    """

    by: Literal["power", "itself"]
    verdict: str
    points: Points


class EntrantScore(TypedDict):
    """What armies of an entrant score at equal points.

    Attributes
    ----------
    cost
        What it costs.
    score, low, high
        The mean score, with an interval that is sure.
    """

    cost: Points
    score: Chance
    low: Chance
    high: Chance


class FirstMoverAdvantage(TypedDict):
    """What going first adds to a score.

    Attributes
    ----------
    advantage, error
        With its standard error.
    """

    advantage: float
    error: float


class TuneScores(TypedDict):
    """How fair armies are.

    Attributes
    ----------
    in_band, judged
        How many entrants lie within the target, of how many.
    spread
        How far scores lie apart.
    first_mover
        What going first adds.
    pairs_each
        Pairs of battles of each entrant.
    entrants
        By name.
    """

    in_band: Count
    judged: Count
    spread: float
    first_mover: FirstMoverAdvantage
    pairs_each: Count
    entrants: dict[str, EntrantScore]


class Tune(SeededSource):
    """The fewest and smallest changes that make armies of equal points fair.

    Attributes
    ----------
    target
        What is to be reached.
    headline, verdict
        Whether it is, in words.
    foretold
        Whether it was foretold to be.
    n_changes
        How many changes that are; all costs to a power are one.
    power
        All costs to a power; null where they stay.
    before, after
        How fair armies are.
    outside, moved_out
        Who is outside the target afterwards, and who was in it before.
    not_measurable_here
        Numbers that nothing can be said of.
    patch
        The file that was written.
    """

    verb: Literal["tune"]
    target: TuneTarget
    headline: str
    verdict: str
    foretold: bool
    n_changes: Count
    power: CostPower | None
    changes: list[TuneChange]
    setting: TuneSetting
    before: TuneScores
    after: TuneScores
    outside: list[str]
    moved_out: list[str]
    not_measurable_here: list[str]
    patch: str | None
