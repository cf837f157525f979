"""`python -m balance`: an interruption is heeded before the parts of the command are loaded, then the command runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

import balance
from balance import __main__ as main


def test_an_interruption_is_heeded_before_the_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[object]()

    def ending(status: int, words: bytes) -> Callable[[], tuple[int, bytes]]:
        return lambda: (status, words)

    monkeypatch.setattr(main, "end_at_once", ending)
    monkeypatch.setattr(main, "heed", lambda handler: done.append(handler()))
    monkeypatch.setattr("balance.cli.main.run", lambda: done.append("ran"))
    main.start()
    assert done == [(3, b"Interrupted; nothing was left half-written.\n"), "ran"]


def test_the_module_is_the_command() -> None:
    said = subprocess.run([sys.executable, "-m", "balance", "--version"], capture_output=True, text=True, check=True)
    assert (said.stdout.strip().endswith(balance.__version__), said.stderr) == (True, "")
