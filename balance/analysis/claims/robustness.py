"""How far a conclusion stands when what nobody stated is otherwise: which value it rests on, and how many have to move.

One question, one number read off its answer, and what is concluded from it. Every assumed value (see `assumed`) is
moved by itself, the question asked anew, and the number and the conclusion compared. A value whose moves change nothing
of the whole distribution cannot be measured here, which is not the same as a value that makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from balance.analysis.claims.assumed import Place, assumed_places
from balance.analysis.claims.conclusion import Bench, Claim, Outcome, usual_claim
from balance.analysis.scores.equivalence import SAME, TIE
from balance.analysis.scores.measures import Measure, usual_measure
from balance.chance.trials.estimate import Estimate
from balance.engine.jobs import Job
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.game.loaded import LoadedGame
from balance.game.question.question import SIMULATED_TRIALS

__all__ = ["Flip", "Move", "Robustness", "Span", "robustness"]

MOST_MOVES = 4
"""Moves at once, if nothing is said."""
BREADTH = 16
"""Moves that are tried beside those already made, the largest by themselves first."""


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


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        """Return it in short."""
        number, many = self.bench.base.value.value, len(self.spans)
        return f"<Robustness: {self.bench.measure} {number:.4g} {self.bench.base.verdict}; {many} values can be moved>"


def robustness(
    runner: Runner,
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
    runner, query
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
    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> found = robustness(Runner(load("immortal_souls")), Query("attack", "ecarus", "green_gremlin"), over=["faces"])
    >>> found.spans[0].place.path, found.fewest
    ('faces.blue_4.results', None)
    """
    loaded, kind = runner.game, query.to(runner.game).kind
    read = measure or usual_measure(kind)
    bench = Bench(loaded, query, read, claim or usual_claim(read), trials, seed)
    places = assumed_places(loaded, (query.side_a, query.side_b), over)
    moves = _moves(runner, bench, places)
    seen = [place for place in places if any(_differs(bench.base, move.outcome) for move in moves[place])]
    spans = sorted((_span(bench, place, moves[place]) for place in seen), key=_by_width)
    return Robustness(
        bench,
        tuple(spans),
        tuple(place for place in places if moves[place] and place not in seen),
        tuple(place for place in places if not moves[place]),
        _fewest(bench, [moves[place] for place in seen], most),
    )


def _moves(runner: Runner, bench: Bench, places: Sequence[Place]) -> dict[Place, list[Move]]:
    """Return every move of each place that is not refused; the bench knows them from then on."""
    facts = (*_asked(bench), [(place.path, place.texts) for place in places])
    rows = runner.once("moved values", facts, partial(_outcomes_of, runner, bench, places))
    moves: dict[Place, list[Move]] = {}
    for place, outcomes in zip(places, rows, strict=True):
        tried = list(zip(place.texts, outcomes, strict=True))
        bench.known |= {frozenset({(place.path, text)}): outcome for text, outcome in tried}
        moves[place] = [Move(place, text, outcome) for text, outcome in tried if outcome is not None]
    return moves


def _asked(bench: Bench) -> tuple[Query, Measure, Claim | None, int, int]:
    return bench.query, bench.measure, bench.claim, bench.trials, bench.seed


def _outcomes_of(runner: Runner, bench: Bench, places: Sequence[Place]) -> list[list[Outcome | None]]:
    """Move the values of all places, several places at once where there are several workers."""
    game = runner.game if runner.executor in ("serial", "threads") else runner.source
    jobs = (Job(place.path, _outcomes, (game, _asked(bench), place), at) for at, place in enumerate(places))
    found: dict[int, list[Outcome | None]] = {}
    for job, outcomes in runner.run(jobs, locally=len(places) < 2):
        found[job.tag] = outcomes
        runner.engine.tell("moved values", len(found), len(places))
    return [found[at] for at in range(len(places))]


def _outcomes(
    game: LoadedGame | Source, asked: tuple[Query, Measure, Claim | None, int, int], place: Place
) -> list[Outcome | None]:
    """Return what the question says after each move of a place, wherever this is called."""
    bench = Bench(game.open() if isinstance(game, Source) else game, *asked)
    return [bench.after({place.path: text}) for text in place.texts]


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
