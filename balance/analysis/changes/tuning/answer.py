"""What is said of the fewest changes that make armies fair: what changes, and how fair armies are before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from balance.analysis.changes.tuning.verdict import Headline, Verdict
from balance.base.answers import Budget, Chance, Changes, Count, Digest, Doc, Form, GameName, Points, RulesVersion, Seed


@dataclass(frozen=True)
class TuneTarget:
    """What is to be reached."""

    low: Annotated[Chance, Doc("The least that everybody is to score.")]
    high: Annotated[Chance, Doc("The most.")]
    first_mover: Annotated[float | None, Doc("The most that going first may be worth.")]
    changes: Annotated[Count, Doc("The most changes that are allowed.")]


@dataclass(frozen=True)
class CostPower:
    """All costs raised to a power, as one change: new cost = times * cost ** power."""

    power: Annotated[float, Doc("The exponent.")]
    times: Annotated[float, Doc("The factor, which keeps what the typical entrant costs.")]


@dataclass(frozen=True)
class Change:
    """One value that should change."""

    path: Annotated[str, Doc("Where it stands, as a patch writes it.")]
    from_: Annotated[str, Doc("The value as it is.")]
    to: Annotated[str, Doc("The value as it should be.")]
    by: Annotated[Literal["power", "itself"], Doc("Whether it changes by itself, or as all costs do.")]
    verdict: Annotated[str, Doc("What that says of what it touches as it is; empty where nothing.")]
    points: Annotated[
        Points, Doc("What it adds to the cost of a card, or to what those that it touches are worth, as a median.")
    ]
    is_cost: Annotated[bool, Doc("Whether it is the cost of a card.")]


@dataclass(frozen=True)
class TuneSetting:
    """Where armies meet."""

    kind: Annotated[str, Doc("The kind of question.")]
    budgets: tuple[Budget, ...]
    changes: Changes


@dataclass(frozen=True)
class EntrantScore:
    """What armies of an entrant score at equal points."""

    cost: Annotated[Points, Doc("What it costs.")]
    score: Annotated[Chance, Doc("The mean score against all others.")]
    low: Annotated[Chance, Doc("The lower end of its 95 % interval.")]
    high: Annotated[Chance, Doc("Its upper end.")]
    label: Annotated[str, Doc("Its name for people.")]


@dataclass(frozen=True)
class FirstMoverAdvantage:
    """What going first adds to a score."""

    advantage: Annotated[float, Doc("The score going first less that going second.")]
    error: Annotated[float, Doc("Its standard error.")]


@dataclass(frozen=True)
class TuneScores:
    """How fair armies are."""

    in_band: Annotated[Count, Doc("How many entrants lie within the target.")]
    judged: Annotated[Count, Doc("Of how many: those whose price is measurable here.")]
    spread: Annotated[
        float, Doc("How far their scores lie apart: the root mean square from one half, without what dice add.")
    ]
    first_mover: FirstMoverAdvantage
    pairs_each: Annotated[Count, Doc("Pairs of battles of each entrant.")]
    entrants: Annotated[Mapping[str, EntrantScore], Doc("By id.")]
    lowest: Annotated[Chance, Doc("The lowest score of those judged.")]
    highest: Annotated[Chance, Doc("The highest.")]


@dataclass(frozen=True, repr=False)
class FewestChanges:
    """The fewest and smallest changes that make armies of equal points fair."""

    schema: Form
    game: GameName
    verb: Literal["tune"]
    seed: Seed
    target: Annotated[TuneTarget, Doc("What is to be reached.")]
    headline: Annotated[Headline, Doc("What the changes do: whether mean scores meet the target, or come nearer.")]
    verdict: Annotated[Verdict, Doc("Whether the target is met for certain.")]
    foretold: Annotated[bool, Doc("Whether it was foretold to be met.")]
    n_changes: Annotated[Count, Doc("How many changes that are; all costs to a power are one.")]
    power: Annotated[CostPower | None, Doc("All costs to a power; null where they stay.")]
    changes: Annotated[tuple[Change, ...], Doc("Every value that should change, in the order of the catalogue.")]
    setting: TuneSetting
    before: Annotated[TuneScores, Doc("How fair armies are as it is.")]
    after: Annotated[TuneScores, Doc("How fair they are after the changes, on the same fresh seeds.")]
    outside: Annotated[tuple[str, ...], Doc("Who is outside the target afterwards, the farthest first.")]
    moved_out: Annotated[tuple[str, ...], Doc("Those of them who were in it before.")]
    not_measurable_here: Annotated[tuple[str, ...], Doc("Numbers that nothing can be said of.")]
    patch: Annotated[str | None, Doc("The file that was written; null where none was.")]
    rules_version: RulesVersion
    catalogue_sha256: Digest
    n_numbers: Annotated[Count, Doc("How many numbers could change.")]
    left_alone: Annotated[
        tuple[str, ...],
        Doc("The last of `not_measurable_here`: costs that nobody named, of cards that play alike for other points."),
    ]
    compare: Annotated[str | None, Doc("The command that shows all that the patch does; null where none was written.")]
    apply: Annotated[str | None, Doc("The command that writes the changed catalogue or game file, likewise.")] = None
    again: Annotated[str | None, Doc("The command that prices what that wrote, likewise.")] = None

    def __repr__(self) -> str:
        """Return the number of changes and the headline in one line."""
        return f"FewestChanges({self.n_changes} changes, {self.headline})"
