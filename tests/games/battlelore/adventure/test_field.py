"""The tables of a map: ways, sections and rear hexes, and sight against a plain twin in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import balance
from balance.base.arrays import IntArray
from balance.catalogue import Catalogue
from balance.chance.rolls.board import FAR, OFF_BOARD
from balance.games.battlelore import GAME
from balance.games.battlelore.adventure.map.adventure import Adventure, Deployed, Force, hexes
from balance.games.battlelore.adventure.map.field import CENTRE_BIT, LEFT_BIT, NO_LIMIT, RIGHT_BIT, Field, field_of
from balance.games.battlelore.tables import rules_of

N_CELLS = 144
TURNED = {cell: 16 * (8 - cell // 16) + (12 - cell // 16 % 2 - cell % 16) for cell in hexes()}
"""Cell -> the same cell for a player at the other edge."""


@cache
def catalogue() -> Catalogue:
    return balance.load(GAME).catalogue


def cell(name: str) -> int:
    """Return the cell of a hex such as "B12"."""
    return 16 * (ord(name[0]) - ord("A")) + int(name[1:]) - 1


def field_with(terrain: Mapping[str, str | tuple[str, ...]] = {}, *, lore: bool = False, **options: str) -> Field:
    """Return the field of open country with other terrains at some hexes, under some readings of the rules."""
    kinds: list[tuple[str, ...]] = [("countryside",) if number in TURNED else () for number in range(N_CELLS)]
    for name, ids in terrain.items():
        kinds[cell(name)] = (ids,) if isinstance(ids, str) else ids
    forces = (
        Force("south", "standard", 4, 4, (Deployed("blue_foot", 0),)),
        Force("north", "pennant", 4, 4, (Deployed("blue_foot", 140),)),
    )
    adventure = Adventure("test", "Test", lore, forces, 0, tuple(kinds))
    return field_of(adventure, catalogue(), rules_of(catalogue()).model_copy(update=options))


def test_the_board_has_113_hexes() -> None:
    field = field_with()
    assert np.count_nonzero(field.ground) == len(TURNED) == 113
    assert (field.neighbours != OFF_BOARD).sum(axis=1).tolist().count(6) == 113 - 2 * 13 - 7 * 2


# -- ways --------------------------------------------------------------------------------------------------------------


def middle(number: int) -> tuple[int, int]:
    """Return where the middle of a hex is: half hexes across, and rows."""
    return 2 * (number % 16) + number // 16 % 2, number // 16


def plain_neighbours(number: int) -> set[int]:
    x, row = middle(number)
    return {n for n in TURNED if (abs(middle(n)[0] - x), abs(middle(n)[1] - row)) in ((2, 0), (1, 1))}


def plain_steps(begin: int, passable: Iterable[int]) -> dict[int, int]:
    """Return how many steps lead where, ring by ring."""
    steps, ring, ground = {begin: 0}, {begin}, set(passable)
    while ring:
        ring = {n for number in ring for n in plain_neighbours(number) & ground if n not in steps}
        steps |= dict.fromkeys(ring, max(steps.values()) + 1)
    return steps


@pytest.mark.slow("test_the_board_has_113_hexes")
@pytest.mark.rule("BL-RNG-01")
def test_distances_are_those_of_a_slow_search() -> None:
    field = field_with()
    assert not {int(n) for n in field.neighbours[0]} - {OFF_BOARD}
    for number in TURNED:
        assert {int(n) for n in field.neighbours[number + 1]} - {OFF_BOARD} == plain_neighbours(number)
        steps = plain_steps(number, TURNED)
        assert field.distances[number + 1].tolist() == [FAR] + [steps.get(n, FAR) for n in range(N_CELLS)]


@pytest.mark.slow("test_units_block_as_a_plain_twin_says")
@pytest.mark.rule("BL-TER-04")
def test_ways_lead_round_water_and_over_fords_and_bridges() -> None:
    river = {f"E{place}": "watercourse" for place in range(1, 14)} | {"E3": "ford", "E11": "bridge"}
    field = field_with(river)
    dry = {n for n in TURNED if n // 16 != 4} | {cell("E3"), cell("E11")}
    for number in TURNED:
        steps = plain_steps(number, dry) if number in dry else {}
        assert field.walks[number + 1, 1:].tolist() == [steps.get(n, FAR) for n in range(N_CELLS)]


@pytest.mark.rule("BL-FLAG-03")
def test_rear_hexes_are_the_neighbours_in_the_row_behind() -> None:
    field = field_with()
    for side, behind in ((0, -1), (1, 1)):
        for number in TURNED:
            rear = {n for n in plain_neighbours(number) if n // 16 == number // 16 + behind}
            assert {int(n) for n in field.rear[side, number + 1]} - {OFF_BOARD} == rear
    assert field.rear[0, cell("B1") + 1].tolist() == [cell("A1"), cell("A2")]
    assert field.rear[1, cell("A1") + 1].tolist() == [cell("B1"), OFF_BOARD]
    assert field.rear[0, cell("A5") + 1].tolist() == [OFF_BOARD, OFF_BOARD]


@pytest.mark.rule("BL-SETUP-01", "BL-CMD-08")
def test_sections_share_the_hexes_that_a_line_cuts() -> None:
    field = field_with()
    names = {LEFT_BIT: "L", CENTRE_BIT: "C", RIGHT_BIT: "R"}
    rows = {}
    for row in "AB":
        bits = [int(field.section[0, cell(f"{row}{place}") + 1]) for place in range(1, 14 - (row == "B"))]
        rows[row] = ["".join(name for bit, name in names.items() if bits[k] & bit) for k in range(len(bits))]
    assert rows["A"] == ["R"] * 4 + ["C"] * 5 + ["L"] * 4
    assert rows["B"] == ["R"] * 3 + ["CR"] + ["C"] * 4 + ["LC"] + ["L"] * 3
    assert not field.section[:, 0].any()


def test_the_board_is_the_same_from_either_edge() -> None:
    field = field_with()
    assert {n: int(field.relative[1, n + 1]) for n in TURNED} == TURNED
    assert field.relative[:, 0].tolist() == [OFF_BOARD, OFF_BOARD]
    for number, turned in TURNED.items():
        assert field.section[1, number + 1] == field.section[0, turned + 1]
        turned_rear = [TURNED.get(int(n), OFF_BOARD) for n in field.rear[0, turned + 1]]
        assert field.rear[1, number + 1].tolist() == turned_rear
        near = {TURNED[int(n)] for n in field.neighbours[number + 1] if n != OFF_BOARD}
        assert near == plain_neighbours(turned)


# -- ground ------------------------------------------------------------------------------------------------------------


def code(field: Field, name: str) -> int:
    return int(field.ground[cell(name) + 1])


def test_ground_is_what_the_terrains_of_a_hex_are() -> None:
    field = field_with({"C3": "hill", "C4": ("hill", "rampart"), "C5": "rampart", "C6": ("forest", "rampart")})
    hill, walled, wall, wood = (code(field, f"C{place}") for place in (3, 4, 5, 6))
    plain = code(field, "A1")
    assert len(field.grounds) == 6
    assert not field.grounds[0].terrains
    assert [field.caps[plain, plain], field.caps[hill, plain], field.caps[plain, hill]] == [NO_LIMIT, 3, 2]
    assert [field.caps[hill, walled], field.caps[plain, walled], field.caps[hill, hill]] == [2, 2, 3]
    assert field.bold[walled].tolist() == [[1, 1], [0, 0]], "a rampart does nothing for a creature"
    assert field.stops[[plain, hill, walled, wall, wood]].tolist() == [False, False, True, True, True]
    assert field.free_along[[plain, hill, walled, wall, wood]].tolist() == [False, False, True, True, False]
    assert not field.stops_from[wall, walled]
    assert field.stops_from[wall, wood], "the forest stops whoever comes along the rampart"
    assert field.battles_from[wall, wood]
    assert not field.battles_from[plain, wall]
    stopping = field_with({"C4": ("hill", "rampart"), "C5": "rampart"}, rampart_along="stop")
    assert stopping.stops_from[code(stopping, "C5"), code(stopping, "C4")]
    assert stopping.battles_from[code(stopping, "C5"), code(stopping, "C4")]


@pytest.mark.rule("BL-LMK-11", "BL-LMK-04")
def test_a_stronghold_is_for_its_owner_and_the_friends_beside_it() -> None:
    field = field_with({"B5": "stronghold"})
    owned = replace(field, adventure=replace(field.adventure, owners=((cell("B5"), 1),)))
    near = {n + 1 for n in plain_neighbours(cell("B5"))}
    assert {int(n) for n in np.flatnonzero(owned.beside_bold[1])} == near
    assert not owned.beside_bold[0].any()
    assert owned.owner[cell("B5") + 1] == 1
    assert owned.bold[code(owned, "B5")].tolist() == [[1, 0], [0, 0]]


def test_with_lore_ground_may_change_into_what_is_listed_beforehand() -> None:
    field = field_with({"B5": "forest", "B7": "training_camp"}, lore=True)
    assert field.grounds[field.code_of(("forest", "secret_passage"))].bold(creature=False) == 1
    assert field.code_of(("countryside",)) == code(field, "A1")
    assert len(field.grounds) == 9  # with the four landmarks that a master may place


# -- sight: a twin that cuts segments by hexes -------------------------------------------------------------------------

Point = tuple[Fraction, Fraction]


def corners(x: int, row: int) -> list[Point]:
    """Return the corners of a hex, round; a row is as high as three quarters of a hex."""
    around = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
    return [(Fraction(x + dx), Fraction(3 * row + dy, 3)) for dx, dy in around]


def part_inside(begin: Point, end: Point, x: int, row: int) -> tuple[Fraction, Fraction, bool]:
    """Return from where to where a segment lies in a hex, rim included, and whether all of that is on its rim."""
    low, high, on_rim = Fraction(0), Fraction(1), False
    for a, b in pairwise([*corners(x, row), corners(x, row)[0]]):
        at_begin, at_end = ((b[1] - a[1]) * (p[0] - a[0]) - (b[0] - a[0]) * (p[1] - a[1]) for p in (begin, end))
        if at_begin == at_end:
            if at_begin < 0:
                return Fraction(1), Fraction(0), False
            on_rim |= at_begin == 0
        elif at_end > at_begin:
            low = max(low, at_begin / (at_begin - at_end))
        else:
            high = min(high, at_begin / (at_begin - at_end))
    return low, high, on_rim


@cache
def pieces(dx: int, drow: int) -> list[tuple[int, int, tuple[Fraction, Fraction], bool | None]]:
    """Return the hexes that a segment meets: step, from where to where, and whether on their rim to the left of it.

    The last is None for a hex that it crosses inside.
    """
    begin, end, met = (Fraction(0), Fraction(0)), (Fraction(dx), Fraction(drow)), []
    for row in range(min(0, drow), max(0, drow) + 1):
        for x in range(min(0, dx) - 2, max(0, dx) + 3):
            if (x - row) % 2 or (x, row) in ((0, 0), (dx, drow)):
                continue
            low, high, on_rim = part_inside(begin, end, x, row)
            if low < high:
                met.append((x, row, (low, high), dx * row - drow * x > 0 if on_rim else None))
    return met


def sees_plainly(begin: int, end: int, obstacles: set[int], same_edge: bool) -> bool:
    """Return whether a line of sight is open; hexes off the board are obstacles, the ends never are."""
    (x, row), (far_x, far_row) = middle(begin), middle(end)
    beside: dict[tuple[Fraction, Fraction], set[bool]] = {}
    for dx, drow, part, is_left in pieces(far_x - x, far_row - row):
        number = 16 * (row + drow) + (x + dx - (row + drow) % 2) // 2
        if x + dx >= 0 and number in TURNED and number not in obstacles:
            continue
        if is_left is None:
            return False
        beside.setdefault(part, set()).add(is_left)
    if same_edge:
        return not any(len(sides) == 2 for sides in beside.values())
    return len(set().union(*beside.values())) < 2


def pairs_within(reach: int, field: Field) -> list[tuple[int, int]]:
    return [(a, b) for a in TURNED for b in TURNED if 1 < field.distances[a + 1, b + 1] <= reach]


def occupied(*cells: Iterable[int]) -> IntArray:
    """Return where units stand in some trials."""
    table = np.zeros((len(cells), N_CELLS + 1), np.int8)
    for trial, numbers in enumerate(cells):
        table[trial, [n + 1 for n in numbers]] = 1
    return table


@pytest.mark.rule("BL-RNG-06", "BL-RNG-07", "BL-RNG-09")
@pytest.mark.parametrize("edge_sight", ["both_sides", "same_edge"])
def test_units_block_as_a_plain_twin_says(edge_sight: str) -> None:
    field, luck = field_with(edge_sight=edge_sight), np.random.default_rng(47)
    pairs = pairs_within(4, field)
    for share in (0.0, 0.15, 0.35):
        units = [n for n in TURNED if luck.random() < share]
        begin, end = np.array(pairs).T
        open_lines = field.sees(occupied(units), np.zeros(len(pairs), int), begin, end)
        plain = [sees_plainly(a, b, set(units), edge_sight == "same_edge") for a, b in pairs]
        assert open_lines.tolist() == plain


@pytest.mark.rule("BL-RNG-07", "BL-RNG-08", "BL-TER-02", "BL-TER-03", "BL-TER-05")
@pytest.mark.parametrize("hill_sight", ["over_adjacent", "target_only"])
def test_terrain_blocks_as_a_plain_twin_says(hill_sight: str) -> None:
    luck = np.random.default_rng(48)
    kinds = [("forest",), ("hill",), ("watercourse",), ("hill", "rampart"), ("ford",), ("landmark",)]
    names = [f"{chr(65 + n // 16)}{n % 16 + 1}" for n in TURNED]
    drawing = {name: kinds[luck.integers(6)] for name in names if luck.random() < 0.3}
    field = field_with(drawing, hill_sight=hill_sight)
    ids = {n: set(drawing.get(name, ())) for n, name in zip(TURNED, names, strict=True)}
    units = {n for n in TURNED if luck.random() < 0.05}
    pairs = pairs_within(4, field)
    plain = []
    for a, b in pairs:
        obstacles = units | {n for n in TURNED if ids[n] & {"forest", "hill", "rampart", "landmark"}}
        if "hill" in ids[a] and hill_sight == "over_adjacent":
            obstacles -= {n for n in plain_neighbours(a) if ids[n] == {"hill"} and n not in units}
        plain.append(sees_plainly(a, b, obstacles, same_edge=False))
    begin, end = np.array(pairs).T
    rows = np.zeros(len(pairs), int)
    assert field.sees(occupied(units), rows, begin, end).tolist() == plain
    assert field.sees(occupied(units), rows, begin, end, field.ground[None]).tolist() == plain


def sees(field: Field, begin: str, end: str, *units: str) -> bool:
    ends = np.array([cell(begin)]), np.array([cell(end)])
    return bool(field.sees(occupied(map(cell, (begin, end, *units))), np.array([0]), *ends)[0])


@pytest.mark.rule("BL-RNG-06", "BL-RNG-07")
def test_a_line_along_a_row_crosses_every_hex_between() -> None:
    field = field_with()
    assert sees(field, "A1", "A5")
    assert not sees(field, "A1", "A5", "A3")
    assert sees(field, "A1", "A5", "B2", "B3")
    assert not sees(field, "A1", "A6"), "out of reach of all weapons"
    assert sees(field, "A1", "A2", "B1")


@pytest.mark.rule("BL-RNG-09")
def test_a_line_along_an_edge_is_open_unless_both_sides_are_blocked() -> None:
    """BL-Q25: between B4 and B5, through C5, and between D4 and D5."""
    loose, strict = field_with(edge_sight="same_edge"), field_with()
    for units, loosely, strictly in [
        ((), True, True),
        (("B4",), True, True),
        (("B4", "D4"), True, True),
        (("B4", "D5"), True, False),
        (("B4", "B5"), False, False),
        (("C5",), False, False),
        (("C4", "C6"), True, True),
    ]:
        assert sees(loose, "A5", "E5", *units) is loosely, units
        assert sees(strict, "A5", "E5", *units) is strictly, units


@pytest.mark.rule("BL-RNG-07", "BL-RNG-09")
def test_half_hexes_at_the_rim_are_obstacles() -> None:
    field = field_with()
    for begin, end, beside in (("A1", "C1", "B1"), ("A13", "C13", "B12")):
        assert sees(field, begin, end)
        assert not sees(field, begin, end, beside)
    assert sees(field, "A1", "E1", "D2")
    assert not sees(field, "A1", "E1", "D1"), "the rim is to the left along both edges"
    assert sees(field_with({"B1": "watercourse"}), "A1", "C1")


@pytest.mark.rule("BL-RNG-08", "BL-TER-03")
def test_a_unit_on_a_hill_sees_over_the_hills_next_to_it() -> None:
    """BL-Q23."""
    hills = {"A3": "hill", "A4": "hill"}
    over, level = field_with(hills), field_with(hills, hill_sight="target_only")
    assert sees(over, "A3", "A6")
    assert not sees(level, "A3", "A6")
    assert not sees(over, "A3", "A6", "A4"), "a unit on that hill still blocks"
    assert not sees(over, "A2", "A6")
    assert not sees(over, "A6", "A3"), "who stands lower does not see over it"
    assert sees(over, "A1", "A3"), "what is in the target's hex never blocks"
    assert not sees(field_with({**hills, "A5": "hill"}), "A3", "A6"), "the second hill is not next to it"
    assert not sees(field_with({"A3": "hill", "A4": ("hill", "rampart")}), "A3", "A6")
