"""A battle on a board cut into turns: the picture of each with numbered ways, the score, and how units are in words."""

from __future__ import annotations

from dataclasses import dataclass

from balance.chance.rolls.board import OFF_BOARD
from balance.game.question.board_story import BoardStory, Token, TokenState, cell_name
from balance.reporting.board.acts import draw_ways
from balance.reporting.board.drawing import BoardLayout, draw_ground, draw_units


@dataclass(frozen=True)
class Turn:
    """Frames `numbers`, rising, of one turn; `side` is whose turn it is, -1 for nobody's."""

    round_name: str
    side: int
    numbers: tuple[int, ...]


def turns_of(story: BoardStory) -> tuple[Turn, ...]:
    """Return the turns of a battle; what belongs to nobody's turn is told with the turn before it."""
    turns: list[Turn] = []
    for number, frame in enumerate(story.frames[1:], 1):
        last = turns[-1] if turns else None
        if last is not None and frame.moment == last.round_name and frame.side in (last.side, -1):
            turns[-1] = Turn(last.round_name, last.side, (*last.numbers, number))
        else:
            turns.append(Turn(frame.moment, frame.side, (number,)))
    return tuple(turns)


def turn_name(story: BoardStory, turn: Turn) -> str:
    """Return the heading of a turn, such as "Round 2, Blue’s turn"."""
    return f"{turn.round_name}, {story.sides[turn.side]}’s turn" if turn.side >= 0 else turn.round_name


def picture_of(story: BoardStory, turn: Turn | None, ground: str = "") -> tuple[list[str], str]:
    """Return the layers of a turn's picture (where all stood before it, and what was done) and its text alternative.

    None for the turn gives the end of the battle; `ground` may replace the drawn cells.
    """
    plan = BoardLayout(story.ground)
    number = turn.numbers[0] - 1 if turn else len(story.frames) - 1
    ways, numbers = draw_ways(plan, story, turn.numbers if turn else ())
    units = draw_units(plan, story.tokens, story.frames[number].standings)
    losses, health = (
        " and ".join(map(str, counts)) for counts in (story.units_lost(number), story.health_left(number))
    )
    moment = "when the turn begins, and what is done in it, by step" if turn else "at the end"
    alt = f"The board {moment}. Units lost: {losses}; health left: {health}."
    return [ground or draw_ground(plan), ways, units, numbers], alt


def score_of(story: BoardStory, number: int) -> list[tuple[str, ...]]:
    """Return rows of the score after frame `number`, from 0: what is counted, and its value for each side."""
    losses, health = (tuple(map(str, counts)) for counts in (story.units_lost(number), story.health_left(number)))
    return [("units lost", *losses), ("health left", *health), *story.frames[number].score]


def state_of(token: Token, state: TokenState) -> str:
    """Return health, place and states of a unit in words; "fallen" without health.

    >>> nexus = Token("Nexus", 0, "N1", 8)
    >>> state_of(nexus, TokenState(16, 3)), state_of(nexus, TokenState(-1, 0))
    ('3 of 8 at B1', 'fallen')
    """
    if state.health <= 0:
        return "fallen"
    place = ", waits" if state.cell == OFF_BOARD else f" at {cell_name(state.cell)}"
    marks = ", ".join(f"{mark.sign} {mark.words}" for mark in state.marks)
    return f"{state.health} of {token.health}{place}{f'; {marks}' if marks else ''}"
