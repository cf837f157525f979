"""Tables of shares as maps: what stands along the sides, and how dark a cell is."""

from __future__ import annotations

from balance.report.sections.words import heat_map


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
