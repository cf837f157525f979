from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.report.layout import (
    SIDEWAYS_HEIGHT,
    SIDEWAYS_WIDTH,
    UPRIGHT_WIDTH,
    cut,
    fit_figure,
    plan_heatmap,
    plan_table,
)
from tests.report.demo import armour_map, duel_matrix, weapon_table, wide_table


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
