"""The smallest change of one number that makes an uneven match-up even, or takes the edge off going first.

A number of either side's cards (its health, its armour, what it may bring along) is moved step by step, the way that
brings what the first side scores nearer to one half, until that lies within the designer's band or beyond it. What is
tried is one number of one side at a time. What fits is played on fresh dice, whether it was simulated or exact. Where
trials are long a move has few at first, and more only where its score may lie on either side of an end of the band.

Of one match-up a step is the tenth of a number. To take the edge off going first, everybody who goes second (or first)
gets so much more or less of a number, whatever it was, and the mean over all match-ups of a field is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Annotated, TypeAlias

from balance.analysis.changes.handicaps.answer import Band, MatchUpSource, SingleChange, match_up_source
from balance.analysis.changes.handicaps.match_up_score import (
    measure_score,
    search_score,
    search_scores,
    search_trials,
)
from balance.analysis.changes.handicaps.moves import (
    field_step,
    is_legal,
    match_ups,
    places_of,
    why_no_lost_action,
    with_step,
)
from balance.analysis.changes.handicaps.settable import Place, value_of, with_number
from balance.base.answers import Doc, formula
from balance.base.errors import BalanceError, UsageError
from balance.base.numbers import EVEN_BAND, show_step
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.evening import HALF, MOST_STEPS, Walk, noise, rank, whole_step
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.game.game import Step, which_has
from balance.game.question.question import Question

MOST_AHEAD = 4
"""Match-ups scored at a time below which further ones take next to no more time."""


@dataclass(frozen=True)
class Remedy(SingleChange):
    """A change that brings a match-up nearer to even."""

    steps: Annotated[int, Doc("How many steps it is moved; below 0 for less of it.")]
    score: Annotated[Estimate, Doc("What the first side scores then.")]
    even: Annotated[
        bool, Doc("Whether that is within the band with its whole interval; if simulated, on fresh dice too.")
    ]
    fresh: Annotated[Estimate | None, Doc("The score on dice that the search has not seen, if it is even.")] = None


@dataclass(frozen=True, repr=False)
class Remedies(MatchUpSource):
    """The smallest single changes that make a match-up even."""

    band: Band
    score: Annotated[Estimate, Doc("What the first side scores as it is.")]
    remedies: Annotated[
        tuple[Remedy, ...],
        Doc("The best move of each number that helps: first those that make it even, the smallest first."),
    ]
    not_measurable_here: Annotated[tuple[str, ...], Doc("Numbers whose moves change nothing here, as SIDE.FIELD.")]
    no_lost_action: Annotated[str | None, Doc("Why no side can lose its first actions; null where one can.")]
    trials: Annotated[tuple[int, ...], Doc("Of each change, in every closer look at it; none where it is exact.")]

    @formula
    def is_even(self) -> Annotated[bool, Doc("Whether the score is within the band with its whole interval.")]:
        """Return whether nothing has to change."""
        return self.score.is_within(self.band)

    def __repr__(self) -> str:
        """Return the score and how many changes make the match-up even in one line."""
        n_even = sum(remedy.even for remedy in self.remedies)
        return f"<Remedies: scores {self.score.value:.4g}, {n_even} changes make it even>"


def remedies(
    runner: Runner, query: Query, fields: Sequence[str] = (), band: tuple[float, float] = EVEN_BAND, seed: int = 0
) -> Remedies:
    """Return the moves of single numbers that would make a match-up even.

    `fields` are the numbers that may move, such as `health` or `b.health`, by default all of both sides but costs;
    `band` holds the scores of the first side that are even. Raise UsageError where nobody wins, a field is none, or the
    band does not hold one half.
    """
    check_band(band)
    own_band = around(query.to(runner.game).fair_share, band)
    return _RemedySearch(runner, (query,), own_band, seed, is_field=False).run(fields)


def first_move_remedies(
    runner: Runner,
    kind: str,
    entrants: Sequence[str] = (),
    fields: Sequence[str] = (),
    band: tuple[float, float] = EVEN_BAND,
    seed: int = 0,
) -> Remedies:
    """Return what would take the edge off going first, on average over all match-ups of a field.

    Without entrants the field is all, or 12 drawn by the seed; in `fields`, `a` is who goes first and `b` who goes
    second. Raise UsageError as `remedies` does, or where nobody goes first.
    """
    question_kind = runner.game.kind(kind)
    if "a" not in question_kind.turn_orders:
        raise UsageError(f"{kind} has no first side", which_has(runner.game.definition, "turn_orders"))
    check_band(band)
    return _RemedySearch(runner, match_ups(runner.game, kind, entrants, seed), band, seed, is_field=True).run(fields)


def check_band(band: tuple[float, float]) -> None:
    """Raise UsageError unless a band of scores holds one half."""
    if not 0 < band[0] < HALF < band[1] < 1:
        raise UsageError(f"a band lies around one half, found {band[0]:g} to {band[1]:g}", "such as 45:55")


def around(fair_share: float, band: tuple[float, float]) -> tuple[float, float]:
    """Return a band around one half moved to lie as far around another fair share, within 0 to 1.

    >>> around(0.25, (0.45, 0.55))
    (0.2, 0.3)
    """
    shift = fair_share - HALF
    low, high = (round(end + shift, 12) for end in band) if shift else band
    return max(low, 0.0), min(high, 1.0)


# -- the search -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ask:
    """Match-ups to be scored: from the trials that `look` begins with in `search_score`, or on fresh dice if None.

    `ahead`: of one match-up, those that the search is likely to ask for next.
    """

    queries: Sequence[Query]
    look: int | None = 0
    ahead: Iterable[Query] = ()


_Search: TypeAlias = Generator[_Ask, Estimate | None, Remedy | bool | None]
"""Asks for scores, and ends with a remedy, None for none, or False for a number whose moves change nothing."""


@dataclass(frozen=True)
class _RemedySearch:
    """Tries moves on one match-up, or on all of a field at once."""

    runner: Runner
    queries: tuple[Query, ...]
    band: tuple[float, float]
    seed: int
    is_field: bool
    first_scores: dict[Query, Estimate] = field(default_factory=dict)
    """Query -> what its first trials scored, where they were played ahead."""

    @cached_property
    def questions(self) -> list[Question]:
        return [query.to(self.runner.game) for query in self.queries]

    @cached_property
    def fair_share(self) -> float:
        return self.questions[0].fair_share

    def gap(self, score: Estimate) -> float:
        """Return how far a score is from even."""
        return abs(score.value - self.fair_share)

    def order(self, remedy: Remedy) -> tuple[object, ...]:
        return rank(remedy.even, remedy.steps, self.gap(remedy.score), remedy.change)

    @property
    def alone(self) -> bool:
        return len(self.queries) == 1

    def run(self, fields: Sequence[str]) -> Remedies:
        kind = self.questions[0].kind
        if not kind.winner:
            message = f"nobody wins in {kind.name}, so nothing can be made even"
            raise UsageError(message, which_has(self.runner.game.definition, "winner"))
        places = places_of(self.questions, fields)
        base = self.score(self.queries)
        if base.is_within(self.band):
            return self.answer(base, (), ())
        searches = [self.best_move(place, base) for place in places]
        searches += [self.try_step(step, base) for step in self.other_steps(base)] if self.alone and not fields else []
        found = self.side_by_side(searches, len(places))
        without_effect = [place.name for place, one in zip(places, found, strict=False) if one is False]
        moves = sorted((one for one in found if isinstance(one, Remedy)), key=self.order)
        return self.answer(base, moves, without_effect)

    def answer(self, base: Estimate, moves: Sequence[Remedy], without_effect: Sequence[str]) -> Remedies:
        """Return what there is to say of the score as it is and of the best moves."""
        kind = self.questions[0].kind
        return Remedies(
            **match_up_source(self.runner.game, self.queries, self.is_field, self.seed),
            band=self.band,
            score=base,
            remedies=tuple(moves),
            not_measurable_here=tuple(without_effect),
            no_lost_action=why_no_lost_action(kind) or None,
            trials=() if base.is_exact else search_trials(kind),
        )

    def score(self, queries: Sequence[Query], fresh: bool = False) -> Estimate:
        """Return the first side's mean score over the match-ups, exact or from the usual number of trials."""
        return self._mean(queries, partial(measure_score, self.seed + fresh, fresh))

    def _mean(self, queries: Sequence[Query], measure: Callable[[Question], Estimate]) -> Estimate:
        rows = self.runner(list(queries), measure)
        scores = [row for row in rows if row is not None]
        return scores[0] if self.alone else Estimate.mean_of(scores)

    def side_by_side(self, searches: Sequence[_Search], n_numbers: int) -> list[Remedy | bool | None]:
        """Return what searches end with; all that they ask for at a time is scored together."""
        found, asks, scores = dict[int, Remedy | bool | None](), dict[int, _Ask](), dict[int, Estimate | None]()
        going = list(range(len(searches)))
        while going:
            for at in going:
                try:
                    asks[at] = searches[at].send(scores.get(at))
                except StopIteration as end:
                    found[at] = end.value
                    asks.pop(at, None)
                    self.runner.engine.tell("numbers", sum(number in found for number in range(n_numbers)), n_numbers)
            going = list(asks)
            scores = dict(zip(going, self.scores(list(asks.values())), strict=True)) if going else {}
        return [found[at] for at in range(len(searches))]

    def scores(self, asks: Sequence[_Ask]) -> list[Estimate | None]:
        """Return the first side's mean score in each of some match-ups; None where it cannot be worked out."""
        question = self.questions[0]
        if not self.alone or question.kind.joint is None or not question.why_no_distribution:
            return [self._score(ask) for ask in asks]
        queries, n_each = [ask.queries[0] for ask in asks], question.kind.is_long * MOST_AHEAD // len(asks)
        first_scores = [
            self.first_scores.get(query) if ask.look == 0 else None for query, ask in zip(queries, asks, strict=True)
        ]
        if None in first_scores:
            later = (query for ask in asks for query in islice(ask.ahead, n_each))
            queries += [query for query in later if query not in self.first_scores]
        measure = partial(search_scores, self.seed, self.band, [ask.look for ask in asks], first_scores)
        scores = self.runner.at_once([queries], measure, "questions")[0]
        self.first_scores.update(zip(queries[len(asks) :], scores[len(asks) :], strict=True))
        return list(scores[: len(asks)])

    def _score(self, ask: _Ask) -> Estimate | None:
        if ask.look is None:
            return self.score(ask.queries, fresh=True)
        try:
            return self._mean(ask.queries, partial(search_score, self.seed, self.band, ask.look))
        except BalanceError:
            return None

    def best_move(self, place: Place, base: Estimate) -> _Search:
        """Search for the best move of a number; end with it or None, or with False if no move has an effect."""
        walk, tried = Walk(base, self.fair_share, place.field == LOST_ACTIONS), dict[int, Remedy]()
        for steps in walk.moves():
            now = yield from self.try_move(place, steps, look=walk.needs_closer_look)
            if now is not None:
                tried[steps] = now
                walk.take(now.score, now.even)
        if walk.best is None:
            return walk.has_effect
        best = tried[walk.best.steps]
        return (yield from self.with_fresh(best, self.moved_queries(place, best.steps) or self.queries))

    def try_move(self, place: Place, steps: int, look: int = 0) -> Generator[_Ask, Estimate | None, Remedy | None]:
        """Try a move, from the trials that `look` begins with in `search_score`; end with None if it is illegal."""
        queries, way = self.moved_queries(place, steps), 1 if steps > 0 else -1
        further = (self.moved_queries(place, at) for at in range(steps + way, way * (MOST_STEPS + 1), way))
        ahead = (later[0] for later in further if later is not None)
        score = (yield _Ask(queries, look, ahead)) if queries is not None else None
        if queries is None or score is None:
            return None
        old: str | None = None
        new = show_step(steps) if place.whole else f"{show_step(10 * steps)}%"
        if self.alone:
            old = f"{value_of(self.questions[0], place):.10g}"
            new = queries[0].changes[-1].partition("=")[2]
        return Remedy(place.side, place.field, old, new, steps, score, score.is_within(self.band))

    def other_steps(self, base: Estimate) -> Iterator[Step]:
        """Yield the small changes that are no numbers and may bring one match-up nearer to one half."""
        question = self.questions[0]
        ahead = question.kind.sides[base.value < self.fair_share]
        for step in question.kind.steps(question, ahead) if question.kind.steps is not None else ():
            if is_legal(with_step(self.queries[0], step), self.runner.game):
                yield step

    def try_step(self, step: Step, base: Estimate) -> _Search:
        """Try a change; end with None unless it brings the match-up nearer to one half."""
        queries = [with_step(self.queries[0], step)]
        score = yield _Ask(queries)
        if score is None or self.gap(score) >= self.gap(base) - noise(score, base):
            return None
        now = Remedy(step.side, step.field, step.old, step.new, 1, score, score.is_within(self.band))
        return (yield from self.with_fresh(now, queries))

    def moved_queries(self, place: Place, steps: int) -> list[Query] | None:
        """Return the queries with the number moved wherever that is legal; None if it is legal in none."""
        queries, n_moved = list[Query](), 0
        for query, question in zip(self.queries, self.questions, strict=True):
            value = value_of(question, place)
            new = query
            if value is not None:
                new = with_number(query, place, value + steps * self.step(place, value))
                new = new if is_legal(new, self.runner.game) else query
            n_moved += new is not query
            queries.append(new)
        return queries if n_moved else None

    def step(self, place: Place, value: float) -> float:
        if place.whole and self.alone:
            return float(whole_step(value))
        return field_step(place, value)

    def with_fresh(self, remedy: Remedy, queries: Sequence[Query]) -> Generator[_Ask, Estimate | None, Remedy]:
        """Return a remedy, if it fits, with its score on fresh dice; a simulated one has to fit by these too."""
        if not remedy.even:
            return remedy
        fresh = yield _Ask(queries, None)
        is_even = fresh is not None and (remedy.score.is_exact or fresh.is_within(self.band))
        return replace(remedy, fresh=fresh, even=is_even)
