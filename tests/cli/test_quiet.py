"""Every verb that may show how far it is can be told to be quiet."""

from __future__ import annotations

import inspect

import pytest

import balance


@pytest.mark.parametrize(
    "verb", [balance.rate, balance.need, balance.dice, balance.check, balance.export_game, balance.replay]
)
def test_a_verb_can_be_told_to_be_quiet(verb: object) -> None:
    assert inspect.signature(verb).parameters["quiet"].default is False  # type: ignore[arg-type]
