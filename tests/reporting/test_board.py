"""The drawings of a board: cells that touch, sides told apart without colour, what is drawn of each action."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

from balance.chance.rolls.board import COLUMN_CELLS
from balance.game.question.board_story import Act, Ground, Mark, Token, TokenState
from balance.reporting.board import drawing as board
from balance.reporting.board.acts import draw_over, draw_under, draw_ways, numbers_in_short
from balance.reporting.board.drawing import (
    BoardLayout,
    draw_ground,
    draw_marks,
    draw_token,
    draw_units,
    health_bar,
    whole_svg,
)
from balance.reporting.board.page import key_of
from balance.reporting.board.turns import picture_of, score_of, state_of, turn_name, turns_of
from balance.reporting.figures.theme import contrast
from tests.reporting.battle_story import HOSTILE, at, battle, ground

STORY = battle()
PLAN = BoardLayout(STORY.ground)


def near(shape: str, cell: int) -> list[int]:
    """Return the neighbours that the contract of the geometry names, on a board without an edge."""
    column, row = divmod(cell, COLUMN_CELLS)
    if shape == "square":
        places = [(column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row)]
    else:
        low = row if column % 2 else row - 1
        places = [(column, row - 1), (column, row + 1)]
        places += [(column + step, beside) for step in (-1, 1) for beside in (low, low + 1)]
    return [c * COLUMN_CELLS + r for c, r in places if 0 <= c < 7 and 0 <= r < 5]


@pytest.mark.parametrize(("shape", "apart"), [("hex", math.sqrt(3) * board.SIZE), ("square", board.EDGE)])
def test_neighbours_touch_and_others_do_not(shape: str, apart: float) -> None:
    plan = BoardLayout(ground(shape))
    cells = [16 * column + row for column in range(7) for row in range(5)]
    for cell in cells:
        around = {other for other in cells if math.dist(plan.centre(cell), plan.centre(other)) < 1.2 * apart} - {cell}
        assert around == set(near(shape, cell))
        assert all(math.dist(plan.centre(cell), plan.centre(other)) == pytest.approx(apart) for other in around)


def corners(path: str) -> set[tuple[float, float]]:
    return {(float(x), float(y)) for x, y in re.findall(r"([\d.-]+) ([\d.-]+)", path)}


@pytest.mark.parametrize(("shape", "many"), [("hex", 6), ("square", 4)])
def test_outlines_of_neighbours_share_two_corners_and_stay_on_the_paper(shape: str, many: int) -> None:
    plan = BoardLayout(ground(shape))
    wide, high = plan.size
    for cell in (at("C3"), at("D2"), at("A1"), at("G5"), at("F5")):
        own = corners(plan.outline(cell))
        assert len(own) == many
        assert all(0 <= x <= wide and 0 <= y <= high for x, y in own)
        for other in near(shape, cell):
            theirs = corners(plan.outline(other))
            assert sum(any(math.dist(one, two) < 0.3 for two in theirs) for one in own) == 2


def test_a_cell_that_is_none_is_not_drawn() -> None:
    filled = re.findall(r'<path d="[^"]+" fill="#[0-9a-f]+" stroke="#b9b2a1"', draw_ground(PLAN))
    assert len(filled) == len(list(STORY.ground.cells())) == 34
    assert PLAN.outline(at("E5")) not in draw_ground(PLAN)


def test_sides_are_told_apart_by_shape_and_readable() -> None:
    first, second = (draw_token(Token("x", side, "X1", 4), 4) for side in (0, 1))
    assert "<circle" in first
    assert "<circle" not in second
    bases = re.findall(r'stroke="(#[0-9a-f]+)" stroke-width="1.6" stroke-dasharray="([^"]+)"', draw_ground(PLAN))
    assert bases == [(board.SIDES[0], "none"), (board.SIDES[1], "5 3")]
    assert all(contrast("#ffffff", side) >= 4.5 for side in board.SIDES)
    assert contrast(board.INK, board.MARK) >= 4.5
    assert contrast(board.INK, board.CELLS[2]) >= 3


def test_a_bar_is_as_long_as_the_health_left() -> None:
    token = Token("x", 0, "X1", 4)
    assert [health_bar(token, left) for left in (-1, 0, 1, 4, 9)] == [0, 0, 6.5, 26, 26]
    assert health_bar(Token("x", 0, "X1", 0), 0) == 0
    assert 'class="left" x="-13" y="12" width="6.5"' in draw_token(token, 1)


def test_states_are_signs_beside_a_token_four_at_most() -> None:
    marks = [Mark(sign, "") for sign in ("S", "E12", "<", "D", "F")]
    texts = re.findall("<text[^>]*>([^<]*)</text>", draw_marks(marks))
    assert texts == ["S", "E1", "&lt;", "+"]
    assert re.findall("<text[^>]*>([^<]*)</text>", draw_marks(marks[:4])) == ["S", "E1", "&lt;", "D"]
    assert draw_marks(()) == ""


def test_units_that_wait_or_fell_are_not_drawn() -> None:
    drawn = draw_units(PLAN, STORY.tokens, STORY.frames[0].standings)
    assert re.findall("<text[^>]*>([^<]*)</text>", drawn) == ["N1", "A2", "T1", "S2"]


def test_every_picture_is_xml_without_anything_from_outside() -> None:
    for shape in ("hex", "square"):
        story = battle(shape)
        plan = BoardLayout(story.ground)
        for number, frame in enumerate(story.frames):
            layers = (
                draw_ground(plan),
                draw_under(plan, story, number),
                draw_units(plan, story.tokens, frame.standings),
            )
            picture = whole_svg(plan, (*layers, draw_over(plan, story, number)), HOSTILE)
            root = ElementTree.fromstring(picture)
            assert root[0].text == HOSTILE
            assert "nan" not in picture
            assert not re.search("href|url|@import|<script", picture.replace(root[0].text, ""))


@pytest.mark.parametrize(
    ("number", "words", "under", "over"),
    [
        (1, [], "stroke-linejoin", ""),
        (3, ["miss"], 'stroke-dasharray="4 3"', "miss"),
        (4, [], 'stroke-dasharray="7 4"', ""),
        (5, ["critical", "−5"], 'r="21"', "critical"),
        (8, ["hit", "−1", "T1", "−5"], 'fill-opacity=".3"', 'opacity="0.4"'),
        (12, ["D3", "−4"], 'fill-opacity=".3"', 'opacity="0.4"'),
        (13, [], "", ""),
    ],
)
def test_each_action_has_its_drawing(number: int, words: list[str], under: str, over: str) -> None:
    below, above = draw_under(PLAN, STORY, number), draw_over(PLAN, STORY, number)
    assert re.findall("<text[^>]*>([^<]*)</text>", above) == words
    assert under in below
    assert over in above
    assert bool(below) == (STORY.frames[number].act is not None)


def test_a_jump_straight_up_is_bent_aside() -> None:
    from balance.reporting.board.acts import _top

    assert _top((50, 100), (50, 20)) == (78, 60)
    assert _top((20, 50), (100, 50)) == (60, 22)


def test_the_word_of_a_shot_stands_where_no_unit_is() -> None:
    from balance.reporting.board.acts import _free_place

    assert _free_place([(0, 0), (30, 0)], [(5, 0)]) == (30, 0)
    assert _free_place([(0, 0), (30, 0)], []) == (0, 0)
    assert _free_place([(0, 0), (10, 0)], [(0, 0)]) == (10, 0)


def test_alike_shots_share_a_line_with_all_their_numbers() -> None:
    lines, numbers = draw_ways(PLAN, STORY, (9, 10, 11))
    assert lines.count('stroke="#b3122c" stroke-width="2.4"') == 1
    assert re.findall("<text[^>]*>([^<]*)</text>", numbers) == ["10 11"]
    assert draw_ways(PLAN, STORY, ()) == ("", "")
    assert numbers_in_short([1, 3, 4, 6, 7, 8]) == "1 3 4 6-8"


def test_turns_are_those_of_the_sides_and_nobody_has_none() -> None:
    turns = turns_of(STORY)
    assert [(turn.round_name, turn.side, turn.numbers) for turn in turns] == [
        ("Round 1", 0, (1, 2, 3)),
        ("Round 1", 1, (4, 5)),
        ("Round 2", 0, (6, 7, 8)),
        ("Round 2", 1, (9, 10, 11)),
        ("Round 3", 0, (12, 13)),
    ]
    assert turn_name(STORY, turns[1]) == "Round 1, Red & co’s turn"
    layers, alt = picture_of(STORY, turns[1])
    assert layers[0] == draw_ground(PLAN)
    assert alt == (
        "The board when the turn begins, and what is done in it, by step. Units lost: 0 and 0; health left: 19 and 15."
    )
    layers, alt = picture_of(STORY, None, "<use/>")
    assert layers[0] == "<use/>"
    assert alt == "The board at the end. Units lost: 2 and 1; health left: 7 and 10."


def test_the_score_is_counted_and_added_to() -> None:
    assert score_of(STORY, 13) == [("units lost", "2", "1"), ("health left", "7", "10"), ("rounds held", "1", "0")]


def test_how_a_unit_is_is_said() -> None:
    token = Token("Nexus", 0, "N1", 8)
    assert state_of(token, TokenState(-1, 8)) == "8 of 8, waits"
    assert state_of(token, TokenState(at("D3"), 3, (Mark("E1", "disabled"), Mark("B3", "burned")))) == (
        "3 of 8 at D3; E1 disabled, B3 burned"
    )


def test_the_key_has_what_the_battle_has() -> None:
    words = [word for _, word in key_of(STORY)]
    assert words == [
        "a unit of Blue with its health",
        "a unit of Red & co with its health",
        "light cover",
        "heavy cover",
        "base of Blue",
        "base of Red & co",
        "objective",
        "a move",
        "a jump",
        "a hit, with the health lost",
        "a miss",
        "an explosion; a unit falls",
    ]
    bare = Ground("square", 7, 5, (0,) * 112)
    frames = STORY.frames[:1]
    from dataclasses import replace

    assert len(list(key_of(replace(STORY, ground=bare, frames=frames)))) == 2
    for picture, _ in key_of(STORY):
        ElementTree.fromstring(picture)


def test_a_shot_at_the_own_cell_is_drawn_too() -> None:
    from dataclasses import replace

    odd = replace(STORY.frames[3], act=Act("shot", 0, (at("D3"), at("D3")), "hit"))
    story = replace(STORY, frames=(*STORY.frames[:3], odd))
    ElementTree.fromstring(f"<g>{draw_under(PLAN, story, 3)}{draw_over(PLAN, story, 3)}</g>")
