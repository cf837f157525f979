"""`python -m balance`: an interruption is heeded before the parts of the command are loaded, then the command runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import balance
from balance import __main__ as main
from balance.base.limits import ONE_THREAD


def test_an_interruption_is_heeded_before_the_command_runs_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[object]()

    def ending(status: int, words: bytes) -> Callable[[], tuple[int, bytes]]:
        return lambda: (status, words)

    monkeypatch.setattr(main, "end_at_once", ending)
    monkeypatch.setattr(main, "heed", lambda handler: done.append(handler()))
    for name in ONE_THREAD:
        monkeypatch.setenv(name, "8")
    monkeypatch.setattr("balance.cli.main.run", lambda: done.append({name: os.environ[name] for name in ONE_THREAD}))
    main.start()
    assert done == [(3, b"Interrupted; nothing was left half-written.\n"), ONE_THREAD]


def test_the_module_is_the_command() -> None:
    said = subprocess.run([sys.executable, "-m", "balance", "--version"], capture_output=True, text=True, check=True)
    assert (said.stdout.strip().endswith(balance.__version__), said.stderr) == (True, "")
