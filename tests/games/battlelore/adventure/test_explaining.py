"""How an adventure's file was read, piece by piece, and all that is wrong with it in one go."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.base.readings import FileReading
from balance.game.loaded import load
from balance.games.battlelore.adventure.map.explaining import adventure_reading
from balance.games.battlelore.adventure.map.files import adventure_files
from balance.games.battlelore.adventure.map.reading import read_adventure

CATALOGUE = load("battlelore").catalogue
TEXT = """title: Brook
first: north
south: standard, 2 banners, 4 cards
north: pennant, 2 banners, 5 cards

.............
 ............
..F..........
 ............
WWWfWWBWWWWWW
 ............
...H.........
 ............
.............

south:
A3, a11 human_archers
B4 red_foot

north:
I2 hobgoblin_cavalry
H5 giant_spider

also:
E7 banner held by north
E4 2 banners for south
C3 rampart
G4 belongs to north
"""


def read(tmp_path: Path, text: str) -> FileReading:
    path = tmp_path / "brook.txt"
    path.write_text(text, "utf-8")
    return adventure_reading(path, CATALOGUE)


def test_each_line_unit_hex_and_letter_is_told_as_it_was_read(tmp_path: Path) -> None:
    reading = read(tmp_path, TEXT)
    assert (reading.kind, reading.faults) == ("adventure", ())
    assert reading.summary == "Brook, south with 3 units against north with 2 units"
    told = {(piece.where, piece.text): piece.meaning for piece in reading.readings}
    assert len(told) == sum(bool(line.strip()) for line in TEXT.splitlines()) - 3, "all but the names of blocks"
    assert told["line 2", "first: north"] == "north begins"
    assert told["line 3", "south: standard, 2 banners, 4 cards"] == (
        "side a, whose edge is row A; standard; wins with 2 banners; holds 4 command cards"
    )
    assert told["line 6, row A", "............."] == "13 hexes of countryside"
    assert told["line 8, row C", "..F.........."] == "C3 forest; the rest is countryside"
    assert told["line 10, row E", "WWWfWWBWWWWWW"] == (
        "E1 to E3 watercourse; E4 ford; E5 to E6 watercourse; E7 bridge; E8 to E13 watercourse"
    )
    assert told["line 17", "A3, a11 human_archers"] == (
        "2 units of south at A3, A11: human, green foot with common bow, 4 figures"
    )
    assert told["line 22", "H5 giant_spider"] == "1 unit of north at H5: green creature with bite, 1 figure"
    assert told["line 25", "E7 banner held by north"] == (
        "E7 is worth 1 banner to north, while a unit of north stands there"
    )
    assert told["line 26", "E4 2 banners for south"] == (
        "E4 is worth 2 banners to south, once, when a unit of it is there first"
    )
    assert told["line 27", "C3 rampart"] == "C3 is rampart too"
    assert told["line 28", "G4 belongs to north"] == "what stands at G4 belongs to north"
    assert len(reading.notes) == 2 and "BL-Q06" in reading.notes[1]


def test_what_cannot_be_read_is_told_beside_the_rest(tmp_path: Path) -> None:
    text = (
        TEXT.replace("human_archers", "human_arches").replace("C3 rampart", "C3 rampar").replace("north:\n", "nroth:\n")
    )
    reading = read(tmp_path, text)
    told = {piece.text: piece.meaning for piece in reading.readings}
    assert told["A3, a11 human_arches"] == "at A3, A11: no unit that is known"
    assert told["C3 rampar"] == "nothing that is known"
    assert told["I2 hobgoblin_cavalry"].startswith("nothing")
    assert len(reading.faults) == 4 and "human_archers" in str(reading.faults[0])


@pytest.mark.parametrize("name", adventure_files(CATALOGUE))
def test_what_ships_is_explained_whole(name: str) -> None:
    reading = adventure_reading(adventure_files(CATALOGUE)[name], CATALOGUE)
    assert not reading.faults and len(reading.readings) >= 15
    assert not [piece for piece in reading.readings if "nothing that" in piece.meaning or "not read" in piece.meaning]


def test_faults_of_lines_and_of_the_whole_are_told_at_once() -> None:
    text = TEXT.replace("title: Brook\n", "").replace("B4 red_foot", "A3 red_foot").replace("a11", "E1")
    text = text.replace("G4 belongs to north", "G4 stronghold").replace("C3 rampart", "E1 2 banners for south")
    with pytest.raises(CatalogueError) as raised:
        read_adventure(text, "brook.txt", CATALOGUE)
    said = str(raised.value)
    parts = ("has no title", "holds a unit already", "is no ground", "is worth banners", "stronghold of nobody")
    for part in parts:
        assert part in said, part


def test_what_follows_from_a_fault_is_not_told_as_another() -> None:
    """A unit that could not be read is no banner missing, and a side misspelt leaves no stronghold to nobody."""
    text = TEXT.replace("giant_spider", "giant_spidr").replace("G4 belongs", "G4 stronghold\nG4 belongs")
    text = text.replace("to north", "to nroth").replace("H5", "H55")
    with pytest.raises(CatalogueError) as raised:
        read_adventure(text, "brook.txt", CATALOGUE)
    assert "no more" not in str(raised.value) and "nobody" not in str(raised.value)
