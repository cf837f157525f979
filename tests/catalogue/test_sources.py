"""Where values come from: rows about nothing, rows about what moved or is gone, and what is said of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import Fault
from balance.catalogue import (
    CatalogueSpec,
    EntryId,
    Record,
    Source,
    TableSpec,
    check_folder,
    load_catalogue,
    unsourced_values,
)
from balance.catalogue.tables import sources as module
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.schema import Tables
from balance.catalogue.tables.sources import Moves, known_values, parse_sources

from .toy import SOURCES, SPEC, Constants, ToyRules, told, write


def lines(folder: Path, *rows: str, units: str | None = None) -> list[str]:
    files = {"SOURCES": "\n".join(["table,id,field,status,where", *rows, ""])}
    return told(check_folder(SPEC, write(folder, **files, **({"units": units} if units else {}))), folder)


def left_over(folder: Path, *rows: str) -> list[str]:
    """What is told of rows about what is not there, in a catalogue that is sound."""
    assert lines(folder, *rows) == []
    return told(list(load_catalogue(SPEC, folder).dangling_sources), folder)


def test_every_value_whose_source_can_be_told_is_known(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path))
    fields = ("name", "class", "move", "skills", "share", "limit", "brave")
    assert known_values(SPEC, catalogue.tables) == {
        "units": {"long_rider": fields, "guard": fields},
        "rules": {"faces": ("value",), "friendly": ("value",)},
        "constants": dict.fromkeys(("rounds", "motto", "dice.faces", "dice.keep"), ("value",)),
    }
    assert known_values(SPEC, {})["units"] == {}


def test_fields_are_looked_up_once_by_what_people_write() -> None:
    assert module._by_slug(("dice.faces", "a b")) == {"dice_faces": "dice.faces", "a_b": "a b"}
    assert module._by_slug(("dice.faces",)) is module._by_slug(("dice.faces",))


def test_names_are_read_as_people_write_them_and_kept_as_ours(tmp_path: Path) -> None:
    rows = "Tabella;ID;Campo;stato;Fonte\nUnits;Long Rider;CLASS;Stated;p. 1\nConstants;Dice Faces;Value;assumed;us\n"
    catalogue = load_catalogue(SPEC, write(tmp_path, SOURCES=rows))
    assert catalogue.sources == (
        Source(table="units", id="long_rider", field="class", status="stated", where="p. 1"),
        Source(table="constants", id="dice.faces", field="value", status="assumed", where="us"),
    )
    assert catalogue.source_of("units", "long_rider", "class") is catalogue.sources[0]
    assert catalogue.source_of("units", "guard", "class") is None


def test_a_source_about_nothing_is_told_with_what_there_is(tmp_path: Path) -> None:
    rows = [
        "unit,guard,move,stated,p. 1",
        "units,gard,move,stated,p. 1",
        "units,guard,mvoe,stated,p. 1",
        "units,guard,id,stated,p. 1",
        "units,guard,move,stated,p. 1",
        "Units,Guard,Move,stated,p. 2",
        "units,guard,class,told,p. 1",
        "units,guard,class,stated,",
    ]
    fields = "name, class, move, skills, share, limit, brave"
    assert lines(tmp_path, *rows) == [
        "SOURCES.csv, row 7, field: 'units.guard.move' has a second source",
        "SOURCES.csv, row 8, status: 'told' is not a known choice; allowed: stated, inferred, assumed",
        "SOURCES.csv, row 9, where: is empty; allowed: a text of 1 to 80 characters",
    ]
    assert left_over(tmp_path, *rows[:4]) == [
        "SOURCES.csv, row 2, table: 'unit' is not in this catalogue; allowed: units, rules, constants; "
        "did you mean units?",
        "SOURCES.csv, row 3, id: 'gard' is not in this catalogue; allowed: long_rider, guard; did you mean guard?",
        f"SOURCES.csv, row 4, field: 'mvoe' is not in this catalogue; allowed: {fields}; did you mean move?",
        f"SOURCES.csv, row 5, field: 'id' is not in this catalogue; allowed: {fields}",
    ]


def test_rows_about_one_entry_that_is_not_there_are_one_fault(tmp_path: Path) -> None:
    rows = [
        "units,gard,move,stated,p. 1",
        "units,Gard,class,stated,p. 1",
        "units,gard,class,stated,p. 1",
        "units,zzz,class,stated,p. 1",
        "units,zzz,move,stated,p. 1",
        "rules,gard,value,stated,p. 1",
        "unit,guard,move,stated,p. 1",
        "unit,guard,class,stated,p. 1",
    ]
    todo = "rows name it: delete them if the entry is gone, or write its new id in them"
    assert left_over(tmp_path, *rows) == [
        "SOURCES.csv, row 2, id: 'gard' is not in this catalogue; allowed: long_rider, guard; "
        f"did you mean guard?; 2 {todo}",
        "SOURCES.csv, row 3, id: 'Gard' is not in this catalogue; allowed: long_rider, guard; did you mean guard?",
        f"SOURCES.csv, row 5, id: 'zzz' is not in this catalogue; allowed: long_rider, guard; 2 {todo}",
        "SOURCES.csv, row 7, id: 'gard' is not in this catalogue; allowed: faces, friendly",
        *(
            f"SOURCES.csv, row {row}, table: 'unit' is not in this catalogue; allowed: units, rules, constants; "
            "did you mean units?"
            for row in (8, 9)
        ),
    ]


def test_sources_wait_until_the_tables_are_sound(tmp_path: Path) -> None:
    units = "id,name,class,move\nguard,Guard,foot,x\n"
    assert lines(tmp_path, "units,gard,move,stated,p. 1", units=units) == [
        "units.csv, row 2, move: 'x' is not a number; allowed: a whole number from 0 to 99 or *"
    ]


def test_what_has_no_source_is_noted(tmp_path: Path) -> None:
    notes = unsourced_values(load_catalogue(SPEC, write(tmp_path)))
    expected = [f"units long_rider {name}" for name in ("name", "class", "move", "skills", "share", "limit", "brave")]
    expected += [f"units guard {name}" for name in ("name", "skills", "share", "limit", "brave")]
    expected += ["rules friendly value", *(f"constants {name} value" for name in ("rounds", "motto", "dice.keep"))]
    said = [str(note) for note in notes]
    assert said == [
        f"{tmp_path}, {field}: {table} {entry}: where the value comes from is unknown"
        for table, entry, field in map(str.split, expected)
    ]


class Card(Record):
    id: EntryId
    a: int = 0
    b: int = 0
    y: int = 0
    z: int = 0


CARDS = CatalogueSpec(
    "cards", (TableSpec("cards", "c.csv", Card), TableSpec("others", "o.csv", Card)), ToyRules, Constants
)


def cards(**values: str) -> dict[str, Card]:
    """Return cards of four digits each: their a, b, y and z."""
    return {name: Card(id=name, **dict(zip("abyz", map(int, digits), strict=True))) for name, digits in values.items()}


@pytest.mark.parametrize(
    ("before", "now", "renamed", "gone"),
    [
        ({"x": "1234"}, {"x": "9999"}, {}, set()),
        ({"x": "1234"}, {"y": "1234"}, {"x": "y"}, set()),
        ({"x": "1234"}, {"y": "1239"}, {"x": "y"}, set()),
        ({"x": "1234"}, {"y": "1299"}, {}, {"x"}),  # half alike is not surely the same
        ({"x": "1234"}, {}, {}, {"x"}),
        ({}, {"y": "1234"}, {}, set()),
        ({"x": "1234"}, {"y": "1239", "z": "1234"}, {"x": "z"}, set()),
        ({"x": "1234"}, {"y": "1239", "z": "1238"}, {}, {"x"}),  # two as good
        ({"x": "1234", "w": "1235"}, {"y": "1236"}, {}, {"x", "w"}),  # two that may be it
        ({"x": "1234", "w": "1235"}, {"y": "1234"}, {"x": "y"}, {"w"}),
        ({"w": "1235", "x": "1234", "k": "0000"}, {"y": "1234", "k": "0000"}, {"x": "y"}, {"w"}),
        ({"x": "1234", "w": "5678"}, {"y": "5678", "z": "1234"}, {"x": "z", "w": "y"}, set()),
    ],
)
def test_an_entry_is_renamed_if_it_is_surely_the_same_and_gone_otherwise(
    before: dict[str, str], now: dict[str, str], renamed: dict[str, str], gone: set[str]
) -> None:
    moves = Moves.between(CARDS, {"cards": cards(**before)}, {"cards": cards(**now)})
    assert moves == Moves({("cards", a): b for a, b in renamed.items()}, frozenset(("cards", name) for name in gone))


def test_entries_beyond_the_first_two_hundred_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.MOST_MOVES == 200
    monkeypatch.setattr(module, "MOST_MOVES", 2)
    old, new = cards(a="1111", b="2222", c="3333"), cards(d="1111", e="2222", f="3333")
    moves = Moves.between(CARDS, {"others": old}, {"others": new})
    assert moves == Moves({("others", "a"): "d", ("others", "b"): "e"}, frozenset({("others", "c")}))
    late = Moves.between(CARDS, {"others": cards(a="1111")}, {"others": cards(x="0000", y="0000", z="1111")})
    assert late == Moves({}, frozenset({("others", "a")}))


def raw(*rows: str) -> RawTable:
    header = ("table", "id", "field", "status", "where")
    cells = [(*row.split(), "stated", "p. 1") for row in rows]
    return RawTable("s.csv", ((1, header), *enumerate(cells, start=2)))


def read(rows: RawTable, before: Tables | None, now: Tables) -> tuple[list[str], list[str], list[str]]:
    faults: list[Fault] = []
    notes: list[str] = []
    found, dangling = parse_sources(CARDS, now, rows, faults, before, notes)
    assert not faults
    return [f"{one.table} {one.id} {one.field}" for one in found], [str(fault) for fault in dangling], notes


def test_sources_follow_an_entry_that_is_renamed_and_go_with_one_that_is_gone() -> None:
    before: dict[str, Any] = {"cards": cards(x="1234", w="5678", k="0000")}
    now: dict[str, Any] = {"cards": cards(y="1234", k="0000")}
    rows = raw("cards X a", "cards x b", "Cards w a", "cards k a", "cards w b", "cards w y", "cards v a")
    assert read(rows, before, now) == (
        ["cards y a", "cards y b", "cards k a"],
        ["s.csv, row 8, id: 'v' is not in this catalogue; allowed: y, k"],
        [
            "cards: x is now y, and its 2 sources moved with it",
            "cards: w is gone, and its 3 sources went with it",
        ],
    )


def test_without_an_earlier_catalogue_nothing_follows() -> None:
    now: dict[str, Any] = {"cards": cards(y="1234")}
    todo = "2 rows name it: delete them if the entry is gone, or write its new id in them"
    nothing: Tables = {}
    for before in (None, nothing):
        assert read(raw("cards x a", "cards x b"), before, now) == (
            [],
            [f"s.csv, row 2, id: 'x' is not in this catalogue; allowed: y; {todo}"],
            [],
        )


def test_an_entry_with_no_values_but_its_id_is_never_the_same() -> None:
    class Bare(Record):
        id: EntryId

    spec = CatalogueSpec("bare", (TableSpec("bare", "b.csv", Bare),), ToyRules, Constants)
    moves = Moves.between(spec, {"bare": {"x": Bare(id="x")}}, {"bare": {"y": Bare(id="y")}})
    assert moves == Moves({}, frozenset({("bare", "x")}))


def test_the_shipped_sources_of_the_toy_are_read_back(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path))
    assert [f"{s.table},{s.id},{s.field},{s.status},{s.where}" for s in catalogue.sources] == SOURCES.splitlines()[1:]
