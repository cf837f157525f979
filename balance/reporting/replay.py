"""The page of one trial, told: how it ended, what was left from turn to turn, and every turn in words.

A trial on a board has a page of its own to be stepped through, and here a picture of every turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from balance.answers.blocks.document import Block, Callout, Document, Figure, Section
from balance.answers.blocks.lines import Bullets, Paragraph
from balance.answers.blocks.tables import Cell, Column, Table
from balance.answers.blocks.text import literal, plain
from balance.base import __version__
from balance.base.numbers import show_many
from balance.game.question.question import Question
from balance.game.question.replay import Replay
from balance.reporting.board.page import board_page
from balance.reporting.board.sections import board_sections
from balance.reporting.figures.lines import Series, plot_lines
from balance.reporting.page.report_files import draw_report


def draw_replay(question: Question, replay: Replay, form: str) -> bytes:
    """Return the page of a trial as `html` or `pdf`; as `html` a battle on a board can be stepped through.

    Raises `UsageError` for any other form.
    """
    document = replay_document(question, replay)
    if replay.board is not None and form == "html":
        remarks = (
            *(block.text for block in _method_blocks(question) if isinstance(block, Paragraph)),
            *question.kind.cannot_see,
        )
        return board_page(document, replay.board, replay.end, tuple(map(plain, remarks))).encode()
    ((_, content),) = draw_report(document, [form])
    return content


def replay_document(question: Question, replay: Replay) -> Document:
    """Return the page of a trial that was told."""
    first, second = (question.game.label(entrant) for entrant in question.entrants)
    catalogue = question.game.catalogue
    return Document(
        f"{first} against {second}",
        f"{question.game.definition.title}: trial {replay.trial:,} of the simulation with seed {replay.seed}",
        (_in_short(replay), *_events(replay), Section("How it is played", "played", tuple(_method_blocks(question)))),
        (
            ("Game", question.game.definition.title),
            ("Rules version", catalogue.rules_version),
            ("Catalogue", catalogue.sha256[:16]),
            ("Seed", str(replay.seed)),
            ("Trial", f"{replay.trial:,}"),
            ("Made with", f"balance {__version__}"),
        ),
    )


def _in_short(replay: Replay) -> Section:
    """Return the section on how it ended, what was left from turn to turn or step to step, and how it began."""
    unit = "step" if replay.board else "turn"
    count_text = show_many(len(replay.lines), unit)
    last = f"{replay.lines[-1].moment}, after {count_text}" if replay.lines else "Before anybody's turn"
    return Section("In short", "in-short", (
        Callout("key", replay.end.rstrip("."), literal(f"{last}.")),
        *([_figure(replay, unit)] if replay.lines else []),
        Paragraph(literal(f"{replay.start}.")),
        Callout(
            "caution",
            "One trial is no evidence",
            "It shows how the rules play. How often it ends so, many trials tell, with their error bars.",
        ),
    ))  # fmt: skip


def _events(replay: Replay) -> tuple[Section, ...]:
    """Return the sections of what happened, drawn on a board where there is one, else in words."""
    return (_turns(replay),) if replay.board is None else board_sections(replay.board)


def _turns(replay: Replay) -> Section:
    """Return the section with every turn in words."""
    rows = [
        (Cell(str(number), number), Cell(line.moment), Cell(line.actor), Cell(line.text or "nothing else"))
        for number, line in enumerate(replay.lines, 1)
    ]
    columns = (Column("Turn", "right"), Column("When"), Column("Who"), Column("What happens"))
    turns = Table(columns, tuple(rows), "Every turn in which something happens")
    return Section("Turn by turn", "turns", (turns if rows else Paragraph("It is over before anybody's turn."),))


def _figure(replay: Replay, unit: str) -> Figure:
    """Return the picture of what was left of each side after each turn or step."""
    columns, turns = replay.counts(), tuple(range(len(replay.lines) + 1))
    ends = ", ".join(f"{name} from {values[0]} to {values[-1]}" for name, values in columns.items())
    series = [Series(name, turns, tuple(map(float, values))) for name, values in columns.items()]
    picture = plot_lines(series, unit, "health left", steps=True)
    return Figure(picture, f"Health left after each {unit}: {ends}.", f"Health left after each {unit}")


def _method_blocks(question: Question) -> Iterator[Block]:
    kind = question.kind
    yield Paragraph(literal(kind.played))
    if question.changes:
        yield Paragraph(literal(f"Changed: {', '.join(question.changes)}."))
    if question.choices:
        yield Paragraph(literal(f"Chosen: {', '.join(f'{name} {value}' for name, value in question.choices)}."))
    if kind.cannot_see:
        yield Paragraph("What it cannot see:")
        yield Bullets(tuple(map(literal, kind.cannot_see)))
