"""Too little memory, and the small parts that endings are made of."""

from __future__ import annotations

import pytest
import typer

from balance.answers.blocks.bars import bar, sparkline
from balance.base.text import one_line
from balance.cli.commands import parse_count
from tests.cli.conftest import Command


class PanicException(BaseException):
    """What polars raises when it panics, which is no Exception."""


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (MemoryError(), 2, "error: out of memory"),
        (PanicException("could not spawn threads"), 2, "error: out of memory"),
        (OSError(12, "Cannot allocate memory"), 2, "error: out of memory"),
        (PanicException("index out of range"), 101, "balance has a bug: PanicException"),
    ],
)
def test_too_little_memory_is_no_bug(
    error: BaseException, status: int, words: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("balance.answers.games.games.installed_games", fail)
    done = balance("games")
    assert done.status == status
    assert words in done.err


def test_one_line_is_printable() -> None:
    assert one_line("a\tb\x1b[0m\u202e") == "a b\ufffd[0m\ufffd"


@pytest.mark.parametrize(("text", "count"), [("1e6", 10**6), ("1_000", 1000), ("1,000", 1000), ("-3", -3), ("5.0", 5)])
def test_counts_are_read_as_people_write_them(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize("text", ["", "x", "0.5", "nan", "inf", "1e99999"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_count(text)


def test_bars_are_as_long_as_their_shares() -> None:
    assert [bar(share, 4).text for share in (0, 0.125, 0.5, 1)] == ["", "▌", "██", "████"]


def test_a_sparkline_draws_nothing_only_for_nothing() -> None:
    assert sparkline([0, 1e-9, 1]) == " ▁█"
