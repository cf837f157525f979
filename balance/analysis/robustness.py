"""How far a conclusion stands when what nobody stated is otherwise: which value it rests on, and how many have to move.

One question, one number read off its answer, and what is concluded from it. Every assumed value (see `assumed`) is
moved by itself, the question asked anew, and the number and the conclusion compared. A value whose moves change nothing
of the whole distribution cannot be measured here, which is not the same as a value that makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from balance.analysis.assumed import Place, assumed_places
from balance.analysis.measures import Answer, Measure, read_off, usual_measure
from balance.analysis.sameness import SAME, TIE, distribution_mark
from balance.catalogue import patched
from balance.core import Estimate, FixedTrials, collect
from balance.engine.query import Query
from balance.engine.runner import Runner, as_runner
from balance.errors import BalanceError
from balance.protocol.loaded import LoadedGame
from balance.protocol.question import SIMULATED_TRIALS, Question

__all__ = ["Bench", "Claim", "Flip", "Move", "Outcome", "Robustness", "Span", "robustness", "usual_claim"]

Verdict = Literal["above", "below", "tied", "holds", "fails", "not yet known", ""]
MOST_MOVES = 4
"""Moves at once, if nothing is said."""
BREADTH = 16
"""Moves that are tried beside those already made, the largest by themselves first."""


@dataclass(frozen=True)
class Claim:
    """What is concluded from a number.

    Attributes
    ----------
    kind
        Whether the question is on which `side` of the limit the number lies, or whether it is `at_least` or `at_most`
        so much.
    limit
        The limit.

    Examples
    --------
    >>> one = Claim("side", 0.5)
    >>> one.of(Estimate.exact(0.6)), one.of(Estimate.exact(0.5)), one.of(Estimate.of_share(0.5, 100))
    ('above', 'tied', 'not yet known')
    """

    kind: Literal["side", "at_least", "at_most"]
    limit: float

    def of(self, found: Estimate) -> Verdict:
        """Return what a number says; one that is simulated only as far as its interval does."""
        low, high = found.low - self.limit, found.high - self.limit
        if self.kind == "side":
            if low > TIE or high < -TIE:
                return "above" if low > TIE else "below"
            return "tied" if found.is_exact else "not yet known"
        if self.kind == "at_most":
            low, high = -high, -low
        return "holds" if low >= -TIE else "fails" if high < -TIE else "not yet known"

    def ways(self, found: Estimate) -> tuple[int, ...]:
        """Return whether the number would have to rise (1) or fall (-1) for the conclusion to flip, or either would do.

        >>> Claim("side", 0.5).ways(Estimate.exact(0.5)), Claim("at_most", 0.5).ways(Estimate.exact(0.5))
        ((-1, 1), (1,))
        """
        verdict = self.of(found)
        if verdict in ("holds", "fails"):
            return (1 if (verdict == "holds") == (self.kind == "at_most") else -1,)
        return {"above": (-1,), "below": (1,), "tied": (-1, 1)}.get(verdict, ())


def usual_claim(measure: Measure) -> Claim | None:
    """Return what is concluded if nothing is said: on which side of one half a chance or a score lies.

    >>> usual_claim(Measure(score="a")), usual_claim(Measure(mean="x"))
    (Claim(kind='side', limit=0.5), None)
    """
    return Claim("side", 0.5) if measure.is_share else None


@dataclass(frozen=True)
class Outcome:
    """What a question says with some values moved: the number, its mark, and what follows from it."""

    value: Estimate
    mark: float
    verdict: Verdict


@dataclass(frozen=True)
class Move:
    """One value that moves."""

    place: Place
    new: str
    outcome: Outcome


@dataclass(frozen=True)
class Span:
    """A value, and between which ends its moves bring the number.

    Attributes
    ----------
    low, high
        The moves to either end; None where the value as it is lies there.
    flips
        Every move that flips the conclusion.
    """

    place: Place
    base: Outcome
    low: Move | None
    high: Move | None
    flips: tuple[Move, ...]

    @property
    def ends(self) -> tuple[Estimate, Estimate]:
        """The lowest and the highest number."""
        low, high = ((self.base if move is None else move.outcome).value for move in (self.low, self.high))
        return low, high

    @property
    def width(self) -> float:
        """How far the ends lie apart; 0 for what dust of rounding may be."""
        low, high = self.ends
        width = high.value - low.value
        return width if width > TIE else 0.0


@dataclass(frozen=True)
class Flip:
    """Moves that flip the conclusion when they are made together, and what the question says then.

    Attributes
    ----------
    found
        Whether they flip it; else these are as many as were allowed, and how near they come.
    """

    moves: tuple[Move, ...]
    outcome: Outcome
    found: bool


@dataclass
class Bench:
    """Where a question is asked with values moved; nothing is asked twice.

    Attributes
    ----------
    loaded, query
        The game as it is, and what is asked.
    measure, claim
        What is read off, and what is concluded from it; no claim where nothing is.
    trials, seed
        Of a question that has no exact distribution: always the same dice.
    """

    loaded: LoadedGame
    query: Query
    measure: Measure
    claim: Claim | None
    trials: int = SIMULATED_TRIALS
    seed: int = 0
    known: dict[frozenset[tuple[str, str]], Outcome | None] = field(default_factory=dict)

    @cached_property
    def base(self) -> Outcome:
        """What the question says with everything as it is."""
        return self._of(self.query.to(self.loaded))

    def after(self, values: Mapping[str, str]) -> Outcome | None:
        """Return what the question says with some values moved; None where the catalogue or the rules refuse them."""
        key = frozenset(values.items())
        if key not in self.known:
            try:
                moved = LoadedGame(self.loaded.game, patched(self.loaded.catalogue, values))
                self.known[key] = self._of(self.query.to(moved))
            except BalanceError:
                self.known[key] = None
        return self.known[key]

    def flips(self, outcome: Outcome) -> bool:
        """Whether the conclusion is certainly another than with everything as it is."""
        verdicts = (self.base.verdict, outcome.verdict)
        return verdicts[0] != verdicts[1] and not {"", "not yet known"} & set(verdicts)

    def _of(self, question: Question) -> Outcome:
        kind, answer = question.kind, self._answer(question)
        found = read_off(self.measure, answer, kind.winners, kind.winner)
        return Outcome(found, distribution_mark(answer.distribution), self.claim.of(found) if self.claim else "")

    def _answer(self, question: Question) -> Answer:
        if not question.why_no_distribution:
            return Answer(question.distribution)
        task = question.task(key=f"robustness/{self.query.pairing_key(self.loaded.game)}")
        tally = collect(task, FixedTrials(self.trials), seed=self.seed)
        return Answer(tally.counts, tally.n_trials)


@dataclass(frozen=True)
class Robustness:
    """How far a conclusion stands.

    Attributes
    ----------
    bench
        What was asked; `bench.base` is the answer.
    spans
        Every value whose moves can be seen, the widest first.
    unseen
        Those whose moves change nothing of the whole distribution.
    fixed
        Those that cannot be moved: what else they might be is refused.
    fewest
        The fewest moves found that flip the conclusion; None where nothing is concluded yet.
    """

    bench: Bench
    spans: tuple[Span, ...]
    unseen: tuple[Place, ...]
    fixed: tuple[Place, ...]
    fewest: Flip | None


def robustness(
    game: LoadedGame | Runner,
    query: Query,
    measure: Measure | None = None,
    claim: Claim | None = None,
    over: Sequence[str] = (),
    most: int = MOST_MOVES,
    trials: int = SIMULATED_TRIALS,
    seed: int = 0,
) -> Robustness:
    """Return how far a conclusion stands when assumed values move.

    Parameters
    ----------
    game, query
        What is asked.
    measure, claim
        What is read off the answer, and what is concluded from it; see `usual_measure` and `usual_claim`.
    over
        The tables whose values move; see `assumed_places`.
    most
        Moves that are tried at once.
    trials, seed
        Where there is no exact distribution.

    Raises
    ------
    UsageError
        Nothing can move.

    Examples
    --------
    >>> from balance.protocol.loaded import load
    >>> found = robustness(load("immortal_souls"), Query("attack", "ecarus", "green_gremlin"), over=["faces"])
    >>> found.spans[0].place.path, found.fewest
    ('faces.blue_4.results', None)
    """
    runner = as_runner(game)
    loaded, kind = runner.loaded, query.to(runner.loaded).kind
    read = measure or usual_measure(kind)
    bench = Bench(loaded, query, read, claim or usual_claim(read), trials, seed)
    places = assumed_places(loaded, (query.one, query.other), over)
    moves: dict[Place, list[Move]] = {}
    for number, place in enumerate(places, start=1):
        tried = ((text, bench.after({place.path: text})) for text in place.texts)
        moves[place] = [Move(place, text, outcome) for text, outcome in tried if outcome is not None]
        runner.engine.tell("moved values", number, len(places))
    seen = [place for place in places if any(_differs(bench.base, move.outcome) for move in moves[place])]
    spans = sorted((_span(bench, place, moves[place]) for place in seen), key=_by_width)
    return Robustness(
        bench,
        tuple(spans),
        tuple(place for place in places if moves[place] and place not in seen),
        tuple(place for place in places if not moves[place]),
        _fewest(bench, [moves[place] for place in seen], most),
    )


def _differs(one: Outcome, other: Outcome) -> bool:
    return abs(one.mark - other.mark) > SAME


def _span(bench: Bench, place: Place, moves: Sequence[Move]) -> Span:
    base = bench.base.value.value
    low, high = (best(moves, key=lambda move: round(move.outcome.value.value, 9)) for best in (min, max))
    return Span(
        place,
        bench.base,
        low if low.outcome.value.value < base - TIE else None,
        high if high.outcome.value.value > base + TIE else None,
        tuple(move for move in moves if bench.flips(move.outcome)),
    )


def _by_width(span: Span) -> tuple[float, str]:
    return -round(span.width, 9), span.place.path


def _fewest(bench: Bench, moves: Sequence[Sequence[Move]], most: int) -> Flip | None:
    """Return the fewest moves found that flip the conclusion, or how near as many as are allowed come."""
    ways = bench.claim.ways(bench.base.value) if bench.claim is not None else ()
    found = [_towards(bench, moves, way, most) for way in ways]
    return min(found, key=lambda flip: (not flip.found, len(flip.moves)), default=None)


def _towards(bench: Bench, moves: Sequence[Sequence[Move]], way: int, most: int) -> Flip:
    """Make one move after the other, each time the one that brings the number farthest one way."""

    def gain(outcome: Outcome) -> float:
        return round(way * (outcome.value.value - bench.base.value.value), 9)

    best = [max(some, key=lambda move: gain(move.outcome)) for some in moves]
    left = sorted((move for move in best if gain(move.outcome) > 0), key=lambda move: -gain(move.outcome))
    made, outcome = tuple[Move, ...](), bench.base
    while left and len(made) < most and not bench.flips(outcome):
        tried = [(move, _together(bench, (*made, move))) for move in left[:BREADTH]]
        able = [(move, after) for move, after in tried if after is not None and gain(after) > gain(outcome)]
        if not able:
            break
        move, outcome = max(able, key=lambda one: gain(one[1]))
        left.remove(move)
        made = (*made, move)
    return Flip(*_without_needless(bench, made, outcome), bench.flips(outcome))


def _without_needless(bench: Bench, made: tuple[Move, ...], outcome: Outcome) -> tuple[tuple[Move, ...], Outcome]:
    """Leave out moves without which the conclusion flips as well."""
    for fewer in _one_less(made) if bench.flips(outcome) and len(made) > 1 else ():
        after = _together(bench, fewer)
        if after is not None and bench.flips(after):
            return _without_needless(bench, fewer, after)
    return made, outcome


def _one_less(made: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    return (made[:at] + made[at + 1 :] for at in range(len(made)))


def _together(bench: Bench, moves: Sequence[Move]) -> Outcome | None:
    return bench.after({move.place.path: move.new for move in moves})
