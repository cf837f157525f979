"""What going first is worth, in steps of a number: the bid at which a player would as soon go second.

Whoever goes first pays: it has so much less of a number (or the other side so much more), whoever it is. At the price
asked for, those who go first score one half on average, over both seats of a match-up or all match-ups of a field. A
lower bid leaves an edge to who makes it, a higher one takes more than going first brings; so it is the same for both
players, and below 0 where going first is a burden. Between two whole bids the price is read off the line between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Annotated

from balance.analysis.changes.handicaps.answer import Band, MatchUpSource, match_up_source
from balance.analysis.changes.handicaps.match_up_score import measure_score
from balance.analysis.changes.handicaps.moves import field_step, is_legal, match_ups, why_no_lost_action
from balance.analysis.changes.handicaps.remedies import check_band
from balance.analysis.changes.handicaps.settable import Place, numbers_of, value_of, with_number
from balance.base.answers import Count, Doc, formula
from balance.base.errors import Fault, UsageError, unknown
from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.evening import HALF, INVISIBLE, MOST_STEPS, ROUNDING, UNSEEN_STEPS, noise
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.game.game import QuestionKind, which_has
from balance.game.question.question import Question


@dataclass(frozen=True)
class Offer:
    """A whole bid that was tried."""

    steps: Annotated[int, Doc("By how many steps the number of who pays is moved.")]
    score: Annotated[Estimate, Doc("What going first scores then.")]
    even: Annotated[bool, Doc("Whether that is within the band with its whole interval.")]


@dataclass(frozen=True, repr=False)
class Bid(MatchUpSource):
    """What going first is worth in a number of one side."""

    band: Band
    payer: Annotated[str, Doc('Whose number changes: "a" for who goes first, "b" for the other.')]
    field: Annotated[str, Doc("Which number.")]
    whole: Annotated[bool, Doc("Whether a step of it is 1; else it is a tenth.")]
    offers: Annotated[tuple[Offer, ...], Doc("All that were tried, from 0 steps on.")]
    price: Annotated[
        Estimate | None, Doc("Steps at which going first scores one half, between two offers; null if nobody can pay.")
    ]
    fresh: Annotated[Estimate | None, Doc("The price on dice that the search has not seen.")]
    measurable: Annotated[bool, Doc("Whether any bid changes the score by more than chance.")]
    left_out: Annotated[Count, Doc("How many match-ups have no such number to pay with.")]

    @formula
    def score(self) -> Annotated[Estimate, Doc("What going first scores when nobody pays.")]:
        """Return what those who go first score as it is."""
        return self.offers[0].score

    @formula
    def worth(self) -> Annotated[float | None, Doc("The price; below 0 where going first is a burden.")]:
        """Return what going first is worth in steps; None where no price was found."""
        if self.price is None:
            return None
        return abs(self.price.value) if self.score.value > HALF else -abs(self.price.value)

    @property
    def nearest(self) -> Offer:
        """The whole bid that brings going first nearest to one half; of equal ones the smallest."""
        return min(self.offers, key=lambda offer: (abs(offer.score.value - HALF), abs(offer.steps)))

    def __repr__(self) -> str:
        """Return payer, field, worth in steps and the score of going first in one line."""
        return f"<Bid in {self.payer}.{self.field}: worth {self.worth}, going first scores {self.score.value:.4g}>"


def pair_bid(runner: Runner, query: Query, field: str, band: tuple[float, float] = EVEN_BAND, seed: int = 0) -> Bid:
    """Return what going first is worth in one match-up, over both seats whatever the query says of who begins.

    `field` names the number to pay with, such as `health`, or `b.health` for more of it to who goes second. Raise
    UsageError where nobody wins or nobody goes first, or a side has no such number.
    """
    _check(runner, query.kind, band)
    legs = [(replace(query, first=side), side) for side in runner.game.kind(query.kind).sides]
    return _Auction(runner, legs, field, band, seed, is_field=False).run()


def field_bid(
    runner: Runner,
    kind: str,
    field: str,
    entrants: Sequence[str] = (),
    band: tuple[float, float] = EVEN_BAND,
    seed: int = 0,
) -> Bid:
    """Return what going first is worth on average over all match-ups of a field; without entrants all, or 12 drawn.

    Raise UsageError as `pair_bid` does.
    """
    _check(runner, kind, band)
    legs = [(query, "a") for query in match_ups(runner.game, kind, entrants, seed)]
    return _Auction(runner, legs, field, band, seed, is_field=True).run()


def _check(runner: Runner, kind: str, band: tuple[float, float]) -> None:
    question_kind = runner.game.kind(kind)
    check_band(band)
    if not question_kind.winner:
        raise UsageError(f"nobody wins in {kind}, so nobody bids", which_has(runner.game.definition, "winner"))
    if not question_kind.mirrored_orders:
        raise UsageError(f"{kind} has no first side to bid for", which_has(runner.game.definition, "turn_orders"))


def bid_faults(kind: QuestionKind, field: str, places: Iterable[Place]) -> Iterator[Fault]:
    """Yield a fault where none of the numbers that sides have is `field`, such as `health` or `b.health`."""
    names = _biddable(place.field for place in places)
    if _payer_and_name(field)[1] not in names:
        yield _no_bid(field, kind, names)


def _payer_and_name(field: str) -> tuple[str, str]:
    side, _, name = field.partition(".")
    return (side, name) if name and side in ("a", "b") else ("a", field)


def _biddable(names: Iterable[str]) -> set[str]:
    return {name for name in names if not any(word in name for word in INVISIBLE)}


def _no_bid(field: str, kind: QuestionKind, names: set[str]) -> Fault:
    if _payer_and_name(field)[1] == LOST_ACTIONS:
        return Fault("is not applicable here", "§bid", found=field, tip=why_no_lost_action(kind))
    return unknown(field, sorted(names), "is no number that can be bid", "§bid")


def _price(first: Offer, second: Offer) -> Estimate:
    """Return the steps at which the line through two bids crosses one half, with the error that follows from theirs."""
    rise = second.score.value - first.score.value
    share = (HALF - first.score.value) / rise
    value = first.steps + share * (second.steps - first.steps)
    if first.score.is_exact and second.score.is_exact:
        return Estimate.exact(value)
    error = math.hypot((1 - share) * (first.score.error or 0.0), share * (second.score.error or 0.0))
    n_trials = first.score.n_trials + second.score.n_trials
    return Estimate.of_mean(value, abs(error / rise * (second.steps - first.steps)), n_trials)


@dataclass(frozen=True)
class _Auction:
    """Where bids are tried; `legs` are match-ups, each with the side that goes first."""

    runner: Runner
    legs: Sequence[tuple[Query, str]]
    field: str
    band: tuple[float, float]
    seed: int
    is_field: bool

    @cached_property
    def payer(self) -> str:
        """Whose number changes: "a" for who goes first, "b" for the other."""
        return _payer_and_name(self.field)[0]

    @cached_property
    def name(self) -> str:
        """The number without its side: "health" of "b.health"."""
        return _payer_and_name(self.field)[1]

    @cached_property
    def places(self) -> list[tuple[Query, str, Place, float]]:
        """The legs in which the payer has the number: query, who goes first, the number, and its present value.

        Raise UsageError where no leg has it.
        """
        rows, names = [], set[str]()
        for query, first in self.legs:
            question = query.to(self.runner.game)
            side = self._side(question, first)
            numbers = {place.field: place for place in numbers_of(question) if place.side == side}
            names |= _biddable(numbers)
            place = numbers.get(self.name)
            value = None if place is None else value_of(question, place)
            if place is not None and value is not None:
                rows.append((query, first, place, value))
        if self.name not in names:
            raise UsageError(_no_bid(self.field, self.runner.game.kind(self.legs[0][0].kind), names))
        if not rows:
            raise UsageError(
                Fault(f"nobody here has a single {self.name} to pay with", "§bid", tip="name another number")
            )
        return rows

    def _side(self, question: Question, first: str) -> str:
        side_a, side_b = question.kind.sides
        second = side_b if first == side_a else side_a
        return first if self.payer == "a" else second

    def run(self) -> Bid:
        score = self.score_of([query for query, *_ in self.places])
        base, price, fresh = self.offer(0, score), None, None
        if score.is_exact and abs(score.value - HALF) <= ROUNDING:
            offers, has_effect, price = [base], True, Estimate.exact(0.0)
        else:
            offers, has_effect = self.walk(base)
            price = next((_price(before, after) for before, after in pairwise(offers) if _crosses(before, after)), None)
            fresh = self.fresh(offers) if price is not None else None
        queries = [replace(query, first=None) for query, *_ in self.places]
        return Bid(
            **match_up_source(self.runner.game, queries, self.is_field, self.seed),
            band=self.band,
            payer=self.payer,
            field=self.name,
            whole=self.places[0][2].whole,
            offers=tuple(offers),
            price=price,
            fresh=fresh,
            measurable=has_effect,
            left_out=len(self.legs) - len(self.places),
        )

    def offer(self, steps: int, score: Estimate) -> Offer:
        """Return a bid with the score at it."""
        return Offer(steps, score, score.is_within(self.band))

    def walk(self, base: Offer) -> tuple[list[Offer], bool]:
        """Return ever larger bids in the direction that helps, up to one beyond one half if possible, and `has_effect`.

        A direction is left where bids do worse, nobody can pay more, or a few steps change nothing.
        """
        has_effect, best = False, [base]
        for way in (-1, 1):
            offers = [base]
            for steps in range(1, MOST_STEPS + 1):
                score = self.score(way * steps)
                if score is None:
                    break
                offers.append(self.offer(way * steps, score))
                has_effect = has_effect or abs(score.value - base.score.value) > noise(score, base.score)
                worse = abs(score.value - HALF) > abs(base.score.value - HALF) + ROUNDING
                if _crosses(base, offers[-1]) or (worse and has_effect) or (steps == UNSEEN_STEPS and not has_effect):
                    break
            if _crosses(base, offers[-1]):
                return offers, True
            if abs(offers[-1].score.value - HALF) < abs(best[-1].score.value - HALF):
                best = offers
        return best, has_effect

    def fresh(self, offers: Sequence[Offer]) -> Estimate | None:
        """Return the price from the last two bids on fresh dice; None where these do not tell them apart."""
        again = [
            self.offer(offer.steps, score)
            for offer in offers[-2:]
            if (score := self.score(offer.steps, True)) is not None
        ]
        return _price(*again) if len(again) == 2 and again[0].score.value != again[1].score.value else None

    def score(self, steps: int, fresh: bool = False) -> Estimate | None:
        """Return the mean score of going first with the number moved by so many steps; None if the rules refuse it."""
        queries = [self.move(query, place, value, steps) for query, _, place, value in self.places]
        return self.score_of(queries, fresh) if all(is_legal(query, self.runner.game) for query in queries) else None

    def score_of(self, queries: Sequence[Query], fresh: bool = False) -> Estimate:
        """Return the mean score of going first in legal match-ups, one for each of `places`."""
        rows = self.runner(queries, partial(measure_score, self.seed + fresh, fresh))
        scores = [
            row if first == self.runner.game.kind(query.kind).sides[0] else -row + 1.0
            for row, (query, first, _, _) in zip(rows, self.places, strict=True)
            if row is not None
        ]
        return Estimate.mean_of(scores)

    @staticmethod
    def move(query: Query, place: Place, value: float, steps: int) -> Query:
        """Return a query in which the number is moved by so many of its steps."""
        return with_number(query, place, value + steps * field_step(place, value)) if steps else query


def _crosses(first: Offer, second: Offer) -> bool:
    """Return whether one half lies between two different scores, or at one of them."""
    return first.score.value != second.score.value and (first.score.value - HALF) * (second.score.value - HALF) <= 0
