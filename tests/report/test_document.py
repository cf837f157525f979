from __future__ import annotations

import dataclasses
import re

import pytest

from balance.errors import UsageError
from balance.report import (
    Attachment,
    Callout,
    Cell,
    Column,
    Document,
    Figure,
    HeatMap,
    Picture,
    Section,
    Table,
    Verdict,
    table,
)


def heat(**changes: object) -> HeatMap:
    fields = {"row_labels": ("a",), "column_labels": ("b", "c"), "cells": (("1", "2"),), "shades": ((0.0, None),)}
    return HeatMap(**{**fields, "caption": "c", **changes})


def test_blocks_do_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Document("t", "", ()).title = "u"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Callout("loud", "t", "x"), "'loud'; allowed: key, caution, note"),
        (
            lambda: Verdict("Nexus", "great", "x"),
            "allowed: dearer than its neighbours, cheaper than its neighbours, in line with its",
        ),
        (lambda: Column("c", "middle"), "allowed: left, center, right"),
        (lambda: Cell("x", float("nan")), "sort value nan"),
        (lambda: Table((), (), "c"), "no column"),
        (lambda: table(["a", "b"], [["1", "2"], ["3"]], "c"), "row 2 of table 'c': found 1, expected 2"),
        (lambda: heat(cells=(("1",),)), "found 1, expected 2"),
        (lambda: heat(shades=()), "rows of shades"),
        (lambda: heat(shades=((0.1, 1.1),)), "1.1; allowed: 0 to 1"),
        (lambda: heat(shades=((0.1, float("nan")),)), "nan; allowed"),
        (lambda: heat(shades=((-0.5, 0.0),)), "-0.5; allowed: 0 to 1"),
        (lambda: heat(palette="rainbow"), "rainbow"),
        (lambda: heat(row_labels=()), "empty"),
        (lambda: Figure(Picture("<svg/>"), " ", "c"), "no alt text"),
        (lambda: Section("", "a", ()), "empty title"),
        (lambda: Document("", "", ()), "needs a title"),
        (
            lambda: Section("a", "a", (Section("b", "b", (Section("c", "c", ()),)),)),
            "'c' lies three levels deep; allowed: two",
        ),
    ],
)
def test_a_block_that_contradicts_itself_is_refused(make: object, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        make()


def test_a_signed_shade_is_fine_when_diverging() -> None:
    assert heat(palette="diverging", shades=((-1.0, 1.0),)).shades == ((-1.0, 1.0),)


@pytest.mark.parametrize("name", ["../evil.csv", "x.exe", "a b.csv", "/x.csv", "index.html"])
def test_an_attachment_stays_beside_its_report(name: str) -> None:
    with pytest.raises(UsageError, match="small letters"):
        Attachment(name, b"", "All:")
