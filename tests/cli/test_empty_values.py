"""An empty value clears what may be empty, or is refused with what to say: it never leaves a value without a word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import balance as toolkit
from balance.base.errors import BalanceError, UsageError, as_typed
from balance.catalogue import Record, leaf_columns
from balance.catalogue.overrides import NO_VALUE, apply
from balance.game.registry import GAMES
from tests.cli.conftest import Command


def test_a_save_that_is_emptied_is_refused_with_what_may_be_said(balance: Command) -> None:
    done = balance("ask", "immortal_souls", "encounter", "ecarus", "ambush", "--set", "heroes.save=")
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert as_typed(NO_VALUE) in line
    assert "allowed: " in line and "leave it out" in line


@pytest.mark.parametrize("value", ["", None])
def test_python_is_told_the_same(value: str | None) -> None:
    with pytest.raises(UsageError, match="is empty, which would leave it"):
        toolkit.load("immortal_souls").ask("encounter", "ecarus", "ambush", {"heroes.save": value})


def records(game: str) -> Iterator[Record]:
    """Yield the records of which something can be set: stances, situations, and an entry of each table."""
    loaded = toolkit.load(game)
    for kind in loaded.definition.kinds.values():
        yield kind.situation()
        yield from (stance() for stance in kind.stances)
    for entries in loaded.catalogue.tables.values():
        yield from entries.values()


def value_of(record: Record, dotted: str) -> Any:
    value: Any = record
    for name in dotted.split("."):
        value = getattr(value, name)
    return value


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_value_of_any_field_clears_it_or_is_refused(game: str) -> None:
    cleared, refused = 0, 0
    for record in {repr(one): one for one in records(game)}.values():
        for dotted, column in leaf_columns(type(record)).items():
            before = value_of(record, dotted)
            try:
                after = value_of(apply(record, {dotted: ""}), dotted)
            except BalanceError as error:
                assert all(fault.allowed or fault.tip for fault in error.faults), str(error)
                refused += 1
                continue
            assert not after and not isinstance(after, int | float), (type(record), dotted, before, after)
            assert column.is_list or column.nullable
            cleared += 1
    assert refused > 0
