"""How far a conclusion stands when assumed values differ: which value it rests on, and how many have to move.

One question, one number read off its answer, and what is concluded from it. Every assumed value (see `assumptions`) is
moved by itself, the question asked anew, and the number and the conclusion compared. A value whose moves change nothing
of the whole distribution cannot be measured here, which is not the same as a value that makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from balance.analysis.claims.assumptions import Place, assumed_places
from balance.analysis.claims.conclusion import Bench, Claim, Outcome, usual_claim
from balance.analysis.scores.equivalence import MARK_TOLERANCE, TIE
from balance.analysis.scores.measures import Measure, usual_measure
from balance.chance.trials.estimate import Estimate
from balance.engine.jobs import Job
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.game.loaded import LoadedGame
from balance.game.question.question import SIMULATED_TRIALS

MOST_MOVES = 4
"""Moves at once, if nothing is said."""
BREADTH = 16
"""Moves that are tried beside those already made, the largest by themselves first."""


@dataclass(frozen=True)
class Move:
    """An assumed value set to `new`, and the outcome then."""

    place: Place
    new: str
    outcome: Outcome


@dataclass(frozen=True)
class Span:
    """A value, and the lowest and highest number that its moves bring.

    `low` and `high`: the moves to either end; None where the value as it is lies there. `flips`: every move that flips
    the conclusion.
    """

    place: Place
    base: Outcome
    low: Move | None
    high: Move | None
    flips: tuple[Move, ...]

    @property
    def ends(self) -> tuple[Estimate, Estimate]:
        """The lowest and the highest number, the value as it is included."""
        low, high = ((self.base if move is None else move.outcome).value for move in (self.low, self.high))
        return low, high

    @property
    def width(self) -> float:
        """Difference of the ends; 0 where it is no more than rounding."""
        low, high = self.ends
        width = high.value - low.value
        return width if width > TIE else 0.0


@dataclass(frozen=True)
class Flip:
    """Moves made together to flip the conclusion; if `does_flip` is false, they are what came nearest."""

    moves: tuple[Move, ...]
    outcome: Outcome
    does_flip: bool


@dataclass(frozen=True, repr=False)
class Robustness:
    """How far a conclusion stands.

    * `bench`: what was asked; `bench.base` is the answer.
    * `spans`: every value whose moves can be seen, the widest first.
    * `without_effect`: those whose moves change nothing of the whole distribution.
    * `fixed`: those that cannot be moved: what else they might be is refused.
    * `smallest_flip`: the fewest moves found that flip the conclusion; None where nothing is concluded yet.
    """

    bench: Bench
    spans: tuple[Span, ...]
    without_effect: tuple[Place, ...]
    fixed: tuple[Place, ...]
    smallest_flip: Flip | None

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

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> found = robustness(Runner(load("immortal_souls")), Query("attack", "ecarus", "green_gremlin"), over=["faces"])
    >>> found.spans[0].place.path, found.smallest_flip
    ('faces.blue_4.results', None)
    """
    game, kind = runner.game, query.to(runner.game).kind
    read = measure or usual_measure(kind)
    bench = Bench(game, query, read, claim or usual_claim(read), trials, seed)
    places = assumed_places(game, (query.side_a, query.side_b), over)
    moves = _moves(runner, bench, places)
    visible = [place for place in places if any(_differs(bench.base, move.outcome) for move in moves[place])]
    spans = sorted((_span(bench, place, moves[place]) for place in visible), key=_by_width)
    return Robustness(
        bench,
        tuple(spans),
        tuple(place for place in places if moves[place] and place not in visible),
        tuple(place for place in places if not moves[place]),
        _smallest_flip(bench, [moves[place] for place in visible], max_moves),
    )


def _moves(runner: Runner, bench: Bench, places: Sequence[Place]) -> dict[Place, list[Move]]:
    """Return every legal move of each place; the outcomes are cached in the bench."""
    facts = (*_bench_facts(bench), [(place.path, place.texts) for place in places])
    rows = runner.once("moved values", facts, partial(_outcomes_of, runner, bench, places))
    moves: dict[Place, list[Move]] = {}
    for place, outcomes in zip(places, rows, strict=True):
        pairs = list(zip(place.texts, outcomes, strict=True))
        bench.outcomes |= {frozenset({(place.path, text)}): outcome for text, outcome in pairs}
        moves[place] = [Move(place, text, outcome) for text, outcome in pairs if outcome is not None]
    return moves


def _bench_facts(bench: Bench) -> tuple[Query, Measure, Claim | None, int, int]:
    return bench.query, bench.measure, bench.claim, bench.trials, bench.seed


def _outcomes_of(runner: Runner, bench: Bench, places: Sequence[Place]) -> list[list[Outcome | None]]:
    """Return the outcome of each text of each place, computed in parallel by place; None where it is refused."""
    game = runner.game if runner.executor in ("serial", "threads") else runner.source
    jobs = (Job(place.path, _outcomes, (game, _bench_facts(bench), place), at) for at, place in enumerate(places))
    by_place: dict[int, list[Outcome | None]] = {}
    for job, outcomes in runner.run(jobs, locally=len(places) < 2):
        by_place[job.tag] = outcomes
        runner.engine.tell("moved values", len(by_place), len(places))
    return [by_place[at] for at in range(len(places))]


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
    return bench.after({move.place.path: move.new for move in moves})
