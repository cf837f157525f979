"""Which numbers the rules of War for Edadh may hold."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from balance.games.edadh.ruleset import Length, Movement, NoAttack, Retirement

BOUNDS: list[tuple[Any, str, int, int]] = [
    (Retirement, "below_mp", 0, 999),
    (NoAttack, "mp_loss", 0, 99),
    (Length, "max_periods", 1, 1000),
]


@pytest.mark.parametrize(("record", "name", "least", "most"), BOUNDS)
def test_a_number_has_a_least_and_a_most(record: Any, name: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(record.model_validate({name: value}), name) == value
    for value in (least - 1, most + 1):
        with pytest.raises(ValidationError, match=name):
            record.model_validate({name: value})


def test_a_card_is_swapped_for_another() -> None:
    with pytest.raises(ValidationError, match="swap_ranks"):
        Movement.model_validate({"ballistic_periods": 0, "charge_periods": 0, "swap_ranks": 0})
