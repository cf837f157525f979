"""Progress of a verb is shown at a prompt and in a notebook, and nowhere else."""

from __future__ import annotations

import time
from inspect import signature

import pytest

from balance.base.progress import Stage, tell
from balance.verbs.call import watch
from balance.verbs.call.watch import shows_progress


@shows_progress
def slow(n: int, *, quiet: bool = False) -> int:
    """Take a while, and tell how far it is."""
    for done in range(n):
        tell(Stage("duels", done, n))
        time.sleep(0.05)
    return n


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PATIENCE_SECONDS", 0.02)
    monkeypatch.setattr(watch, "DRAW_SECONDS", 0.01)


def test_a_notebook_sees_a_line_that_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watch, "in_notebook", lambda: True)
    assert slow(6) == 6
    shown = capsys.readouterr().err
    assert "duels: 3 of 6" in shown
    assert shown.endswith("\r")
    assert shown.rstrip("\r").rsplit("\r", 1)[-1].strip() == ""


def test_whoever_calls_it_quiet_or_from_a_script_sees_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert slow(3) == 3
    monkeypatch.setattr(watch, "in_notebook", lambda: True)
    assert slow(3, quiet=True) == 3
    assert capsys.readouterr().err == ""


def test_a_verb_within_a_verb_shows_no_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watch, "in_notebook", lambda: True)
    calls: list[bool] = []

    @shows_progress
    def outer() -> int:
        calls.append(watch._ProgressLine.is_shown)
        return slow(2)

    assert outer() == 2
    assert calls == [True]
    assert not watch._ProgressLine.is_shown


def test_it_keeps_its_words() -> None:
    assert list(signature(slow).parameters) == ["n", "quiet"]
