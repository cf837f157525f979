"""The page of one trial, told: how it ended, what was left from turn to turn, and every turn in words."""

from __future__ import annotations

from collections.abc import Iterator

import balance as toolkit
from balance.numbers import show_many
from balance.protocol.question import Question
from balance.protocol.replay import Replay
from balance.report.document import Block, Bullets, Callout, Cell, Column, Document, Figure, Paragraph, Section, Table
from balance.report.lines import Series, plot_lines
from balance.report.text import literal

__all__ = ["replay_document"]


def replay_document(question: Question, replay: Replay) -> Document:
    """Return the page of a trial that was told.

    Examples
    --------
    >>> from balance.protocol.loaded import load
    >>> asked = load("immortal_souls").ask("encounter", "ecarus,auriel", "ambush")
    >>> replay_document(asked, asked.replay(trial=3, seed=1)).title
    'Ecarus, White Rose Knight, Auriel, Light Mage against Ambush in the Village'
    """
    one, other = (question.loaded.label(entrant) for entrant in question.entrants)
    catalogue = question.loaded.catalogue
    return Document(
        f"{one} against {other}",
        f"{question.loaded.game.title}: trial {replay.trial:,} of the simulation with seed {replay.seed}",
        (_in_short(replay), _turns(replay), _played(question)),
        (
            ("Game", question.loaded.game.title),
            ("Rules version", catalogue.rules_version),
            ("Catalogue", catalogue.sha256[:16]),
            ("Seed", str(replay.seed)),
            ("Trial", f"{replay.trial:,}"),
            ("Made with", f"balance {toolkit.__version__}"),
        ),
    )


def _in_short(replay: Replay) -> Section:
    """Return how it began and ended."""
    told = replay.told
    last = (
        f"{told.lines[-1].when}, after {show_many(len(told.lines), 'turn')}" if told.lines else "Before anybody's turn"
    )
    blocks = (
        Callout("key", told.end.rstrip("."), literal(f"{last}.")),
        Paragraph(literal(f"{told.start}.")),
        Callout(
            "caution",
            "One trial is no evidence",
            "It shows how the rules play. How often it ends so, many trials tell, with their error bars.",
        ),
    )
    return Section("In short", "in-short", blocks)


def _turns(replay: Replay) -> Section:
    """Return what was left after every turn, and every turn in words."""
    rows = [
        (Cell(str(number), number), Cell(line.when), Cell(line.who), Cell(line.text or "nothing else"))
        for number, line in enumerate(replay.told.lines, 1)
    ]
    columns = (Column("Turn", "right"), Column("When"), Column("Who"), Column("What happens"))
    blocks = (_figure(replay), Table(columns, tuple(rows), "Every turn in which something happens"))
    return Section("Turn by turn", "turns", blocks if rows else (Paragraph("It is over before anybody's turn."),))


def _figure(replay: Replay) -> Figure:
    told = replay.told
    left = [told.begun_with, *(line.left for line in told.lines)]
    columns = list(zip(told.counted, zip(*left, strict=True), strict=True))
    ends = ", ".join(f"{name} from {values[0]} to {values[-1]}" for name, values in columns)
    turns = tuple(range(len(left)))
    picture = plot_lines(
        [Series(name, turns, tuple(map(float, values))) for name, values in columns], "turn", "health left", steps=True
    )
    return Figure(picture, f"Health left after each turn: {ends}.", "Health left after each turn")


def _played(question: Question) -> Section:
    """Return how it is played, what was changed and chosen, and what it cannot see."""
    return Section("How it is played", "played", tuple(_said(question)))


def _said(question: Question) -> Iterator[Block]:
    kind = question.kind
    yield Paragraph(literal(kind.played))
    if question.changes:
        yield Paragraph(literal(f"Changed: {', '.join(question.changes)}."))
    if question.choices:
        yield Paragraph(literal(f"Chosen: {', '.join(f'{name} {value}' for name, value in question.choices)}."))
    if kind.cannot_see:
        yield Paragraph("What it cannot see:")
        yield Bullets(tuple(map(literal, kind.cannot_see)))
