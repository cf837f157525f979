"""Adventures as files: what ships, what is read however editors write it, what is refused and in which words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import balance
from balance.base.errors import CatalogueError
from balance.catalogue import Catalogue, load_catalogue
from balance.games.battlelore import GAME
from balance.games.battlelore.adventure.map.adventure import (
    Adventure,
    Blazon,
    Council,
    Deployed,
    cell_of,
    from_other_edge,
    hexes,
    turned_cell,
)
from balance.games.battlelore.adventure.map.files import adventure_files, adventure_of, adventures_in
from balance.games.battlelore.adventure.map.reading import LETTERS_TEXT, read_adventure

DATA = Path(__file__).parents[4] / "data" / "battlelore"
HEXES = "A1 to A13, B1 to B12, ... to I13"
HEAD = (
    "title: Brook\nlore: no\nfirst: south\n\nsouth: standard, 2 banners, 4 cards\nnorth: pennant, 2 banners, 5 cards\n"
)
ROWS = [
    ".............",
    " ............",
    "..F.......H..",
    " ............",
    "WWWfWWWWWBWWW",
    " ............",
    ".............",
    " ............",
    ".............",
]
UNITS = "south:\nA3, A11 human_archers\nB2 red_foot+long_sword\nnorth:\nI3 blue_mounted\nI11 giant_spider\n"
PLAIN = HEAD + "\n" + "\n".join(ROWS) + "\n\n" + UNITS


@cache
def catalogue() -> Catalogue:
    return balance.load(GAME).catalogue


def cell(name: str) -> int:
    number = cell_of(name)
    assert number is not None
    return number


def read(text: str, place: str = "brook.txt") -> Adventure:
    return read_adventure(text, place, catalogue())


# -- what ships --------------------------------------------------------------------------------------------------------


def test_these_adventures_ship() -> None:
    assert list(adventure_files(catalogue())) == [
        "agincourt",
        "ford_and_bridge",
        "hill_against_numbers",
        "lore_duel",
        "mirror",
    ]
    for adventure in adventures_in(catalogue()):
        assert len(adventure.digest) == 64
        assert "ssumed" in adventure.note


@pytest.mark.rule("BL-SETUP-04", "BL-SETUP-06", "BL-CMD-13", "BL-WIN-01")
def test_agincourt_is_what_the_rulebook_tells() -> None:
    """Ledger 4.8; four banners are public."""
    adventure = adventure_of(catalogue(), "Agincourt")
    english, french = adventure.forces
    assert (english.camp, french.camp, adventure.first, adventure.lore) == ("pennant", "standard", 0, False)
    assert (english.cards, french.cards, english.banners, french.banners) == (6, 4, 4, 4)
    kinds = Counter(name for ids in adventure.terrain for name in ids)
    assert kinds == {"countryside": 100, "forest": 13}
    archers, foot, heavy = "human_archers", "human_infantry", "human_heavy_infantry"
    assert Counter(unit.unit for unit in english.units) == {archers: 5, foot: 3, heavy: 1}
    mounted = {"human_cavalry": 1, "human_heavy_cavalry": 2}
    assert Counter(unit.unit for unit in french.units) == {archers: 1, foot: 6, **mounted}


@pytest.mark.parametrize("name", ["mirror", "lore_duel"])
def test_a_mirror_is_the_same_from_either_edge(name: str) -> None:
    adventure = adventure_of(catalogue(), name)
    other = from_other_edge(adventure)
    assert other.terrain == adventure.terrain
    for force, mirrored in zip(adventure.forces, other.forces, strict=True):
        assert force == replace(mirrored, name=force.name, camp=force.camp)


def test_a_turned_adventure_turned_again_is_the_first() -> None:
    for adventure in adventures_in(catalogue()):
        assert from_other_edge(from_other_edge(adventure)) == adventure
        assert from_other_edge(adventure).first == 1 - adventure.first
    assert sorted(turned_cell(number) for number in hexes()) == list(hexes())


def test_an_adventure_of_ones_own_takes_the_place_of_the_shipped(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for path in DATA.iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    (folder / "adventures").mkdir()
    (folder / "adventures" / "Mirror.txt").write_text(PLAIN, "utf-8")
    (folder / "adventures" / ".hidden.txt").write_text("no adventure", "utf-8")
    own = load_catalogue(GAME.spec, folder)
    assert adventure_of(own, "mirror").title == "Brook"
    assert adventure_of(own, "agincourt").digest == adventure_of(catalogue(), "agincourt").digest
    with pytest.raises(CatalogueError, match=r"'agincour' is no adventure; allowed: .*; did you mean agincourt"):
        adventure_of(own, "agincour")
    (folder / "adventures" / "mirror.TXT").write_text(PLAIN, "utf-8")
    with pytest.raises(CatalogueError, match=r"is the adventure mirror, and so is Mirror\.txt"):
        adventure_files(own)


# -- reading -----------------------------------------------------------------------------------------------------------


def test_what_a_file_says() -> None:
    adventure = read(PLAIN)
    south, north = adventure.forces
    assert (adventure.id, adventure.title, adventure.first) == ("brook", "Brook", 0)
    assert south.units == (
        Deployed("human_archers", cell("A3")),
        Deployed("human_archers", cell("A11")),
        Deployed("red_foot+long_sword", cell("B2")),
    )
    assert (north.name, north.camp, north.banners, north.cards, north.tokens) == ("north", "pennant", 2, 5, None)
    assert adventure.terrain[cell("E4")] == ("ford",)
    assert adventure.terrain[cell("E10")] == ("bridge",)
    assert adventure.terrain[cell("C3")] == ("forest",)
    assert adventure.terrain[12 + 16] == (), "row B has twelve hexes"


def drawn(spaced: str) -> str:
    """Return the drawing with something between its letters."""
    return "\n".join(spaced.join(row.strip()) for row in ROWS)


HABITS = {
    "no end of the last line": PLAIN.rstrip(),
    "Windows": "\ufeff" + PLAIN.replace("\n", "\r\n"),
    "blanks": "\n" + PLAIN.replace("\n", "  \n").replace("title:", "title :"),
    "no indent": PLAIN.replace("\n ", "\n"),
    "spaced": HEAD + "\n" + drawn(" ") + "\n\n" + UNITS,
    "Italian": PLAIN.replace("title", "titolo").replace("first", "primo").replace("standard", "stendardo")
    .replace("pennant", "bandiera").replace("banners", "vittorie").replace("cards", "carte"),
    "CSV of an Italian Excel": "\r\n".join(
        f"{line};;;;" for line in [*HEAD.splitlines(), "", *drawn(";").splitlines(), "", *UNITS.splitlines()]
    ),
    "CSV with quotes": "\n".join(
        line if line[:1] in ".WF" else f'"{line}",,,' for line in
        [*HEAD.splitlines(), "", *drawn(",").splitlines(), "", *UNITS.splitlines()]
    ),
    "tabs": "\n".join([*HEAD.splitlines(), "", *drawn("\t").splitlines(), "", *UNITS.replace(", ", "\t").splitlines()]),
    "hexes and units in cells": HEAD + "\n" + drawn(";") + "\n\n" + UNITS.replace(", ", ";").replace(" ", ";"),
    "small letters": PLAIN.replace("A3, A11", "a3 a11").replace("human_archers", "Human Archers"),
    "units first": HEAD + "\n" + UNITS + "\n" + "\n".join(ROWS) + "\n",
}  # fmt: skip


@pytest.mark.parametrize("habit", HABITS)
def test_files_are_read_as_editors_and_spreadsheets_write_them(habit: str) -> None:
    assert read(HABITS[habit]) == read(PLAIN)
    assert read(HABITS[habit]).digest == read(PLAIN).digest


def test_the_digest_is_of_what_is_played() -> None:
    plain = read(PLAIN).digest
    same = PLAIN.replace("title: Brook", "title: Stream\nnote: Wet.").replace("south", "lowland")
    assert read(same, "stream.txt").digest == plain
    others = [
        PLAIN.replace("first: south", "first: north"),
        PLAIN.replace("2 banners, 4", "2 banners, 5"),
        PLAIN.replace("2 banners", "1 banner"),
        PLAIN.replace("A11", "A12"),
        PLAIN.replace("+long_sword", ""),
        PLAIN.replace("..F", ".F."),
        PLAIN + "also:\nE10 banner for south\n",
        PLAIN + "also:\nE10 banner held by south\n",
        PLAIN + "also:\nE10 belongs to south\n",
        PLAIN + "also:\nC3 rampart\n",
        PLAIN.replace("lore: no", "lore: yes"),
    ]
    digests = {read(text).digest for text in others}
    assert len(digests | {plain}) == len(others) + 1


@pytest.mark.rule("BL-TER-07", "BL-WIN-03", "BL-LMK-04")
def test_what_stands_below_also() -> None:
    also = "also:\nC3, C11 rampart\nC11 belongs to South\nE10 2 banners held by north\nA5 banner for north\n"
    adventure = read(PLAIN + also)
    assert adventure.terrain[cell("C3")] == ("forest", "rampart")
    assert adventure.owners == ((cell("C11"), 0),)
    assert adventure.blazons == (Blazon(1, cell("A5")), Blazon(1, cell("E10"), 2, held=True))


@pytest.mark.rule("BL-SETUP-02", "BL-WC-01")
def test_forces_of_a_lore_adventure_bring_councils() -> None:
    text = PLAIN.replace("lore: no", "lore: yes\nmasters' landmarks: yes")
    text = text.replace("2 banners, 4 cards", "2 banners, commander 2, Wizard 3, cleric 1, 4 tokens")
    south = read(text).forces[0]
    assert (south.council, south.cards, south.tokens) == (Council(commander=2, wizard=3, cleric=1), 0, 4)
    assert read(text).masters_landmarks


# -- what is refused ---------------------------------------------------------------------------------------------------

PARTS = "standard or pennant, N banners, N cards; with lore N tokens, and commander, wizard, rogue, cleric, warrior N"
FORCE = "such as `english: pennant, 4 banners, 6 cards`"
SWAPS: dict[str, tuple[tuple[str, str], list[str]]] = {
    "no title": (("title: Brook\n", ""), ["b.txt: has no title; such as `title: Two hills`"]),
    "no answer": (("lore: no", "lore: maybe"), ["b.txt, row 2, lore: 'maybe' is neither; allowed: yes, no"]),
    "nobody begins": (("first: south\n", ""), ["b.txt: does not say who begins; write `first: south`"]),
    "somebody else begins": (
        ("first: south", "first: west"),
        ["b.txt, first: 'west' is no force; allowed: south, north"],
    ),
    "a key": (
        ("title: Brook", "title: Brook\ntile: Stream"),
        ["b.txt, row 2: 'tile' is no key of an adventure; allowed: title, note, lore, first, masters' landmarks; "
         "did you mean title?"],
    ),
    "a key twice": (("title: Brook", "title: Brook\ntitolo: Rio"), ["b.txt, row 2, title: stands there twice"]),
    "no colon": (("title: Brook", "title: Brook\nnothing"), ["b.txt, row 2: 'nothing' is not `key: value`"]),
    "no camp": (
        ("standard, 2 banners", "2 banners"),
        [f"b.txt, row 5, south: has no camp; {FORCE}"],
    ),
    "both of one camp": (
        ("pennant", "standard"),
        ["b.txt, row 6, north: 'standard' is the camp of both forces"],
    ),
    "no banners": (
        ("standard, 2 banners", "standard"),
        [f"b.txt, row 5, south: has no banners; {FORCE}"],
    ),
    "banners of none": (
        ("standard, 2 banners", "standard, 0 banners"),
        [f"b.txt, row 5, south: '0 banners' is none; allowed: {PARTS}"],
    ),
    "a hand of none": (
        ("4 cards", "0 cards"),
        [f"b.txt, row 5, south: '0 cards' is none; allowed: {PARTS}"],
    ),
    "no cards": ((", 4 cards", ""), [f"b.txt, row 5, south: has no cards; {FORCE}"]),
    "something else": (
        ("4 cards", "4 cards, 3 horses"),
        [f"b.txt, row 5, south: '3 horses' is nothing that a force brings; allowed: {PARTS}"],
    ),
    "a council without lore": (
        ("4 cards", "4 cards, wizard 1, 2 tokens"),
        [f"b.txt, row 5, south: 'wizard 1' needs the Lore system (lore: yes); allowed: {PARTS}",
         f"b.txt, row 5, south: '2 tokens' needs the Lore system (lore: yes); allowed: {PARTS}"],
    ),
    "too many banners": (
        ("2 banners, 4", "3 banners, 4"),
        ["b.txt, row 5, south: needs 3 banners; allowed: at most 2, for there are no more"],
    ),
    "forces named alike": (
        ("north: pennant", "South: pennant"),
        ["b.txt, row 6: 'South' is the name of both forces", f"b.txt: has 1 of two forces; {FORCE}",
         "b.txt, row 21: 'north' is neither a force nor `also`; allowed: south, also; did you mean south?"],
    ),
    "a third force": (
        ("5 cards\n", "5 cards\neast: pennant, 2 banners, 2 cards\n"),
        ["b.txt, row 7: 'east' is a third force; allowed: two forces"],
    ),
    "a letter": (
        ("..F...", "..x..."),
        [f"b.txt, row 10, column 3: 'x' is no hex; allowed: {LETTERS_TEXT}"],
    ),
    "a letter in an indented row": (
        ("\n ............\n..F", "\n ..q.........\n..F"),
        [f"b.txt, row 9, column 4: 'q' is no hex; allowed: {LETTERS_TEXT}"],
    ),
    "a short row": (("..F....", "..F..."), ["b.txt, row 10: has 12 hexes; allowed: 13 hexes in row C"]),
    "eight rows": (("\n ............\n..F", "\n..F"), ["b.txt, row 8: the drawing has 8 rows; allowed: 9 rows"]),
    "an empty row": (
        ("\n..F", "\n\n..F"),
        ["b.txt, row 10: an empty line is in the drawing; take it away: the board has nine rows, of 13 and 12 hexes "
         "by turns"],
    ),
    "a hex off the board": (
        ("A3, A11", "A3, B13"),
        [f"b.txt, row 19, column 5: 'B13' is no hex of the board; allowed: {HEXES}"],
    ),
    "no hex": (
        ("A3, A11 human", "human"),
        [f"b.txt, row 19: 'human_archers' begins with no hex; allowed: {HEXES}; such as `A3, A11 human_archers`"],
    ),
    "no unit": (
        ("A11 human_archers", "A11"),
        ["b.txt, row 19: 'A3, A11' names no unit; such as `A3, A11 human_archers`"],
    ),
    "an unknown unit": (
        ("human_archers", "human_archer"),
        ["b.txt, row 19: 'human_archer' is not in units; allowed: green_foot, blue_foot, red_foot, green_mounted, "
         "blue_mounted, red_mounted, giant_spider; did you mean human_archers?"],
    ),
    "an unknown weapon": (
        ("red_foot+long_sword", "red_foot+long_sward"),
        ["b.txt, row 20: 'long_sward' is not in weapons; allowed: short_sword, long_sword, common_bow, crossbow; "
         "did you mean long_sword?"],
    ),
    "two units in a hex": (
        ("B2 red", "A3 red"),
        ["b.txt, row 20, column 1: 'A3' holds a unit already (BL-MOV-04)"],
    ),
    "a unit in the water": (
        ("B2 red", "E2 red"),
        ["b.txt, row 20, column 1: 'E2' is no ground that a unit may stand on (BL-TER-04)"],
    ),
    "no units": (
        ("I3 blue_mounted\nI11 giant_spider\n", ""),
        ["b.txt, row 6, north: has no units; write them below a line `north:`, such as `A3, A11 human_archers`"],
    ),
    "an unknown block": (
        ("north:\nI3", "nord:\nI3"),
        ["b.txt, row 21: 'nord' is neither a force nor `also`; allowed: south, north, also; did you mean north?",
         "b.txt, row 6, north: has no units; write them below a line `north:`, such as `A3, A11 human_archers`"],
    ),
    "lore landmarks without lore": (
        ("..F.......H", "..P.......H"),
        ["b.txt: 'C3' has a magic pentacle, which needs the Lore system (lore: yes)"],
    ),
    "a stronghold of nobody": (
        ("..F.......H", "..S.......H"),
        ["b.txt: 'C3' has a stronghold of nobody (BL-LMK-11); write `C3 belongs to south` below `also:`"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SWAPS)
def test_faults_are_told_by_row_and_column(case: str) -> None:
    (old, new), faults = SWAPS[case]
    assert old in PLAIN
    assert faults_in(PLAIN.replace(old, new)) == faults


def faults_in(text: str) -> list[str]:
    try:
        read(text, "b.txt")
    except CatalogueError as error:
        return [str(fault) for fault in error.faults]
    return []


def test_hexes_that_nobody_can_reach_are_named() -> None:
    walled = PLAIN.replace(f"{ROWS[0]}\n{ROWS[1]}", ".W...........\n W...........")
    assert faults_in(walled) == ["b.txt: 'A1' can be reached by nobody; write a ford f or a bridge B in the water"]


ALSO = {
    "E2 banner for south": "row 26, column 1: 'E2' is worth banners, but no unit may stand on it (BL-TER-04)",
    "C3 belongs to west": "row 26, column 1: 'west' is no side; allowed: south, north",
    "C3 banner for west": "row 26, column 1: 'west' is no side; allowed: south, north",
    "C3, C4 swamp": "row 26, column 1: 'swamp' is no terrain",
    "C3": "row 26, column 1: 'C3' says nothing of the hex; such as `D5 rampart`",
    "C3 0 banners for south": "row 26, column 1: 'C3' is worth no banner",
    "C3 rampart, rampart": "row 26, column 1: 'rampart' stands there twice",
    "C3 banner for south\nC3 banner held by south": "row 27, column 1: 'C3' is worth banners to south already",
    "C3 belongs to south\nC3 belongs to north": "row 27, column 1: 'C3' belongs to somebody already",
    "Z3 rampart": "row 26, column 1: 'Z3' is no hex of the board",
}


@pytest.mark.parametrize("lines", ALSO)
def test_faults_below_also(lines: str) -> None:
    first_fault = faults_in(f"{PLAIN}\nalso:\n{lines}\n")[0]
    assert first_fault.startswith(f"b.txt, {ALSO[lines]}")


def test_all_faults_at_once_and_councils_too_strong() -> None:
    text = PLAIN.replace("lore: no", "lore: yes").replace("4 cards", "wizard 4, rogue 3, cleric 3, warrior 3")
    assert "'wizard 4' is a level above 3 (BL-WC-01)" in faults_in(text)[0]
    text = text.replace("wizard 4", "wizard 3")
    assert faults_in(text) == ["b.txt, row 5, south: has a council of 12 levels (BL-WC-07); allowed: at most 10"]
    worst = PLAIN.replace("title: Brook", "").replace("standard", "side").replace("..F", "..x").replace("A3", "K3")
    assert len(faults_in(worst)) == 5


def test_a_side_has_31_units_at_most() -> None:
    row = ", ".join(f"{letter}{number}" for letter in "ABC" for number in range(1, 13) if letter + str(number) != "B2")
    assert faults_in(PLAIN.replace("A3, A11", row)) == ["b.txt, row 5, south: has 36 units; allowed: at most 31"]


@pytest.mark.parametrize(
    "text", ["", "title: x", "\x00", ":", "a:\n" * 50, "....\n" * 40, "south:\nA1 A2 A3\n", "also:\nA1"]
)
def test_no_text_ends_in_a_traceback(text: str) -> None:
    assert faults_in(text)
