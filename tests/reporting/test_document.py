from __future__ import annotations

import dataclasses

import pytest

from balance.base.errors import UsageError
from balance.reporting import (
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


WORDS = "too dear, too cheap, overpowered, underpowered, fair, not yet known"
NAMED = "use small letters, digits, - and _, then .csv, .parquet or .html"
DEEP = Section("b", "b", (Section("c", "c", ()),))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Callout("loud", "t", "x"), "callout kind is 'loud'; allowed: key, caution, note"),
        (lambda: Verdict("Nexus", "great", "x"), f"verdict on 'Nexus' is 'great'; allowed: {WORDS}"),
        (lambda: Column("c", "middle"), "alignment of column 'c' is 'middle'; allowed: left, center, right"),
        (lambda: Cell("x", float("nan")), "cell 'x' has the value nan; use None for no value"),
        (lambda: Table((), (), "c"), "table 'c' has no column"),
        (lambda: table(["a", "b"], [["1", "2"], ["3"]], "c"), "cells in row 2 of table 'c': found 1, expected 2"),
        (lambda: heat(cells=(("1",),)), "cells in row 1 of heat map 'c': found 1, expected 2"),
        (lambda: heat(shades=((0.0,),)), "shades in row 1 of heat map 'c': found 1, expected 2"),
        (lambda: heat(shades=()), "rows of shades of heat map 'c': found 0, expected 1"),
        (lambda: heat(cells=()), "rows of cells of heat map 'c': found 0, expected 1"),
        (lambda: heat(shades=((0.1, 1.1),)), "a shade of heat map 'c' is 1.1; allowed: 0 to 1, or None"),
        (lambda: heat(shades=((0.1, float("nan")),)), "a shade of heat map 'c' is nan; allowed: 0 to 1, or None"),
        (lambda: heat(shades=((-0.5, 0.0),)), "a shade of heat map 'c' is -0.5; allowed: 0 to 1, or None"),
        (
            lambda: heat(palette="diverging", shades=((-1.5, 0.0),)),
            "a shade of heat map 'c' is -1.5; allowed: -1 to 1, or None",
        ),
        (lambda: heat(palette="rainbow"), "palette is 'rainbow'; allowed: sequential, diverging"),
        (lambda: heat(better="bigger"), "better is 'bigger'; allowed: more, less"),
        (lambda: heat(row_labels=()), "one side of heat map 'c' is empty"),
        (lambda: heat(column_labels=()), "one side of heat map 'c' is empty"),
        (
            lambda: Figure(Picture("<svg/>"), " ", "c"),
            "figure 'c' has no alt text; say what a reader who cannot see it would miss",
        ),
        (lambda: Section(" ", "a", ()), "section 'a' has an empty title"),
        (lambda: Document(" ", "", ()), "a report needs a title"),
        (lambda: Section("a", "a", (DEEP,)), "section 'c' lies three levels deep; allowed: two"),
        *(
            (lambda name=name: Attachment(name, b"", "All:"), f"attachment {name!r}: {NAMED}")
            for name in ("../evil.csv", "x.exe", "a b.csv", "/x.csv", "index.html", "A.csv", "-a.csv", "a--b.csv")
        ),
    ],
)
def test_a_block_that_contradicts_itself_is_refused(make: object, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert str(caught.value) == says


@pytest.mark.parametrize("name", ["a.csv", "every-match-up-2.parquet", "tables/first_mover.csv", "live.html"])
def test_an_attachment_has_a_plain_name(name: str) -> None:
    assert Attachment(name, b"", "All:").name == name


def test_a_notebook_shows_a_picture() -> None:
    assert Picture("<svg/>", "<svg narrow/>")._repr_svg_() == "<svg/>"


def test_what_is_large_is_left_out_of_what_is_printed() -> None:
    assert repr(Picture("<svg/>", "<svg/>")) == "Picture()"
    assert repr(Attachment("a.csv", b"1,2", "All:")) == "Attachment(name='a.csv', text='All:')"


def test_a_signed_shade_is_fine_when_diverging() -> None:
    assert heat(palette="diverging", shades=((-1.0, 1.0),)).shades == ((-1.0, 1.0),)
