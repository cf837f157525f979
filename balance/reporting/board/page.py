"""The page of a battle on a board: one HTML file that is stepped through, and reads as pictures with words on paper.

Nothing is loaded from anywhere. The words of every step are in the page itself; the script only shows which step it is,
moves the units and swaps the drawings, which are made here. Without script, and when printed, there is a picture of
every turn beside its steps. Every text is escaped by the template engine, and the data have no character that could
end a script.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from balance.answers.blocks.text import clean
from balance.chance.rolls.board import OFF_BOARD
from balance.game.question.board_story import BoardStory
from balance.reporting.board.acts import draw_over, draw_under
from balance.reporting.board.drawing import BoardLayout, draw_ground, draw_marks, draw_token, health_bar
from balance.reporting.board.key import key_of
from balance.reporting.board.turns import Turn, picture_of, score_of, state_of, turn_name, turns_of
from balance.reporting.page.html import plain_colours, template, with_policy
from balance.reporting.page.svg import num

if TYPE_CHECKING:
    from balance.answers.blocks.document import Document

GROUND = '<use href="#ground"/>'
Json = dict[str, Any]


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
