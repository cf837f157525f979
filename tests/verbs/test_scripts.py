"""A plain script needs no main guard: the processes that it starts do not run it again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.packaging.checkout import clean_environment

SCRIPT = """
import balance
print("begun")
battle = balance.battle("warforged", "nexus+assault_rifle", "trooper+shotgun", trials=300, executor="processes")
print(battle.value.simulated.n_trials)
"""


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    (tmp_path / "fair.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "fair.py"]
    done = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, timeout=120)
    assert (done.stdout.split(), done.returncode) == (["begun", "300"], 0), done.stderr
