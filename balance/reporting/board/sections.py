"""A battle on a board as sections of a document: the units, then for every turn its steps and its picture."""

from __future__ import annotations

from collections.abc import Sequence

from balance.answers.blocks.document import Figure, PageBreak, Picture, Section
from balance.answers.blocks.lines import Paragraph
from balance.answers.blocks.tables import Cell, Column, Table
from balance.answers.blocks.text import literal
from balance.game.question.board_story import BoardStory
from balance.reporting.board.drawing import BoardLayout, whole_svg
from balance.reporting.board.turns import Turn, picture_of, score_of, turn_name, turns_of

ROOM = (480.0, 400.0)
"""Points that the picture of a board may be wide and high on paper."""

SHAPES = ("round", "square", "square on a corner", "six-sided")
HOW_TO_READ = (
    "In the pictures, the units of {}; the bar below a unit is its health, a "
    "yellow sign beside it a state it is in. Numbers are those of the steps. A whole line with a head is a move, a "
    "broken arc a jump; a red line is a shot, and one that is broken and ends in a cross has missed. Orange cells were "
    "reached by an explosion. Green blades are light cover, hatched cells heavy cover, a star is an objective; bases "
    "have a rim, whole or broken. A cell is named by the letter of its column and the number of its row."
)


def board_sections(story: BoardStory) -> tuple[Section, ...]:
    """Return the units, then one section for each turn, each on a page of its own."""
    turns = [_turn(story, turn, first=number == 0) for number, turn in enumerate(turns_of(story))]
    end = Section("The end", "the-end", (PageBreak(), _picture(story, None, "How all stand at the end")))
    return _units(story), Section("Turn by turn", "turns", (PageBreak(), *turns, end))


def _units(story: BoardStory) -> Section:
    """Return who fights, and how to read the pictures."""
    columns = (Column("Name"), Column("Unit"), Column("Side"), Column("Health", "right"))
    rows = tuple(
        (Cell(token.name), Cell(token.label), Cell(story.sides[token.side]), Cell(str(token.health), token.health))
        for token in story.tokens
    )
    read = Paragraph(literal(HOW_TO_READ.format(_shapes(story.sides))))
    return Section("Units and pictures", "units", (read, Table(columns, rows, "The units, and their health at first")))


def _shapes(sides: Sequence[str]) -> str:
    first, *others = (f"{name} are {shape}" for name, shape in zip(sides, SHAPES, strict=False))
    return " and those of ".join([first, *others])


def _turn(story: BoardStory, turn: Turn, *, first: bool) -> Section:
    """Return the steps of a turn and its picture, on a new page unless it is the first one."""
    name = turn_name(story, turn)
    columns = (Column("Step", "right"), Column("Who"), Column("What happens"), Column("Dice"))
    frames = ((number, story.frames[number]) for number in turn.numbers)
    rows = tuple(
        (Cell(str(number), number), Cell(frame.actor), Cell(frame.text or "nothing else"), Cell("; ".join(frame.dice)))
        for number, frame in frames
    )
    score = "; ".join(f"{row[0]} {' and '.join(row[1:])}" for row in score_of(story, turn.numbers[-1]))
    steps = Table(columns, rows, literal(f"{name}, step by step"), literal(f"Afterwards: {score}."))
    picture = _picture(story, turn, f"{name}: how all stand before it, and its steps by number")
    return Section(name, f"step-{turn.numbers[0]}", (steps, picture) if first else (PageBreak(), steps, picture))


def _picture(story: BoardStory, turn: Turn | None, caption: str) -> Figure:
    plan = BoardLayout(story.ground)
    layers, alt = picture_of(story, turn)
    share = min(room / length for room, length in zip(ROOM, plan.size, strict=True))
    return Figure(Picture(whole_svg(plan, layers, alt, share)), alt, literal(caption))
