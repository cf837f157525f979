"""From rows of text to records: what is wrong with a table, line by line, and what is read in spite of it."""

from __future__ import annotations

import pytest

from balance.base.errors import Fault
from balance.catalogue import Record, TableSpec
from balance.catalogue.tables import rows as module
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.reading import known_headers, parse_records, parse_table

from .toy import Dice, Unit

UNITS = TableSpec("units", "units.csv", Unit)
HEADER = ("id", "nome", "Tipo", "MOVE", "skills")
ALL = "id, name, class, move, skills, share, limit, brave"
OTHER = "`balance show GAME fields` lists what else a header may be called"


def table(*rows: tuple[str, ...], header: tuple[str, ...] = HEADER, comma: bool = False) -> RawTable:
    """Return a table whose header stands in line 2 and whose rows stand in lines 4, 5 and so on."""
    return RawTable("u.csv", ((2, header), *enumerate(rows, start=4)), comma)


def lines(raw: RawTable) -> list[str]:
    return [str(fault) for fault in parse_table(UNITS, raw).faults]


GUARD = ("guard", "Guard", "foot", "3", "")


def test_sound_rows_are_read_by_whatever_name_of_a_column_and_in_any_order() -> None:
    header = ("Skills", "id", "", "nome", "kind", "brave", "move", "share")
    rows = [("web;bow", "Long Rider", "", "Long Rider", "horse", "yes", "*", "0,5")]
    parsed = parse_table(UNITS, table(*rows, header=header, comma=True))
    rider = Unit(
        id="long_rider", name="Long Rider", kind="horse", move=99, skills=("bow", "web"), share=0.5, brave=True
    )
    assert (parsed.path, parsed.records, parsed.rows, parsed.faults) == (
        "u.csv",
        {"long_rider": rider},
        {"long_rider": 4},
        [],
    )


def test_an_empty_cell_of_a_column_that_may_be_left_out_is_its_default() -> None:
    header = (*HEADER, "share", "limit", "brave")
    parsed = parse_table(UNITS, table((*GUARD, "", " ", ""), header=header))
    assert parsed.records == {"guard": Unit(id="guard", name="Guard", kind="foot", move=3)}
    assert parsed.faults == []


def test_headers_that_mean_nothing_the_same_or_are_missing() -> None:
    header = ("id", "nmae", "class", "kind", "colour", "Kind", "")
    assert lines(table(header=header)) == [
        f"u.csv, row 2, header: 'nmae' is not a column of this table; allowed: {ALL}; did you mean name?",
        "u.csv, row 2, class: 'kind' is a second column of the same meaning",
        f"u.csv, row 2, header: 'colour' is not a column of this table; allowed: {ALL}; {OTHER}",
        "u.csv, row 2, class: 'Kind' is a second column of the same meaning",
        "u.csv, row 2, name: the column is missing; allowed: a text of 1 to 80 characters",
        "u.csv, row 2, move: the column is missing; allowed: a whole number from 0 to 99 or *",
        "u.csv: the table has a header but no entries",
    ]


def test_another_name_of_a_column_may_be_meant_and_is_told_by_its_own() -> None:
    (fault, *_) = parse_table(UNITS, table(header=("id", "name", "typo", "move"))).faults
    assert (fault.found, fault.tip) == ("typo", "did you mean class?")


