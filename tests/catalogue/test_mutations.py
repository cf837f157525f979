"""Whatever happens to a file, the loader either reads it or tells what is wrong with it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.base.errors import BalanceError
from balance.catalogue import Catalogue, load_catalogue, write_folder
from balance.games.warforged.cards import SPEC

from .conftest import DATA

NAMES = ("units.csv", "weapons.csv", "rules.toml", "SOURCES.csv")
FILES = {name: (DATA / name).read_bytes() for name in NAMES}
HOSTILE = [
    "",
    "NaN",
    "-1",
    "1e9",
    "9" * 5000,
    "inf",
    "03-apr",
    "7,5",
    "=1+1",
    '"',
    "\0",
    "\r",
    "x" * 200_000,
    "🜲",
    "[",
    "[[" * 999,
]
HOSTILE += ["'''", "true", "{}", "1979-05-27", "0x10", "\u202e", "id", "+", "#N/A", "2000-01-01", "_", ";;;", "\ud7ff"]

positions = st.floats(0, 1, exclude_max=True)
mutations = st.tuples(st.sampled_from(["byte", "cell", "line", "cut", "drop", "double", "swap"]), positions, positions)


def mutate(data: bytes, kind: str, at: float, other: float) -> bytes:
    i, j = int(at * len(data)), int(other * len(data))
    lines = data.split(b"\n")
    n, m = int(at * len(lines)), int(other * len(lines))
    text = HOSTILE[int(other * len(HOSTILE))].encode()
    match kind:
        case "byte":
            return data[:i] + bytes([int(other * 256)]) + data[i + 1 :]
        case "cell":
            cells = lines[n].replace(b" = ", b",").split(b",")
            joint = b" = " if b" = " in lines[n] else b","
            cells[int(other * len(cells))] = text
            return b"\n".join([*lines[:n], joint.join(cells), *lines[n + 1 :]])
        case "line":
            return b"\n".join([*lines[:n], text, *lines[n:]])
        case "cut":
            return data[:i]
        case "drop":
            return b"\n".join(lines[:n] + lines[n + 1 :])
        case "double":
            return b"\n".join([*lines[:n], lines[n], *lines[n:]])
        case _:
            lines[n], lines[m] = lines[m], lines[n]
            return data[: min(i, j)] + data[max(i, j) :] if other < 0.3 else b"\n".join(lines)


def load_with(name: str, data: bytes) -> Catalogue | None:
    """Load the shipped catalogue with one file replaced; None if it is refused, naming that file."""
    with tempfile.TemporaryDirectory() as folder:
        for other, content in FILES.items():
            (Path(folder) / other).write_bytes(content)
        (Path(folder) / name).write_bytes(data)
        try:
            return load_catalogue(SPEC, folder)
        except BalanceError as error:
            assert error.faults
            assert all(fault.message and str(fault) for fault in error.faults)
            # A changed id makes its sources dangle, so SOURCES.csv may be named in place of the table.
            named = {Path(fault.path).name for fault in error.faults}
            assert named <= {name, "SOURCES.csv"}
            assert named
            return None


def check_a_mutated_file(name: str, steps: list[tuple[str, float, float]]) -> None:
    data = FILES[name]
    for step in steps:
        data = mutate(data, *step) if data else data
    if (read := load_with(name, data)) is not None:
        with tempfile.TemporaryDirectory() as folder:
            write_folder(read, folder)
            assert load_catalogue(SPEC, folder).sha256 == read.sha256


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(NAMES), st.lists(mutations, min_size=1, max_size=3))
def test_a_mutated_file_is_refused_by_name_or_read_and_written_back(
    name: str, steps: list[tuple[str, float, float]]
) -> None:
    check_a_mutated_file(name, steps)


@pytest.mark.slow("test_a_mutated_file_is_refused_by_name_or_read_and_written_back")
@settings(max_examples=250, deadline=None)
@given(st.sampled_from(NAMES), st.lists(mutations, min_size=1, max_size=3))
def test_250_mutated_files_are_refused_by_name_or_read_and_written_back(
    name: str, steps: list[tuple[str, float, float]]
) -> None:
    check_a_mutated_file(name, steps)


@pytest.mark.slow("test_a_mutated_file_is_refused_by_name_or_read_and_written_back")
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.binary(max_size=400))
def test_noise_is_refused_by_name(name: str, data: bytes) -> None:
    assert load_with(name, data) is None


def test_the_untouched_files_load(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "copy")
    assert load_catalogue(SPEC, tmp_path / "copy") == load_with("units.csv", FILES["units.csv"])
