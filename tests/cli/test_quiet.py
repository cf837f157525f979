"""Every verb that may show how far it is can be told to be quiet."""

from __future__ import annotations

import inspect

import pytest

from balance.cli.catalogues.check import check
from balance.cli.catalogues.workbooks import export_game
from balance.cli.playtests.need import need
from balance.cli.playtests.rate import rate
from balance.cli.questions.dice import dice
from balance.cli.questions.replay import replay


@pytest.mark.parametrize("verb", [rate, need, dice, check, export_game, replay])
def test_a_verb_can_be_told_to_be_quiet(verb: object) -> None:
    assert inspect.signature(verb).parameters["quiet"].default is False  # type: ignore[arg-type]
