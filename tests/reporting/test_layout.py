from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.reporting import Column, HeatMap, table
from balance.reporting.page.layout import (
    SIDEWAYS_HEIGHT,
    SIDEWAYS_WIDTH,
    UPRIGHT_WIDTH,
    Grid,
    Panel,
    Sheet,
    cut,
    fit_figure,
    plan_heatmap,
    plan_table,
)
from tests.reporting.demo import armour_map, duel_matrix, weapon_table, wide_table


@given(st.integers(1, 500), st.integers(1, 90))
def test_a_cut_covers_all_once(n: int, most: int) -> None:
    parts = cut(n, most)
    assert [index for start, end in parts for index in range(start, end)] == list(range(n))
    assert max(end - start for start, end in parts) <= most


def test_wide_tables_are_turned_and_others_not() -> None:
    assert plan_table(wide_table()).sideways
    assert not plan_table(weapon_table()).sideways


def test_a_small_heat_map_stays_upright_in_one_panel() -> None:
    grid = plan_heatmap(armour_map())
    assert not grid.sideways
    assert not grid.turned
    assert len(grid.panels) == 1


@pytest.mark.parametrize("n", [25, 40, 57, 80, 120])
def test_panels_fit_their_page_and_cover_the_map(n: int) -> None:
    heat = duel_matrix(n)
    grid = plan_heatmap(heat)
    cells = {(row, column) for panel in grid.panels for row in range(*panel.rows) for column in range(*panel.columns)}
    assert len(cells) == n * n
    for panel in grid.panels:
        assert 118 + (panel.columns[1] - panel.columns[0]) * grid.cell_width <= SIDEWAYS_WIDTH + 1e-9
        assert grid.label_height + (panel.rows[1] - panel.rows[0]) * grid.cell_height <= SIDEWAYS_HEIGHT


@given(st.floats(1, 5000), st.floats(1, 5000))
def test_a_picture_shrinks_in_proportion(width: float, height: float) -> None:
    paper = fit_figure(width, height)
    assert paper[0] <= UPRIGHT_WIDTH + 1e-6
    assert paper[0] / paper[1] == pytest.approx(width / height)


def _row(*lengths: int, align: str = "right") -> Sheet:
    heads = [Column("Name"), *(Column("n", align) for _ in lengths[1:])]
    return plan_table(table(heads[: len(lengths)], [["x" * length for length in lengths]], "c"))


@pytest.mark.parametrize(
    ("length", "sheet"),
    [
        (95, Sheet(9.0, False, False)),
        (96, Sheet(8.25, False, False)),
        (103, Sheet(8.25, False, False)),
        (104, Sheet(7.5, False, False)),
        (114, Sheet(7.5, False, False)),
        (115, Sheet(9.0, True, False)),
        (150, Sheet(9.0, True, False)),
        (151, Sheet(8.25, True, False)),
        (164, Sheet(8.25, True, False)),
        (165, Sheet(7.5, True, False)),
        (180, Sheet(7.5, True, False)),
        (181, Sheet(6.5, True, False)),
    ],
)
def test_a_number_never_wraps_so_type_shrinks_before_the_page_is_turned(length: int, sheet: Sheet) -> None:
    """Four letters of a name and so many digits; a letter takes 0.54 of the type, a column 9 points more."""
    assert _row(1, length - 4) == sheet


def test_texts_wrap_and_heads_break_between_words() -> None:
    assert _row(26, 26, align="left") == _row(99, 99, align="left") == Sheet(9.0, False, False)
    assert _row(26, 26, 26, 26, align="left") == Sheet(7.5, False, False)
    heads = [Column("a head of many words that breaks", "right")] * 9
    assert plan_table(table(heads, [["1"] * 9], "c")) == Sheet(9.0, False, False)


def test_a_named_table_of_four_columns_stretches_while_there_is_room() -> None:
    assert _row(5, 26, 25, 25) == Sheet(9.0, False, True)
    assert _row(5, 26, 26, 25) == Sheet(9.0, False, False)
    assert _row(5, 26, 25) == Sheet(9.0, False, False)
    assert plan_table(table([Column("n", "center")] * 4, [], "c")) == Sheet(9.0, False, False)


