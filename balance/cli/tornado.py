"""`balance tornado`: how far assumed values may move before a conclusion flips."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import completing, options
from balance.cli.exits import say_json, say_notes
from balance.errors import Fault, UsageError
from balance.files import write_whole
from balance.render.terminal import say
from balance.verbs.means import Means, answering
from balance.verbs.words import FIRST, check_new_file, choices_of, who_begins, words

if TYPE_CHECKING:
    from balance.analysis.conclusion import Claim, Outcome
    from balance.analysis.region import Region, Turn
    from balance.analysis.robustness import Flip, Robustness, Span
    from balance.core import Estimate
    from balance.engine.query import Query
    from balance.protocol.loaded import LoadedGame
    from balance.protocol.question import Question

__all__ = ["tornado"]

SCHEMA = 1

Over = Annotated[
    list[str] | None,
    options.option(
        "--over",
        metavar="TABLE",
        told="Whose values move: tables, rules or constants, several parted by commas. All without it; of cards, those "
        "of the two sides.",
    ),
]
MeasureText = Annotated[
    str | None,
    options.option(
        "--measure",
        metavar="WHAT",
        told="What is read off: score=a, wins=a, mean=COLUMN, mean=COLUMN,less=COLUMN or chance=COLUMN,at_least=N. "
        "Without it what the first side scores, or the mean of what it does.",
    ),
]
AtLeast = Annotated[
    float | None,
    options.option(
        "--at-least",
        metavar="X",
        told="The conclusion is that it is at least so much; without it, on which side of one half a chance lies.",
    ),
]
AtMost = Annotated[float | None, options.option("--at-most", metavar="X", told="Or that it is at most so much.")]
Trials = Annotated[
    int | None,
    options.option(
        "--trials",
        metavar="N",
        parser=options.parse_count,
        told="Trials of a question that has no exact distribution; 65,536 without it.",
    ),
]
PictureFile = Annotated[
    Path | None,
    options.option("--picture", metavar="FILE.svg", told="Draw how far each value moves the number, in a new file."),
]
Most = Annotated[int, typer.Option("--moves", metavar="K", min=1, max=20, help="How many values move at once.")]


def tornado(
    game: options.GameName,
    kind: Annotated[str, options.argument("KIND", "What `balance games` says can be asked.", completing.kinds)],
    one: Annotated[str, options.entrant("ONE", "One side.", 0)],
    other: Annotated[str, options.entrant("OTHER", "The other side.", 1)],
    over: Over = None,
    measure: MeasureText = None,
    at_least: AtLeast = None,
    at_most: AtMost = None,
    most: Most = 4,
    first: options.First = FIRST,
    changes: options.Changes = None,
    choices: options.Choices = None,
    trials: Trials = None,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    picture: PictureFile = None,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say which assumed values a conclusion rests on, and how many of them have to move before it flips."""
    from balance.analysis.measures import parse_measure
    from balance.analysis.robustness import robustness
    from balance.protocol.idle import idle_changes
    from balance.protocol.loaded import load
    from balance.protocol.question import SIMULATED_TRIALS

    _check(seed, picture)
    claim, loaded = _claim(at_least, at_most), load(game, catalogue)
    question = (query := _query(loaded, kind, one, other, first, changes, choices)).to(loaded)
    read = None if measure is None else parse_measure(measure, question.kind)
    question.stop_rule(played := SIMULATED_TRIALS if trials is None else trials, None)
    with answering(loaded, Means(1, no_cache=True), quiet or as_json) as runner:
        found = robustness(runner, query, read, claim, words(*(over or ())), most, played, seed)
    notes = tuple(idle_changes(question, played=False))
    _say(question, found, most, more, notes, as_json)
    if picture is not None:
        write_whole(picture, _drawn(found))
    say_notes(notes)


def _query(
    loaded: LoadedGame,
    kind: str,
    one: str,
    other: str,
    first: str,
    changes: list[str] | None,
    choices: list[str] | None,
) -> Query:
    """Return what is asked; nobody goes first where there is no such choice."""
    from balance.engine.query import Query

    begins = who_begins(loaded, kind, first)
    return Query(kind, one, other, tuple(changes or ()), begins, tuple(choices_of(choices).items()))


