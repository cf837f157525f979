"""The key to the pictures of a battle: a small picture of everything that can be drawn, and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD
from balance.game.question.board_story import (
    HEAVY,
    LIGHT,
    OPEN,
    Act,
    Blast,
    BoardStory,
    Frame,
    Ground,
    Sign,
    Token,
    TokenState,
)
from balance.reporting.board.acts import draw_over, draw_under
from balance.reporting.board.drawing import MARGIN, BoardLayout, draw_ground, draw_units, whole_svg

SHARE = 0.6
Bases: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]

_START_CELL, _END_CELL = 0, 2 * COLUMN_CELLS
_ACTS: dict[str, tuple[Act, int]] = {
    "a move": (Act("move", 0, (_START_CELL, COLUMN_CELLS, _END_CELL)), 0),
    "a jump": (Act("jump", 0, (_START_CELL, _END_CELL)), 0),
    "a hit, with the health lost": (Act("shot", 0, (_START_CELL, _END_CELL), "hit"), 2),
    "a miss": (Act("shot", 0, (_START_CELL, _END_CELL), "miss"), 0),
    "an explosion; a unit falls": (
        Act("own", 0, (_START_CELL,), "", (Blast(_END_CELL, (COLUMN_CELLS, _END_CELL)),)),
        5,
    ),
}
"""What is told of an action, the action, and the health that the other unit loses by it."""


def key_of(story: BoardStory) -> Iterator[tuple[str, str]]:
    """Yield (small picture, its meaning) for everything drawn, of ground and states only what this battle has."""
    for side, name in enumerate(story.sides):
        yield _units(side), f"a unit of {name} with its health"
    ground = story.ground
    kinds = {ground.terrain[cell] for cell in ground.cells()}
    for code, words in ((LIGHT, "light cover"), (HEAVY, "heavy cover")):
        if code in kinds and not ground.signs:
            yield _cell(ground, code), words
    for sign in {sign.words: sign for sign in ground.signs}.values():
        yield _cell(ground, ground.terrain[sign.cell], signs=(Sign(0, sign.letters, sign.words),)), sign.words
    for side, name in enumerate(story.sides):
        if ground.bases[side]:
            yield _cell(ground, OPEN, bases=((), (0,)) if side else ((0,), ())), f"base of {name}"
    if ground.objectives:
        yield _cell(ground, OPEN, objectives=(0,)), "objective"
    act_kinds = {frame.act.kind for frame in story.frames if frame.act} | {"own"}
    for words, (act, loss) in _ACTS.items():
        if act.kind in act_kinds and (not act.blasts or any(frame.act and frame.act.blasts for frame in story.frames)):
            yield _act(act, loss, words), words


def _cell(
    ground: Ground,
    code: int,
    bases: Bases = ((), ()),
    objectives: tuple[int, ...] = (),
    signs: tuple[Sign, ...] = (),
) -> str:
    """Return a picture of one cell of the ground's shape, with what may be on it."""
    plan = BoardLayout(Ground(ground.shape, 1, 1, (code,) * COLUMN_CELLS, bases, objectives, signs=signs))
    return whole_svg(plan, (draw_ground(plan),), "", SHARE, MARGIN - 1)


def _units(side: int) -> str:
    """Return a picture of a side's unit with a state."""
    plan = BoardLayout(Ground("square", 1, 1, (OPEN,) * COLUMN_CELLS))
    token = Token("", side, "U1", 4)
    return whole_svg(plan, (draw_units(plan, (token,), (TokenState(0, 3),)),), "", SHARE, MARGIN - 1)


def _act(act: Act, loss: int, words: str) -> str:
    """Return a picture of an action beside a unit that loses health by it."""
    ground = Ground("square", 3, 1, (OPEN,) * (3 * COLUMN_CELLS))
    tokens = (Token("", 0, "U1", 5), Token("", 1, "U1", 5))
    is_move = act.kind in ("move", "jump")
    target_cell = OFF_BOARD if is_move or loss >= 5 else _END_CELL
    first = (TokenState(_START_CELL, 5), TokenState(OFF_BOARD if is_move else _END_CELL, 5))
    after = (TokenState(_END_CELL if is_move else _START_CELL, 5), TokenState(target_cell, 5 - loss))
    story = BoardStory(ground, ("", ""), tokens, (Frame("", 0, "", "", first), Frame("", 0, "", "", after, act)))
    plan = BoardLayout(ground)
    layers = (draw_under(plan, story, 1), draw_units(plan, tokens, after), draw_over(plan, story, 1))
    return whole_svg(plan, layers, words, SHARE, MARGIN - 4)
