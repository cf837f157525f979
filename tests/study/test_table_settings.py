"""What one table of a report may say."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from balance.study.table_settings import Worth


@pytest.mark.parametrize(("low", "high"), [(-3, 3), (0, 1), (-20, 20), (0, 40)])
def test_what_makes_up_is_looked_for_upwards(low: int, high: int) -> None:
    worth = Worth(path="situation.extra_dice", low=low, high=high)
    assert (worth.low, worth.high) == (low, high)


@pytest.mark.parametrize(("low", "high"), [(3, 3), (1, 0), (0, 41), (-21, 20)])
def test_no_steps_downwards_and_not_too_many(low: int, high: int) -> None:
    with pytest.raises(ValidationError, match=f"goes from {low} to {high}: high must be above low, by at most 40"):
        Worth(path="situation.extra_dice", low=low, high=high)