def _map(rows: int, columns: int, label: str = "c", cell: str = "7") -> Grid:
    n = columns
    heat = HeatMap(("r",) * rows, (label,) * n, ((cell,) * n,) * rows, ((0.5,) * n,) * rows, "c")
    return plan_heatmap(heat)


@pytest.mark.parametrize(
    ("columns", "cell", "size"),
    [
        (17, "7", 8.5),
        (18, "7", 7.5),
        (19, "7", 7.5),
        (20, "7", 6.75),
        (21, "7", 6.75),
        (13, "12345", 8.5),
        (14, "12345", 7.5),
    ],
)
def test_an_upright_map_has_the_largest_type_at_which_its_columns_fit(columns: int, cell: str, size: float) -> None:
    grid = _map(2, columns, cell=cell)
    assert (grid.size, grid.sideways, grid.cell_height) == (size, False, 15.5)
    assert grid.cell_width == pytest.approx(362 / columns)
    assert grid.panels == (Panel((0, 2), (0, columns)),)


def test_few_columns_are_no_wider_than_58_points() -> None:
    assert [_map(2, columns).cell_width for columns in (1, 6)] == [58.0, 58.0]
    assert _map(2, 7).cell_width == pytest.approx(362 / 7)


@pytest.mark.parametrize(
    ("label", "turned", "height"),
    [
        ("x" * 11, False, 51.945),
        ("x" * 12, True, 55.94),
        ("two words", False, 43.955),
        ("words " * 6 + "more", False, 110.0),
        ("words " * 6 + "of it", True, 110.0),
        ("x" * 25, True, 107.875),
        ("", False, 8.0),
    ],
)
def test_labels_are_turned_where_a_word_or_three_lines_are_too_wide(label: str, turned: bool, height: float) -> None:
    grid = _map(2, 6, label)
    assert (grid.turned, grid.label_height) == (turned, pytest.approx(height))


@pytest.mark.parametrize(
    ("rows", "columns", "cell", "width", "panels"),
    [
        (2, 22, "7", 24.0, [((0, 2), (0, 22))]),
        (2, 52, "77", 632 / 52, [((0, 2), (0, 52))]),
        (2, 53, "77", 632 / 27, [((0, 2), (0, 27)), ((0, 2), (27, 53))]),
        (2, 41, "777", 632 / 41, [((0, 2), (0, 41))]),
        (2, 42, "777", 632 / 21, [((0, 2), (0, 21)), ((0, 2), (21, 42))]),
        (81, 1, "7", 24.0, [((0, 41), (0, 1)), ((41, 81), (0, 1))]),
        (98, 1, "7", 24.0, [((0, 49), (0, 1)), ((49, 98), (0, 1))]),
        (99, 1, "7", 24.0, [((0, 33), (0, 1)), ((33, 66), (0, 1)), ((66, 99), (0, 1))]),
    ],
)
def test_a_turned_map_is_cut_into_even_panels(
    rows: int, columns: int, cell: str, width: float, panels: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    grid = _map(rows, columns, cell=cell)
    assert (grid.size, grid.cell_height, grid.turned, grid.sideways) == (6.4, 8.8, True, True)
    assert grid.cell_width == pytest.approx(width)
    assert grid.panels == tuple(Panel(*panel) for panel in panels)


def test_a_map_of_eighty_rows_is_upright_yet() -> None:
    assert not _map(80, 1).sideways


@pytest.mark.parametrize(
    ("size", "paper"),
    [((480, 650), (480, 650)), ((960, 100), (480, 50)), ((100, 1300), (50, 650)), ((96, 651), (96 * 650 / 651, 650))],
)
def test_a_picture_fits_in_width_and_in_height(size: tuple[float, float], paper: tuple[float, float]) -> None:
    assert fit_figure(*size) == pytest.approx(paper)
