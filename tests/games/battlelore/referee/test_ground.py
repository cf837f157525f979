"""The referee's own board, by hand: distances, sections, ways back, sight, moves and limits of terrain."""

from __future__ import annotations

import pytest

from tests.games.battlelore.referee.games import shipped_tables
from tests.games.battlelore.referee.ground import Ground, distance, hex_of, name_of, rearward, sections

RULES = {"hill_sight": "over_adjacent", "edge_sight": "both_sides"}


def ground(**hexes: str) -> Ground:
    return Ground(shipped_tables(), {name: terrain.split("+") for name, terrain in hexes.items()})


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        ("A1", "A3", 2),
        ("A1", "B1", 1),
        ("B1", "A2", 1),
        ("A1", "C2", 2),
        ("A1", "B3", 3),
        ("E5", "I7", 4),
        ("A1", "I13", 16),
    ],
)
def test_distances(one: str, other: str, far: int) -> None:
    assert distance(hex_of(one), hex_of(other)) == distance(hex_of(other), hex_of(one)) == far


@pytest.mark.parametrize(
    ("place", "side", "those"),
    [
        ("A4", "b", {"left"}), ("A5", "b", {"centre"}), ("B4", "b", {"left", "centre"}), ("A10", "b", {"right"}),
        ("B9", "b", {"centre", "right"}), ("A4", "a", {"right"}), ("B9", "a", {"left", "centre"}),
        ("E7", "a", {"centre"}),
    ],
)  # fmt: skip
def test_a_hex_on_a_line_lies_in_both_sections(place: str, side: str, those: set[str]) -> None:
    assert sections(hex_of(place), side) == those


def test_a_retreat_leads_to_two_hexes_towards_the_own_edge() -> None:
    assert [name_of(place) for place in rearward(hex_of("E5"), "a")] == ["D4", "D5"]
    assert [name_of(place) for place in rearward(hex_of("B1"), "b")] == ["C1", "C2"]
    assert [name_of(place) for place in rearward(hex_of("C1"), "a")] == ["B1"]
    assert rearward(hex_of("A5"), "a") == []


@pytest.mark.parametrize(
    ("origin", "target", "units", "hexes", "sees"),
    [
        ("E3", "E6", (), {}, True),
        ("E3", "E6", ("E4",), {}, False),
        ("E3", "E6", (), {"E6": "forest"}, True),
        ("E3", "E6", (), {"E5": "forest"}, False),
        ("E3", "E6", (), {"E5": "watercourse"}, True),
        ("E5", "C5", ("D4",), {}, True),  # along the edge of D4 and D5
        ("E5", "C5", ("D4", "D5"), {}, False),
        ("E1", "C1", ("D1",), {}, False),  # a half hex lies to the left
        ("E5", "A5", ("D4",), {"B5": "forest"}, False),  # one on each side, at different edges
        ("E3", "E6", (), {"E3": "hill", "E4": "hill"}, True),
        ("E3", "E6", (), {"E3": "hill", "E5": "hill"}, False),
        ("E3", "E6", (), {"E4": "hill"}, False),
    ],
)
def test_sight(origin: str, target: str, units: tuple[str, ...], hexes: dict[str, str], sees: bool) -> None:
    standing = {hex_of(name) for name in (origin, target, *units)}
    assert ground(**hexes).sees(hex_of(origin), hex_of(target), standing, RULES) is sees


def test_readings_of_sight() -> None:
    board = ground(B5="forest")
    standing = {hex_of(name) for name in ("E5", "A5", "D4")}
    assert board.sees(hex_of("E5"), hex_of("A5"), standing, {**RULES, "edge_sight": "same_edge"})
    hills = ground(E3="hill", E4="hill")
    assert not hills.sees(hex_of("E3"), hex_of("E6"), set(), {**RULES, "hill_sight": "target_only"})


def test_moves_stop_in_forests_and_go_around_units() -> None:
    ways = ground(E5="forest", E3="watercourse").ways(hex_of("E4"), 2, {hex_of("D4")})
    reached = {name_of(place): {(way.hexes, way.may_battle) for way in arrivals} for place, arrivals in ways.items()}
    assert reached["E5"] == {(1, True), (2, True)}
    assert not {"E3", "D4"} & set(reached)
    assert "E6" not in reached
    assert reached["F5"] == {(2, True)}


def test_a_rampart_bars_battle_but_from_the_next_one() -> None:
    ways = ground(E5="rampart", E6="rampart").ways(hex_of("E5"), 1, set())
    assert {way.may_battle for way in ways[hex_of("E6")]} == {True}
    assert {way.may_battle for way in ground(E6="rampart").ways(hex_of("E5"), 1, set())[hex_of("E6")]} == {False}


@pytest.mark.parametrize(
    ("hexes", "dice"),
    [
        ({}, 4), ({"E5": "forest"}, 2), ({"E6": "forest"}, 2), ({"E5": "hill"}, 3), ({"E6": "hill"}, 2),
        ({"E5": "hill", "E6": "hill"}, 3), ({"E5": "hill", "E6": "hill+rampart"}, 2), ({"E5": "ford"}, 2),
        ({"E6": "ford"}, 4),
    ],
)  # fmt: skip
def test_limits_of_dice(hexes: dict[str, str], dice: int) -> None:
    assert ground(**hexes).cap(4, hex_of("E5"), hex_of("E6")) == dice
