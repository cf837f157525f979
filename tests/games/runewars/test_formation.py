"""Threat of trays in ranks, and trays that are added; one hit that joins makes damage of the threat itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.games.runewars.rules.formation import Formation, ranks_of, trays_of, with_tray
from tests.games.runewars.plays import duel, end, only, strike

SHAPE = {"columns": 3, "ranks": 2, "partial": 2}
"""Three trays, three trays, two trays."""


def threat(shape: dict[str, Any], **situation: Any) -> int:
    """Return the threat of a shape: the damage of one hit, on a defender whom it cannot destroy."""
    return only(strike({"add_hits": 1, **shape}, {"defence": 99}, **situation))["damage"]


def threats(shape: dict[str, Any], **rules: Any) -> list[int]:
    """Return threats at the front, and at side and rear for each way to touch the partial rank."""
    where = [("front", "none"), *((edge, touch) for edge in ("side", "rear") for touch in ("none", "some", "only"))]
    return [threat(shape, edges=edge, touches_partial=touch, rules=rules) for edge, touch in where]


# -- threat -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RW-THR.1")
@pytest.mark.parametrize(
    ("shape", "front", "side", "rear"),
    [
        # the front; the side: untouched, touched, only; the rear likewise
        (SHAPE, 3, [2, 3, 3], [3, 3, 2]),
        ({"columns": 3, "ranks": 2, "partial": 1}, 3, [2, 3, 3], [3, 3, 1]),
        ({"columns": 2, "ranks": 1, "partial": 1}, 2, [1, 2, 2], [2, 2, 1]),
        ({"columns": 4, "ranks": 3, "partial": 3}, 4, [3, 4, 4], [4, 4, 3]),
        ({"columns": 3, "ranks": 2}, 3, [2, 2, 2], [3, 3, 3]),
        ({"columns": 1, "ranks": 4}, 1, [4, 4, 4], [1, 1, 1]),
    ],
)
def test_a_partial_rank_counts_by_the_edge_and_by_what_is_touched(
    shape: dict[str, int], front: int, side: list[int], rear: list[int]
) -> None:
    assert threats(shape) == [front, *side, *rear]


@pytest.mark.rule("RW-THR.1")
def test_before_the_errata_all_ranks_count_at_the_side_and_the_last_at_the_rear() -> None:
    assert threats(SHAPE, partial_rank_threat="original") == [3, 3, 3, 3, 2, 2, 2]
    assert threats({"columns": 3, "ranks": 2}, partial_rank_threat="original") == [3, 2, 2, 2, 3, 3, 3]


@pytest.mark.rule("RW-THR.2")
def test_the_side_counts_full_ranks_and_the_partial_one_if_it_is_touched() -> None:
    for ranks in (1, 2, 3):
        shape = {"columns": 3, "ranks": ranks, "partial": 1}
        assert threat(shape, edges="side", touches_partial="none") == ranks
        assert threat(shape, edges="side", touches_partial="some") == ranks + 1


@pytest.mark.rule("RW-THR.3")
def test_the_rear_counts_the_partial_rank_if_nothing_else_is_touched() -> None:
    for partial in (1, 2, 3, 4):
        shape = {"columns": 5, "ranks": 2, "partial": partial}
        assert threat(shape, edges="rear", touches_partial="only") == partial
        assert threat(shape, edges="rear", touches_partial="some") == 5
        assert threat(shape, edges="rear", touches_partial="none") == 5


@pytest.mark.rule("RW-THR.4")
@pytest.mark.parametrize(
    ("edges", "touches", "threat_is"),
    [
        ("side,rear", "some,only", 3),  # 3 at the side, 2 at the rear
        ("side,rear", "none,only", 2),  # 2 at both
        ("side,rear", "none,some", 3),  # 2 at the side, 3 at the rear
        ("side,rear", "only", 3),  # said once for both
        ("front,side", "none", 3),
        ("side,side", "none,some", 3),
        ("front,side,rear,side", "none,none,only,none", 3),
    ],
)
def test_of_several_edges_the_attacker_picks_the_best(edges: str, touches: str, threat_is: int) -> None:
    assert threat(SHAPE, edges=edges, touches_partial=touches) == threat_is


@pytest.mark.rule("RW-THR.4")
def test_edges_may_be_told_in_any_order() -> None:
    one = strike({"red": 2, **SHAPE}, edges="side,rear", touches_partial="some,only").distribution
    other = strike({"red": 2, **SHAPE}, edges="rear,side", touches_partial="only,some").distribution
    assert one == other
    assert one != strike({"red": 2, **SHAPE}, edges="rear", touches_partial="only").distribution


@pytest.mark.rule("RW-THR.5")
def test_the_threats_that_the_diagrams_tell() -> None:
    shape = {"columns": 2, "ranks": 1, "partial": 1}
    assert threat(shape, edges="side", touches_partial="none") == 1
    assert threat(shape, edges="rear", touches_partial="only") == 1
    assert threat(shape, edges="side", touches_partial="some") == 2
    assert threat(shape, edges="rear", touches_partial="some") == 2
    assert threat(shape, edges="side,rear", touches_partial="some") == 2


def test_a_shot_has_the_threat_of_the_front_whatever_is_touched() -> None:
    for edges, touches in (("front", "none"), ("side", "none"), ("rear", "only")):
        asked = strike(
            {"add_hits": 1, "blue": 1, **SHAPE}, by="reanimate_archers", attack="ranged", edges=edges,
            touches_partial=touches,
        )  # fmt: skip
        assert {damage % 3 for damage in asked.distribution.marginal("damage").outcomes[:, 0].tolist()} == {0}


@pytest.mark.parametrize(
    ("suffered", "seen"),
    [
        (0, [3, 2, 2]),  # eight trays: 3, 3, 2
        (4, [3, 2, 1]),  # seven: 3, 3, 1
        (7, [3, 2, 1]),  # one figure of the seventh is left
        (8, [3, 2, 3]),  # six: 3, 3
        (20, [3, 1, 3]),  # three
        (21, [3, 1, 3]),  # of the third tray three figures are left
        (24, [2, 1, 2]),  # two: the front is narrower now
        (31, [1, 1, 1]),  # one figure
    ],
)
def test_wounds_of_the_attacker_take_trays_off_its_rear(suffered: int, seen: list[int]) -> None:
    shape = {**SHAPE, "wounds_suffered": suffered}
    found = [
        threat(shape, edges=e, touches_partial=t) for e, t in (("front", "none"), ("side", "none"), ("rear", "only"))
    ]
    assert found == seen


# -- trays that are added ---------------------------------------------------------------------------------------------


@pytest.mark.rule("RW-TRAY.1")
@pytest.mark.parametrize(
    ("unit", "shape", "suffered", "figures", "trays"),
    [
        ("spearmen", "2x2", 0, 16 + 4, 5),  # a tray of four
        ("spearmen", "2x2", 3, 13 + 4, 5),  # 4, 4, 4, 1 and a whole one
        ("oathsworn_cavalry", "2x2", 0, 8 + 2, 5),
        ("rune_golems", "2x2", 0, 4 + 1, 5),
    ],
)
def test_an_added_tray_is_whole(unit: str, shape: str, suffered: int, figures: int, trays: int) -> None:
    asked = duel({"trays_added": 1, "wounds_suffered": suffered}, one=f"{unit}+{shape}", round_limit=1)
    assert end(asked) == (0, 1, figures, 8, trays, 2)


@pytest.mark.rule("RW-TRAY.1")
def test_figures_of_an_added_tray_have_all_their_wounds() -> None:
    """Two golems of 2 wounds and an added one take 6 wounds: of 3 a round from the second round on, two rounds."""
    a = {"trays_added": 1, "wound_threshold": 2}
    b = {"add_mortal_strikes": 3}
    # round 1: 4 - 3 = 1 and 2; round 2: 3 - 3
    assert end(duel(a, b, one="rune_golems+2x1")) == (2, 2, 0, 8, 0, 2)
    assert end(duel(a, b, one="rune_golems+2x1", round_limit=1)) == (0, 1, 2, 8, 2, 2)


@pytest.mark.rule("RW-TRAY.3")
@pytest.mark.parametrize(
    ("rounds", "side_threat"),
    [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4)],
)
def test_added_trays_fill_the_rear_rank_and_then_open_a_new_one(rounds: int, side_threat: int) -> None:
    """Two trays and one more each round: in a flank full ranks count, of the trays as the round begins."""
    a = {"trays_added": 1, "add_hits": 1}
    asked = duel(a, {"columns": 9, "ranks": 4}, a_edges="side", round_limit=rounds)
    done = sum([1, 1, 2, 2, 3, 3, 4][:rounds])
    assert end(asked) == (0, rounds, 8 + 4 * min(rounds, 6), 144 - done, 2 + min(rounds, 6), -(-(144 - done) // 4))
    assert [1, 1, 2, 2, 3, 3, 4, 4][rounds] == side_threat


@pytest.mark.rule("RW-TRAY.4")
def test_no_tray_joins_four_full_ranks() -> None:
    for shape, trays in (({"columns": 3, "ranks": 4}, 12), ({"columns": 3, "ranks": 3, "partial": 2}, 12)):
        asked = duel({"trays_added": 9, **shape}, round_limit=1)
        assert end(asked) == (0, 1, 4 * trays, 8, trays, 2)
    assert end(duel({"trays_added": 9}, round_limit=1)) == (0, 1, 32, 8, 8, 2)


@pytest.mark.rule("RW-TRAY.4")
def test_a_rank_is_full_as_wide_as_the_front_is_by_then() -> None:
    """Of three trays in one rank one is left: four trays, one behind the other, are four full ranks of it."""
    a, b = {"trays_added": 1, "columns": 3, "ranks": 1, "add_mortal_strikes": 1}, {"add_mortal_strikes": 8}
    asked = duel(a, {**b, "columns": 9, "ranks": 4}, round_limit=1)
    assert end(asked) == (0, 1, 8, 143, 2, 36)
    weak = {"columns": 3, "ranks": 1, "wounds_suffered": 8}
    assert end(duel({**weak, "trays_added": 9}, round_limit=1)) == (0, 1, 16, 8, 4, 2)
    assert end(duel({**weak, "trays_added": 9, "columns": 1, "ranks": 3}, round_limit=1)) == (0, 1, 16, 8, 4, 2)


@pytest.mark.rule("RW-TRAY.5")
def test_a_lone_rank_is_never_widened() -> None:
    """A front of two, or of one, threatens as many in the second and the third round, after a tray was added."""
    a = {"trays_added": 1, "add_hits": 1}
    big = {"columns": 9, "ranks": 4}
    assert end(duel(a, big, round_limit=3)) == (0, 3, 20, 144 - 3 * 2, 5, 35)
    narrow = {**a, "columns": 1, "ranks": 1}
    assert end(duel(narrow, big, round_limit=3)) == (0, 3, 16, 144 - 3 * 1, 4, 36)


@pytest.mark.rule("RW-TRAY.5")
@pytest.mark.parametrize("volleys", [0, 1])
def test_a_lone_rank_that_lost_a_tray_is_not_widened_again(volleys: int) -> None:
    """Two trays are left of three; one is added in the first round, another in the second: threat 2 after both."""
    weak = {"trays_added": 1, "add_hits": 1, "columns": 3, "ranks": 1, "wounds_suffered": 4}
    asked = duel(weak, {"columns": 9, "ranks": 4}, volleys=volleys, round_limit=3)
    left = 144 - (3 - volleys) * 2  # nobody shoots in a volley
    assert end(asked) == (0, 3, 20, left, 5, -(-left // 4))


def test_how_ranks_stand_by_hand() -> None:
    form = Formation(3, 9, 4, 2, 4)
    assert trays_of(form, np.array([0, 1, 8, 9, 72])).tolist() == [0, 1, 1, 2, 9]
    assert [part.tolist() for part in ranks_of(np.array([1, 2, 3]), np.array([2, 3, 9]))] == [
        [1, 2, 3],
        [2, 1, 3],
        [0, 1, 0],
    ]
    assert with_tray(form, np.array([3, 1, 1, 2]), np.array([0, 3, 4, 7])).tolist() == [False, True, False, True]