def test_what_is_wrong_with_rows_is_told_one_fault_each_and_the_others_are_read() -> None:
    rows = [
        ("a", "A", "foot", "x", "bow;wbe"),
        GUARD,
        ("b", "B", "foot", "100", ""),
        ("guard", "Again", "foot", "3", ""),
        ("c", "C", "foot", "3"),
        ("d", "D", "foot", "3", "", " stray "),
        ("e", "", "foot", " 7,5 ", ""),
    ]
    parsed = parse_table(UNITS, table(*rows))
    assert [str(fault) for fault in parsed.faults] == [
        "u.csv, row 4, move: 'x' is not a number; allowed: a whole number from 0 to 99 or *",
        "u.csv, row 4, skills: 'wbe' is not a known choice; allowed: any of bow, web, long_bow; did you mean web?",
        "u.csv, row 6, move: '100' is out of range; allowed: a whole number from 0 to 99 or *",
        "u.csv, row 7, id: 'guard' is a second entry of this id; it stands in row 5 too",
        "u.csv, row 8: the row has 4 cells, the header has 5",
        "u.csv, row 9: 'stray' stands under no header; put quotation marks around a text that holds the separator",
        "u.csv, row 10, name: is empty; allowed: a text of 1 to 80 characters",
        "u.csv, row 10, move: '7,5' is not a number; allowed: a whole number from 0 to 99 or *; "
        "write decimals with a point here, and thousands without a separator",
    ]
    assert list(parsed.records) == ["guard"]
    assert parsed.rows == {"guard": 5}


def test_cells_under_empty_headers_may_be_empty_or_left_out() -> None:
    header = (*HEADER, "", " ")
    assert lines(table(GUARD, header=header)) == []
    assert lines(table((*GUARD, " "), header=header)) == []
    assert lines(table((*GUARD, "", "", "", " "), header=header)) == []
    stray = "'y' stands under no header; put quotation marks around a text that holds the separator"
    assert lines(table((*GUARD, "", "y"), header=header)) == [f"u.csv, row 4: {stray}"]
    assert lines(table((*GUARD, "", "", "y", "z"), header=header)) == [f"u.csv, row 4: {stray}"]
    assert lines(table(("guard", "Guard"), header=header)) == ["u.csv, row 4: the row has 2 cells, the header has 7"]


def test_a_row_that_breaks_a_range_and_holds_a_bad_cell_tells_both() -> None:
    header = (*HEADER, "limit")
    assert lines(table(("a", "A", "zzz", "100", "", "0"), header=header)) == [
        "u.csv, row 4, class: 'zzz' is not a known choice; allowed: foot, horse",
        "u.csv, row 4, move: '100' is out of range; allowed: a whole number from 0 to 99 or *",
        "u.csv, row 4, limit: '0' is out of range; allowed: a whole number of at least 1",
    ]


def test_of_very_many_faults_the_first_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FAULTS", 3)
    bad = [(f"u{number}", "U", "foot", "x", "") for number in range(5)]
    before = Fault("was wrong before")
    faults = [before]
    assert list(parse_records(Unit, table(*bad[:3]), faults)) == []
    assert len(faults) == 1 + 3
    faults = [before]
    assert list(parse_records(Unit, table(*bad, GUARD), faults)) == []
    assert faults[0] is before
    assert [str(fault) for fault in faults[1:]] == [
        *(
            f"u.csv, row {row}, move: 'x' is not a number; allowed: a whole number from 0 to 99 or *"
            for row in (4, 5, 6)
        ),
        "u.csv, row 7: after 3 faults the rest of the table was not looked at",
    ]
    assert [entry.id for _, entry in parse_records(Unit, table(*bad[:2], GUARD), [])] == ["guard"]


def test_a_thousand_faults_are_told_as_people_write_it() -> None:
    rows = [("x",)] * 1001
    assert lines(table(*rows))[-1] == "u.csv, row 1004: after 1,000 faults the rest of the table was not looked at"


def test_every_name_of_a_column_is_known() -> None:
    assert known_headers(Unit) == {
        *("id", "name", "nome", "class", "kind", "tipo", "move", "skills", "share", "limit", "brave"),
    }
    assert known_headers(Dice) == {"faces", "keep"}


def test_a_table_of_another_key_is_told_by_it() -> None:
    class Rule(Record):
        rule: str

    spec = TableSpec("rules", "r.csv", Rule, key="rule")
    parsed = parse_table(spec, table(("A.1",), ("A.2",), ("A.1",), header=("rule",)))
    assert list(parsed.records) == ["A.1", "A.2"]
    assert [str(fault) for fault in parsed.faults] == [
        "u.csv, row 6, rule: 'A.1' is a second entry of this id; it stands in row 4 too"
    ]
