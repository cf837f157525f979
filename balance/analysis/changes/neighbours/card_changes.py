"""What is said of the small changes of a card: what each does, what two abilities do together, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from balance.analysis.changes.neighbours.neighbours import AbilityPair, Change, Neighbour, Neighbourhood
from balance.base.answers import BEHIND, Count, Digest, Doc, Form, GameName, RulesVersion, Seed
from balance.chance.trials.estimate import Estimate
from balance.game.loaded import LoadedGame


@dataclass(frozen=True)
class InPoints:
    """Where changes were measured in points, and in `points` what each is worth, without what armies cannot tell."""

    kind: Annotated[str | None, Doc("In what kind of question; null where armies are not bought.")] = None
    not_measurable_here: Annotated[str | None, Doc("Why they could not be; null where they may be.")] = None
    points: Mapping[Change, Estimate] = field(default_factory=dict, metadata=BEHIND)


@dataclass(frozen=True)
class SmallChange(Change):
    """One small change of a card, and what it does; null where it has no effect."""

    score: Annotated[Estimate | None, Doc("By how much the score against the field grows.")]
    actions_to_kill: Annotated[float | None, Doc("By how many actions killing one of the field takes longer.")]
    actions_it_stands: Annotated[float | None, Doc("By how many actions killing it takes longer.")]


@dataclass(frozen=True)
class ChangeInPoints(SmallChange):
    """One small change of a card, what it does, and what it is worth in points."""

    points: Annotated[Estimate | None, Doc("What it is worth; null where armies cannot tell.")]


@dataclass(frozen=True, repr=False)
class CardChanges:
    """What every small change of a card does, and two abilities together."""

    schema: Form
    game: GameName
    verb: Literal["card"]
    card: Annotated[str, Doc("Or an entrant that holds several.")]
    holders: Annotated[tuple[str, ...], Doc("The entrants looked at that hold it.")]
    field: Annotated[tuple[str, ...], Doc("Whom they meet.")]
    score: Annotated[Estimate, Doc("What it scores against the field as it is printed.")]
    actions_to_kill: Annotated[float | None, Doc("That killing one of the field takes.")]
    actions_it_stands: Annotated[float | None, Doc("That the field takes to kill it.")]
    changes: Annotated[tuple[SmallChange | ChangeInPoints, ...], Doc("Every change that is legal.")]
    pairs: Annotated[tuple[AbilityPair, ...], Doc("Every two abilities that each have an effect alone.")]
    refused: Annotated[tuple[str, ...], Doc("Changes that the rules refuse.")]
    points: Annotated[InPoints | None, Doc("Null where it was not asked.")]
    seed: Seed
    rules_version: RulesVersion
    catalogue_sha256: Digest
    trials: Annotated[Count, Doc("On which the score rests; 0 where it is exact.")]

    def __repr__(self) -> str:
        """Return which card it is, and how many changes were tried."""
        return f"CardChanges({self.card!r}, {len(self.changes)} changes, {len(self.pairs)} pairs)"


def answer_of(game: LoadedGame, around: Neighbourhood, worth: InPoints | None, seed: int) -> CardChanges:
    """Return what there is to say of a card and its neighbours; in points only where that was asked for."""
    return CardChanges(
        1,
        game.definition.name,
        "card",
        around.card,
        around.holders,
        around.field,
        around.score,
        around.kills,
        around.stands,
        tuple(_small_change(neighbour, worth) for neighbour in around.neighbours),
        around.pairs,
        tuple(refusal.change for refusal in around.refusals),
        worth,
        seed,
        game.catalogue.rules_version,
        game.catalogue.sha256,
        around.score.n_trials,
    )


def _small_change(neighbour: Neighbour, worth: InPoints | None) -> SmallChange | ChangeInPoints:
    change, seen = neighbour.change, neighbour.has_effect
    score = neighbour.score if seen else None
    actions = (neighbour.kills, neighbour.stands) if seen else (None, None)
    facts = (change.field, change.from_, change.to, change.word, score, *actions)
    if worth is None:
        return SmallChange(*facts)
    return ChangeInPoints(*facts, worth.points.get(change))
