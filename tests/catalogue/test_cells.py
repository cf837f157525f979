"""One cell: every text it may hold and the value it means, and the whole verdict on every other."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, Field, ValidationError

from balance.base.errors import Fault
from balance.catalogue import Column, EntryId, Header, Name, Record, columns_of, leaf_columns, parse_cell, show_value
from balance.catalogue.tables.cells import BadCell, _choices, clean, guard, unguard
from balance.catalogue.tables.record_faults import faults_of

from .toy import Constants, Unit

COLUMNS = {**leaf_columns(Unit), **leaf_columns(Constants)}
WHOLE, SHARE, FLAG, KIND, SKILLS, ID, TEXT, LIMIT = (
    COLUMNS[name] for name in ("rounds", "share", "brave", "kind", "skills", "id", "name", "limit")
)


@pytest.mark.parametrize(
    ("column", "text", "value"),
    [
        (WHOLE, "7", 7),
        (WHOLE, " +7 ", 7),
        (WHOLE, "-7", -7),
        (WHOLE, "−7", -7),
        (WHOLE, "7.0", 7),
        (WHOLE, "7.", 7),
        (WHOLE, "1e3", 1000),
        (WHOLE, "1E+03", 1000),
        (WHOLE, "1000000000000000", 10**15),
        (WHOLE, "-1000000000000000", -(10**15)),
        (WHOLE, "0.000", 0),
        (WHOLE, "1234", 1234),
        (SHARE, "0.5", 0.5),
        (SHARE, ".5", 0.5),
        (SHARE, "55%", 0.55),
        (SHARE, "55 %", 0.55),
        (SHARE, "1e300", 1e300),
        (SHARE, "1.000", 1.0),
        (FLAG, "TRUE", True),
        (FLAG, "Vero", True),
        (FLAG, "sì", True),
        (FLAG, "0", False),
        (FLAG, "No", False),
        (KIND, "Foot", "foot"),
        (KIND, "Fante", "foot"),
        (KIND, " HORSE ", "horse"),
        (SKILLS, "Long-Bow, web | bow;;", ("long_bow", "web", "bow")),
        (SKILLS, "", ()),
        (SKILLS, "-", ()),
        (SKILLS, "–", ()),
        (SKILLS, "—", ()),
        (ID, "Long Rider", "long_rider"),
        (TEXT, "3-Apr", "3-Apr"),
        (TEXT, " 7 ", "7"),
        (TEXT, "e\u0301", "é"),
        (TEXT, "a\u00a0b", "a\u00a0b"),
        (TEXT, "a\u200bb", "a\u200bb"),
        (LIMIT, "", None),
        (LIMIT, "  ", None),
        (COLUMNS["move"], "*", 99),
        (COLUMNS["move"], " * ", 99),
        (COLUMNS["dice.keep"], "5;6", (5, 6)),
    ],
)
def test_a_cell_means_a_value(column: Column, text: str, value: object) -> None:
    found = parse_cell(column, text)
    assert (found, type(found)) == (value, type(value))


def test_the_words_of_a_column_are_looked_up_once() -> None:
    assert _choices(KIND.words, KIND.choices) == {"fante": "foot", "foot": "foot", "horse": "horse"}
    assert _choices(KIND.words, KIND.choices) is _choices(KIND.words, KIND.choices)


@pytest.mark.parametrize(
    ("column", "text", "value"),
    [(WHOLE, "7,0", 7), (SHARE, "0,5", 0.5), (SHARE, "12,5%", 0.125), (SHARE, "1.5", 1.5), (SHARE, "-,5", -0.5)],
)
def test_a_comma_may_be_the_decimal_mark(column: Column, text: str, value: object) -> None:
    assert parse_cell(column, text, comma=True) == value


DATE = ("looks like a date made by a spreadsheet", "format the column as text, then type the value again", None)
GROUPED = ("is not a plain whole number", "write thousands without a separator", None)
NUMBER = ("is not a number", "", None)
COMMA = ("is not a number", "write decimals with a point here, and thousands without a separator", None)
SPREADSHEET = ("is a spreadsheet's error, not a number", "mend the formula, or type the value", None)
AMBIGUOUS = ("may mean thousands or decimals", "write thousands without a separator, decimals with a comma", None)


@pytest.mark.parametrize(
    ("column", "text", "comma", "verdict"),
    [
        (WHOLE, "", False, ("is empty", "", None)),
        (TEXT, "  ", False, ("is empty", "", None)),
        (WHOLE, "x", False, NUMBER),
        (WHOLE, "7,5", False, COMMA),
        (WHOLE, "1.2,3", True, COMMA),
        (WHOLE, "7.5", False, ("is not a whole number", "", None)),
        (WHOLE, "1.000", False, GROUPED),
        (WHOLE, "1,000,000", False, GROUPED),
        (WHOLE, "1000000000000001", False, ("is out of range", "", None)),
        (WHOLE, "-1000000000000001", False, ("is out of range", "", None)),
        (WHOLE, "1e1000", False, NUMBER),
        (WHOLE, "1e999", False, ("is out of range", "", None)),
        (WHOLE, "٣", False, NUMBER),
        (WHOLE, "#REF!", False, SPREADSHEET),
        (WHOLE, "true", False, NUMBER),
        (WHOLE, "3-Apr", False, DATE),
        (WHOLE, "mag 2026", False, DATE),
        (WHOLE, "2026-04-03 00:00:00", False, DATE),
        (WHOLE, "3/4/26", False, DATE),
        (WHOLE, "12:30", False, DATE),
        (SHARE, "1.000", True, AMBIGUOUS),
        (SHARE, "-12.345.678", True, AMBIGUOUS),
        (SHARE, "2e300", False, ("is out of range", "", None)),
        (SHARE, "-2e300", False, ("is out of range", "", None)),
        (SHARE, "%", False, NUMBER),
        (FLAG, "maybe", False, ("is neither true nor false", "", None)),
        (FLAG, "2", False, ("is neither true nor false", "", None)),
        (KIND, "hors", False, ("is not a known choice", "did you mean horse?", None)),
        (KIND, "zzz", False, ("is not a known choice", "", None)),
        (KIND, "3-Apr", False, DATE),
        (ID, "+", False, ("is not an id", "use letters, digits and underscores", None)),
        (SKILLS, "bow; webb", False, ("is not a known choice", "did you mean web?", "webb")),
        (COLUMNS["dice.keep"], "5|x", False, ("is not a number", "", "x")),
        (TEXT, "a\tb", False, ("holds a control character", "write it on one line", None)),
        (TEXT, "a\ud800b", False, ("holds a control character", "write it on one line", None)),
        (TEXT, "x" * 32_768, False, ("is longer than 32,767 characters", "", None)),
        (SKILLS, "b\x07w", False, ("holds a control character", "write it on one line", None)),
    ],
)
def test_another_cell_is_refused_with_what_would_help(
    column: Column, text: str, comma: bool, verdict: tuple[str, str, str | None]
) -> None:
    with pytest.raises(BadCell) as caught:
        parse_cell(column, text, comma=comma)
    bad = caught.value
    assert (bad.message, bad.tip, bad.word) == verdict
    assert str(bad) == verdict[0]


def test_a_cell_may_be_as_long_as_a_spreadsheet_lets_it_be() -> None:
    assert parse_cell(TEXT, "x" * 32_767) == "x" * 32_767


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("=1+1", "'=1+1"),
        ("+a", "'+a"),
        ("-a", "'-a"),
        ("@a", "'@a"),
        ("\ta", "'\ta"),
        ("'=1", "''=1"),
        ("''-1", "'''-1"),
        ("-1", "-1"),
        ("+1,5%", "+1,5%"),
        ("-", "-"),
        ("+", "+"),
        ("-1.2.3", "'-1.2.3"),
        ("-1\n", "'-1\n"),
        ("a=1", "a=1"),
        ("'tis", "'tis"),
        ("", ""),
    ],
)
def test_a_formula_is_guarded_by_an_apostrophe_that_is_taken_off_again(text: str, guarded: str) -> None:
    assert guard(text) == guarded
    assert unguard(guarded) == text


def test_only_a_guard_is_taken_off() -> None:
    assert [unguard(text) for text in ("'-1", "'a", "=1", "'")] == ["-1", "'a", "=1", "'"]


def test_a_text_is_composed_and_without_spaces_around_it() -> None:
    assert [clean(text) for text in (" a b ", "\u00a0e\u0301\t", "")] == ["a b", "é", ""]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (0.1, "0.1"),
        (("a", True, 3), "a;true;3"),
        (["a", ["b", "c"]], "a;b;c"),
        ((), ""),
    ],
)
def test_a_value_is_shown_as_a_cell_holds_it(value: object, text: str) -> None:
    assert show_value(value) == text


class Inner(Record):
    deep: Annotated[int, Field(le=3), Header(name="tief")] = 0


class Strict(Record):
    id: EntryId
    short: Name
    whole: Annotated[int, Field(ge=1, le=9), Header(name="ganz")]
    share: Annotated[float, Field(ge=0)] = 0.0
    flag: bool = False
    kind: Literal["a", "b"] = "a"
    many: tuple[Annotated[int, Field(ge=2)], ...] = ()
    inner: Inner = Inner()


SOUND = {"id": "x", "short": "x", "whole": 1}


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({"whole": 0}, ["ganz: '0' is out of range; allowed: a whole number from 1 to 9"]),
        ({"whole": 10}, ["ganz: '10' is out of range; allowed: a whole number from 1 to 9"]),
        ({"whole": "7"}, ["ganz: '7' is not a whole number; allowed: a whole number from 1 to 9"]),
        ({"whole": None}, ["ganz: is not a whole number; allowed: a whole number from 1 to 9"]),
        ({"short": ""}, ["short: is empty; allowed: a text of 1 to 80 characters"]),
        ({"short": "x" * 81}, [f"short: '{'x' * 81}' is too long; allowed: a text of 1 to 80 characters"]),
        ({"short": 3}, ["short: '3' is not a text; allowed: a text of 1 to 80 characters"]),
        ({"id": "a b"}, ["id: 'a b' String should match pattern '^\\w+$'; allowed: a text of 1 to 64 characters"]),
        ({"share": float("nan")}, ["share: 'nan' is not a finite number; allowed: a number of at least 0"]),
        ({"share": "x"}, ["share: 'x' is not a number; allowed: a number of at least 0"]),
        ({"flag": 1}, ["flag: '1' is neither true nor false; allowed: true or false"]),
        ({"kind": "c"}, ["kind: 'c' is not a known choice; allowed: a, b"]),
        ({"many": (1, 2)}, ["many: '1' is out of range; allowed: a list, each a whole number of at least 2"]),
        ({"many": [2]}, ["many: is not a list; allowed: a list, each a whole number of at least 2"]),
        ({"shrot": 3}, ["shrot: is unknown; did you mean short?"]),
        ({"inner": {"deep": 4}}, ["inner.tief: '4' is out of range; allowed: a whole number of at most 3"]),
        ({"inner": {"dep": 4}}, ["inner.dep: is unknown; did you mean inner.deep?"]),
        (
            {"whole": 0, "kind": "c"},
            [
                "ganz: '0' is out of range; allowed: a whole number from 1 to 9",
                "kind: 'c' is not a known choice; allowed: a, b",
            ],
        ),
    ],
)
def test_what_a_record_refuses_is_told_by_the_column(values: dict[str, object], lines: list[str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Strict.model_validate(SOUND | values)
    assert [str(fault) for fault in faults_of(caught.value, Strict, Fault(""))] == lines
    placed = faults_of(caught.value, Strict, Fault("no", "a.csv", 3, "no", "no", "no", "no"))
    assert [str(fault) for fault in placed] == [f"a.csv, row 3, {line}" for line in lines]


def test_a_field_that_is_missing_is_told_where_nobody_told_it_before() -> None:
    with pytest.raises(ValidationError) as caught:
        Strict.model_validate({"id": "x", "whole": 0, "inner": {}})
    out_of_range = "ganz: '0' is out of range; allowed: a whole number from 1 to 9"
    assert [str(fault) for fault in faults_of(caught.value, Strict, Fault(""))] == [out_of_range]
    assert [str(fault) for fault in faults_of(caught.value, Strict, Fault(""), missing=True)] == [
        "short: is missing; allowed: a text of 1 to 80 characters",
        out_of_range,
    ]


def test_a_rule_between_fields_is_told_in_its_own_words() -> None:
    from pydantic import model_validator

    class Span(Record):
        low: int = 0
        high: int = 0

        @model_validator(mode="after")
        def _ordered(self) -> Span:
            if self.low > self.high:
                raise ValueError("low is above high")
            return self

    with pytest.raises(ValidationError) as caught:
        Span(low=3, high=1)
    assert [str(fault) for fault in faults_of(caught.value, Span, Fault("", "x.csv", 2))] == [
        "x.csv, row 2: low is above high"
    ]


def test_a_fields_own_rule_may_say_what_is_allowed_and_what_would_help() -> None:
    def dozens(found: int) -> int:
        if found % 12:
            raise BadCell(
                "is no dozen", f"did you mean {found - found % 12}?", allowed="12 or 24" if found > 12 else ""
            )
        return found

    class Eggs(Record):
        eggs: Annotated[int, Field(ge=1, le=24), AfterValidator(dozens)]
        boxes: Annotated[tuple[Annotated[int, AfterValidator(dozens)], ...], Header(name="box")] = ()

    with pytest.raises(ValidationError) as caught:
        Eggs(eggs=13, boxes=(12, 7, 24))
    assert [str(fault) for fault in faults_of(caught.value, Eggs, Fault("", "x.csv", 2))] == [
        "x.csv, row 2, eggs: '13' is no dozen; allowed: 12 or 24; did you mean 12?",
        "x.csv, row 2, box: '7' is no dozen; allowed: a list, each a whole number; did you mean 0?",
    ]


def test_every_kind_of_column_reads_back_what_it_shows() -> None:
    values = {
        "id": "a",
        "name": "A",
        "kind": "horse",
        "move": 3,
        "skills": ("bow", "web"),
        "share": 0.25,
        "brave": True,
    }
    for column in columns_of(Unit):
        if column.name in values:
            assert parse_cell(column, show_value(values[column.name])) == values[column.name]
