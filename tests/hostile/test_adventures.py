"""Random adventures are played or refused: never with a traceback, never late, never large."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from balance.cli.main import main
from tests.hostile.adventures import case
from tests.hostile.commands import assert_sound

SHORT = (2, 6, 7, 9, 10, 11, 14, 16)
"""Cases that take little time: files that are shown, games that are told, one that is played, and three refusals."""


def test_a_few_adventures_are_played_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses = []
    for number in SHORT:
        folder = tmp_path / str(number)
        for name, content in case(number).files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("BALANCE_CACHE", str(tmp_path / "cache"))
        statuses.append(main(list(case(number).words)))
        said = capsys.readouterr()
        assert "error: " in said.err or statuses[-1] != 2
    assert set(statuses) == {0, 2}


@pytest.mark.slow("test_a_few_adventures_are_played_or_refused")
@pytest.mark.skipif(sys.platform != "linux", reason="processor time is read from /proc")
@pytest.mark.parametrize("part", range(4))
def test_random_adventures_are_played_or_refused(part: int) -> None:
    assert_sound(lambda number: case(250 * part + number), 250, 2)
