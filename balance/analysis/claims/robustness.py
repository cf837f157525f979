"""How far a conclusion stands when assumed values differ: which value it rests on, and how many have to move.

One question, one number read off its answer, and what is concluded from it. Every assumed value (see `assumptions`) is
moved by itself, the question asked anew, and the number and the conclusion compared. A value whose moves change nothing
of the whole distribution cannot be measured here, which is not the same as a value that makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Literal, Self

from balance.analysis.claims.assumptions import Place, assumed_places
from balance.analysis.claims.conclusion import Bench, Claim, Outcome, usual_claim
from balance.analysis.claims.region import Region, region
from balance.analysis.scores.equivalence import MARK_TOLERANCE, TIE
from balance.analysis.scores.measures import Measure, usual_measure
from balance.base.answers import BEHIND, Count, Doc, Opaque, Seed, formula
from balance.chance.trials.estimate import Estimate
from balance.engine.jobs import Job
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.game.loaded import LoadedGame
from balance.game.question.findings import AboutQuestion
from balance.game.question.question import SIMULATED_TRIALS

MOST_MOVES = 4
"""Moves at once, if nothing is said."""
BREADTH = 16
"""Moves that are tried beside those already made, the largest by themselves first."""


@dataclass(frozen=True)
class Move:
    """An assumed value set to another."""

    path: Annotated[str, Doc("Where it stands.")]
    old: Annotated[str, Doc("As it is.")]
    new: Annotated[str, Doc("What it is set to.")]
    outcome: Outcome = field(metadata=BEHIND)


@dataclass(frozen=True)
class End:
    """How far a value moves the number, with the interval of that."""

    to: Annotated[str | None, Doc("The value there; null where the value as it is lies there.")]
    value: float
    low: float
    high: float

    @classmethod
    def of(cls, move: Move | None, number: Estimate) -> Self:
        """Return the end to which a move brings the number."""
        return cls(None if move is None else move.new, number.value, number.low, number.high)


@dataclass(frozen=True)
class Span:
    """A value, the lowest and the highest number that its moves bring, and the moves that flip the conclusion."""

    place: Place = field(metadata=BEHIND)
    base: Outcome = field(metadata=BEHIND)
    low: Move | None = field(metadata=BEHIND)
    high: Move | None = field(metadata=BEHIND)
    flips: tuple[Move, ...] = field(metadata=BEHIND)

    @formula
    def path(self) -> Annotated[str, Doc("Where the value stands.")]:
        """Return the path in a patch."""
        return self.place.path

    @formula
    def old(self) -> Annotated[str, Doc("The value as it is.")]:
        """Return the value as a catalogue writes it."""
        return self.place.old

    @formula
    def number(self) -> Annotated[float, Doc("The number with every value as it is.")]:
        """Return the number that is moved."""
        return self.base.value.value

    @formula
    def lowest(self) -> Annotated[End, Doc("Of all its moves.")]:
        """Return the lowest number."""
        return End.of(self.low, self.ends[0])

    @formula
    def highest(self) -> Annotated[End, Doc("Likewise.")]:
        """Return the highest number."""
        return End.of(self.high, self.ends[1])

    @formula
    def width(self) -> Annotated[float, Doc("The difference of both; 0 where it is no more than rounding.")]:
        """Return the difference of the ends."""
        low, high = self.ends
        width = high.value - low.value
        return width if width > TIE else 0.0

    @formula
    def flips_(self) -> Annotated[tuple[str, ...], Doc("To what it has to be set for the conclusion to flip.")]:
        """Return the moves that flip the conclusion."""
        return tuple(move.new for move in self.flips)

    @property
    def ends(self) -> tuple[Estimate, Estimate]:
        """The lowest and the highest number, the value as it is included."""
        low, high = ((self.base if move is None else move.outcome).value for move in (self.low, self.high))
        return low, high


@dataclass(frozen=True)
class Flip:
    """Moves made together to flip the conclusion."""

    moves: tuple[Move, ...]
    outcome: Annotated[Outcome, Doc("After all of them.")]
    does_flip: Annotated[bool, Doc("Whether they flip it; else they are what came nearest.")]


@dataclass(frozen=True, kw_only=True, repr=False)
class Robustness(AboutQuestion):
    """Which assumed values a conclusion rests on, and how far they may move before it flips."""

    verb: Literal["tornado"]
    kind: Annotated[str, Doc("The kind of question that was asked.")]
    measure: Annotated[str, Doc("What is read off.")]
    claim: Annotated[Claim | None, Doc("What is concluded of it; null where nothing is.")]
    outcome: Annotated[Outcome, Doc("With every value as it is.")]
    n_trials: Annotated[Count | None, Doc("Of a question without an exact distribution.")]
    spans: Annotated[tuple[Span, ...], Doc("Every value whose moves can be seen, the widest first.")]
    max_moves: Annotated[Count, Doc("How many values moved at once, at most.")]
    smallest_flip: Annotated[
        Flip | None, Doc("The fewest moves found that flip the conclusion; null where nothing is concluded yet.")
    ]
    region: Annotated[Region | None, Doc("The number for faces of two dice that are turned, where any can be.")]
    without_effect: Annotated[
        tuple[str, ...], Doc("Values whose moves change nothing of the whole distribution: not measurable here.")
    ]
    fixed: Annotated[tuple[str, ...], Doc("Values that cannot be moved: what else they might be is refused.")]
    seed: Seed
    bench: Annotated[Bench, Opaque()] = field(metadata=BEHIND)

    def __repr__(self) -> str:
        """Return the measure, its value, the verdict and how many values can be moved in one line."""
        number, n_values = self.bench.base.value.value, len(self.spans)
        return (
            f"<Robustness: {self.bench.measure} {number:.4g} {self.bench.base.verdict}; {n_values} values can be moved>"
        )


def robustness(
    runner: Runner,
    query: Query,
    measure: Measure | None = None,
    claim: Claim | None = None,
    over: Sequence[str] = (),
    max_moves: int = MOST_MOVES,
    trials: int = SIMULATED_TRIALS,
    seed: int = 0,
) -> Robustness:
    """Return how far a conclusion stands when assumed values move, one by one and up to `max_moves` together.

    The measure and the claim are by default `usual_measure` and `usual_claim`; `over` names the tables whose values
    move (see `assumed_places`); trials and seed are for a question that has no exact distribution. Raise UsageError
    where nothing can move.
    """
    game, question = runner.game, query.to(runner.game)
    read = measure or usual_measure(question.kind)
    bench = Bench(game, query, read, claim or usual_claim(read), trials, seed)
    places = assumed_places(game, (query.side_a, query.side_b), over)
    moves = _moves(runner, bench, places)
    visible = [place for place in places if any(_differs(bench.base, move.outcome) for move in moves[place])]
    spans = sorted((_span(bench, place, moves[place]) for place in visible), key=_by_width)
    return Robustness.of(
        question,
        "tornado",
        kind=question.kind.name,
        measure=str(read),
        claim=bench.claim,
        outcome=bench.base,
        n_trials=bench.base.value.n_trials or None,
        spans=tuple(spans),
        max_moves=max_moves,
        smallest_flip=_smallest_flip(bench, [moves[place] for place in visible], max_moves),
        region=region(bench, [span.place for span in spans]),
        without_effect=tuple(place.path for place in places if moves[place] and place not in visible),
        fixed=tuple(place.path for place in places if not moves[place]),
        seed=seed,
        bench=bench,
    )


def _moves(runner: Runner, bench: Bench, places: Sequence[Place]) -> dict[Place, list[Move]]:
    """Return every legal move of each place; the outcomes are cached in the bench."""
    facts = (*_bench_facts(bench), [(place.path, place.texts) for place in places])
    rows = runner.once("moved values", facts, partial(_outcomes_of, runner, bench, places))
    moves: dict[Place, list[Move]] = {}
    for place, outcomes in zip(places, rows, strict=True):
        pairs = list(zip(place.texts, outcomes, strict=True))
        bench.outcomes |= {frozenset({(place.path, text)}): outcome for text, outcome in pairs}
        moves[place] = [Move(place.path, place.old, text, outcome) for text, outcome in pairs if outcome is not None]
    return moves


def _bench_facts(bench: Bench) -> tuple[Query, Measure, Claim | None, int, int]:
    return bench.query, bench.measure, bench.claim, bench.trials, bench.seed


def _outcomes_of(runner: Runner, bench: Bench, places: Sequence[Place]) -> list[list[Outcome | None]]:
    """Return the outcome of each text of each place, computed in parallel by place; None where it is refused."""
    game = runner.game if runner.executor in ("serial", "threads") else runner.source
    jobs = [Job(place.path, _outcomes, (game, _bench_facts(bench), place), at) for at, place in enumerate(places)]
    facts = (*_bench_facts(bench), [(place.path, place.texts) for place in places])
    return runner.results("moved values", facts, jobs)


def _outcomes(
    game: LoadedGame | Source, bench_facts: tuple[Query, Measure, Claim | None, int, int], place: Place
) -> list[Outcome | None]:
    """Return the outcome of each text of a place, in a worker or in the main process."""
    bench = Bench(game.open() if isinstance(game, Source) else game, *bench_facts)
    return [bench.after({place.path: text}) for text in place.texts]


def _differs(first: Outcome, second: Outcome) -> bool:
    return abs(first.mark - second.mark) > MARK_TOLERANCE


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


def _smallest_flip(bench: Bench, moves: Sequence[Sequence[Move]], max_moves: int) -> Flip | None:
    """Return the fewest moves found that flip the conclusion, or the nearest approach; None if nothing is claimed."""
    ways = bench.claim.ways(bench.base.value) if bench.claim is not None else ()
    flips = [_towards(bench, moves, way, max_moves) for way in ways]
    return min(flips, key=lambda flip: (not flip.does_flip, len(flip.moves)), default=None)


def _towards(bench: Bench, moves: Sequence[Sequence[Move]], way: int, max_moves: int) -> Flip:
    """Combine moves greedily, each time adding the one that brings the number farthest in one direction."""

    def gain(outcome: Outcome) -> float:
        return round(way * (outcome.value.value - bench.base.value.value), 9)

    best = [max(options, key=lambda move: gain(move.outcome)) for options in moves]
    remaining = sorted((move for move in best if gain(move.outcome) > 0), key=lambda move: -gain(move.outcome))
    chain, outcome = tuple[Move, ...](), bench.base
    while remaining and len(chain) < max_moves and not bench.flips(outcome):
        candidates = [(move, _together(bench, (*chain, move))) for move in remaining[:BREADTH]]
        able = [(move, after) for move, after in candidates if after is not None and gain(after) > gain(outcome)]
        if not able:
            break
        move, outcome = max(able, key=lambda candidate: gain(candidate[1]))
        remaining.remove(move)
        chain = (*chain, move)
    return Flip(*_without_needless(bench, chain, outcome), bench.flips(outcome))


def _without_needless(bench: Bench, moves: tuple[Move, ...], outcome: Outcome) -> tuple[tuple[Move, ...], Outcome]:
    """Return the moves without those that are not needed for the conclusion to flip, and the outcome then."""
    for fewer_moves in _one_less(moves) if bench.flips(outcome) and len(moves) > 1 else ():
        after = _together(bench, fewer_moves)
        if after is not None and bench.flips(after):
            return _without_needless(bench, fewer_moves, after)
    return moves, outcome


def _one_less(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    return (moves[:at] + moves[at + 1 :] for at in range(len(moves)))


def _together(bench: Bench, moves: Sequence[Move]) -> Outcome | None:
    return bench.after({move.path: move.new for move in moves})
