"""The records of a battle on a board say what does not fit, and count what is left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from balance.base.errors import UsageError
from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD
from balance.game.question.board_story import Act, BoardStory, Ground, Token, TokenState, cell_name, short_labels
from balance.game.question.narration import Line, told_on_board
from tests.reporting.battle_story import at, battle, ground


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"shape": "triangle"}, "board story: 'triangle' is no shape of a board; allowed: hex, square"),
        ({"rows": 17}, "board story: '7 x 17' is no size of a board; allowed: 1 x 1 to 31 x 16"),
        ({"columns": 32}, "board story: '32 x 5' is no size of a board; allowed: 1 x 1 to 31 x 16"),
        ({"columns": 0}, "board story: '0 x 5' is no size of a board; allowed: 1 x 1 to 31 x 16"),
        ({"terrain": (0,) * 111}, "board story: '111 cells' is no terrain of this board; allowed: 112"),
        ({"objectives": (5,)}, "board story: '5' is no cell of this board; allowed: 16 * column + row of 7 x 5"),
        ({"bases": ((), (112,))}, "board story: '112' is no cell of this board; allowed: 16 * column + row of 7 x 5"),
    ],
)
def test_a_ground_that_cannot_be_is_refused(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        replace(ground(), **changed)
    assert str(refused.value) == told


def test_the_cells_are_those_within_the_rows_that_are_cells() -> None:
    cells = list(ground().cells())
    assert len(cells) == 7 * 5 - 1
    assert at("E5") not in cells
    assert cells == sorted(cells)
    assert list(Ground("square", 1, 2, (0,) * COLUMN_CELLS).cells()) == [0, 1]


@pytest.mark.parametrize(
    "act",
    [
        {"kind": "fly", "path": (1, 2)},
        {"kind": "move", "path": (1,)},
        {"kind": "own", "path": ()},
        {"kind": "shot", "path": (1, 2), "result": "maybe"},
    ],
)
def test_an_action_that_cannot_be_drawn_is_refused(act: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Act(unit=0, **act)


@pytest.mark.parametrize("token", [("Nexus", 4, "N1", 8), ("Nexus", 0, "", 8), ("Nexus", 0, "N123", 8)])
def test_a_token_has_a_side_and_a_short_label(token: tuple[Any, ...]) -> None:
    with pytest.raises(UsageError):
        Token(*token)


def test_a_story_has_frames_that_know_every_unit_and_stay_on_the_ground() -> None:
    story = battle()
    first, second = story.frames[:2]
    astray = replace(first, standings=(TokenState(5, 8), *first.standings[1:]))
    shot = replace(second, act=Act("shot", 0, (0, 7)))
    for frames in ((), (replace(first, standings=first.standings[1:]),), (astray,), (first, shot)):
        with pytest.raises(UsageError):
            replace(story, frames=frames)
    with pytest.raises(UsageError):
        replace(story, frames=(first, replace(second, act=Act("own", 6, (0,)))))


def test_what_is_lost_and_left_is_counted_for_each_side() -> None:
    story = battle()
    assert (story.units_lost(0), story.health_left(0)) == ((0, 0), (19, 15))
    assert (story.units_lost(8), story.health_left(8)) == ((0, 1), (13, 10))
    assert story.units_lost(len(story.frames) - 1) == (2, 1)


def test_a_cell_is_named_by_its_column_and_row() -> None:
    assert [cell_name(16 * column) for column in (0, 25, 26, 30)] == ["A1", "Z1", "AA1", "AE1"]
    assert cell_name(at("G4")) == "G4"


def test_labels_are_an_initial_and_a_number_whatever_the_name() -> None:
    assert short_labels(["<b>", "", "'?!", "étude", *["x"] * 8])[:4] == ("B1", "2", "3", "É4")
    assert max(map(len, short_labels(["ß"] * 12))) <= 3


def test_it_is_told_in_lines_too() -> None:
    story = battle()
    told = told_on_board("Deployed", story, "Blue has won.")
    assert told.board is story
    assert told.begun_with == {"Blue": 19, "Red & co": 15}
    assert len(told.lines) == len(story.frames) - 1
    held = {"rounds held": {"Blue": "0", "Red & co": "0"}}
    assert told.lines[0] == Line("Round 1, Blue", "N1 Nexus", "moves to D3", told.begun_with, score=held)
    assert story.frames[1].sentence() == "N1 Nexus: moves to D3"
    assert isinstance(story, BoardStory)
    assert story.frames[0].standings[2].cell == OFF_BOARD
