"""The grid of faces turned: each cell is what closed form says, and what the game says of those faces."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.analysis.claims.conclusion import Claim
from balance.analysis.claims.region import Turn
from balance.analysis.claims.robustness import robustness
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.analysis.coins import STATED, written

TOSS = Query("toss", "ann", "bob")


def test_every_cell_is_what_closed_form_says(tmp_path: Path) -> None:
    """5 faces of a hit and 2 of b: a face of a turned to MIS takes 1/12, and so does one of b turned to HIT."""
    drawn = robustness(Runner(written(tmp_path)), TOSS).region
    assert drawn is not None
    assert (drawn.across.of, drawn.across.old, drawn.across.new) == (("a",), "HIT", "MIS")
    assert (drawn.down.of, drawn.down.old, drawn.down.new) == (("b",), "MIS", "HIT")
    assert (list(drawn.across.steps), list(drawn.down.steps)) == ([*range(-1, 6)], [*range(-2, 5)])
    stands = 0
    for y, row in zip(drawn.down.steps, drawn.cells, strict=True):
        for x, cell in zip(drawn.across.steps, row, strict=True):
            twelfths = 9 - x - y
            assert cell is not None
            assert cell.value.value == pytest.approx(twelfths / 12)
            assert cell.verdict == ("above" if twelfths > 6 else "tied" if twelfths == 6 else "below")
            stands += twelfths > 6
    assert drawn.stands == stands / 49


def test_no_more_than_five_faces_turn_and_plain_ones_first(tmp_path: Path) -> None:
    found = robustness(Runner(written(tmp_path, ["HIT;HIT", *["HIT"] * 7, "MIS", "HIT;MIS"])), TOSS)
    drawn = found.region
    assert drawn is not None
    turn = drawn.across if drawn.across.of == ("a",) else drawn.down
    assert turn.forward == tuple((f"faces.a_{at}.results", "MIS") for at in range(2, 7))
    assert turn.backward == (("faces.a_9.results", "HIT"), ("faces.a_10.results", "HIT;HIT"))
    assert turn.values(2) == {"faces.a_2.results": "MIS", "faces.a_3.results": "MIS"}
    assert turn.values(-2) == dict(turn.backward)
    assert turn.values(0) == {}
    assert turn.face_paths == {f"faces.a_{at}.results" for at in (2, 3, 4, 5, 6, 9, 10)}


def test_only_the_first_of_two_results_is_turned(tmp_path: Path) -> None:
    """3 faces of 2 hits each: n of them turned are n faces of 1 hit, which lose to 2 and tie with 1."""
    drawn = robustness(Runner(written(tmp_path, ["HIT;HIT"] * 3, ["HIT;HIT"] * 3)), TOSS).region
    assert drawn is not None
    for turn, die in ((drawn.across, "a"), (drawn.down, "b")):
        assert turn.of == (die,)
        assert turn.forward == tuple((f"faces.{die}_{at}.results", "MIS;HIT") for at in (1, 2, 3))
        assert turn.backward == ()
    cells = [[cell and round(18 * cell.value.value) for cell in row] for row in drawn.cells]
    assert cells == [[9 - 3 * x + 3 * y for x in range(4)] for y in range(4)]


def test_without_faces_that_may_turn_there_is_no_grid(tmp_path: Path) -> None:
    stated = (*STATED, *(f"faces,b_{at},results" for at in range(1, 7)))
    assert robustness(Runner(written(tmp_path, stated=stated)), TOSS).region is None
    assert robustness(Runner(load("warforged")), Query("attack", "nexus+shotgun", "trooper")).region is None


def test_a_turn_counts_backwards_below_zero() -> None:
    turn = Turn((), "x", "y", (("t.1.f", "y"),), (("t.2.f", "x"), ("t.3.f", "x;z")))
    assert list(turn.steps) == [-2, -1, 0, 1]
    assert [turn.values(n) for n in turn.steps] == [{"t.2.f": "x", "t.3.f": "x;z"}, {"t.2.f": "x"}, {}, {"t.1.f": "y"}]


@pytest.mark.slow("test_every_cell_is_what_closed_form_says")
def test_two_turns_of_a_real_game_touch_no_face_in_common() -> None:
    found = robustness(
        Runner(load("immortal_souls")), Query("duel", "ecarus", "red_bandit"), None, Claim("at_least", 0.1), ["faces"]
    )
    drawn = found.region
    assert drawn is not None
    assert not drawn.across.face_paths & drawn.down.face_paths
    cells = [cell for row in drawn.cells for cell in row if cell is not None]
    assert drawn.stands == sum(cell.verdict == "holds" for cell in cells) / len(cells)
    assert {cell.verdict for cell in cells} == {"holds", "fails"}