def _say(question: Question, found: Robustness, most: int, more: bool, notes: tuple[str, ...], as_json: bool) -> None:
    """Say what a conclusion rests on, as text or as JSON."""
    from balance.analysis.region import region
    from balance.render.tornado_text import blocks

    drawn = region(found)
    if as_json:
        say_json(_as_json(question, found, drawn, most))
    else:
        say(*blocks(question, found, drawn, most, more, notes))


def _check(seed: int, picture: Path | None) -> None:
    """Refuse a seed that is none, and what cannot be written, before the long work begins."""
    from balance.core.streams import check_seed

    check_seed(seed)
    if picture is not None:
        check_new_file(picture, "--picture", "a picture", [".svg"])


def _drawn(found: Robustness) -> bytes:
    from balance.report.tornado import plot_tornado

    return plot_tornado(found).wide.encode()


def _claim(at_least: float | None, at_most: float | None) -> Claim | None:
    """Return what should hold, if that is said."""
    from balance.analysis.conclusion import Claim

    if at_least is not None and at_most is not None:
        raise UsageError("--at-least and --at-most are two conclusions", "ask for one after the other")
    limit = at_least if at_least is not None else at_most
    if limit is None:
        return None
    if not math.isfinite(limit):
        name = "--at-least" if at_least is not None else "--at-most"
        raise UsageError(Fault("is no limit", name, found=f"{limit}", allowed="a number, such as 0.55"))
    return Claim("at_least" if at_least is not None else "at_most", limit)


# -- as JSON ----------------------------------------------------------------------------------------------------------


def _as_json(question: Question, found: Robustness, drawn: Region | None, most: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    bench, catalogue = found.bench, question.loaded.catalogue
    return {
        "schema": SCHEMA,
        "game": question.loaded.game.name,
        "verb": "tornado",
        "kind": question.kind.name,
        "entrants": list(question.entrants),
        "first": question.first or None,
        "changes": list(question.changes),
        "choices": dict(question.choices),
        "measure": str(bench.measure),
        "claim": asdict(bench.claim) if bench.claim is not None else None,
        **_outcome(bench.base),
        "n_trials": bench.base.value.n_trials or None,
        "values": [_span(span) for span in found.spans],
        "fewest": _flip(found.fewest, most) if found.fewest is not None else None,
        "region": _region(drawn) if drawn is not None else None,
        "not_measurable_here": [place.path for place in found.unseen],
        "refused": [place.path for place in found.fixed],
        "seed": bench.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _number(found: Estimate) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high}


def _outcome(found: Outcome) -> dict[str, Any]:
    return {**_number(found.value), "verdict": found.verdict or None}


def _span(span: Span) -> dict[str, Any]:
    low, high = span.ends
    moves = (None if move is None else move.new for move in (span.low, span.high))
    ends = zip(("lowest", "highest"), (low, high), moves, strict=True)
    return {
        "path": span.place.path,
        "is": span.place.old,
        **{name: {"to": new, **_number(end)} for name, end, new in ends},
        "width": span.width,
        "flips": [move.new for move in span.flips],
    }


def _flip(flip: Flip, most: int) -> dict[str, Any]:
    moves = [{"path": move.place.path, "from": move.place.old, "to": move.new} for move in flip.moves]
    return {"found": flip.found, "most": most, "moves": moves, **_outcome(flip.outcome)}


def _region(drawn: Region) -> dict[str, Any]:
    cells = [[None if cell is None else _outcome(cell) for cell in row] for row in drawn.cells]
    return {"across": _turn(drawn.across), "down": _turn(drawn.down), "cells": cells, "stands": drawn.stands}


def _turn(turn: Turn) -> dict[str, Any]:
    return {"of": list(turn.of), "from": turn.one, "to": turn.other, "steps": list(turn.steps)}
