"""Tables of shares as maps: what stands along the sides, and how dark a cell is."""

from __future__ import annotations

import polars as pl

from balance.answers.words.lists import list_some
from balance.reporting.sections.common.words import heat_map
from tests.reporting.altered import altered, table


def test_rows_and_columns_have_titles_of_their_own() -> None:
    found = heat_map(["x"], ["y", "z"], [[0.5, None]], [["50", ""]], "Shares", titles=("who", "whom"))
    assert (found.row_title, found.column_title) == ("who", "whom")
    assert (found.row_labels, found.column_labels, found.cells) == (("x",), ("y", "z"), (("50", ""),))


def test_shades_go_up_to_the_largest_or_around_a_half() -> None:
    values = [[0.5, 2.0, None], [-1.0, 1.0, 0.75]]
    texts = [["", "", ""]] * 2
    plain = heat_map(["x", "y"], ["1", "2", "3"], values, texts, "", titles=("", ""))
    assert plain.shades == ((0.25, 1.0, None), (0.0, 0.5, 0.375))
    signed = heat_map(["x", "y"], ["1", "2", "3"], values, texts, "", titles=("", ""), signed=True)
    assert signed.shades == ((0.0, 1.0, None), (-1.0, 1.0, 0.5))
    assert heat_map(["x"], ["y"], [[0.5]], [[""]], "", titles=("", ""), top=4).shades == ((0.125,),)
    assert heat_map(["x"], ["y"], [[0.0]], [[""]], "", titles=("", "")).shades == ((0.0,),)


def test_a_map_is_plain_where_nobody_says_more() -> None:
    found = heat_map(["x"], ["y"], [[None]], [["–"]], "c", titles=("", ""))
    assert (found.palette, found.better, found.legend, found.note, found.shades) == (
        "sequential",
        "more",
        (),
        "",
        ((None,),),
    )
    signed = heat_map(
        ["x"], ["y"], [[1.0]], [["–"]], "c", titles=("", ""), signed=True, better="less", note="n", legend=("0",)
    )
    assert (signed.palette, signed.better, signed.legend, signed.note) == ("diverging", "less", ("0",), "n")


def test_of_nine_words_eight_are_listed() -> None:
    assert list_some(list("abcdefgh")) == "a, b, c, d, e, f, g and h"
    assert list_some(list("abcdefghi")) == "a, b, c, d, e, f, g, h and 1 more"


def test_names_are_those_of_cards_then_of_the_settings_then_the_id_itself() -> None:
    pages = altered("warforged", {}, None, {"names": {"x_y": "Xy", "nexus": "Other"}})
    names = ["nexus+sidearm", "sidearm", "nexus", "x_y", "some_thing"]
    assert [pages.name(name) for name in names] == ["Nexus + Sidearm", "Sidearm", "Other", "Xy", "Some thing"]
    assert altered("warforged", {}, None, {"names": {"x": "a*b"}}).marked_name("x") == r"a\*b"


def test_who_is_as_strong_as_the_strongest_is_one_of_them() -> None:
    four = table("warforged", "prices").head(4)
    scores = four.with_columns(score=pl.Series([0.7, 0.7 - 1e-13, 0.3, 0.3 + 1e-6]))
    names = four["entrant"].to_list()
    assert altered("warforged", {"prices": scores}).ends == (names[:2], names[2:3])


def test_prices_can_be_wrong_only_where_they_differ() -> None:
    assert altered("warforged", {}).has_prices
    assert not altered("battlelore", {}).has_prices
