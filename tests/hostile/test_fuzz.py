"""Spoilt inputs end with an error of ours or are read: never with a traceback, never late, never large."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.hostile import readers
from tests.hostile.fuzz import run_cases

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")


@pytest.mark.parametrize(
    ("n", "n_workers"),
    [(40, 1), *(pytest.param(n, 2, marks=pytest.mark.slow) for n in (300, 10_000))],
    ids=["40", "300", "10,000"],
)
def test_spoilt_inputs_are_refused_or_read(n: int, n_workers: int) -> None:
    outcomes = list(run_cases(range(n), n_workers))
    assert len(outcomes) == n
    assert [outcome for outcome in outcomes if not outcome.is_sound] == []
    assert {outcome.reader for outcome in outcomes} == set(readers.READERS)
    assert {outcome.what for outcome in outcomes} == {"accepted", "refused"}


@pytest.mark.parametrize("reader", readers.READERS)
def test_the_sound_inputs_are_read(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "mutate", lambda data, kinds, chance: data)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path.parent))
    spoil, _ = readers.READERS[reader]
    spoil("warforged", random.Random(0), tmp_path)
