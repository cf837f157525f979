"""The objects about armies and changes of cards."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from balance.answers.documents.common import (
    KnownNumber,
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
