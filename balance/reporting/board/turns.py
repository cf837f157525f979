"""A battle on a board cut into turns: the picture of each with numbered ways, the score, and how units are in words."""

from __future__ import annotations

from dataclasses import dataclass

from balance.chance.rolls.board import NOWHERE
from balance.game.question.board_story import BoardStory, Standing, Token, cell_name
from balance.reporting.board.acts import draw_ways
from balance.reporting.board.drawing import Plan, draw_ground, draw_units

__all__ = ["Turn", "picture_of", "score_of", "state_of", "turn_name", "turns_of"]


@dataclass(frozen=True)
class Turn:
    """Frames of one turn, rising, of a round; `side` is whose it is, -1 nobody's."""

    when: str
    side: int
    numbers: tuple[int, ...]


def turns_of(story: BoardStory) -> tuple[Turn, ...]:
    """Return the turns of a battle; what belongs to nobody's turn is told with the turn before it."""
    turns: list[Turn] = []
    for number, frame in enumerate(story.frames[1:], 1):
        last = turns[-1] if turns else None
        if last is not None and frame.when == last.when and frame.side in (last.side, -1):
            turns[-1] = Turn(last.when, last.side, (*last.numbers, number))
        else:
            turns.append(Turn(frame.when, frame.side, (number,)))
    return tuple(turns)


def turn_name(story: BoardStory, turn: Turn) -> str:
    """Return what a turn is called, such as "Round 2, Blue’s turn"."""
    return f"{turn.when}, {story.sides[turn.side]}’s turn" if turn.side >= 0 else turn.when


def picture_of(story: BoardStory, turn: Turn | None, ground: str = "") -> tuple[list[str], str]:
    """Return the layers of a turn's picture: where all stood before it, and what was done; None: the end.

    Parameters
    ----------
    ground
        What to draw the cells with; by default, the cells.

    Returns
    -------
    tuple
        The layers, and in words what the picture shows.
    """
    plan = Plan(story.ground)
    number = turn.numbers[0] - 1 if turn else len(story.frames) - 1
    ways, numbers = draw_ways(plan, story, turn.numbers if turn else ())
    units = draw_units(plan, story.tokens, story.frames[number].standings)
    lost, left = (" and ".join(map(str, counted)) for counted in (story.units_lost(number), story.health_left(number)))
    what = "when the turn begins, and what is done in it, by step" if turn else "at the end"
    alt = f"The board {what}. Units lost: {lost}; health left: {left}."
    return [ground or draw_ground(plan), ways, units, numbers], alt


def score_of(story: BoardStory, number: int) -> list[tuple[str, str, str]]:
    """Return the rows of the score after a frame: what is counted, and how much of it for each side."""
    lost, left = (tuple(map(str, counted)) for counted in (story.units_lost(number), story.health_left(number)))
    return [("units lost", lost[0], lost[1]), ("health left", left[0], left[1]), *story.frames[number].score]


def state_of(token: Token, standing: Standing) -> str:
    """Return how a unit is, in words.

    >>> state_of(Token("Nexus", 0, "N1", 8), Standing(16, 3)), state_of(Token("Nexus", 0, "N1", 8), Standing(-1, 0))
    ('3 of 8 at B1', 'fallen')
    """
    if standing.health <= 0:
        return "fallen"
    where = ", waits" if standing.cell == NOWHERE else f" at {cell_name(standing.cell)}"
    marks = ", ".join(f"{mark.sign} {mark.words}" for mark in standing.marks)
    return f"{standing.health} of {token.health}{where}{f'; {marks}' if marks else ''}"
