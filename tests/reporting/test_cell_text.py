"""Numbers of report tables as text: units, signs, error bars, and what lies beyond what was tried."""

from __future__ import annotations

from typing import Any

import pytest

from balance.reporting.sections.common.cell_text import cell_text, number_text

SHARE = {"is_share": True, "show": "value", "low": None, "high": None, "beyond": None}
MEAN = SHARE | {"is_share": False}
GAIN, STEPS = SHARE | {"show": "difference"}, MEAN | {"show": "worth"}


@pytest.mark.parametrize(
    ("row", "decimals", "text", "bare"),
    [
        (SHARE | {"value": 0.256}, None, "26%", "26"),
        (SHARE | {"value": 0.256}, 1, "25.6%", "25.6"),
        (SHARE | {"value": 0.256, "low": 0.2, "high": 0.3}, None, "26% ±5.0", "26 ±5.0"),
        (SHARE | {"value": 0.256, "low": 0.2, "high": 0.3}, 1, "25.6% ±5.00", "25.6 ±5.00"),
        (SHARE | {"value": 0.5, "low": 0.4999, "high": 0.5001}, None, "50% ±<0.1", "50 ±<0.1"),
        (MEAN | {"value": 2.345}, None, "2.35", "2.35"),
        (MEAN | {"value": -2.345}, 0, "−2", "−2"),
        (MEAN | {"value": 2.345, "low": 2.0, "high": 2.5}, None, "2.35 ±0.25", "2.35 ±0.25"),
        (GAIN | {"value": 0.256}, None, "+26 pp", "+26"),
        (GAIN | {"value": -0.256}, 1, "−25.6 pp", "−25.6"),
        (GAIN | {"value": 0.001}, None, "0 pp", "0"),
        (GAIN | {"value": 0.0}, 2, "0.00 pp", "0.00"),
        (GAIN | {"is_share": False, "value": 0.25}, None, "+0.25", "+0.25"),
        (STEPS | {"value": 1.25}, None, "+1.2", "+1.2"),
        (STEPS | {"value": -1.25}, 2, "−1.25", "−1.25"),
        (STEPS | {"value": None}, None, "–", "–"),
        (STEPS | {"value": None, "beyond": 4}, None, "> 4", "> 4"),
        (STEPS | {"value": None, "beyond": -3}, None, "< −3", "< −3"),
    ],
)
def test_a_cell_in_full(row: dict[str, Any], decimals: int | None, text: str, bare: str) -> None:
    shown = (cell_text(row, decimals), cell_text(row, decimals, bare=True))
    assert tuple(one.replace("\u00a0", " ") for one in shown) == (text, bare)


def test_a_number_alone_has_no_error() -> None:
    row = SHARE | {"value": 0.5, "low": 0.4, "high": 0.6}
    assert number_text(row, 0.25, None, bare=False) == "25%"
