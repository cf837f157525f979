"""Maps of battles: what ships, what is refused and in which words, and what is made by luck."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import balance
from balance.base.errors import BalanceError, CatalogueError, UsageError
from balance.chance.rolls.board import Grid
from balance.games.warforged.battle.map.map_maker import made_map
from balance.games.warforged.battle.map.maps import (
    HEAVY,
    LIGHT,
    NO_CELL,
    OPEN,
    BattleMap,
    map_files,
    map_of,
    map_of_drawing,
    map_text,
    read_map,
)

ROOT = Path(__file__).parents[3]
SHIPPED = sorted((ROOT / "data" / "warforged" / "maps").iterdir())
HEAD = "title: Lane\ngrid: hex\n\n"
LETTERS = ". open, + light cover, # heavy cover, A to D bases, * objective, ~ no cell"

# -- a second opinion, on letters in rows ------------------------------------------------------------------------------

Spot = tuple[int, int]


def maps_in(place: Path | None = None) -> list[BattleMap]:
    """Return all maps of a folder, by name; the shipped ones without it."""
    return [map_of(place, name) for name in map_files(place)]


def next_to(shape: str, column: int, row: int) -> set[Spot]:
    """Return the spots at distance 1, by where the middles of the cells are."""
    if shape == "square":
        return {(column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row)}
    height = 2 * row + column % 2
    around = {(column, row - 1), (column, row + 1)}
    for c in (column - 1, column + 1):
        around |= {(c, (height + down - c % 2) // 2) for down in (-1, 1)}
    return around


def spots(rows: tuple[str, ...], letters: str) -> set[Spot]:
    return {(c, r) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in letters}


def reached(shape: str, rows: tuple[str, ...], begin: Spot, letters: str) -> set[Spot]:
    """Return where one comes to over some letters."""
    passable, found, ahead = spots(rows, letters), {begin}, [begin]
    while ahead:
        new = (next_to(shape, *ahead.pop()) & passable) - found
        found |= new
        ahead += new
    return found


def all_meet(field: BattleMap, letters: str) -> bool:
    """Return whether each base cell has a way to each other, and each objective to all of them."""
    rows = field.drawing
    wanted = spots(rows, "AB*")
    return wanted <= reached(field.grid.shape, rows, min(wanted), letters)


def count(field: BattleMap, letter: str) -> int:
    return sum(row.count(letter) for row in field.drawing)


# -- what ships --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_map_is_written_back_byte_for_byte(path: Path) -> None:
    content = path.read_bytes()
    assert map_text(read_map(content.decode(), str(path))).encode() == content


@pytest.mark.rule("WF-MAP.1")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_map_favours_nobody_and_keeps_nobody_away(path: Path) -> None:
    field = map_of(None, path.stem)
    assert field.is_mirrored
    assert [len(base) for base in field.bases] == [5 if field.id == "small" else 7] * len(field.bases)
    assert all_meet(field, ".ABCD*"), "one-step units come everywhere without stopping on cover"


def test_these_maps_ship() -> None:
    told = {field.id: (field.grid, count(field, "#"), count(field, "+"), len(field.objectives)) for field in maps_in()}
    hexes = Grid("hex", 13, 9)
    assert told == {
        "chasm": (hexes, 0, 4, 0),
        "corners": (Grid("hex", 15, 11), 6, 12, 0),
        "corners_objective": (Grid("hex", 15, 11), 6, 8, 4),
        "corners_open": (Grid("hex", 15, 11), 0, 0, 0),
        "crossroads": (Grid("square", 13, 13), 8, 12, 0),
        "dense": (hexes, 15, 15, 0),
        "ledger": (hexes, 4, 6, 0),
        "objective": (hexes, 4, 6, 3),
        "open": (hexes, 0, 0, 0),
        "small": (Grid("hex", 9, 7), 2, 4, 0),
        "squares": (Grid("square", 13, 9), 4, 6, 0),
        "trefoil": (Grid("hex", 13, 13), 6, 9, 0),
        "trefoil_objective": (Grid("hex", 13, 13), 6, 6, 4),
        "trefoil_open": (Grid("hex", 13, 13), 0, 0, 0),
        "walls": (hexes, 12, 5, 0),
    }


def test_what_ships_says_that_it_is_assumed_and_counts_its_covers_rightly() -> None:
    for field in maps_in():
        assert field.note.startswith("Assumed, for the rulebook gives no measures: ")
        said = {kind: n for n, kind in re.findall(r"(\d+) (?:(heavy|light))", field.note.replace("and", ""))}
        assert said.get("heavy", str(count(field, "#"))) == str(count(field, "#"))
        assert said.get("light", str(count(field, "+"))) == str(count(field, "+"))


def test_the_maps_are_no_part_of_the_catalogue_that_other_questions_hash(tmp_path: Path) -> None:
    held = balance.load("warforged").catalogue
    assert not [name for name in held.content["tables"] if "map" in name]


# -- the record --------------------------------------------------------------------------------------------------------


def test_cells_of_a_map() -> None:
    field = read_map("title: Corner\ngrid: square\nnote: Small.\n\nA+.B\nA*#~\n", "maps/corner.txt")
    assert (field.id, field.title, field.note) == ("corner", "Corner", "Small.")
    assert field.grid == Grid("square", 4, 2)
    assert field.terrain.dtype == np.uint8 and not field.terrain.flags.writeable
    ground = [[OPEN, OPEN], [LIGHT, OPEN], [OPEN, HEAVY], [OPEN, NO_CELL]]
    assert field.terrain.reshape(4, 16).tolist() == [column + [NO_CELL] * 14 for column in ground]
    assert (field.bases, field.objectives) == (((0, 1), (48,)), (17,))
    assert field.walkable == {0, 1, 16, 17, 32, 48}
    assert field.drawing == ("A+.B", "A*#~")
    assert not field.is_mirrored


def test_maps_are_equal_by_what_they_hold_and_survive_a_pickle() -> None:
    field = made_map(3)
    copy = pickle.loads(pickle.dumps(field))
    assert copy == field and hash(copy) == hash(field) and copy.digest == field.digest
    assert copy != made_map(4)


@pytest.mark.parametrize(
    ("shape", "rows", "mirrored"),
    [
        ("hex", ["A.B"], True),
        ("hex", ["A..B"], False),
        ("square", ["A..B"], True),
        ("square", ["A.A", "B.B"], False),
        ("square", ["A+.B"], False),
        ("square", ["A*.B"], False),
    ],
)
def test_a_mirror_swaps_the_sides_and_keeps_the_grid(shape: str, rows: list[str], mirrored: bool) -> None:
    assert map_of_drawing("x", "X", "hex" if shape == "hex" else "square", rows).is_mirrored == mirrored


def test_the_checksum_is_that_of_what_is_played_on() -> None:
    """Written down once: numbers that were computed on a map stay with it."""
    field = read_map(HEAD + "A.+.B\n")
    assert field.digest == "6257fc34f9522d8c245ecc9e07f1ffe4777dc3ceea0c6500a8e969cf84afd426"
    assert read_map("title: Other\ngrid: hex\nnote: Why.\n\nA . + . B").digest == field.digest
    others = {read_map(text).digest for text in (HEAD + "A.#.B\nA...B\n", HEAD.replace("hex", "square") + "A.+.B\n")}
    assert len(others | {field.digest}) == 3


# -- texts as editors and spreadsheets write them ----------------------------------------------------------------------

HABITS = {
    "plain": HEAD + "A.+.B\nA*..B\n",
    "no end of the last line": HEAD + "A.+.B\nA*..B",
    "Windows": "\ufeff" + (HEAD + "A.+.B\nA*..B\n").replace("\n", "\r\n"),
    "old Mac": (HEAD + "A.+.B\nA*..B\n").replace("\n", "\r"),
    "blanks": "\n \n title :  Lane \ngrid:hex\t\n \n\nA.+.B  \nA*..B\t\n\n  \n",
    "no empty line": "grid: hex\ntitle: Lane\nA.+.B\nA*..B\n",
    "spaced": HEAD + "A . + . B\nA * . . B\n",
    "tabs": HEAD + "A\t.\t+\t.\tB\nA\t*\t.\t.\tB\n",
    "CSV of an Italian Excel": "title: Lane;;;;\r\ngriglia: esagoni;;;;\r\n;;;;\r\nA;.;'+;.;B\r\nA;*;.;.;B\r\n",
    "CSV with quotes": '"title: Lane",,,,,\n"grid: hex",,,,,\n,,,,,\n"A",.,"+",.,"B",\n"A",*,.,.,"B",\n',
    "key and value in two cells": "titolo:\tLane\t\ngriglia:\thex\t\n\t\t\nA\t.\t+\t.\tB\nA\t*\t.\t.\tB\n",
}


@pytest.mark.parametrize("habit", HABITS)
def test_a_text_is_taken_as_editors_and_spreadsheets_write_it(habit: str) -> None:
    assert map_text(read_map(HABITS[habit])) == HABITS["plain"]


def test_a_file_may_have_a_mark_of_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    for name, encoding in (("one", "utf-8-sig"), ("two", "utf-16")):
        (tmp_path / "maps" / f"{name}.txt").write_bytes("title: Città\r\ngrid: hex\r\n\r\nA.B\r\n".encode(encoding))
    assert [field.title for field in maps_in(tmp_path) if field.id in ("one", "two")] == ["Città", "Città"]


# -- faults ------------------------------------------------------------------------------------------------------------

BAD = {
    "": [
        "m.txt: has no title; such as `title: Two hills`",
        "m.txt: has no grid; write `grid: hex` or `grid: square`",
        "m.txt: has no drawing; draw the map below an empty line, one character for each cell",
    ],
    HEAD: ["m.txt: has no drawing; draw the map below an empty line, one character for each cell"],
    "grid: hex\n\nA.B\n": ["m.txt: has no title; such as `title: Two hills`"],
    "title: Lane\n\nA.B\n": ["m.txt: has no grid; write `grid: hex` or `grid: square`"],
    "title:\ngrid: hex\n\nA.B\n": ["m.txt, row 1, title: is empty"],
    f"title: {'x' * 81}\ngrid: hex\nnote: {'y' * 601}\n\nA.B\n": [
        "m.txt, row 1, title: has 81 characters; allowed: at most 80",
        "m.txt, row 3, note: has 601 characters; allowed: at most 600",
    ],
    "title: La\x07ne\ngrid: hex\n\nA.B\n": ["m.txt, row 1, title: 'La\\x07ne' holds a character that cannot be shown"],
    "title: Lane\ntitolo: Via\ngrid: hex\n\nA.B\n": ["m.txt, row 2, title: stands there twice"],
    "title: Lane\ngird: hex\n\nA.B\n": [
        "m.txt, row 2: 'gird' is no key of a map; allowed: title, grid, note; did you mean grid?",
        "m.txt: has no grid; write `grid: hex` or `grid: square`",
    ],
    "title Lane\ngrid: hex\n\nA.B\n": [
        "m.txt, row 1: 'title Lane' is not `key: value`; an empty line stands between the header and the drawing",
        "m.txt: has no title; such as `title: Two hills`",
    ],
    "title: Lane\ngrid: hexagon\n\nA.B\n": [
        "m.txt, row 2, grid: 'hexagon' is no grid; allowed: hex, square; did you mean hex?"
    ],
    "title: Lane\ngrid:\n\nA.B\n": ["m.txt, row 2, grid: '' is no grid; allowed: hex, square"],
    HEAD + "A.x.B\nA.x.B\nAx.xB\n": [
        f"m.txt, row 4, column 3: 'x' is no cell; allowed: {LETTERS}",
        f"m.txt, row 5, column 3: 'x' is no cell; allowed: {LETTERS}",
        f"m.txt, row 6, columns 2, 4: 'x' is no cell; allowed: {LETTERS}",
    ],
    HEAD + "A . x . B\nA . . . B\n": [f"m.txt, row 4, column 5: 'x' is no cell; allowed: {LETTERS}"],
    HEAD + "A;.;x;.;B\nA;.;;.;B\n": [
        f"m.txt, row 4, column 5: 'x' is no cell; allowed: {LETTERS}",
        f"m.txt, row 5, column 5: '' is no cell; allowed: {LETTERS}; write ~ where there is no cell",
    ],
    HEAD + "A...B\nA. .B\n": [
        f"m.txt, row 5, column 3: ' ' is no cell; allowed: {LETTERS}; write ~ where there is no cell"
    ],
    HEAD + "a...B\n": [
        f"m.txt, row 4, column 1: 'a' is no cell; allowed: {LETTERS}; did you mean A?",
        "m.txt: side a has no base; write A on its cells",
    ],
    HEAD + "A...B\nA\u2026B\n": [
        "m.txt, row 5: has 3 cells, other rows have 5; write ~ where there is no cell",
        f"m.txt, row 5, column 2: '\u2026' is no cell; allowed: {LETTERS}; "
        "your program made three points one character: write them again, and undo that",
    ],
    HEAD + "A...B\nA..B\nA...B\nA....B\n": [
        "m.txt, row 5: has 4 cells, other rows have 5; write ~ where there is no cell",
        "m.txt, row 7: has 6 cells, other rows have 5; write ~ where there is no cell",
    ],
    HEAD + "A...B\n\nA...B\n": [
        "m.txt, row 5: an empty line is in the drawing; take it away, or write ~ where there is no cell"
    ],
    HEAD + "A . B\nA.B\nA . B\n": [
        "m.txt, row 5: is not spaced as the other rows are; put a space between the cells of this row too"
    ],
    HEAD + "A.B\nA;.;B\nA.B\n": ["m.txt, row 5: is not spaced as the other rows are; leave nothing between the cells"],
    HEAD + "...\n": [
        "m.txt: side a has no base; write A on its cells",
        "m.txt: side b has no base; write B on its cells",
    ],
    HEAD + "A..\n": ["m.txt: side b has no base; write B on its cells"],
    HEAD + f"A{'.' * 30}B\n": ["m.txt, row 4: the drawing has 32 columns; allowed: at most 31"],
    HEAD + "A.B\n" * 17: ["m.txt, row 20: the drawing has 17 rows; allowed: at most 16"],
    HEAD + "A.#.B\nA.~.B\n": [
        "m.txt: no way leads from base to base; nobody walks over heavy cover (#), nor where there is no cell (~)"
    ],
    HEAD + "A...B\n#####\nA..*B\n##~##\n.*...\n": ["m.txt, row 8, column 2: '*' has no way to any base"],
    HEAD + "A...B\n##~##\nA..#B\n": [
        "m.txt, row 6, column 1: 'A' has no way to the other base",
        "m.txt, row 6, column 5: 'B' has no way to the other base",
    ],
    "title: Lane\ngrid: cube\ncolour: red\n\nA.?.E\n....\n": [
        "m.txt, row 2, grid: 'cube' is no grid; allowed: hex, square",
        "m.txt, row 3: 'colour' is no key of a map; allowed: title, grid, note",
        "m.txt, row 6: has 4 cells, other rows have 5; write ~ where there is no cell",
        f"m.txt, row 5, column 3: '?' is no cell; allowed: {LETTERS}",
        f"m.txt, row 5, column 5: 'E' is no cell; allowed: {LETTERS}",
        "m.txt: side b has no base; write B on its cells",
    ],
}


@pytest.mark.parametrize("text", BAD)
def test_every_fault_of_a_map_is_told_at_once_by_row_and_column(text: str) -> None:
    with pytest.raises(CatalogueError) as error:
        read_map(text, "m.txt")
    assert str(error.value).splitlines() == BAD[text]


def test_a_file_of_rubbish_is_told_in_few_lines() -> None:
    with pytest.raises(CatalogueError) as error:
        read_map(HEAD + "x" * 5000 + "\n" + "A.\n" * 5000)
    assert len(error.value.faults) <= 1000
    assert len(str(error.value.faults[-1])) < 1000


def test_bases_may_differ() -> None:
    assert [len(base) for base in read_map(HEAD + "A.B\n..B\n").bases] == [1, 2]


# -- by name -----------------------------------------------------------------------------------------------------------


def test_a_designers_own_maps_stand_in_front_of_those_that_ship(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    (folder / "ledger.txt").write_text(HEAD + "A.B\n")
    (folder / "Via Appia.TXT").write_text(HEAD + "A..B\n")
    (folder / ".hidden.txt").write_text("no map")
    (folder / "notes.md").write_text("no map")
    assert set(map_files(tmp_path)) == {*map_files(), "via_appia"}
    assert map_of(tmp_path, "ledger").drawing == ("A.B",)
    assert map_of(tmp_path, "Via Appia").id == map_of(str(tmp_path), "via-appia.txt").id == "via_appia"
    assert map_of(tmp_path, "open") == map_of(None, "open")


def test_a_catalogue_knows_its_maps() -> None:
    assert map_of(balance.load("warforged").catalogue, "ledger") == map_of(None, "ledger")


def test_all_faults_of_a_map_are_told_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    (folder / "one.txt").write_text(HEAD + "A.b\n")
    (folder / "two.txt").write_text("")
    (folder / "three.txt").write_bytes(b"title: Citt\xe0\ngrid: hex\n\nA.B\n")
    lines = list[str]()
    for name in ("one", "three", "two"):
        with pytest.raises(CatalogueError) as error:
            map_of(tmp_path, name)
        lines += str(error.value).replace(f"{folder}/", "").splitlines()
    assert lines == [
        f"one.txt, row 4, column 3: 'b' is no cell; allowed: {LETTERS}; did you mean B?",
        "one.txt: side b has no base; write B on its cells",
        "three.txt, row 1: the text is not UTF-8 (perhaps Windows-1252); allowed: UTF-8, or UTF-16 with its mark; "
        "save it as 'CSV UTF-8', or export the workbook with balance export",
        "two.txt: the file is empty",
    ]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    for name in ("my_map.txt", "my-map.txt"):
        (folder / name).write_text(HEAD + "A.B\n")
    with pytest.raises(CatalogueError) as error:
        map_files(tmp_path)
    assert str(error.value) == f"{folder / 'my_map.txt'}: is the map my_map, and so is my-map.txt"


SEED = "is no seed of a random map; allowed: a whole number from 0 to 2**128 - 1; such as random:1"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "ledgr",
            "set situation.map: 'ledgr' is no map; allowed: chasm, corners, corners_objective, "
            "corners_open, crossroads, dense, ledger, objective, open, small, squares, trefoil, trefoil_objective, "
            "trefoil_open, walls, random:SEED; did you mean ledger?",
        ),
        ("random", f"set situation.map: '' {SEED}"),
        ("random:-1", f"set situation.map: '-1' {SEED}"),
        ("random:\u0663", f"set situation.map: '\u0663' {SEED}"),
        (f"random:{2**128}", f"set situation.map: '{2**128}' {SEED}"),
    ],
)
def test_a_name_that_is_none_is_told_with_the_one_that_may_be_meant(name: str, told: str) -> None:
    with pytest.raises(CatalogueError) as error:
        map_of(None, name, "§set situation.map")
    assert str(error.value) == told


@pytest.mark.parametrize("name", ["/etc/passwd", "maps/ledger", "..", ""])
def test_a_name_leads_nowhere_else(name: str) -> None:
    with pytest.raises(CatalogueError, match="is no map"):
        map_of(None, name)


# -- made by luck ------------------------------------------------------------------------------------------------------


def test_a_seed_gives_one_map() -> None:
    """The text is written down: a seed names the same map for good."""
    assert made_map(7).drawing == (
        ".............",
        "A.....+.....B",
        "A...........B",
        "A....+.+....B",
        "A.#.......#.B",
        "A#.........#B",
        "A....+.+....B",
        "A...........B",
        "......+......",
    )
    assert map_of(None, "random:7") == made_map(7) == map_of(None, " Random: 007 ")
    assert len({made_map(seed).digest for seed in range(50)}) == 50


@pytest.mark.slow("test_a_seed_gives_one_map")
@pytest.mark.rule("WF-MAP.2")
def test_two_hundred_random_maps_are_legal() -> None:
    """Covers as many as said, none on a base, nobody shut off, and nobody favoured."""
    for seed in range(200):
        field = made_map(seed)
        assert (count(field, "#"), count(field, "+"), field.grid) == (4, 6, Grid("hex", 13, 9))
        assert field.bases == (tuple(range(1, 8)), tuple(range(193, 200)))
        assert field.is_mirrored and all_meet(field, ".AB")
        assert read_map(map_text(field), name=field.id) == field


@pytest.mark.rule("WF-MAP.2")
def test_players_need_not_mirror_each_other() -> None:
    found = [made_map(seed, mirrored=False) for seed in range(50)]
    assert not any(field.is_mirrored for field in found)
    assert all(all_meet(field, ".AB") and (count(field, "#"), count(field, "+")) == (4, 6) for field in found)


@pytest.mark.slow("test_a_shipped_map_favours_nobody_and_keeps_nobody_away")
def test_covers_come_everywhere_but_on_bases() -> None:
    """Also into the middle column, where the answer to a cover is another one."""
    covered = {spot for seed in range(300) for spot in spots(made_map(seed).drawing, "#+")}
    bases = spots(made_map(0).drawing, "AB")
    everywhere = {(c, r) for c in range(13) for r in range(9)} - bases
    assert covered == everywhere


@pytest.mark.rule("WF-MAP.2")
@pytest.mark.parametrize("pieces", range(11))
def test_map_pieces_are_laid_along_the_main_parts(pieces: int) -> None:
    field = made_map(1, pieces=pieces)
    rim = [field.drawing[0], field.drawing[-1]]
    assert field.is_mirrored and all_meet(field, ".AB")
    assert not any("~" in row for row in field.drawing[1:-1])
    assert sum(sum(row[part] != "~" for part in (0, 3, 6, 7, 10)) for row in rim) == pieces
    strips = [row[begin:end] for row in rim for begin, end in ((0, 3), (3, 6), (6, 7), (7, 10), (10, 13))]
    assert all("~" not in strip or set(strip) == {"~"} for strip in strips)
    assert count(made_map(1, pieces=pieces), "~") + sum(len(row.replace("~", "")) for row in rim) == 26


def test_another_number_of_light_covers_leaves_the_heavy_ones() -> None:
    few, many = made_map(5, light=2), made_map(5, light=9)
    assert spots(few.drawing, "#") == spots(many.drawing, "#")
    assert (count(few, "+"), count(many, "+")) == (2, 9)


def test_an_odd_cover_stands_in_the_middle_column() -> None:
    field = made_map(2, heavy=5, light=3)
    assert field.is_mirrored
    assert (count(field, "#"), count(field, "+")) == (5, 3)
    assert {letter for row in field.drawing for letter in row[6]} >= {"#", "+"}


@pytest.mark.rule("WF-MAP.1")
def test_random_maps_of_squares_and_of_other_sizes() -> None:
    field = made_map(1, shape="square", columns=10, rows=7, base_cells=8)
    assert field.is_mirrored and all_meet(field, ".AB")
    assert [len(base) for base in field.bases] == [8, 8]
    assert [len(base) for base in made_map(1, columns=3, rows=3, base_cells=1, heavy=0, light=0).bases] == [1, 1]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"heavy": -1}, ["heavy: '-1' must not be negative"]),
        ({"base_cells": 0}, ["base_cells: '0' are no base; allowed: 1 to 28 cells on 13 x 9"]),
        ({"base_cells": 29}, ["base_cells: '29' are no base; allowed: 1 to 28 cells on 13 x 9"]),
        ({"rows": 2}, ["base_cells: '7' are no base; allowed: a board of 3 x 3 at least"]),
        (
            {"columns": 12},
            ["'12' columns of hexes have no mirror image; take an odd number of columns, or mirrored=False"],
        ),
        (
            {"columns": 12, "shape": "square", "heavy": 3, "light": 5},
            [
                "heavy, light: is odd, and the board has no middle column; "
                "take an odd number of columns, or mirrored=False"
            ],
        ),
        ({"heavy": 100}, ["a random map has no room for 100 heavy covers; 90 were placed; take fewer"]),
        ({"pieces": 12}, ["a random map has no room for 12 map pieces; 10 were placed; take fewer"]),
        ({"columns": 32}, ["a board of 32 columns and 9 rows is too large or empty; at most 31 columns and 16 rows"]),
        ({"seed": -1}, ["a seed is a whole number from 0 to 2**128 - 1, found -1"]),
    ],
)
def test_what_there_is_no_room_for_is_refused(asked: dict[str, object], told: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        made_map(**{"seed": 0, **asked})  # type: ignore[arg-type]
    assert str(error.value).splitlines() == told


# -- the page for designers --------------------------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "how-to" / "maps.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.S | re.M)


def test_the_map_of_the_page_is_read_and_so_are_its_faults() -> None:
    text, faults = blocks("text")
    assert map_text(read_map(text, "two_hills.txt")) == text
    assert read_map(text).is_mirrored
    spoiled = text.replace("A..#.#..B", "A..x.#..B", 1).replace("*...B\nA.+...+", "*...B\nA.+..+", 1)
    with pytest.raises(BalanceError) as error:
        read_map(spoiled, "two_hills.txt")
    assert sorted(str(error.value).splitlines()) == sorted(faults.splitlines())


def test_the_maps_that_ship_are_mirrored_as_the_page_says() -> None:
    shipped = {field.id: (field.is_mirrored, len(field.bases[0])) for field in maps_in(ROOT / "data" / "warforged")}
    assert shipped["ledger"] == (True, 7)
    assert all(is_mirrored for is_mirrored, _ in shipped.values())


def test_the_page_tells_every_letter() -> None:
    assert sorted(re.findall(r"`(.)`", "".join(re.findall(r"^\| (`.*?) \|", PAGE, re.M)))) == sorted(".+#ABCD*~")
