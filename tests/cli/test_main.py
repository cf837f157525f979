"""How a command ends: the status, and every word of what is said about it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import balance as toolkit
from balance.base.signals import interrupt
from balance.cli import main as ends
from balance.cli.process.exits import BROKEN_LIMIT, OUR_BUG, PARTIAL, SUCCESS, WRONG_INPUT
from tests.cli.conftest import Command


def failing(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("balance.game.registry.installed_games", fail)
    monkeypatch.setattr("balance.answers.games.games.installed_games", fail)


def test_the_exit_statuses_are_what_scripts_rely_on() -> None:
    assert (SUCCESS, BROKEN_LIMIT, WRONG_INPUT, PARTIAL, OUR_BUG) == (0, 1, 2, 3, 101)


def test_the_version_is_said(balance: Command) -> None:
    done = balance("--version")
    assert (done.status, done.out, done.err) == (0, f"balance {toolkit.__version__}\n", "")


BUG = "Sorry, balance has a bug: RuntimeError: no luck\nPlease report it with the command you ran"


@pytest.mark.slow("test_the_exit_statuses_are_what_scripts_rely_on")
def test_a_bug_asks_for_a_report_and_with_debug_shows_where_it_is(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(RuntimeError("no luck"), monkeypatch)
    done = balance("check", "--notes")
    assert (done.status, done.out) == (101, "")
    assert done.err == f"{BUG} and what --debug shows: balance --debug check --notes\n"
    done = balance("--debug", "check", "--notes")
    assert done.status == 101
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert done.err.endswith(f"\nRuntimeError: no luck\n{BUG}.\n")


def test_what_fails_before_the_verb_is_found_is_debugged_too(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(RuntimeError("no luck"), monkeypatch)
    assert balance("--debug", "joust").err.startswith("Traceback")
    assert balance("joust", "--debug").err == f"{BUG} and what --debug shows: balance --debug joust --debug\n"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(13, "Permission denied", "secret"), "secret: Permission denied"),
        (OSError(13, "Permission denied"), "Permission denied"),
        (OSError("the cable is out"), "the cable is out"),
    ],
)
def test_what_the_system_refuses_is_told(
    error: OSError, told: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(error, monkeypatch)
    done = balance("games")
    assert (done.status, done.out, done.err) == (2, "", f"error: {told}\n")


@pytest.mark.parametrize(
    ("stop", "told"),
    [
        (KeyboardInterrupt(), "Interrupted; nothing was left half-written."),
        (KeyboardInterrupt("8 tasks are kept"), "Interrupted; 8 tasks are kept."),
    ],
)
def test_an_interruption_is_partial(
    stop: BaseException, told: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(stop, monkeypatch)
    done = balance("games")
    assert (done.status, done.out, done.err) == (3, "", f"{told}\n")


@pytest.mark.parametrize(
    ("status", "lost", "if_interrupted", "end", "said"),
    [
        (0, None, 3, 0, []),
        (1, None, 1, 1, []),
        (101, None, 101, 101, []),
        (0, OSError(28, "No space left"), 3, 2, ["standard output cannot be written: no space left"]),
        (1, OSError("Gone"), 1, 1, ["standard output cannot be written: gone"]),
    ],
)
def test_the_process_ends_with_the_status_of_its_command(
    status: int, lost: OSError | None, if_interrupted: int, end: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption at the very end changes no status but that of a command that was all right."""
    heeded, told = list[Any](), list[str]()
    flushed = list[bool]()
    out = SimpleNamespace(flush=lambda: flushed.append(True), write_error=lost)
    monkeypatch.setattr(ends, "open_streams", lambda: (out, None))
    monkeypatch.setattr(ends, "heed", heeded.append)
    monkeypatch.setattr(ends, "end_at_once", lambda of: of)
    monkeypatch.setattr(ends, "fit_into_limit", lambda: None)
    monkeypatch.setattr(ends, "say_errors", told.extend)
    monkeypatch.setattr(ends, "main", lambda arguments: status if arguments == ["games", "x"] else None)
    monkeypatch.setattr("sys.argv", ["balance", "games", "x"])
    with pytest.raises(SystemExit) as ended:
        ends.run()
    assert (ended.value.code, heeded, told) == (end, [interrupt, if_interrupted], said)
    assert flushed == [True]


def test_a_limit_that_is_too_tight_is_told_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    monkeypatch.setattr(ends, "open_streams", lambda: (None, None))
    monkeypatch.setattr(ends, "heed", lambda handler: None)
    monkeypatch.setattr(ends, "fit_into_limit", lambda: "too tight")
    monkeypatch.setattr(ends, "say_errors", told.extend)
    with pytest.raises(SystemExit) as ended:
        ends.run()
    assert (ended.value.code, told) == (2, ["too tight"])
