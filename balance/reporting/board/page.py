"""The page of a battle on a board: one HTML file that is stepped through, and reads as pictures with words on paper.

Nothing is loaded from anywhere. The words of every step are in the page itself; the script only shows which step it is,
moves the units and swaps the drawings, which are made here. Without script, and when printed, there is a picture of
every turn beside its steps. Every text is escaped by the template engine, and the data have no character that could
end a script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from balance.answers.blocks.text import clean
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
from balance.reporting.board.drawing import (
    MARGIN,
    SIDES,
    BoardLayout,
    draw_ground,
    draw_marks,
    draw_token,
    draw_units,
    health_bar,
    whole_svg,
)
from balance.reporting.board.turns import Turn, picture_of, score_of, state_of, turn_name, turns_of
from balance.reporting.page.html import plain_colours, template, with_policy
from balance.reporting.page.svg import num

if TYPE_CHECKING:
    from balance.answers.blocks.document import Document

GROUND = '<use href="#ground"/>'
Json = dict[str, Any]
SHARE = 0.6
Bases: TypeAlias = tuple[tuple[int, ...], ...]
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


def board_page(document: Document, story: BoardStory, end: str, remarks: tuple[str, ...] = ()) -> str:
    """Return the text of one HTML file; the same battle gives the same text.

    Title, subtitle and facts are those of `document`; `end` says how the battle ended, and `remarks` go to the end of
    the page.
    """
    from markupsafe import Markup

    plan = BoardLayout(story.ground)
    wide, high = map(num, plan.size)
    colours = plain_colours()
    ratio = f"main{{--ratio:{round(plan.size[0] / plan.size[1], 3)}}}"
    ratio += "".join(f".side.s{side}{{color:{SIDES[side]}}}" for side in range(2, len(story.sides)))
    model = {
        "document": document,
        "story": story,
        "end": clean(end),
        "remarks": tuple(map(clean, remarks)),
        "box": f"0 0 {wide} {high}",
        "ground": Markup(draw_ground(plan)),
        "tokens": [Markup(draw_token(token, token.health)) for token in story.tokens],
        "states": [state_of(*pair) for pair in zip(story.tokens, story.frames[0].standings, strict=True)],
        "score": score_of(story, 0),
        "turns": [_turn(story, turn) for turn in turns_of(story)],
        "last": _still(story, None),
        "key": [(Markup(picture), words) for picture, words in key_of(story)],
        "colours": Markup(f"{colours}\n{ratio}"),
        "data": Markup(safe_json(_data(plan, story))),
    }
    return with_policy(template("board.html.j2").render(model) + "\n")


def _turn(story: BoardStory, turn: Turn) -> Json:
    """Return what the template needs of a turn: its title, its steps with frame numbers, and its picture."""
    return {
        "title": turn_name(story, turn),
        "steps": [(number, story.frames[number]) for number in turn.numbers],
        **_still(story, turn),
    }


def _still(story: BoardStory, turn: Turn | None) -> Json:
    from markupsafe import Markup

    layers, alt = picture_of(story, turn, GROUND)
    return {"picture": Markup("".join(layers)), "alt": alt}


def safe_json(data: object) -> str:
    r"""Return data as JSON without characters that could end a script element.

    >>> safe_json({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


class _TextNumbers:
    """Texts interned by number, so that a text that recurs is in the page once."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def _data(plan: BoardLayout, story: BoardStory) -> Json:
    """Return what the script needs: the place, bar, marks and state of each unit, drawings, the score of each frame."""
    numbering = _TextNumbers()
    frames = [_frame(plan, story, number, numbering) for number in range(len(story.frames))]
    return {"frames": frames, "texts": list(numbering.texts)}


def _frame(plan: BoardLayout, story: BoardStory, number: int, numbering: _TextNumbers) -> Json:
    frame = story.frames[number]
    units = []
    for token, state in zip(story.tokens, frame.standings, strict=True):
        x, y = (0.0, 0.0) if state.cell == OFF_BOARD else plan.centre(state.cell)
        bar = 0.0 if state.cell == OFF_BOARD else health_bar(token, state.health)
        texts = (draw_marks(state.marks), clean(state_of(token, state)))
        units.append([round(x, 1), round(y, 1), round(bar, 1), *map(numbering.number, texts)])
    return {
        "units": units,
        "under": numbering.number(draw_under(plan, story, number)),
        "over": numbering.number(draw_over(plan, story, number)),
        "score": [[numbering.number(clean(text)) for text in row] for row in score_of(story, number)],
    }


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
            yield _cell(ground, OPEN, bases=(*((),) * side, (0,))), f"base of {name}"
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
