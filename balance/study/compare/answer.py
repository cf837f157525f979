"""What is said of a change: at equal points, in a few numbers, of whom it affects, and of every match-up."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl

from balance.base.answers import BEHIND, Chance, Digest, Doc, Form, GameName, Opaque, Points, Seed

COST = "cost_points"
"""The field of a card that no duel asks for."""
Counts = Annotated[Mapping[str, int], Doc("Word -> how many match-ups.")]
Low = Annotated[float | None, Doc("The lower end of its interval; null where it is exact.")]
High = Annotated[float | None, Doc("The upper end, likewise.")]


@dataclass(frozen=True)
class ArmyScore:
    """What armies of one entrant, or all that contain one card, score on average in a setting."""

    setting: str
    entrant: Annotated[str, Doc("The entrant or the card.")]
    before: Chance
    after: Chance
    difference: float
    low: Annotated[float | None, Doc("The lower end of its interval; null where nothing that is touched is met.")]
    high: Annotated[float | None, Doc("The upper end; intervals hold for all rows together.")]


@dataclass(frozen=True)
class TypicalChange:
    """How far a match-up typically lies from even in a setting: a root mean square over all of two entrants."""

    setting: str
    title: Annotated[str, Doc("The setting in words.")]
    off_before: Annotated[float, Doc("How far a score lies from one half.")]
    off_after: float
    error_before: Annotated[float, Doc("The standard error of `off_before`.")]
    error_after: float


@dataclass(frozen=True)
class PriceChange:
    """What a card or entrant should cost before and after, in the game as its rulebook prints it."""

    entrant: str
    cost_before: Points
    fair_before: Annotated[Points, Doc("In the first setting.")]
    fair_low_before: Annotated[Points, Doc("The least by all ways of playing that count, at 95 %.")]
    fair_high_before: Annotated[Points, Doc("The greatest, likewise.")]
    verdict_before: Annotated[str, Doc("What that range says of the cost.")]
    cost_after: Points
    fair_after: Points
    fair_low_after: Points
    fair_high_after: Points
    verdict_after: str


@dataclass(frozen=True)
class EqualPoints:
    """What a change does where armies of equal points meet."""

    scores: Annotated[tuple[ArmyScore, ...], Doc("Of each card and entrant in each setting.")]
    typical_match_ups: Annotated[tuple[TypicalChange, ...], Doc("One for each setting.")]
    prices: Annotated[tuple[PriceChange, ...], Doc("Of each card and entrant that is judged on both sides.")]


@dataclass(frozen=True)
class FirstMover:
    """What going first is worth on average, with the ends of an interval; null where nobody goes first."""

    before_low: float | None
    before_high: float | None
    before: float | None
    after_low: float | None
    after_high: float | None
    after: float | None


@dataclass(frozen=True)
class DominanceChange:
    """Who loses alone, one against one, to what costs no more."""

    became: Annotated[Mapping[str, tuple[str, ...]], Doc("Who does from now on: to any of these, or a mixture.")]
    no_longer: Annotated[Mapping[str, tuple[str, ...]], Doc("Who did, to whom.")]
    before: Annotated[int, Doc("How many did.")]
    after: Annotated[int, Doc("How many do.")]
    by_a_mixture: Annotated[Mapping[str, int], Doc("How many of them to a mixture: before and after.")]
    shares: Annotated[Mapping[str, Mapping[str, tuple[float, ...]]], Doc("Of `became` and `no_longer` the mixtures.")]


@dataclass(frozen=True)
class ChangeSummary:
    """A comparison of match-ups in a few numbers; with `_touched` behind, over those that the change can touch."""

    n_match_ups: int
    n_touched: int
    n_not_touched: int
    n_exact: int
    n_exact_touched: int
    n_pairs: Annotated[int, Doc("Pairs of games that were played on the same dice.")]
    n_pairs_touched: int
    effects: Counts
    effects_touched: Counts
    verdicts: Annotated[Mapping[str, Counts], Doc("Before and after.")]
    verdicts_touched: Mapping[str, Counts]
    unfair_touched: Annotated[int, Doc("Those unfair after it, with those that only equal points make unfair.")]
    newly_unfair: Annotated[int, Doc("Those that turn from fair to unfair.")]
    no_longer_unfair: int
    largest_certain_change: Annotated[Chance, Doc("By which a score changes at least.")]
    first_mover: FirstMover
    first_mover_touched: FirstMover
    dominated: DominanceChange
    entrants_added: Annotated[tuple[str, ...], Doc("Those that are only there after it, who are not compared.")]
    entrants_removed: tuple[str, ...]
    costs: Annotated[Mapping[str, tuple[float, float]], Doc("Of whom costs something else: before and after.")]
    imbalance: Annotated[Chance, Doc("The smallest that is worth caring about.")]
    confidence: Annotated[Chance, Doc("With which all intervals hold together.")]
    rule: Annotated[str, Doc("When playing stopped, in words.")]
    allocation: Annotated[str, Doc("How trials were spread, in a sentence.")]
    pairing_gain: Annotated[float | None, Doc("How many times as many trials independent runs would need.")] = None


@dataclass(frozen=True)
class CardChange:
    """One value that a change replaces."""

    table: Annotated[str, Doc("Where it stands; 'rules' or 'constants' for what concerns everybody.")]
    card: Annotated[str, Doc("The entry; empty for what concerns everybody.")]
    label: Annotated[str, Doc("Its name for people.")]
    field: Annotated[str, Doc("Which value; empty for a whole entry.")]
    before: Annotated[Any, Doc("Null for a whole entry.")]
    after: Annotated[Any, Doc("Of a whole entry 'new' or 'gone'.")]


@dataclass(frozen=True)
class Standing:
    """Where an entrant stands in duels before and after: its mean score over the field, and whether it loses alone."""

    entrant: str
    n_touched: Annotated[int, Doc("Match-ups of it that the change can touch.")]
    cost_before: Points
    cost_after: Points
    before: Annotated[float | None, Doc("Its mean score; null where nothing was played.")]
    before_low: Low
    before_high: High
    after: float | None
    after_low: Low
    after_high: High
    difference: float | None
    difference_low: Low
    difference_high: High
    dominated_before: Annotated[bool | None, Doc("Whether it loses alone; null where that was not asked.")]
    dominated_after: bool | None
    dominated_by_before: Annotated[tuple[str, ...] | None, Doc("To any of these, or to a mixture of them.")]
    dominated_by_after: tuple[str, ...] | None
    shares_before: Annotated[tuple[float, ...] | None, Doc("The parts of a mixture; null without one.")]
    shares_after: tuple[float, ...] | None
    cards: Annotated[tuple[str, ...], Doc("The changed cards that it contains.")]

    @property
    def turns(self) -> bool:
        """Whether it loses alone from now on, or no longer."""
        is_asked = self.dominated_before is not None and self.dominated_after is not None
        return is_asked and self.dominated_before != self.dominated_after

    @property
    def scores_else(self) -> bool:
        """Whether its mean score certainly changes."""
        low, high = self._ends
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def moves(self) -> bool:
        """Whether its mean score certainly changes, it costs something else, or it turns."""
        return self.scores_else or self.turns or self.cost_before != self.cost_after

    @property
    def stays(self) -> bool:
        """Whether its mean score, its cost and who beats it are certainly as they were."""
        low, high = self._ends
        return low == 0 and high == 0 and not self.turns and self.cost_before == self.cost_after

    @property
    def _ends(self) -> tuple[float | None, float | None]:
        low, high = self.difference_low, self.difference_high
        return self.difference if low is None else low, self.difference if high is None else high


@dataclass(frozen=True)
class Affected:
    """Whom a change affects."""

    everybody: Annotated[bool, Doc("Whether a rule changes, or what those without a changed card score among them.")]
    cards: Annotated[tuple[CardChange, ...], Doc("What is changed, value by value, in the order of the catalogue.")]
    entrants: Annotated[tuple[Standing, ...], Doc("Who contains a changed card; of `everybody` all that move.")]
    others: Annotated[tuple[Standing, ...], Doc("Who certainly moves without a changed card.")]
    standing: tuple[Standing, ...] = field(metadata=BEHIND)

    @classmethod
    def of(cls, cards: tuple[CardChange, ...], everybody: bool, standing: tuple[Standing, ...]) -> Affected:
        """Return whom a change affects, of those in `standing`, who moves most first."""
        entrants = tuple(row for row in standing if (row.moves if everybody else row.cards))
        others = [row for row in standing if row.moves and not row.cards and not everybody]
        return cls(everybody, cards, entrants, tuple(sorted(others, key=lambda row: not row.turns)), standing)

    @property
    def listed(self) -> tuple[Standing, ...]:
        """The `entrants` but for those that certainly stay as they were."""
        return tuple(row for row in self.entrants if not row.stays)


@dataclass(frozen=True)
class MatchUpChange:
    """What a change does to a match-up: scores of `a`, and what is said of them."""

    situation: str
    a: str
    b: str
    policies: str
    method: Annotated[str, Doc("'exact' or 'sampled'.")]
    touched: bool
    n_pairs: Annotated[int, Doc("Pairs of games that were played on the same dice.")]
    before: Annotated[float | None, Doc("Its share of wins over both seats, a draw counting half; null if not played.")]
    before_low: Low
    before_high: High
    after: float | None
    after_low: Low
    after_high: High
    difference: float | None
    difference_low: Low
    difference_high: High
    advantage_before: Annotated[float | None, Doc("What going first adds to a score; null where nobody does.")]
    advantage_before_low: Low
    advantage_before_high: High
    advantage_after: float | None
    advantage_after_low: Low
    advantage_after_high: High
    verdict_before: str
    verdict_after: str
    effect: Annotated[str, Doc("'none', 'small', which is within the imbalance, 'changed' or 'not yet known'.")]


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """What a patch or another catalogue does."""

    schema: Form
    verb: Literal["compare"]
    title: Annotated[str, Doc("What the change is called.")]
    game: GameName
    seed: Seed
    catalogue_sha256: Annotated[tuple[Digest, Digest], Doc("The digests before and after.")]
    broken_limits: Annotated[tuple[str, ...], Doc("Limits of the patch that are certainly broken, a sentence each.")]
    equal_points: Annotated[EqualPoints | None, Doc("Null where armies of equal points do not meet.")]
    summary: Annotated[ChangeSummary, Doc("The match-ups in a few numbers.")]
    affected: Annotated[Affected, Doc("Whose standing changes.")]
    changes: Annotated[tuple[MatchUpChange, ...], Doc("Every match-up that the change can touch.")]
    match_ups: Annotated[pl.DataFrame, Opaque()] = field(metadata=BEHIND)
    """Every match-up, a row each, with the columns of `changes`."""
    labels: Mapping[str, str] = field(metadata=BEHIND)
    """Id -> name for people, of cards and entrants."""
    files: tuple[Path, ...] = field(default=(), metadata=BEHIND)
    """What was written, the file to read first before the others."""

    def __repr__(self) -> str:
        """Return title and number of match-ups."""
        return f"<Comparison: {textwrap.shorten(self.title, 80)}, {len(self.match_ups)} match-ups>"

    @property
    def touches_duels(self) -> bool:
        """Whether the change can move a score one against one; one of costs alone counts only if some score differs."""
        if any(card.field != COST for card in self.affected.cards):
            return bool(self.changes)
        return any(row.difference for row in self.changes)
