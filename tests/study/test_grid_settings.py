"""What a study may say about how long it plays."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from balance.study.settings.grid import Budget


@pytest.mark.parametrize("rule", ["half_width", "verdict"])
def test_a_width_of_a_chance_is_above_nothing_and_below_a_half(rule: str) -> None:
    """No interval of a chance is wider than from 0 to 1, so a half-width of a half asks for nothing."""
    for width in (0.001, 0.499):
        assert getattr(Budget.model_validate({rule: width}), rule) == width
    for width in (0.0, 0.5, 1.0):
        with pytest.raises(ValidationError, match=rule):
            Budget.model_validate({rule: width})


def test_one_rule_ends_a_match_up_and_two_are_named() -> None:
    with pytest.raises(ValidationError, match="holds trials and verdict: give one of"):
        Budget(trials=100, verdict=0.1)


def test_verdicts_are_about_what_the_rule_says_or_two_in_a_hundred() -> None:
    assert (Budget(verdict=0.05).imbalance, Budget().imbalance, Budget(trials=100).imbalance) == (0.05, 0.02, 0.02)
