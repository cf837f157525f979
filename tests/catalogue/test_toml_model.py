"""TOML files read into models: what each mistake is told, and that all are told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, field_validator

from balance.base.errors import Fault, StudyError
from balance.catalogue import toml_model as module
from balance.catalogue.toml_model import Frozen, check_model, read_model


class Part(Frozen):
    id: str
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5


class Book(Frozen):
    title: Annotated[str, Field(min_length=2, max_length=5)]
    kind: Literal["a", "b"] = "a"
    n_pages: Annotated[int, Field(ge=1, le=9)] = 1
    sold: bool = False
    names: list[str] = Field(max_length=2, default_factory=list)
    parts: list[Part] = Field(default_factory=list)
    first: Part | None = None
    prices: dict[str, int | list[int]] = Field(default_factory=dict)
    words: str | list[str] = ""

    @field_validator("kind")
    @classmethod
    def _known(cls, kind: str) -> str:
        if kind == "b":
            raise ValueError("b is sold out")
        return kind


def lines(folder: Path, text: str) -> list[str]:
    path = folder / "b.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_model(Book, path)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    text = 'title = "abc"\nprices = {a = 1, b = [2, 3]}\n[first]\nid = "x"\n[[parts]]\nid = "y"\nshare = 0.25\n'
    (tmp_path / "b.toml").write_text(text)
    assert read_model(Book, tmp_path / "b.toml") == Book(
        title="abc", prices={"a": 1, "b": [2, 3]}, first=Part(id="x"), parts=[Part(id="y", share=0.25)]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["b.toml: the file is empty"]),
        (" ", ["b.toml: the file is empty"]),
        ("kind = 'a'", ["b.toml, title: is missing"]),
        (
            "title = 'a'",
            ["b.toml, row 1, title: 'a' is out of range; allowed: at least this many entries or characters: 2"],
        ),
        ("title = 'abcdef'", ["b.toml, row 1, title: 'abcdef' is out of range; allowed: at most this many: 5"]),
        ("title = 3", ["b.toml, row 1, title: '3' is not a text; allowed: a text in double quotes"]),
        ("title = [3]", ["b.toml, row 1, title: is not a text; allowed: a text in double quotes"]),
        ("title = 'abc'\nkind = 'c'", ["b.toml, row 2, kind: 'c' is not allowed; allowed: 'a' or 'b'"]),
        ("title = 'abc'\nkind = 'b'", ["b.toml, row 2, kind: 'b' b is sold out"]),
        ("title = 'abc'\nn_pages = 0", ["b.toml, row 2, n_pages: '0' is out of range; allowed: at least 1"]),
        ("title = 'abc'\nn_pages = 10", ["b.toml, row 2, n_pages: '10' is out of range; allowed: at most 9"]),
        (
            "title = 'abc'\nn_pages = 1.5",
            ["b.toml, row 2, n_pages: '1.5' is not a whole number; allowed: a whole number"],
        ),
        ("title = 'abc'\nsold = 1", ["b.toml, row 2, sold: '1' is neither true nor false; allowed: true, false"]),
        ("title = 'abc'\nnames = 'x'", ["b.toml, row 2, names: 'x' is not a list; allowed: a list in square brackets"]),
        (
            "title = 'abc'\nnames = ['x', 'y', 'z']",
            ["b.toml, row 2, names: is out of range; allowed: at most this many: 2"],
        ),
        (
            "title = 'abc'\nnames = ['x', 1]",
            ["b.toml, row 2, names: '1' is not a text; allowed: a text in double quotes"],
        ),
        ("title = 'abc'\nfirst = 'x'", ["b.toml, row 2, first: 'x' is not a table; allowed: a [table] of keys"]),
        ("title = 'abc'\nprices = 1", ["b.toml, row 2, prices: '1' is not a table; allowed: a [table] of keys"]),
        (
            "title = 'abc'\n[first]\nid = 'x'\nshare = 0.0",
            ["b.toml, row 4, first.share: '0.0' is out of range; allowed: more than 0.0"],
        ),
        (
            "title = 'abc'\n[first]\nid = 'x'\nshare = 1",
            ["b.toml, row 4, first.share: '1' is out of range; allowed: less than 1.0"],
        ),
        (
            "title = 'abc'\n[first]\nid = 'x'\nshare = 'x'",
            ["b.toml, row 4, first.share: 'x' is not a number; allowed: a number"],
        ),
        (
            "title = 'abc'\n[first]\nid = 'x'\nshare = nan",
            ["b.toml, row 4, first.share: 'nan' is not a finite number; allowed: a number"],
        ),
        (
            "title = 'abc'\n[first]\nidd = 'x'\nshare = 0.5",
            [
                "b.toml, row 2, first.id: is missing",
                "b.toml, row 3, first.idd: 'idd' is unknown; allowed: id, share; did you mean id?",
            ],
        ),
        (
            "title = 'abc'\n[[parts]]\nid = 'x'\n[[parts]]\nid = 3\nshares = 0.5\n[[parts]]\nshare = 7",
            [
                "b.toml, row 5, parts.id: '3' is not a text; allowed: a text in double quotes",
                "b.toml, row 6, parts.shares: 'shares' is unknown; allowed: id, share; did you mean share?",
                "b.toml, row 7, parts.id: is missing",
                "b.toml, row 8, parts.share: '7' is out of range; allowed: less than 1.0",
            ],
        ),
        (
            "titel = 'abc'",
            [
                "b.toml, title: is missing",
                "b.toml, row 1, titel: 'titel' is unknown; "
                "allowed: title, kind, n_pages, sold, names, parts, first, prices, words; did you mean title?",
            ],
        ),
        (
            "title = 'abc'\nwords = 3",
            ["b.toml, row 2, words: '3' is not a text; allowed: a text in double quotes"],
        ),
        (
            "title = 'abc'\n[prices]\na = 'x'\nb = ['y']",
            [
                "b.toml, row 3, prices.a: 'x' is not a whole number; allowed: a whole number",
                "b.toml, row 4, prices.b: is not a whole number; allowed: a whole number",
                "b.toml, row 4, prices.b: 'y' is not a whole number; allowed: a whole number",
            ],
        ),
        (
            f"title = '{'x' * 90}'",
            [f"b.toml, row 1, title: '{'x' * 80}' is out of range; allowed: at most this many: 5"],
        ),
    ],
)
def test_every_fault_of_a_file_is_told_by_line_and_key(text: str, expected: list[str], tmp_path: Path) -> None:
    assert lines(tmp_path, text) == expected


def test_a_file_that_cannot_be_read_is_an_error_of_the_study(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as caught:
        read_model(Book, tmp_path / "none.toml")
    assert str(caught.value) == f"{tmp_path}/none.toml: there is no such file"


class Long(Frozen):
    rows: Annotated[list[int], Field(max_length=3, default_factory=list)]
    more: list[int] = Field(default_factory=list)


def test_of_very_many_faults_the_first_are_told_and_a_list_that_is_too_long_before_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_FAULTS", 3)

    def told(data: object) -> list[str]:
        with pytest.raises(StudyError) as caught:
            check_model(Long, data, lambda dotted: Fault("", "f.toml", 9, dotted))
        return [str(fault) for fault in caught.value.faults]

    wrong = "f.toml, row 9, more: 'x' is not a whole number; allowed: a whole number"
    assert told({"more": ["x"] * 3}) == [wrong] * 3
    assert told({"more": ["x"] * 4}) == [wrong] * 3 + ["f.toml: after 3 faults the rest of the file was not looked at"]
    assert told({"more": ["x"] * 5, "rows": [1, 2, 3, 4]}) == [
        "f.toml, row 9, rows: is out of range; allowed: at most this many: 3",
        wrong,
        wrong,
        "f.toml: after 3 faults the rest of the file was not looked at",
    ]


def test_a_thousand_faults_are_told_as_people_write_it() -> None:
    with pytest.raises(StudyError) as caught:
        check_model(Long, {"more": ["x"] * 1001}, lambda dotted: Fault("", "f.toml"))
    assert len(caught.value.faults) == 1001
    assert str(caught.value.faults[-1]) == "f.toml: after 1,000 faults the rest of the file was not looked at"


def test_what_is_no_table_at_all_is_told() -> None:
    with pytest.raises(StudyError) as caught:
        check_model(Long, [1], lambda dotted: Fault("", "f.json"))
    assert str(caught.value) == "f.json: is not a table; allowed: a [table] of keys"


def test_a_model_is_frozen_strict_and_without_unknown_keys() -> None:
    assert Frozen.model_config == {"frozen": True, "strict": True, "extra": "forbid", "allow_inf_nan": False}
