"""The code in the page of the dice language answers by itself: without the rest of the package, and without numpy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from balance.reporting.live.odds import HOME, ROOMS
from balance.reporting.live.runtime import source_archive

ASK = f"""
import json, sys
sys.path.insert(0, sys.argv[1])
from {HOME["module"]} import {HOME["function"]}
print(next({HOME["function"]}("3d6 keep 2\\n3d6 kep\\n(20d20)d20 - (20d20)d20\\n\\n1d6!>=1")))
"""


def answer(rooms: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Return what a bare interpreter says with nothing but these rooms of the package to import."""
    archive = folder / "balance.zip"
    archive.write_bytes(source_archive(rooms))
    words = [sys.executable, "-I", "-S", "-c", ASK, str(archive)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_the_code_in_the_page_answers_by_itself(tmp_path: Path) -> None:
    process = answer(ROOMS, tmp_path)
    assert process.returncode == 0, process.stderr
    view = json.loads(process.stdout)
    assert [fault["line"] for fault in view["faults"]] == [2, 5], "others are answered"
    exact, rolled = view["answer"]["rows"]
    assert (exact["numbers"][0]["mean"], exact["n_trials"]) == (pytest.approx(8.4583, abs=1e-4), 0)
    assert rolled["n_trials"] > 0
    assert view["working"]
    assert len(view["pictures"][1]["intervals"]) == len(view["pictures"][1]["names"])
    assert f"--trials {rolled['n_trials']}" in view["command"]


def test_a_room_left_out_is_missed(tmp_path: Path) -> None:
    process = answer(tuple(room for room in ROOMS if room != "base"), tmp_path)
    assert "ModuleNotFoundError: No module named 'balance.base'" in process.stderr
