"""A command run in this process: what it printed, what it complained about and how it ended."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from balance.cli.main import main
from tests.cli.transcripts import PLAIN, UNSET
from tests.schemas import check_printed

Command = Callable[..., Any]
"""balance("attack", ...) -> an object with `status`, `out` and `err`."""


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr("balance.verbs.call.kept.WORTH_KEEPING", math.inf)  # or what is told would depend on the clock
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)
    for name in UNSET:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def balance(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: object) -> SimpleNamespace:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        check_printed(printed.out)
        return SimpleNamespace(status=status, out=printed.out, err=printed.err)

    return command


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, where no catalogue but the shipped one is found."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
