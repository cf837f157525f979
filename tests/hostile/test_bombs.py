"""Bombs are refused within 2 s of processor time and 300 MB, start of the program included.

On a slower machine they may take longer: what a second is worth is measured beside them, by counting squares.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.bombs import BOMBS, catalogue

CHILD = """
import resource, sys, time
began = time.process_time()
sum(i * i for i in range(1_000_000))
counted = time.process_time() - began
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from balance.cli.main import main
status = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]
print(status, used.ru_utime + used.ru_stime - counted, int(peak) / 1024, counted)
"""
SECONDS, MEGABYTES = 2.0, 300.0
USUALLY_COUNTED = 0.06
"""Seconds in which a million squares are counted at the usual speed: an estimate, 0.07 to 0.1 on a slow one."""
CHECKED_BY_DEFAULT = (
    "merged cells over a sheet", "millions of cells in a row", "960,000 cells in 58 kB",
    "60,000 brackets in a text", "2,000 x 2,000 policies", "60,000 unknown settings", "10 x 10 x 10 repeats",
    "a number of a million digits",
)  # fmt: skip


def measured(told: str) -> tuple[float, float, float]:
    """Return the status a child ended with, its seconds as they would usually be, and its megabytes."""
    status, seconds, megabytes, counted = map(float, told.splitlines()[-1].split())
    return status, seconds * min(1.0, USUALLY_COUNTED / counted), megabytes


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(
    "name", [name if name in CHECKED_BY_DEFAULT else pytest.param(name, marks=pytest.mark.slow) for name in BOMBS]
)
def test_a_bomb_is_refused(name: str, tmp_path: Path) -> None:
    arguments = BOMBS[name](tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    status, seconds, megabytes = measured(done.stdout)
    assert status == 2, done.stdout + done.stderr[-500:]
    assert done.stderr.startswith("error: ")
    assert len(done.stderr) < 500_000
    assert seconds < SECONDS
    assert megabytes < MEGABYTES


@pytest.mark.parametrize("n", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_sound_units_are_checked_quickly(n: int, tmp_path: Path) -> None:
    """100,000 units in 10 s, and fewer in as much of it; sources of a tenth of them besides."""
    folder = catalogue(tmp_path)
    head, *units = (folder / "units.csv").read_text().splitlines()
    rows = [units[i % len(units)].split(",") for i in range(n)]
    many = [",".join([f"{row[0]}_{i}", f"{row[1]} {i}", *row[2:]]) for i, row in enumerate(rows)]
    (folder / "units.csv").write_text("\n".join([head, *many]))
    sources = [f"units,{row.split(',')[0]},health,assumed,made up" for row in many[::10]]
    (folder / "SOURCES.csv").write_text("\n".join(["table,id,field,status,where", *sources]))
    done = subprocess.run(
        [sys.executable, "-c", CHILD, "check", str(folder)], capture_output=True, text=True, check=True
    )
    status, seconds, _ = measured(done.stdout)
    assert f"sound; {n} units" in done.stdout
    assert status == 0
    assert seconds < 2 * (10 * n / 100_000 + 1)  # twice as slow is the machine's, a search in a search is far slower
